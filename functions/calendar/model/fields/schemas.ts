/** Schemas of the values that fields are shown as (docs/calendar-contract.md, "Errors" and "Records"). */

import * as Type from 'typebox';

/** Returns the schema of an object whose keys are data. */
export function mapOf<Value extends Type.TSchema>(value: Value, options: Type.TObjectOptions = {}) {
  return Type.Unsafe<Readonly<Record<string, Type.Static<Value>>>>(
    Type.Object({}, { ...options, additionalProperties: value }),
  );
}

const imageSize = Type.Object(
  { width: Type.Integer(), height: Type.Integer(), 'mime-type': Type.String(), url: Type.String() },
  { $id: 'ImageSize', description: 'One size of an image.', additionalProperties: true },
);

export const imageSchema = Type.Object(
  {
    url: Type.String(),
    id: Type.Integer(),
    extension: Type.String(),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    filesize: Type.Optional(Type.Integer()),
    alt: Type.Optional(
      Type.String({
        description: 'Text for readers who do not see the image; absent where none is stored. (Extension.)',
      }),
    ),
    credit: Type.Optional(Type.String({ description: 'Who has made it. (Extension.)' })),
    license: Type.Optional(Type.String({ description: 'Under which terms it is shown. (Extension.)' })),
    sizes: Type.Optional(mapOf(imageSize)),
  },
  { $id: 'Image', description: 'An image: what is known of it.' },
);

/** Returns the schema of a date as it is shown. */
export function dateTime(description: string) {
  return Type.String({ description, example: '2027-01-31 19:30:00' });
}

export const dateDetailsSchema = Type.Object(
  {
    year: Type.String(),
    month: Type.String(),
    day: Type.String(),
    hour: Type.String(),
    minutes: Type.String(),
    seconds: Type.String(),
  },
  { $id: 'DateDetails', description: 'The parts of a date, zero-padded texts.' },
);

export const costDetailsSchema = Type.Object(
  {
    currency_symbol: Type.String(),
    currency_code: Type.String(),
    currency_position: Type.String({ description: 'prefix, postfix, or empty for the default of the site.' }),
    values: Type.Array(Type.String()),
  },
  { $id: 'CostDetails' },
);

/** Languages of the texts of a record. */
export const textLanguagesSchema = Type.Optional(
  mapOf(Type.Enum(['da', 'sv']), {
    description:
      'Languages of texts by field, in a record that has texts in several; absent for texts that were written in none.',
  }),
);

/** A record as linked data (schema.org). */
export interface LinkedData {
  readonly name: string;
  readonly description: string;
  readonly [key: string]: unknown;
}

/** Returns the schema of linked data. */
export function linkedDataSchema(options: Type.TObjectOptions = {}) {
  return Type.Unsafe<LinkedData>(Type.Object({}, { ...options, additionalProperties: true }));
}

/** Returns the schema of what is true or false, or null where a password protects it. */
export function flagSchema(description: string) {
  return Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: `${description} Null where a password protects it.`,
  });
}

const texts = mapOf(Type.String());
const states = mapOf(Type.Enum(['current', 'older', 'missing']));

/** What callers are shown with `context=edit` who may edit a record that has texts in several languages. */
export const translationSchemas = {
  translations: Type.Optional(
    mapOf(texts, {
      description:
        'With context=edit, for callers who may edit the record: its texts by language, `default` without one. (Extension.)',
    }),
  ),
  translation_states: Type.Optional(
    mapOf(states, {
      description:
        'With context=edit: by language and field, whether a text is `missing`, `older` than its original, which has changed since, or `current`. (Extension.)',
    }),
  ),
};
