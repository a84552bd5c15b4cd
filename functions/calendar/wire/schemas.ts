/** Schemas of what all resources reply alike, for the documents (docs/calendar-contract.md, "Errors" and "Lists"). */

import type { TObject } from 'typebox';
import * as Type from 'typebox';
import type { ReplyDefinition } from '../../../shared/http/description.ts';
import { replayedHeader } from '../../../shared/http/reply.ts';
import { adjustedFieldsHeader } from './replies.ts';

/** Error body. */
export const errorSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    data: Type.Object({ status: Type.Integer() }, { additionalProperties: true }),
  },
  { $id: 'CalendarError', additionalProperties: true },
);

const etagHeader = {
  ETag: { description: 'Names this state; send it in If-None-Match.', schema: Type.String() },
} as const;

/** Returns the replies of a read: with a tag, or 304 to a caller that has it already. */
export function readReplies(reply: ReplyDefinition): Readonly<Record<number, ReplyDefinition>> {
  return {
    200: { ...reply, headers: { ...etagHeader, ...reply.headers } },
    304: { description: 'The caller already has this state.' },
  };
}

export const totalHeaders = {
  'X-TEC-Total': { description: 'Records on all pages.', schema: Type.Integer() },
  'X-TEC-TotalPages': { description: 'Pages.', schema: Type.Integer() },
} as const;

export const adjustedHeaders = {
  [adjustedFieldsHeader]: {
    description:
      'Fields that do not have the values that were sent: `end_date;reason=before-start` for an end before the start, which becomes the start; `start_date;reason=skipped-time` for a time that clocks skip, which becomes the time that they show then; `description;reason=too-much-markup` for a text with more elements or levels than are kept, of which the text alone is stored. `venue;reason=gone` where a version that is put back names what is gone since. A list of RFC 9651.',
    schema: Type.String(),
  },
};

export const replayedHeaders = {
  [replayedHeader]: {
    description: '`true`: an earlier request with the same Idempotency-Key has created the record.',
    schema: Type.String(),
  },
};

/** Returns the schema of a page of a list. */
export function pageSchema(collection: string, item: TObject) {
  return Type.Object({
    [collection]: Type.Array(item),
    rest_url: Type.String(),
    next_rest_url: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
    previous_rest_url: Type.Optional(Type.String({ description: 'Absent on the first page.' })),
    total: Type.Integer(),
    total_pages: Type.Integer(),
  });
}
