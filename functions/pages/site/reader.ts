/** Reads the calendar for pages, as an anonymous caller, by the operations of the API. A rejected read is not shown. */

import { isCodedError } from '../../../shared/errors.ts';
import type { CalendarRequest, RawParameters } from '../../calendar/model/calendar-context.ts';
import type { SeriesView, TermView, Views } from '../../calendar/model/fields/views.ts';
import { anonymous } from '../../calendar/model/rights.ts';
import type { ListedKind, PostKind } from '../../calendar/model/values.ts';
import type { Calendar } from '../../calendar/operations/calendar.ts';
import type { Choices } from '../../calendar/read/choices.ts';
import type { PageContext } from '../common/page-context.ts';
import { type ColorOf, createColorOf } from '../common/views/colors.ts';

/** Items that one reading of a list asks for, and readings of one that is wanted whole, unless more are asked for. */
const maxItems = 50;
const maxPages = 20;

/** Readings of the calendar in the context of a page. */
export type Reader = ReturnType<typeof readerOf>;

export function readerOf(calendar: () => Calendar, context: PageContext) {
  const { origin, calendar: path, siteUrl, language, client } = context;
  const requestOf = (parameters: RawParameters): CalendarRequest => ({
    caller: anonymous,
    parameters,
    root: `${origin}${path}`,
    siteUrl,
    language: language === 'en' ? undefined : language,
    callerKey: client,
  });

  /** Reads one record by its slug, with the version of the calendar that it was read from. */
  async function read<K extends PostKind>(kind: K, slug: string) {
    const { value, freshness } = await calendar().view(kind, { slug }, requestOf({}));
    return { value, version: freshness.version };
  }

  /** Reads a page of a list; its first one unless the parameters name another. */
  async function list<K extends ListedKind>(kind: K, parameters: RawParameters = {}) {
    const request = requestOf({ per_page: String(maxItems), ...parameters });
    const { value, freshness } = await calendar().listViews(kind, request);
    const { items, totalPages, total } = value;
    return { value: items, version: freshness.version, pages: totalPages, total };
  }

  /** Reads a list to its end; a long one as many pages from the one that is given. */
  async function all<K extends ListedKind>(
    kind: K,
    parameters: RawParameters = {},
    first = 1,
    most = maxPages,
  ): Promise<readonly Views[K][]> {
    const { value, pages } = await list(kind, { ...parameters, page: String(first) });
    const lastPage = Math.min(pages, first + most - 1);
    const numbers = Array.from({ length: Math.max(0, lastPage - first) }, (_, index) => first + index + 1);
    const otherPages = await Promise.all(
      numbers.map((page) => list(kind, { ...parameters, page: String(page) })),
    );
    return [value, ...otherPages.map((page) => page.value)].flat();
  }

  /** Reads the categories, and the colours by which pages show them. */
  async function categories(): Promise<{
    readonly terms: readonly TermView[];
    readonly colorOf: ColorOf;
    readonly colors: readonly string[];
  }> {
    const terms = await all('category');
    const colorOf = createColorOf(terms);
    return { terms, colorOf, colors: [...new Set(terms.map(colorOf))] };
  }

  /** Reads what events can be filtered by. */
  async function choices(): Promise<Choices> {
    return (await calendar().choices(requestOf({}))).value;
  }

  /** Reads a series with the dates that everybody may read; undefined for none. */
  async function series(id: number): Promise<SeriesView | undefined> {
    try {
      return (await calendar().series.read(id, requestOf({}))).value.view;
    } catch (error) {
      if (isCodedError(error, 'series-not-found')) return undefined;
      throw error;
    }
  }

  return { context, read, list, all, categories, choices, series };
}
