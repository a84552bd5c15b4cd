/** Reads lists of the calendar's API to their ends. */

/** Pages of a list, at most: a thousand items. */
const maxPages = 20;

interface ListPage {
  readonly total_pages: number;
  readonly [list: string]: unknown;
}

const fetchJson = async (path: string): Promise<ListPage> => (await fetch(path)).json();

/** Reads a list in the language of the page; `get` reads one page of it, as anybody may unless told. */
export async function readAll<View>(
  list: 'events' | 'venues' | 'organizers' | 'categories',
  filters: Readonly<Record<string, string>>,
  get = fetchJson,
): Promise<View[]> {
  const { lang } = document.documentElement;
  const parameters = new URLSearchParams({ per_page: '50', ...filters });
  if (lang !== 'en') parameters.set('translation_language', lang);
  const items: View[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    parameters.set('page', String(page));
    const found = await get(`${document.body.dataset['calendar']}/${list}?${parameters}`);
    pages = found.total_pages;
    items.push(...(found[list] as View[]));
  }
  return items;
}
