/** Fields that events, venues and organizers share on create and update. */

import { has } from '../model/rights.ts';
import { escapedText, sanitizeDescription, sanitizeInline } from '../model/text/sanitize.ts';
import { date, filledText, idOf, isAbsoluteAddress, refined, statusOf, text } from './kinds.ts';
import { type Parameter, required, Unfit } from './parameter.ts';

/** An image that was asked for: one that exists, an address to refer to, or none. */
export type ImageRequest = { readonly id: number } | { readonly url: string } | null;

export const publicationFields = {
  author: {
    description: 'Author id; may be set by editors.',
    type: 'integer',
    read: (value, { replica }) => {
      const id = idOf(value);
      return id !== undefined && replica.author(id) !== undefined
        ? id
        : new Unfit('must be the id of an existing author', value === null);
    },
  } satisfies Parameter<number>,
  date: date('Publication date, in the zone of the site.'),
  date_utc: date('Publication date, in UTC.'),
  status: statusOf('Post status.'),
};

/** The title or name of a record: simple markup is kept for editors, and dropped for others. */
export function title(description: string): Parameter<string> {
  return required(
    refined(filledText(description), (value, { caller }) =>
      (has('editor', caller) ? sanitizeInline(value) : escapedText(value)).trim(),
    ),
  );
}

/** HTML, with what is not allowed taken out. */
export function html(description: string): Parameter<string> {
  return refined(text(description), sanitizeDescription);
}

/** An image by id or address. What `isEmpty` accepts removes it. */
export function image(
  isId: (value: unknown) => boolean,
  isEmpty: (value: unknown) => boolean,
): Parameter<ImageRequest> {
  return {
    description:
      'Featured image: its id, or, from authors, its address, which is referenced and never fetched.',
    type: 'string',
    read: (value, { replica, caller }) => {
      if (isEmpty(value)) return null;
      const id = idOf(value);
      const isThere = id !== undefined && replica.image(id) !== undefined;
      if (isThere && isId(value)) return { id };
      if (has('author', caller) && isAddress(value)) return { url: value };
      return new Unfit(
        'must be the id of an existing image, or, from authors, an absolute http(s) URL',
        isThere || value === null || value === false,
      );
    },
  };
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && isAbsoluteAddress(value);
}
