/** Reads lists of the calendar's API to their ends, and the texts in them. */

/** Pages of a list, at most: a thousand items. */
const maxPages = 20;

export type ListName = 'events' | 'venues' | 'organizers' | 'categories';
export type ListPage = Readonly<Record<'total' | 'total_pages', number>> &
  Readonly<Record<ListName, unknown>>;

type Get = (path: string) => Promise<ListPage>;

const fetchJson: Get = async (path) => (await fetch(path)).json();

/** Reads one page of a list in the language of the page; `get` reads it, by default as an anonymous caller. */
export function readPage(
  list: ListName,
  filters: Readonly<Record<string, string>>,
  page: number,
  get: Get = fetchJson,
): Promise<ListPage> {
  const { lang } = document.documentElement;
  const ofLanguage = lang === 'en' ? {} : { translation_language: lang };
  const parameters = { per_page: '50', ...filters, ...ofLanguage, page: String(page) };
  return get(`${document.body.dataset['calendar']}/${list}?${new URLSearchParams(parameters)}`);
}

/** Reads a list in the language of the page, page by page. */
export async function readAll<View>(
  list: ListName,
  filters: Readonly<Record<string, string>>,
  get?: Get,
): Promise<View[]> {
  const items: View[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    const result = await readPage(list, filters, page, get);
    pages = result.total_pages;
    items.push(...(result[list] as View[]));
  }
  return items;
}

/** Returns the plain text of HTML. */
export function plain(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? '';
}
