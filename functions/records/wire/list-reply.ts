/** How every list of objects is replied: a page with links to others, as JSON or CSV, and how many there are. */

import * as Type from 'typebox';
import { prefers } from '../../../shared/http/accept.ts';
import { contentReply, json, type Reply } from '../../../shared/http/reply.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { columnHeads } from '../../../shared/text/column-heads.ts';
import { csvMediaType } from '../csv/csv.ts';
import { type Fields, objectsToCsv } from '../objects/fields.ts';
import { type FoundPage, findPage } from '../objects/find-page.ts';
import type { ObjectKind } from '../objects/kinds.ts';
import { filledFields } from '../objects/search.ts';
import { selectedFields } from '../objects/selected-fields.ts';
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
    description:
      'URLs of other pages, with rel="first" and "next", and "prev" where `offset` counts (RFC 8288).',
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
    after,
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
    sort: sortedFields(sort),
    page: { limit, offset, after },
    fields,
    count: count || total,
    parent,
  });
  const headers = headersOf(page, limit, url, request.url);
  if (!prefers(request.headers, 'text/csv', 'application/json')) return json(page.records, { headers });
  // Who names no fields gets those that the customer uses; the heads are the same on each page.
  const isFilled = labels && names === undefined;
  const written = isFilled ? await filledFields(main, kind, source, { where, parent }) : fields;
  const columns = columnHeads(written, labels ? await readLabels() : {});
  return contentReply(csvMediaType, await objectsToCsv(columns, page.records), headers);
}

/** Returns the fields of a `sort`, with `-` before those that descend. */
export function sortedFields(sort: string | undefined): readonly string[] {
  return sort?.split(',').map((name) => name.trim()) ?? [];
}

/** Returns the headers of a page: links to others, and the number of objects where it was asked for. */
export function headersOf(
  { lastKey, total }: FoundPage,
  limit: number,
  url: string,
  query: Pick<URL, 'searchParams'>,
): Record<string, string> {
  const links = pageLinks(lastKey, limit, url, query);
  return {
    ...(links === '' ? {} : { Link: links }),
    ...(total === undefined ? {} : { 'X-Total-Count': String(total) }),
    Vary: 'Accept',
  };
}

/** Returns the links to other pages; none for a list that fits one page. Who counts items gets links that do. */
function pageLinks(
  lastKey: string | undefined,
  limit: number,
  url: string,
  { searchParams }: Pick<URL, 'searchParams'>,
): string {
  const isCounted = searchParams.has('offset');
  const offset = Number(searchParams.get('offset') ?? 0);
  const link = (rel: string, start: Readonly<Record<string, string | number>>) => {
    const parameters = new URLSearchParams(searchParams);
    parameters.delete('offset');
    parameters.delete('after');
    parameters.set('limit', String(limit));
    for (const [name, value] of Object.entries(start)) parameters.set(name, String(value));
    return `<${url}?${parameters}>; rel="${rel}"`;
  };
  const next = isCounted ? { offset: offset + limit } : { after: lastKey ?? '' };
  const isFirst = offset === 0 && !searchParams.has('after');
  return [
    ...(lastKey === undefined ? [] : [link('next', next)]),
    ...(offset > 0 ? [link('prev', { offset: Math.max(0, offset - limit) })] : []),
    ...(lastKey === undefined && isFirst ? [] : [link('first', isCounted ? { offset: 0 } : {})]),
  ].join(', ');
}
