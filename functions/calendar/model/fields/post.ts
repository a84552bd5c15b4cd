/** Fields that events, venues and organizers share. */

import * as Type from 'typebox';
import type { CalendarContext } from '../calendar-context.ts';
import { formatWall } from '../dates/wall.ts';
import { imageSizes, imageUrl } from '../image-url.ts';
import { has, mayReadImage } from '../rights.ts';
import { escapedLine, escapedText, sanitizeDescription, sanitizeInline } from '../text/html.ts';
import { withOwnAddresses } from '../text/own-addresses.ts';
import { withOwnPages } from '../text/own-pages.ts';
import { renderHtml } from '../text/render-text.ts';
import { type Status, statuses } from '../values.ts';
import {
  computedField,
  derivedField,
  type ShowContext,
  type StoreContext,
  shownField,
  sometimes,
} from './field.ts';
import { extension, InvalidValue, map, type Parameter, required } from './parameter.ts';
import { choice, date, filledText, idOf, isAbsoluteUrl, text } from './parsers.ts';
import { dateTime, mapOf, textLanguagesSchema, translationSchemas } from './schemas.ts';
import { schemasOf } from './table.ts';

/** An image that was asked for: one that exists, a URL to refer to, or none. */
type ImageRequest = { readonly id: number } | { readonly url: string } | null;

const author: Parameter<number> = {
  description: 'Author id; may be set by editors.',
  type: 'integer',
  parse: (value, { replica }) => {
    const id = idOf(value);
    return id !== undefined && replica.author(id) !== undefined
      ? id
      : new InvalidValue('must be the id of an existing author', value === null);
  },
};

/** The author of a record, and its time of publication (docs/calendar-contract.md, "Status and publication"). `write/dates.ts` computes them together. */
export const publicationFields = {
  author: computedField(author, {
    show: (id?: number) => String(id),
    schema: Type.String({ description: 'Author id, as text.' }),
  }),
  status: computedField(choice('Post status.', statuses), {
    show: (_stored: Status | undefined, { status }) => status,
    schema: Type.String(),
  }),
  date: computedField(date('Publication date, in the zone of the site.'), {
    schema: dateTime('Publication, in the zone of the site.'),
  }),
  date_utc: computedField(date('Publication date, in UTC.'), { schema: dateTime('Publication, in UTC.') }),
  review_note: sometimes(
    computedField(
      extension(
        map(
          text('A word to the author of what is sent back; goes when it is submitted again or published.'),
          escapedLine,
        ),
      ),
      {
        show: (note, { status }) => (status === 'draft' || status === 'pending' ? note : undefined),
        schema: Type.Optional(
          Type.String({
            description:
              'A word to the author of what was sent back, for those who may read what is not published. (Extension.)',
          }),
        ),
        hidden: undefined,
      },
    ),
  ),
  submitted_utc: shownField({
    show: (_stored, { record, status }) =>
      status === 'pending' && typeof record['submitted_at'] === 'number'
        ? formatWall(record['submitted_at'])
        : undefined,
    schema: Type.Optional(
      Type.String({ description: 'Since when it waits for review, in UTC. (Extension.)' }),
    ),
  }),
  modified: derivedField({ schema: dateTime('Last change, in the zone of the site.') }),
  modified_utc: derivedField({ schema: dateTime('Last change, in UTC.') }),
  url: shownField({
    show: (_stored, { page }) => page,
    schema: Type.String({ description: 'Page on the site.' }),
  }),
};

/** Schemas of what events, venues and organizers show first. */
export const commonSchemas = {
  id: Type.Integer(),
  text_languages: textLanguagesSchema,
  raw: Type.Optional(
    mapOf(Type.String(), {
      description:
        'With context=edit, for callers who may edit the record: its texts without typographic characters.',
    }),
  ),
  ...translationSchemas,
  ...schemasOf(publicationFields),
  global_id: Type.String(),
  global_id_lineage: Type.Array(Type.String()),
};

/** The title or name of a record: simple markup is kept for editors, and dropped for others. */
export function title(description: string): Parameter<string> {
  return required(
    map(filledText(description), (value, { caller }) =>
      (has('editor', caller) ? sanitizeInline(value) : escapedText(value)).trim(),
    ),
  );
}

/** HTML, with what is not allowed taken out. */
export function html(description: string): Parameter<string> {
  return map(text(description), sanitizeDescription);
}

/** Shows a description or excerpt, with our pictures and pages where they are now. */
export function showHtml(text: string | undefined, { root, image, site }: ShowContext): string {
  return withOwnPages(renderHtml(withOwnAddresses(text ?? '', root, image)), site.url);
}

/** An image by id or URL. What `isEmpty` accepts removes it. */
export function image(isEmpty: (value: unknown) => boolean): Parameter<ImageRequest> {
  return {
    description: 'Featured image: its id, or, from authors, its URL, which is referenced and never fetched.',
    type: 'string',
    schema: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    parse: (value, context) => (isEmpty(value) ? null : parseImage(value, context)),
  };
}

function parseImage(value: unknown, { replica, caller, before }: CalendarContext) {
  const image = replica.image(idOf(value) ?? 0);
  if (image !== undefined && (image.id === before?.image || mayReadImage(caller, image, replica)))
    return { id: image.id };
  if (has('author', caller) && isHttpUrl(value)) return { url: value };
  return new InvalidValue(
    'must be the id of an existing image, or, from authors, an absolute http(s) URL',
    value === null || value === false,
  );
}

function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && isAbsoluteUrl(value);
}

/** How an image is stored and shown: by its id, and with the facts that were imported with it, since it is never fetched. */
export const imageStorage = {
  store(request: ImageRequest | undefined, before: number | undefined, write: StoreContext) {
    if (request === undefined) return before;
    if (request === null) return undefined;
    return 'id' in request ? request.id : write.imageOf(request.url);
  },
  show(id: number | undefined, context: ShowContext) {
    const image = id === undefined ? undefined : context.image(id);
    if (image === undefined) return false;
    const url = imageUrl(image, context.root);
    const [, extension = ''] = /\.(\w{1,5})$/.exec(new URL(url).pathname) ?? [];
    const { width, height, filesize } = image;
    const sizes = imageSizes(image, context.root);
    const alt = image.stored?.alt_text || undefined;
    const credit = image.stored?.credit || undefined;
    const license = image.stored?.license || undefined;
    return { url, id: image.id, extension, width, height, filesize, alt, credit, license, sizes };
  },
};
