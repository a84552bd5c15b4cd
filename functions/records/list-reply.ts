/** How every list of objects is replied: a page with links to others, as JSON or CSV, and how many there are. */

import * as Type from 'typebox';
import { prefers } from '../../shared/http/accept.ts';
import { contentReply, json, type Reply } from '../../shared/http/reply.ts';
import type { IncomingRequest } from '../../shared/http/request.ts';
import type { Database } from '../../shared/sql/database.ts';
import { type Fields, type ObjectRecord, objectsToCsv } from './objects/fields.ts';
import type { ObjectKind } from './objects/kinds.ts';
import { searchObjects } from './objects/search.ts';
import type { ObjectSource } from './objects/source.ts';
import type { Page } from './objects/store.ts';
import { recordSchema, tableSchema } from './schemas.ts';

type ListQuery = Page &
  Fields & { readonly sort?: string; readonly count?: boolean; readonly total?: boolean };

interface ListCall {
  readonly query: unknown;
  readonly request: IncomingRequest;
  /** URL of the list, without a query. */
  readonly url: string;
  readonly parent?: { readonly propID: number; readonly id: string };
}

/** Describes the reply of a list. */
export function listReply(kind: ObjectKind) {
  return {
    description: 'A page of the list. The header Link names the pages beside it.',
    schema: Type.Array(recordSchema(kind)),
    otherMediaTypes: { 'text/csv': tableSchema(kind) },
    headers: {
      Link: {
        description: 'URLs of other pages, with rel="first", "prev" and "next" (RFC 8288).',
        schema: Type.String(),
      },
      'X-Total-Count': {
        description: 'Items on all pages, where `count=true` asks for it.',
        schema: Type.Integer(),
      },
    },
  };
}

/** Finds the page that a query asks for, and replies with it. */
export async function replyWithPage(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  { query, request, url, parent }: ListCall,
): Promise<Reply> {
  const { limit, offset, sort, count = false, total = false, ...where } = query as ListQuery;
  const page = await searchObjects(main, kind, source, {
    where,
    sort: sort?.split(',') ?? [],
    // One item more than the page shows whether another page follows.
    page: { limit: limit + 1, offset },
    count: count || total,
    parent,
  });
  const links = pageLinks(page.records.length > limit, { limit, offset }, url, request.url);
  const headers = {
    ...(links === '' ? {} : { Link: links }),
    ...(page.total === undefined ? {} : { 'X-Total-Count': String(page.total) }),
    Vary: 'Accept',
  };
  return pageReply(kind, page.records.slice(0, limit), request, headers);
}

function pageReply(
  kind: ObjectKind,
  records: readonly ObjectRecord[],
  request: IncomingRequest,
  headers: Readonly<Record<string, string>>,
): Reply {
  if (!prefers(request.headers, 'text/csv', 'application/json')) return json(records, { headers });
  return contentReply('text/csv; charset=utf-8; header=present', objectsToCsv(kind, records), headers);
}

/** Returns the links to other pages; none for a list that fits one page. */
function pageLinks(
  hasNext: boolean,
  { limit, offset }: Page,
  url: string,
  { searchParams }: Pick<URL, 'searchParams'>,
): string {
  const link = (rel: string, start: number) => {
    const parameters = new URLSearchParams(searchParams);
    parameters.set('limit', String(limit));
    parameters.set('offset', String(start));
    return `<${url}?${parameters}>; rel="${rel}"`;
  };
  return [
    ...(hasNext ? [link('next', offset + limit)] : []),
    ...(offset > 0 ? [link('prev', Math.max(0, offset - limit))] : []),
    ...(hasNext || offset > 0 ? [link('first', 0)] : []),
  ].join(', ');
}
