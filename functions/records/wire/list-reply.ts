/** How every list of objects is replied: a page with links to others, as JSON or CSV, and how many there are. */

import * as Type from 'typebox';
import { prefers } from '../../../shared/http/accept.ts';
import { contentReply, json, type Reply } from '../../../shared/http/reply.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { csvMediaType } from '../csv/csv.ts';
import { type Fields, objectsToCsv } from '../objects/fields.ts';
import type { ObjectKind } from '../objects/kinds.ts';
import { type Found, type Search, searchObjects } from '../objects/search.ts';
import { columnHeads, selectedFields } from '../objects/selected-fields.ts';
import type { ObjectSource } from '../objects/source.ts';
import type { Page } from '../objects/store.ts';
import { selectionSchema, tableSchema } from './schemas.ts';

/** The query of a list, conditions included. */
export type ListQuery = Page &
  Fields & {
    readonly fields?: readonly string[];
    readonly labels?: boolean;
    readonly sort?: string;
    readonly count?: boolean;
    readonly total?: boolean;
  };

interface ListCall {
  readonly query: unknown;
  readonly request: IncomingRequest;
  /** Reads the labels of the fields. */
  readonly readLabels: () => Promise<Readonly<Record<string, string>>>;
  /** URL of the list, without a query. */
  readonly url: string;
  readonly parent?: { readonly propID: number; readonly id: string };
}

/** Describes the reply of a list. */
export function listReply(kind: ObjectKind) {
  return {
    description: 'A page of the list. The header Link names the pages beside it.',
    schema: Type.Array(selectionSchema(kind)),
    otherMediaTypes: { 'text/csv': tableSchema(kind) },
    headers: pageHeaders,
  };
}

/** Describes the headers of a page. */
export const pageHeaders = {
  Link: {
    description: 'URLs of other pages, with rel="first", "prev" and "next" (RFC 8288).',
    schema: Type.String(),
  },
  'X-Total-Count': {
    description: 'Items on all pages, where `count=true` asks for it.',
    schema: Type.Integer(),
  },
};

/** Finds the page that a query asks for, and replies with it. */
export async function replyWithPage(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  { query, request, url, parent, readLabels }: ListCall,
): Promise<Reply> {
  const {
    limit,
    offset,
    sort,
    fields: names,
    labels = false,
    count = false,
    total = false,
    ...where
  } = query as ListQuery;
  const fields = selectedFields(kind, names);
  const page = await findPage(main, kind, source, {
    where,
    sort: sort?.split(',') ?? [],
    page: { limit, offset },
    fields,
    count: count || total,
    parent,
  });
  const headers = headersOf(page, { limit, offset }, url, request.url);
  if (!prefers(request.headers, 'text/csv', 'application/json')) return json(page.records, { headers });
  const columns = columnHeads(fields, labels ? await readLabels() : {});
  return contentReply(csvMediaType, await objectsToCsv(columns, page.records), headers);
}

/** A page of objects. */
export interface FoundPage extends Found {
  readonly hasNext: boolean;
}

/** Finds a page of objects, and whether another one follows. */
export async function findPage(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  search: Search,
): Promise<FoundPage> {
  const { limit, offset } = search.page;
  // One item more than the page shows whether another page follows.
  const found = await searchObjects(main, kind, source, { ...search, page: { limit: limit + 1, offset } });
  return { ...found, records: found.records.slice(0, limit), hasNext: found.records.length > limit };
}

/** Returns the headers of a page: links to others, and the number of objects where it was asked for. */
export function headersOf(
  { hasNext, total }: FoundPage,
  page: Page,
  url: string,
  query: Pick<URL, 'searchParams'>,
): Record<string, string> {
  const links = pageLinks(hasNext, page, url, query);
  return {
    ...(links === '' ? {} : { Link: links }),
    ...(total === undefined ? {} : { 'X-Total-Count': String(total) }),
    Vary: 'Accept',
  };
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
