/** Reads lists of the calendar's API to their ends, and the texts in them. */

/** Pages of a list, at most: a thousand items. */
const maxPages = 20;

type ListName = 'events' | 'venues' | 'organizers' | 'categories';
type ListPage = { readonly total_pages: number } & Readonly<Record<ListName, unknown>>;

const fetchJson = async (path: string): Promise<ListPage> => (await fetch(path)).json();

/** Reads a list in the language of the page; `get` reads one page of it, by default as an anonymous caller. */
export async function readAll<View>(
  list: ListName,
  filters: Readonly<Record<string, string>>,
  get = fetchJson,
): Promise<View[]> {
  const { lang } = document.documentElement;
  const parameters = new URLSearchParams({ per_page: '50', ...filters });
  if (lang !== 'en') parameters.set('translation_language', lang);
  const items: View[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    parameters.set('page', String(page));
    const result = await get(`${document.body.dataset['calendar']}/${list}?${parameters}`);
    pages = result.total_pages;
    items.push(...(result[list] as View[]));
  }
  return items;
}

/** Returns the plain text of HTML. */
export function plain(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? '';
}
