/** Pages of WordPress's lists, which are arrays with totals in headers. */

import { json, type Reply } from '../../../shared/http/reply.ts';
import type { RawParameters } from '../../calendar/model/calendar-context.ts';
import { invalidParameter } from '../../calendar/model/refusals.ts';
import { collections, type ListedKind } from '../../calendar/model/values.ts';
import { maxItems as maxCalendarItems } from '../../calendar/read/page.ts';
import { type CalendarCall, requestOf } from '../../calendar/wire/input.ts';
import { freshnessHeaders } from '../../calendar/wire/replies.ts';

/** A record as the calendar shows it. */
export type Shown = Readonly<Record<string, unknown>>;

/** Items of a page, at most. */
const maxItems = 100;
const defaultItems = 10;

interface ListOptions {
  readonly kind: ListedKind;
  /** What the calendar is asked. */
  readonly filters: RawParameters;
  readonly view: (record: Shown) => object;
  /** Refuses a page above 1 with nothing on it. Default: it is empty. */
  readonly mustExist?: (page: number, totalPages: number) => void;
}

/** Answers with a page. One of more items than a page of the calendar may have is joined from several of those. */
export async function pageReply(
  call: CalendarCall,
  { kind, filters, view, mustExist }: ListOptions,
): Promise<Reply> {
  const { page, perPage } = pageAsked(call.query);
  const size = Math.min(perPage, maxCalendarItems);
  const start = (page - 1) * perPage;
  const first = Math.floor(start / size);
  const records: Shown[] = [];
  const request = requestOf(call);
  const list = (number: number) =>
    call.calendar().list(kind, { ...request, parameters: { ...filters, page: number, per_page: size } });
  // The first page has the totals, and exists even when it is empty.
  const { value, freshness } = await list(1);
  const pages = Math.min(Math.ceil((start + perPage) / size), value.totalPages);
  for (let number = first + 1; number <= pages; number++) {
    const { bytes } = number === 1 ? value : (await list(number)).value;
    records.push(...recordsIn(bytes.toString(), kind));
  }
  const totalPages = Math.ceil(value.total / perPage);
  mustExist?.(page, totalPages);
  const items = records.slice(start - first * size, start - first * size + perPage);
  return json(items.map(view), {
    headers: {
      'X-WP-Total': String(value.total),
      'X-WP-TotalPages': String(totalPages),
      ...linkHeader(call, page, totalPages),
      ...freshnessHeaders(freshness),
    },
  });
}

function recordsIn(text: string, kind: ListedKind): readonly Shown[] {
  return (JSON.parse(text) as Readonly<Record<string, readonly Shown[]>>)[collections[kind]] ?? [];
}

/** Returns the sent parameters that have one of these names. */
export function pickParameters(raw: RawParameters, names: readonly string[]): RawParameters {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => names.includes(name)));
}

/** Filters that WordPress has for every list of posts, and that no list here has: without them it would be answered as if they were met. */
export const filtersOfPosts = [
  'after',
  'author_exclude',
  'before',
  'exclude',
  'modified_after',
  'modified_before',
  'offset',
  'search_columns',
  'tax_relation',
];

/** Refuses filters of WordPress that a list has not. Names that WordPress does not know mean nothing there either. */
export function mustKnowFilters(raw: RawParameters, names: readonly string[]): void {
  const [name] = names.filter((name) => raw[name] !== undefined);
  if (name !== undefined) throw invalidParameter(name, 'is no filter of this list');
}

/** Directions of an order. */
export const directions = ['asc', 'desc'];

/** Refuses a value that is sent and that WordPress does not have: else the list would be answered as if it were another one. */
export function mustBeOneOf(name: string, value: unknown, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(String(value)))
    throw invalidParameter(name, `must be one of ${choices.join(', ')}`);
}

/** Returns the items of a list: an array, or a text with commas. */
export function listIn(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : String(value).split(',');
  return items.map((item) => String(item).trim()).filter((item) => item !== '');
}

function pageAsked({ page = 1, per_page = defaultItems }: RawParameters) {
  return {
    page: positive('page', page),
    perPage: Math.min(positive('per_page', per_page), maxItems),
  };
}

function positive(name: string, value: unknown): number {
  const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : 0;
  if (number < 1) throw invalidParameter(name, 'must be a whole number above 0');
  return number;
}

/** Returns the links to the pages before and after (RFC 8288). */
export function linkHeader({ request, link, route }: CalendarCall, page: number, totalPages: number) {
  const links = [
    [page > 1 ? Math.min(page - 1, totalPages) : 0, 'prev'],
    [page < totalPages ? page + 1 : 0, 'next'],
  ] as const;
  const linkValues = links.flatMap(([number, rel]) => {
    if (number < 1) return [];
    const query = new URLSearchParams(request.url.searchParams);
    query.set('page', String(number));
    return [`<${link(route.path)}?${query}>; rel="${rel}"`];
  });
  return linkValues.length > 0 ? { Link: linkValues.join(', ') } : {};
}
