/** Reads the calendar for pages: as anybody may, by the same operations as the API, and what is refused there is not shown here. */

import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { CalendarRequest, RawParameters } from '../../shared/calendar/model/context.ts';
import { anonymous } from '../../shared/calendar/model/rights.ts';
import { collections, type ListedKind, type PostKind } from '../../shared/calendar/model/values.ts';
import { statusOf } from '../../shared/errors/kinds.ts';
import { isCodedError } from '../../shared/errors.ts';
import type { PageLanguage } from './negotiate.ts';
import type { Places } from './places.ts';
import type { Word } from './words.ts';

interface Named {
  readonly id: number;
  readonly slug: string;
  readonly url: string;
  readonly description?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly image?: { readonly url: string } | boolean;
  readonly json_ld?: object;
}

export interface VenueView extends Named {
  readonly venue: string;
  readonly address?: string;
  readonly zip?: string;
  readonly city?: string;
  readonly stateprovince?: string;
  readonly country?: string;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly show_map_link: boolean;
}

export interface OrganizerView extends Named {
  readonly organizer: string;
  readonly email?: string;
}

export interface TermView {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

export interface EventView extends Named {
  readonly title: string;
  readonly excerpt: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly timezone_abbr: string;
  readonly all_day: boolean | null;
  readonly cost: string;
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  /** One venue, none or several. */
  readonly venue: VenueView | readonly VenueView[];
  readonly organizer: readonly OrganizerView[];
}

export interface Views {
  readonly event: EventView;
  readonly venue: VenueView;
  readonly organizer: OrganizerView;
  readonly category: TermView;
  readonly tag: TermView;
}

/** Items of a list on a page, at most. */
const maxItems = 50;

/** Whose pages are made: where they are, and in which language. */
export interface Reader {
  readonly calendar: Calendar;
  readonly places: Places;
  readonly language: PageLanguage;
}

function requestOf({ places, language }: Reader, parameters: RawParameters): CalendarRequest {
  return {
    caller: anonymous,
    parameters,
    root: `${new URL(places.url).origin}${places.calendar}`,
    siteUrl: places.url,
    language: language === 'en' ? undefined : language,
  };
}

/** A value with the version of the calendar that it was read from. */
export interface Read<T> {
  readonly value: T;
  readonly version: number;
}

/** Reads one record by its slug. */
export async function readOne<K extends PostKind>(
  reader: Reader,
  kind: K,
  slug: string,
): Promise<Read<Views[K]>> {
  const { value, freshness } = await reader.calendar.read(kind, { slug }, requestOf(reader, {}));
  return { value: JSON.parse(value.text) as Views[K], version: freshness.version };
}

/** Reads the first items of a list. */
export async function readList<K extends ListedKind>(
  reader: Reader,
  kind: K,
  parameters: RawParameters = {},
): Promise<Read<readonly Views[K][]>> {
  const request = requestOf(reader, { per_page: String(maxItems), ...parameters });
  const { value, freshness } = await reader.calendar.list(kind, request);
  const body = JSON.parse(value.text) as Record<string, readonly Views[K][]>;
  return { value: body[collections[kind]] ?? [], version: freshness.version };
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
