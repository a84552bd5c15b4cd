/** The change feed: what changed since a version, for programs that keep a copy or a cache. */

import * as Type from 'typebox';
import { appliedWaitHeader, grantedWait, waitHeaders } from '../../../shared/http/prefer.ts';
import { json, RawJson } from '../../../shared/http/reply.ts';
import { collections } from '../model/values.ts';
import { changeParameters, type VisibleChange } from '../read/changes.ts';
import { bounds } from '../wire/bounds.ts';
import { type CalendarCall, endpoint, requestOf } from '../wire/input.ts';
import { querySchema } from '../wire/parameters.ts';
import { digest, freshnessHeaders } from '../wire/replies.ts';
import { readReplies } from '../wire/schemas.ts';

/** Seconds that remain for the reply after a wait. */
const reserve = 1.5;

const changeSchema = Type.Object({
  kind: Type.Unsafe<string>({ type: 'string', enum: [...Object.keys(collections), 'image'] }),
  id: Type.Integer(),
  version: Type.Integer({ description: 'Version of the calendar that the last change of the record made.' }),
  removed: Type.Boolean({
    description: 'Whether the caller cannot read the record now: deleted, in the trash, or not published.',
  }),
  url: Type.Optional(
    Type.String({ description: 'Address of the record. Absent for images, and for what is removed.' }),
  ),
});

const pageSchema = Type.Object(
  {
    changes: Type.Array(changeSchema, { description: 'Each record once, in the order of its last change.' }),
    version: Type.Integer({ description: 'Version up to which the changes are complete: the next `since`.' }),
    latest: Type.Integer({
      description: 'Version of the calendar. More changes follow while it is above `version`.',
    }),
    history: Type.String({ description: 'Names the history in which the versions count.' }),
    next: Type.String({ description: 'Address of the changes after these.' }),
  },
  { $id: 'CalendarChanges' },
);

/** The endpoint of the change feed. */
export const changesEndpoint = endpoint({
  method: 'GET',
  path: '/changes',
  operationId: 'get-calendar-changes',
  bound: bounds.changes,
  summary: 'List what changed since a version',
  description:
    'Names each record once that changed after `since`, also what the caller can no longer read. Request `next` for what follows. `Prefer: wait=8` (RFC 7240) holds an empty reply for up to that many seconds, until something changes. A follower reads `url` of each change, and deletes what is removed.',
  tag: 'Calendar: index',
  access: 'optional',
  extension: true,
  query: querySchema(changeParameters),
  problems: {
    400: 'A bad parameter.',
    410: 'The version is of another history of the calendar (changes-gone): start over without since and history.',
    503: 'The tables cannot be reached.',
  },
  replies: readReplies({
    description: 'The changes.',
    schema: pageSchema,
    headers: appliedWaitHeader,
  }),
  async handle(call) {
    const seconds = grantedWait(call.request, call.deadline, reserve);
    const polled = await call.calendar().changes.list(requestOf(call), seconds * 1000);
    const { value, freshness } = polled.value;
    const { changes, version, latest } = value;
    const { history } = freshness;
    const text = JSON.stringify({
      changes: changes.map((change) => ({ ...change, ...urlOf(change, call) })),
      version,
      latest,
      history,
      next: nextUrl(call, version, history),
    });
    return json(new RawJson(text), {
      headers: {
        ETag: `"${digest(text)}"`,
        ...waitHeaders(seconds, polled.hasWaited),
        ...freshnessHeaders(freshness),
      },
    });
  },
});

function urlOf({ kind, id, removed }: VisibleChange, { link }: CalendarCall): { readonly url?: string } {
  return removed || kind === 'image' ? {} : { url: link(`/${collections[kind]}/${id}`) };
}

function nextUrl({ link, query }: CalendarCall, version: number, history: string): string {
  const { per_page } = query;
  const parameters = new URLSearchParams({
    since: String(version),
    ...(history === '' ? {} : { history }),
    ...(per_page === undefined ? {} : { per_page: String(per_page) }),
  });
  return link(`/changes?${parameters}`);
}
