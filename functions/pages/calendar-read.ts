/** Reads the calendar for pages: as anybody may, by the same operations as the API, and what is refused there is not shown here. */

import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { CalendarRequest, RawParameters } from '../../shared/calendar/model/context.ts';
import { anonymous } from '../../shared/calendar/model/rights.ts';
import { collections, type ListedKind, type PostKind } from '../../shared/calendar/model/values.ts';
import { statusOf } from '../../shared/errors/kinds.ts';
import { isCodedError } from '../../shared/errors.ts';
import type { PageContext } from './context.ts';
import type { Word } from './words.ts';

type Texts<Name extends string> = Readonly<Record<Name, string>>;

interface PostView extends Texts<'slug' | 'url'>, Partial<Texts<'description' | 'phone' | 'website'>> {
  readonly id: number;
  readonly image?: { readonly url: string } | boolean;
  readonly json_ld?: object;
}

type AddressPart = 'address' | 'zip' | 'city' | 'stateprovince' | 'country';

export interface VenueView extends PostView, Texts<'venue'>, Partial<Texts<AddressPart>> {
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly show_map_link: boolean;
}

export interface OrganizerView extends PostView, Texts<'organizer'> {
  readonly email?: string;
}

export interface TermView extends Texts<'name' | 'slug'> {
  readonly id: number;
}

type EventDate = 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone_abbr';

export interface EventView extends PostView, Texts<'title' | 'excerpt' | 'cost' | EventDate> {
  readonly all_day: boolean | null;
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  /** One venue, none or several. */
  readonly venue: VenueView | readonly VenueView[];
  readonly organizer: readonly OrganizerView[];
}

interface Views {
  readonly event: EventView;
  readonly venue: VenueView;
  readonly organizer: OrganizerView;
  readonly category: TermView;
  readonly tag: TermView;
}

/** Items that one reading of a list asks for, and readings of one that is wanted whole, at most. */
const maxItems = 50;
const maxPages = 20;

/** Whose pages are made: of which calendar, and for whom. */
export interface Reader {
  readonly calendar: Calendar;
  readonly context: PageContext;
}

/** A value with the version of the calendar that it was read from. */
export interface Read<T> {
  readonly value: T;
  readonly version: number;
}

function requestOf({ context }: Reader, parameters: RawParameters): CalendarRequest {
  const { origin, calendar, siteUrl, language } = context;
  return {
    ...{ caller: anonymous, parameters, root: `${origin}${calendar}`, siteUrl },
    language: language === 'en' ? undefined : language,
  };
}

/** Reads one record by its slug. */
export async function readOne<K extends PostKind>(reader: Reader, kind: K, slug: string) {
  const { value, freshness } = await reader.calendar.read(kind, { slug }, requestOf(reader, {}));
  const read: Read<Views[K]> = { value: JSON.parse(value.text), version: freshness.version };
  return read;
}

/** Reads the first items of a list, or those of a page further on. */
export async function readList<K extends ListedKind>(
  reader: Reader,
  kind: K,
  parameters: RawParameters = {},
) {
  const request = requestOf(reader, { per_page: String(maxItems), ...parameters });
  const { value, freshness } = await reader.calendar.list(kind, request);
  const { total_pages: pages, [collections[kind]]: items = [] } = JSON.parse(value.text);
  const read: Read<readonly Views[K][]> = { value: items, version: freshness.version };
  return { ...read, pages: Number(pages) };
}

/** Reads a list to its end. */
export async function readAll<K extends ListedKind>(reader: Reader, kind: K): Promise<readonly Views[K][]> {
  const { value, pages } = await readList(reader, kind);
  const others = Array.from({ length: Math.min(pages, maxPages) - 1 }, (_, index) =>
    readList(reader, kind, { page: String(index + 2) }),
  );
  return [value, ...(await Promise.all(others)).map((one) => one.value)].flat();
}

/** What a page says of a failure. */
export interface Failure {
  readonly status: number;
  readonly title: Word;
  readonly why: Word;
}

/** Returns what people are told of an error; rethrows those of the service itself. What is not public is not there. */
export function failureOf(error: unknown): Failure {
  if (!isCodedError(error)) throw error;
  if (error.code === 'event-password-protected') return { status: 403, title: 'locked', why: 'lockedWhy' };
  const status = statusOf(error.kind);
  if (status === 503) return { status, title: 'down', why: 'downWhy' };
  if (status >= 500) throw error;
  return { status: 404, title: 'notFound', why: 'notFoundWhy' };
}
