/** Lists of events, venues, organizers, categories and tags (docs/calendar-contract.md, "Lists"). */

import { CodedError } from '../../../shared/errors.ts';
import { readWall, secondsOfDay, startOfDay, toInstant, toWall } from '../model/dates/wall.ts';
import { type ParameterTable, parseFilters } from '../model/fields/parameter.ts';
import type { Views } from '../model/fields/views.ts';
import type { TermRecord } from '../model/records.ts';
import { has, type KnownCaller, listed, type Readable, statusInEffect } from '../model/rights.ts';
import {
  collections,
  isTermKind,
  type LinkedKind,
  type ListedKind,
  type PostKind,
  type Status,
  type TermKind,
} from '../model/values.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import { contactFilters, findContacts } from './contact-filters.ts';
import { eventFilters } from './event-filters.ts';
import { eventWindow, feedDefaults } from './event-window.ts';
import { findEvents, findFeed } from './find-events.ts';
import { type Listing, listing, textsOf } from './listing.ts';
import { type Page, type PagingValues, pageFrom, pageOf } from './page.ts';
import type { ReadContext } from './read-context.ts';
import { findTerms, termFilters } from './term-filters.ts';
import type { Rendered } from './text-cache.ts';
import { type LinkParameters, writeQuery } from './write-query.ts';

/** Returns a page of a list of any kind. */
export function listRecords(kind: ListedKind, context: ReadContext): Listing {
  return isTermKind(kind) ? listTerms(kind, context) : listPosts(kind, context);
}

/** Returns a page of a list of any kind as values: what its reply shows. */
export function listViews<K extends ListedKind>(kind: K, context: ReadContext): Page<Views[K]> {
  const { renderer } = context;
  return isTermKind(kind)
    ? viewsOn(findTermPage(kind, context), (term) => renderer.term(term))
    : viewsOn(mustHaveItems(kind, postQuery(kind, context).find()), (entry) =>
        renderer.post(mustBeListed(entry, context)),
      );
}

/** Returns what is shown of the items of a page as values: the renderer makes it once, and keeps it as text. */
function viewsOn<T, View>(page: Page<T>, render: (item: T) => Rendered): Page<View> {
  return { ...page, items: textsOf(page.items, render).map(({ text }): View => JSON.parse(text)) };
}

/** Events on a page of a feed. */
export const maxFeedEvents = 1000;

/** Days for which a feed has a deleted event, and such events in a feed, at most: who subscribes replaces the whole feed. */
export const cancelledDays = 90;
export const maxCancelled = 50;

function postQuery(kind: PostKind, context: ReadContext): PostQuery {
  return kind === 'event' ? eventQuery(context) : contactQuery(kind, context);
}

function eventQuery(context: ReadContext): PostQuery {
  const { site, caller, now, language } = context;
  const values = parseFilters(eventFilters, context);
  const window = eventWindow(values, site.zone, now);
  const { page: _page, per_page: _perPage, password: _password, ...filters } = values;
  const cacheKey = [filters, window, callerKey(caller), language];
  const parameters = { ...window.walls, status: statusInEffect(values.status, caller) };
  const find = () => pageOf(findEvents(values, window, context), values);
  return { values, find, parameters, filters: eventFilters, cacheKey };
}

/** The request for a page of a feed. */
export interface FeedQuery {
  /** Everything that the page depends on, except for the calendar. */
  readonly cacheKey: readonly unknown[];
  /** The latest instant at which a day has begun: the page of a window of days is another one from then on. */
  readonly dayBegan: number;
  /** Finds the events of the page: those of the list from a year back, and what is cancelled of those to come. */
  readonly find: () => Page<EventEntry>;
}

/** Reads the request for a page of a feed. */
export function feedQuery(context: ReadContext): FeedQuery {
  const { site, caller, now, language } = context;
  // A feed has an order of its own.
  const { orderby: _orderby, order: _order, ...sent } = parseFilters(eventFilters, context);
  const values = { ...sent, per_page: maxFeedEvents };
  const window = eventWindow(values, site.zone, now, feedDefaults);
  // Days and not instants, so that the feed is the same for all who ask on one day.
  const today = toInstant(site.zone, startOfDay(toWall(site.zone, now)));
  const deletedSince = startOfDay(now) - cancelledDays * secondsOfDay;
  const { password: _password, ...filters } = values;
  const range = {
    skip: (values.page - 1) * maxFeedEvents,
    limit: maxFeedEvents,
    today,
    isCancelled: isCancelled(deletedSince, values.status),
    maxCancelled,
  };
  return {
    cacheKey: [filters, window, today, deletedSince, callerKey(caller), language],
    dayBegan: Math.max(today, startOfDay(now)),
    find: () => pageOf(findFeed(values, window, context, range), values),
  };
}

/** Creates the check whether an event in the trash was deleted since an instant while it was published. */
function isCancelled(since: number, wanted: readonly Status[] = ['publish']) {
  return ({ record }: EventEntry) =>
    wanted.includes('publish') && record.trashed_from === 'publish' && readWall(record.modified_utc) >= since;
}

function contactQuery(kind: LinkedKind, context: ReadContext): PostQuery {
  const { caller, now, language } = context;
  const values = parseFilters(contactFilters, context);
  const { page: _page, per_page: _perPage, ...filters } = values;
  const instant = values.only_with_upcoming ? now : undefined;
  const cacheKey = [kind, filters, callerKey(caller), language, instant];
  const find = () => pageFrom(findContacts(kind, values, context), values);
  const parameters = { status: statusInEffect(values.status, caller) };
  return { values, find, parameters, filters: contactFilters, cacheKey };
}

/** Returns a page of categories or tags. Pages beyond the end are empty. */
function findTermPage(kind: TermKind, context: ReadContext): Page<TermRecord> {
  const values = parseFilters(termFilters[kind], context);
  return pageFrom(findTerms(kind, values, context), values);
}

function listTerms(kind: TermKind, context: ReadContext): Listing {
  const { renderer } = context;
  const base = baseUrl(kind, context);
  const page = findTermPage(kind, context);
  const query = writeQuery({ per_page: page.perPage, ...sentParameters(termFilters[kind], context) });
  const links = { restUrl: base, pageUrl: (number: number) => pageUrl(base, query, number) };
  return listing(collections[kind], page, links, (term) => renderer.term(term));
}

/** The request for a page of events, venues or organizers. */
interface PostQuery {
  readonly values: PagingValues;
  readonly find: () => Page<PostEntry>;
  /** Effective parameters. */
  readonly parameters: LinkParameters & { readonly status: string };
  readonly filters: ParameterTable;
  /** Everything that the list depends on, except for the page. */
  readonly cacheKey: readonly unknown[];
}

/** Returns a page of posts from the cache, or joins it. An empty page above 1 is 404. */
function listPosts(kind: PostKind, context: ReadContext): Listing {
  const { values, find, parameters, filters, cacheKey } = postQuery(kind, context);
  const { replica, renderer, pages, site } = context;
  const base = baseUrl(kind, context);
  // Parameters with defaults precede the filters.
  const { start_date, end_date, status } = parameters;
  const defaults = { per_page: values.per_page, start_date, end_date, status };
  const ordered = { ...defaults, ...sentParameters(filters, context), ...parameters };
  const query = writeQuery(ordered);
  // `any` cannot be sent: it is the default of the next page too.
  const linkQuery = status === 'any' ? writeQuery({ ...ordered, status: undefined }) : query;
  const links = {
    restUrl: `${base}?page=${values.page}&${query}`,
    pageUrl: (number: number) => pageUrl(base, linkQuery, number),
  };
  const join = () =>
    listing(collections[kind], mustHaveItems(kind, find()), links, (entry) =>
      renderer.post(mustBeListed(entry, context)),
    );
  if (Object.hasOwn(context.parameters, 'password')) return join();
  const key = { revision: replica.revision, cacheKey: [kind, cacheKey, links.restUrl, site.url] };
  return pages.of({ ...key, make: join, bytesOf: ({ bytes }) => bytes.length });
}

/** Returns the proof that a list shows a record to its caller. Lists find no other record. */
export function mustBeListed<E extends PostEntry>(
  entry: E,
  { caller, isUnlocked }: ReadContext,
): Readable<E> {
  const proof = listed(caller, entry, isUnlocked);
  if (proof === undefined)
    throw new TypeError(`A list has found what its caller may not read: ${entry.record.id}`);
  return proof;
}

function mustHaveItems<T>(kind: PostKind, page: Page<T>): Page<T> {
  if (page.items.length > 0 || page.page === 1) return page;
  throw new CodedError(`${kind}-archive-page-not-found`, 'Cannot show the page: there is nothing on it.');
}

function baseUrl(kind: ListedKind, { root }: ReadContext): string {
  return `${root}/${collections[kind]}/`;
}

/** Returns the URL of a page. The page is its last parameter; the first page has none. */
function pageUrl(base: string, query: string, page: number): string {
  return page === 1 ? `${base}?${query}` : `${base}?${query}&page=${page}`;
}

/** Parameters that links do not repeat as they were sent: they have the effective dates. */
const windowNames = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
const notRepeated = ['page', 'per_page', 'password', ...windowNames];

/** Returns the filters as they were sent, so that links lead to the same result. URLs never contain a password. */
function sentParameters(filters: ParameterTable, { parameters: raw, language }: ReadContext) {
  const names = Object.keys(filters).filter(
    (name) => Object.hasOwn(raw, name) && !notRepeated.includes(name),
  );
  const parameters: Record<string, string | undefined> = Object.fromEntries(
    names.map((name) => [name, toQueryValue(raw[name], filters[name]?.type === 'boolean')]),
  );
  return { ...parameters, translation_language: language };
}

/** Writes a value as text; true and false of a flag as `1` and `0`. */
function toQueryValue(value: unknown, isFlag: boolean): string {
  const text = Array.isArray(value) ? value.join(',') : String(value);
  if (!isFlag) return text;
  return { true: '1', false: '0' }[text.toLowerCase()] ?? text;
}

/** Returns the properties of a caller that lists depend on. */
export function callerKey(caller: KnownCaller): readonly unknown[] {
  return has('contributor', caller) ? [caller.role, caller.author] : [];
}
