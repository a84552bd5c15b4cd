/** Lists of events, venues, organizers, categories and tags (behaviour sections 5, 6 and 15). */

import { CodedError } from '../../errors.ts';
import type { Answered, Calendar, CalendarRequest, Desk } from '../calendar.ts';
import type { Language, PostKind, TermKind } from '../model/records.ts';
import { has, type KnownCaller } from '../model/rights.ts';
import { type ParameterTable, readParameters, type Sent } from '../parameters/parameter.ts';
import { contactFilters, findContacts } from '../queries/contact-filters.ts';
import { eventFilters } from '../queries/event-filters.ts';
import { eventWindow } from '../queries/event-window.ts';
import { findEvents } from '../queries/find-events.ts';
import { addressOf, type LinkParameters, type Listing, listing } from '../queries/listing.ts';
import { type Page, pageOf } from '../queries/paging.ts';
import { statusInEffect } from '../queries/status-filter.ts';
import { findTerms, termFilters } from '../queries/term-filters.ts';
import type { PostEntry } from '../replica/entries.ts';
import { collectionOf } from '../views/pages.ts';

/** Characters of a page that is kept, at the most: those of 50 usual events are a tenth. */
const longestKept = 1_000_000;

/** Lists events. */
export function listEvents(calendar: Calendar, request: CalendarRequest): Promise<Answered<Listing>> {
  return calendar.read(request, (desk) => {
    const { caller } = desk.surroundings;
    const { page, per_page, status, window, question, found } = foundEvents(desk, request);
    const parameters = { ...window.walls, status: statusInEffect(status, caller) };
    const one = {
      kind: 'event',
      page: paged({ page, per_page }, found),
      parameters,
      filters: eventFilters,
      question,
    } as const;
    return postListing(one, request, desk);
  });
}

/** Gives all events of a list, whatever the page, with the parameters that made it. */
export function foundEvents({ surroundings, texts, results }: Desk, request: CalendarRequest) {
  const { replica, site, caller, now } = surroundings;
  const { page, per_page, password: _, ...values } = readParameters(eventFilters, request.sent, surroundings);
  const window = eventWindow(values, site.zone, now);
  const question = ['event', values, window, asking(caller), request.language];
  const found = results.of(replica.revision, question, () =>
    findEvents(values, window, surroundings, texts, request.language),
  );
  return { page, per_page, status: values.status, window, question, found };
}

/** Lists venues or organizers. */
export function listContacts(
  kind: 'venue' | 'organizer',
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Answered<Listing>> {
  return calendar.read(request, (desk) => {
    const { surroundings, results } = desk;
    const { replica, caller, now } = surroundings;
    const { page, per_page, ...values } = readParameters(contactFilters, request.sent, surroundings);
    const instant = values.only_with_upcoming === true ? now : undefined;
    const question = [kind, values, asking(caller), request.language, instant];
    const found = results.of(replica.revision, question, () =>
      findContacts(kind, values, surroundings, request.language),
    );
    const parameters = { status: statusInEffect(values.status, caller) };
    const one = {
      kind,
      page: paged({ page, per_page }, found),
      parameters,
      filters: contactFilters,
      question,
    };
    return postListing(one, request, desk);
  });
}

/** Lists categories or tags. Pages beyond the end are empty. */
export function listTerms(
  kind: TermKind,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Answered<Listing>> {
  return calendar.read(request, ({ surroundings, results, renderer }) => {
    const filters: ParameterTable = termFilters[kind];
    const { page, per_page, ...values } = readParameters(termFilters[kind], request.sent, surroundings);
    const found = results.of(surroundings.replica.revision, [kind, values, request.language], () =>
      findTerms(kind, values, surroundings, request.language),
    );
    const one = paged({ page, per_page }, found);
    const collection = collectionOf(kind);
    const base = `${request.root}/${collection}/`;
    const parameters = { per_page: one.perPage, ...sentParameters(filters, request) };
    const links = { restUrl: base, pageUrl: (page: number) => pageUrl(base, page, parameters) };
    return listing(collection, one, links, (term) => renderer.term(term));
  });
}

/** A page of events, venues or organizers, and what made it. */
interface PostPage {
  readonly kind: PostKind;
  readonly page: Page<PostEntry>;
  /** Parameters in effect. */
  readonly parameters: LinkParameters & { readonly status: string };
  readonly filters: ParameterTable;
  /** All that the list depends on, apart from the page. */
  readonly question: readonly unknown[];
}

/** Joins a page of posts, or takes the text that was joined before. A page above 1 with nothing on it is 404. */
function postListing(
  { kind, page, parameters, filters, question }: PostPage,
  request: CalendarRequest,
  desk: Desk,
): Listing {
  const { surroundings, renderer, pages, isOpen } = desk;
  if (page.items.length === 0 && page.page > 1)
    throw new CodedError(`${kind}-archive-page-not-found`, 'Cannot show the page: there is nothing on it.');
  const collection = collectionOf(kind);
  const base = `${request.root}/${collection}/`;
  // What is always in effect first, then the filters.
  const { start_date, end_date, status } = parameters;
  const inEffect = { per_page: page.perPage, start_date, end_date, status };
  const ordered = { ...inEffect, ...sentParameters(filters, request), ...parameters };
  // `any` is no status to ask for: the next page has it as its default again.
  const followed = { ...ordered, status: status === 'any' ? undefined : status };
  const links = {
    restUrl: addressOf(base, { page: page.page, ...ordered }),
    pageUrl: (number: number) => pageUrl(base, number, followed),
  };
  const join = () =>
    listing(collection, page, links, (entry) =>
      renderer.post(entry, { caller: surroundings.caller, isOpen }),
    );
  if (Object.hasOwn(request.sent, 'password')) return join();
  const isKept = ({ text }: Listing) => text.length <= longestKept;
  return pages.of(surroundings.replica.revision, [question, links.restUrl], join, isKept);
}

/** Links to other pages name the page last; those to the first page carry none. */
function pageUrl(base: string, page: number, parameters: LinkParameters): string {
  return addressOf(base, { ...parameters, page: page === 1 ? undefined : page });
}

/** Parameters that links do not repeat as they were sent: dates stand there as they are in effect. */
const windowNames = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
const withTheirOwn = ['page', 'per_page', 'password', ...windowNames];

/** The filters as they were sent, so that following a link walks the same result. A password stays out of addresses. */
function sentParameters(
  filters: ParameterTable,
  { sent, language }: { sent: Sent; language: Language | undefined },
) {
  const names = Object.keys(filters).filter(
    (name) => Object.hasOwn(sent, name) && !withTheirOwn.includes(name),
  );
  const parameters: Record<string, string | undefined> = Object.fromEntries(
    names.map((name) => [name, written(sent[name], filters[name]?.type === 'boolean')]),
  );
  return { ...parameters, translation_language: language };
}

/** Writes a value as a text; true and false of a flag as `1` and `0`. */
function written(value: unknown, isFlag: boolean): string {
  const text = Array.isArray(value) ? value.join(',') : String(value);
  if (!isFlag) return text;
  return { true: '1', false: '0' }[text.toLowerCase()] ?? text;
}

function paged<T>(
  { page, per_page }: { page?: number | undefined; per_page?: number | undefined },
  found: readonly T[],
) {
  return pageOf(found, {
    ...(page === undefined ? {} : { page }),
    ...(per_page === undefined ? {} : { per_page }),
  });
}

/** What of the caller a list depends on. */
function asking(caller: KnownCaller): readonly unknown[] {
  return has('contributor', caller) ? [caller.role, caller.author] : [];
}
