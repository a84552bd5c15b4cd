/** Fields of categories and tags (docs/calendar-contract.md, "Categories and tags"). */

import * as Type from 'typebox';
import { escapedLine, sanitizeInline } from '../text/html.ts';
import { slugOf } from '../text/slug.ts';
import { computedField, field, sometimes, textField } from './field.ts';
import { extension, InvalidValue, map, required } from './parameter.ts';
import { filledText, text } from './parsers.ts';
import { existingCategoryOrNone } from './references.ts';
import { textLanguagesSchema, translationSchemas } from './schemas.ts';
import { parametersOf, schemasOf } from './table.ts';
import { translationParameters } from './translations.ts';

const name = map(text('Name, unique among tags, and among categories with one parent.'), (value) =>
  // A name of whitespace is rejected with a separate code, once it is stored.
  ['', '0'].includes(value) ? new InvalidValue('must not be empty') : escapedLine(value),
);

const tagFields = {
  description: textField(map(text('Description; simple markup is kept.'), sanitizeInline), {
    schema: Type.String(),
  }),
  name: textField(required(name), { schema: Type.String() }),
  slug: computedField(map(filledText('Slug; without one it is made from the name.'), slugOf), {
    schema: Type.String(),
  }),
};

/** Returns a colour as `#rrggbb` in lower case; undefined for another text. */
function colorOf(value: string): string | undefined {
  const [, digits = ''] = /^\s*#?([0-9a-f]{3}|[0-9a-f]{6})\s*$/i.exec(value) ?? [];
  if (digits === '') return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`.toLowerCase();
}

/** The fields of terms. The parent shown is the present one, so it is no separate key. */
export const termFields = {
  tag: tagFields,
  category: {
    ...tagFields,
    parent: sometimes(
      computedField<number, number>(
        existingCategoryOrNone('Id of the parent category; on update 0 moves to the top.'),
        {},
      ),
    ),
    color: field(
      extension(
        map(text('Colour of its events on pages, such as #0b57a4; empty removes it.'), (value) =>
          value === ''
            ? ''
            : (colorOf(value) ?? new InvalidValue('must be a colour such as #0b57a4, or empty')),
        ),
      ),
      { schema: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$' })) },
    ),
  },
};

/** What clients send of a term. */
export const termParameters = {
  category: { ...parametersOf(termFields.category), ...translationParameters(termFields.category) },
  tag: { ...parametersOf(termFields.tag), ...translationParameters(termFields.tag) },
};

export const termSchema = Type.Object(
  {
    id: Type.Integer(),
    ...schemasOf({ name: tagFields.name, slug: tagFields.slug }),
    taxonomy: Type.String(),
    ...schemasOf(tagFields),
    count: Type.Integer({ description: 'Number of published events.' }),
    parent: Type.Optional(Type.Integer()),
    ...schemasOf({ color: termFields.category.color }),
    text_languages: textLanguagesSchema,
    url: Type.Optional(Type.String()),
    ...translationSchemas,
    urls: Type.Object({ self: Type.String(), collection: Type.String(), up: Type.Optional(Type.String()) }),
  },
  { $id: 'Term', description: 'A category or tag.', additionalProperties: true },
);
