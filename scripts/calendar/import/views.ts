/** Reads all views of a calendar through its API. Its pages are stored, so that the views can be read repeatedly, one page at a time. */

import { collections, type ListedKind } from '../../../functions/calendar/model/values.ts';
import type { Limits } from './limits.ts';
import type { StoredPages } from './pages.ts';
import { idIn } from './record.ts';
import { type View, viewsIn } from './records-of-view.ts';
import { messageOf } from './site.ts';

/** The views of a source, linked records first. Each record is there once. */
export interface SourceViews extends Iterable<readonly [kind: ListedKind, view: View]> {
  has(kind: ListedKind, id: number): boolean;
}

export interface ViewOptions {
  readonly say: (line: string) => void;
  readonly limits: Limits;
}

/** Kinds in the order of links: a linked kind comes first. */
const kinds = ['category', 'tag', 'venue', 'organizer', 'event'] as const satisfies readonly ListedKind[];

/** The largest page of the API. */
const perPage = 50;
/** Pages between two lines of progress. */
const pagesPerLine = 20;

const queries: Readonly<Record<ListedKind, Readonly<Record<string, string>>>> = {
  event: { start_date: '1000-01-01 00:00:00', end_date: '2999-12-31 23:59:59' },
  venue: {},
  organizer: {},
  category: { hide_empty: '0' },
  tag: { hide_empty: '0' },
};

/** Records inside of an event that no list may have, such as unpublished venues. */
const embedded = [
  ['venue', 'venue'],
  ['organizer', 'organizer'],
  ['category', 'categories'],
  ['tag', 'tags'],
] as const;

type Request = readonly [kind: ListedKind, path: string, query: Readonly<Record<string, string>>];

/** Reads all lists of a calendar. `more` are ids of records that lists may lack; those that exist are read one by one. */
export async function readViews(
  pages: StoredPages,
  options: ViewOptions,
  more: (ids: ReadonlySet<string>) => AsyncIterable<readonly [kind: ListedKind, id: number]>,
): Promise<SourceViews & { readonly missing: readonly string[]; readonly unlisted: readonly string[] }> {
  const requests: Request[] = [];
  const seen = new Set<string>();
  for (const kind of kinds) {
    const before = seen.size;
    await readList(kind, pages, requests, seen, options);
    options.say(`${collections[kind]}: ${seen.size - before}`);
  }
  const missing: string[] = [];
  const unlisted: string[] = [];
  for await (const [kind, id] of more(seen)) {
    const path = `/${collections[kind]}/${id}`;
    const { status, body } = await pages.site.get(path, {});
    if (status === 200 && idIn(body['id']) === id) {
      requests.push([kind, path, {}]);
      unlisted.push(`${kind}/${id}`);
    } else if (status === 404 || status === 410) missing.push(`${kind}/${id}`);
  }
  requests.sort(([a], [b]) => kinds.indexOf(a) - kinds.indexOf(b));
  const all = new Set([...seen, ...unlisted]);
  return {
    has: (kind, id) => all.has(`${kind}/${id}`),
    [Symbol.iterator]: () => viewsOf(requests, pages),
    missing,
    unlisted,
  };
}

/** Reads the pages of a list into the store. Throws an Error for a list without end. */
async function readList(
  kind: ListedKind,
  { site }: StoredPages,
  requests: Request[],
  seen: Set<string>,
  { say, limits }: ViewOptions,
): Promise<void> {
  const collection = collections[kind];
  for (let page = 1; ; page += 1) {
    const query = { ...queries[kind], page: String(page), per_page: String(perPage) };
    const { status, body } = await site.get(`/${collection}`, query);
    // An empty list, or a page after the last one, is answered with 404 or an empty page.
    if (status === 404) return;
    if (status !== 200)
      throw new Error(`Cannot read ${collection}: the site answers ${status}: ${messageOf(body)}`);
    const views = viewsIn(body[collection]);
    const pages = Number(body['total_pages'] ?? 0);
    mustEnd(collection, Math.max(page, Number.isFinite(pages) ? pages : 0), limits);
    requests.push([kind, `/${collection}`, query]);
    const before = seen.size;
    for (const { id } of views) seen.add(`${kind}/${Number(id)}`);
    if (seen.size > limits.records)
      throw new Error(
        `Cannot read the site: it has more than ${limits.records} records. Nothing was written.`,
      );
    if (page % pagesPerLine === 0) say(`${collection}: page ${page}${pages > 0 ? ` of ${pages}` : ''}`);
    const isLast = pages > 0 ? page >= pages : body['next_rest_url'] === undefined;
    if (views.length === 0 || isLast) return;
    if (seen.size === before) {
      say(`${collection}: page ${page} repeats earlier pages, so the list ends there`);
      return;
    }
  }
}

function mustEnd(collection: string, pages: number, limits: Limits): void {
  if (pages > limits.pages)
    throw new Error(
      `Cannot read ${collection}: the list has ${pages} pages or more, and an import reads ${limits.pages}. Nothing was written.`,
    );
}

/** Yields the views of stored pages, each record once, and before an event the records that only events show. */
function* viewsOf(
  requests: readonly Request[],
  pages: StoredPages,
): Generator<readonly [kind: ListedKind, view: View]> {
  const yielded = new Set<string>();
  const isNew = (kind: ListedKind, { id }: View) => {
    const before = yielded.size;
    return yielded.add(`${kind}/${nameOf(id)}`).size > before;
  };
  for (const [kind, path, query] of requests) {
    const { body } = pages.page(path, query);
    const views = Array.isArray(body[collections[kind]]) ? viewsIn(body[collections[kind]]) : [body];
    for (const view of views) {
      if (kind === 'event')
        for (const [linkedKind, name] of embedded)
          for (const linked of viewsIn(view[name])) if (isNew(linkedKind, linked)) yield [linkedKind, linked];
      if (isNew(kind, view)) yield [kind, view];
    }
  }
}

/** Returns an id, or the beginning of a text that is none, for messages. */
export function nameOf(id: unknown): string {
  return String(idIn(id) ?? id).slice(0, 40);
}
