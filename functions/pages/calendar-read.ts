/** Reads the calendar for pages, as an anonymous caller, by the operations of the API. A rejected read is not shown. */

import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { CalendarRequest, RawParameters } from '../../shared/calendar/model/context.ts';
import { anonymous } from '../../shared/calendar/model/rights.ts';
import { collections, type ListedKind, type PostKind } from '../../shared/calendar/model/values.ts';
import type { PageContext } from './context.ts';

type Texts<Name extends string> = Readonly<Record<Name, string>>;
type ContactText = 'venue' | 'organizer' | 'description' | 'phone' | 'website' | 'email';
type AddressPart = 'address' | 'zip' | 'city' | 'stateprovince' | 'country';
type EventDate = 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone_abbr';

export interface TermView extends Texts<'name' | 'slug'> {
  readonly id: number;
}

/** A venue or organizer as the API shows it, which leaves out what one has not. */
export interface ContactView extends Texts<'slug' | 'url'>, Partial<Texts<ContactText | AddressPart>> {
  readonly id: number;
  readonly image?: { readonly url: string } | boolean;
  /** Only where one record is read. */
  readonly json_ld?: Texts<'name' | 'description'>;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly show_map_link?: boolean;
}

export interface EventView
  extends Omit<ContactView, 'venue' | 'organizer'>,
    Texts<'title' | 'cost' | EventDate> {
  readonly all_day: boolean | null;
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  /** One venue, none or several. */
  readonly venue: ContactView | readonly ContactView[];
  readonly organizer: readonly ContactView[];
}

/** Items that one reading of a list asks for, and readings of one that is wanted whole, at most. */
const maxItems = 50;
const maxPages = 20;

/** What reads the calendar that pages are made of, for those that they are made for. */
export type Reader = ReturnType<typeof readerOf>;

export function readerOf(calendar: () => Calendar, context: PageContext) {
  const { origin, calendar: path, siteUrl, language } = context;
  const requestOf = (parameters: RawParameters): CalendarRequest => ({
    ...{ caller: anonymous, parameters, root: `${origin}${path}`, siteUrl },
    language: language === 'en' ? undefined : language,
  });

  /** Reads one record by its slug, with the version of the calendar that it was read from. */
  async function read(kind: PostKind, slug: string) {
    const { value, freshness } = await calendar().read(kind, { slug }, requestOf({}));
    return { value: JSON.parse(value.text) as EventView | ContactView, version: freshness.version };
  }

  /** Reads the first items of a list, or those of a page further on. */
  async function list<View>(kind: ListedKind, parameters: RawParameters = {}) {
    const request = requestOf({ per_page: String(maxItems), ...parameters });
    const { value, freshness } = await calendar().list(kind, request);
    const { total_pages: pages, [collections[kind]]: items = [] } = JSON.parse(value.bytes.toString());
    return { value: items as readonly View[], version: freshness.version, pages: Number(pages) };
  }

  /** Reads a list to its end. */
  async function all<View>(kind: ListedKind): Promise<readonly View[]> {
    const { value, pages } = await list<View>(kind);
    const nextPages = Array.from({ length: Math.min(pages, maxPages) - 1 }, (_, index) =>
      list<View>(kind, { page: String(index + 2) }),
    );
    return [value, ...(await Promise.all(nextPages)).map((page) => page.value)].flat();
  }

  return { context, read, list, all };
}
