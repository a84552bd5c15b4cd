/** Reads all views of a calendar through its API. */

import { collections, type ListedKind } from '../../../../shared/calendar/model/values.ts';
import { type View, viewsIn } from './records-of-view.ts';
import { messageOf, type SourceSite } from './site.ts';

/** Views by kind and id. */
export type Views = Readonly<Record<ListedKind, ReadonlyMap<number, View>>>;

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

/** Reads all lists of a calendar, and the records that only events show. */
export async function readViews(site: SourceSite, say: (line: string) => void): Promise<Views> {
  const views = {
    category: new Map(),
    tag: new Map(),
    venue: new Map(),
    organizer: new Map(),
    event: new Map(),
  };
  for (const kind of kinds) {
    for await (const view of records(site, kind, say)) put(views[kind], view);
    say(`${collections[kind]}: ${views[kind].size}`);
  }
  for (const event of views.event.values()) putEmbedded(views, event);
  return views;
}

function put(views: Map<number, View>, view: View): void {
  const id = Number(view['id']);
  if (Number.isSafeInteger(id) && id > 0) views.set(id, view);
}

/** Adds the records inside of an event that no list has, such as unpublished venues. */
function putEmbedded(views: Record<ListedKind, Map<number, View>>, event: View): void {
  for (const [kind, name] of [
    ['venue', 'venue'],
    ['organizer', 'organizer'],
    ['category', 'categories'],
    ['tag', 'tags'],
  ] as const)
    for (const view of viewsIn(event[name])) if (!views[kind].has(Number(view['id']))) put(views[kind], view);
}

async function* records(
  site: SourceSite,
  kind: ListedKind,
  say: (line: string) => void,
): AsyncGenerator<View> {
  const collection = collections[kind];
  for (let page = 1; ; page += 1) {
    const query = { ...queries[kind], page: String(page), per_page: String(perPage) };
    const { status, body } = await site.get(`/${collection}`, query);
    // An empty list, or a page after the last one, is answered with 404 or an empty page.
    if (status === 404) return;
    if (status !== 200)
      throw new Error(`Cannot read ${collection}: the site answers ${status}: ${messageOf(body)}`);
    const views = viewsIn(body[collection]);
    yield* views;
    const pages = Number(body['total_pages'] ?? 0);
    if (page % pagesPerLine === 0) say(`${collection}: page ${page}${pages > 0 ? ` of ${pages}` : ''}`);
    const isLast = pages > 0 ? page >= pages : body['next_rest_url'] === undefined;
    if (views.length === 0 || isLast) return;
  }
}
