/** The order of event lists: that of lists, or the one asked for, an extension. */

import { textIn } from '../model/text/render-text.ts';
import type { Language } from '../model/values.ts';
import type { Bits } from '../replica/bits.ts';
import type { EventEntry } from '../replica/entries.ts';
import { compareEvents, type EventIndex } from '../replica/event-index.ts';
import { compareNames } from '../replica/record-sets.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import type { FoundEvents, Part } from './page.ts';

type Compare = (a: EventEntry, b: EventEntry) => number;

/** Events found, at most, that are sorted as they are; of more, the wanted ones are looked up in an order of all events. */
const maxSorted = 300;
/** Places of the order of lists that are looked at in the time that one event takes to be sorted. */
const placesPerSorted = 50;

interface OrderValues {
  readonly order?: string;
  readonly orderby?: string;
}

interface OrderContext {
  readonly replica: CalendarReplica;
  readonly language: Language | undefined;
}

/** Returns a part of a set of events, in the order asked for; equal ones stand as in the order of lists. */
export function partInOrder(
  found: Bits,
  { order, orderby = 'date' }: OrderValues,
  part: Part,
  context: OrderContext,
): FoundEvents {
  const total = found.count();
  const { events } = context.replica;
  const isDescending = order?.toLowerCase() === 'desc';
  const name = orderby.toLowerCase();
  if (name === 'featured') return { total, items: byFeatured(found, part, isDescending, context) };
  const compare = comparisonOf(name, isDescending, context.language);
  const isOfLists = name !== 'title' && name !== 'modified';
  if (total <= (isOfLists ? mostSorted(part, total, events) : maxSorted))
    return { total, items: sorted(found, compare, events).slice(part.skip, part.skip + part.limit) };
  if (isOfLists) {
    events.starts.update();
    return { total, items: events.starts.part(found, { ...part, isReversed: isDescending }) };
  }
  const orderName =
    name === 'title' ? `title ${context.language} ${isDescending}` : `modified ${isDescending}`;
  const others = events.orderBy(orderName, compare);
  others.update();
  return { total, items: others.part(found, part) };
}

/** Returns how many events found take less time to be sorted than the order of lists takes to be walked through until the wanted ones are found, if they are spread over it evenly. */
function mostSorted({ skip, limit }: Part, total: number, { size }: EventIndex): number {
  const walked = size * Math.min(1, (skip + limit) / total);
  return Math.min(maxSorted, walked / placesPerSorted);
}

/** Those that are featured first, or last. */
function byFeatured(
  found: Bits,
  { skip, limit }: Part,
  isDescending: boolean,
  context: OrderContext,
): EventEntry[] {
  const { events } = context.replica;
  const featured = events.flags.any(['featured']);
  const [first, second] = [found.copy(), found.copy()];
  (isDescending ? second : first).keepAll(featured);
  (isDescending ? first : second).deleteAll(featured);
  events.starts.update();
  const items = events.starts.part(first, { skip, limit });
  const skipped = Math.max(0, skip - first.count());
  return [...items, ...events.starts.part(second, { skip: skipped, limit: limit - items.length })];
}

function sorted(found: Bits, compare: Compare, events: EventIndex): EventEntry[] {
  const entries: EventEntry[] = [];
  found.forEach((slot) => {
    const entry = events.at(slot);
    if (entry !== undefined) entries.push(entry);
  });
  return entries.sort(compare);
}

function comparisonOf(name: string, isDescending: boolean, language: Language | undefined): Compare {
  const sign = isDescending ? -1 : 1;
  if (name === 'title') return (a, b) => sign * compareTitles(a, b, language) || compareEvents(a, b);
  if (name === 'modified') return (a, b) => sign * compareChanges(a, b) || compareEvents(a, b);
  return (a, b) => sign * compareEvents(a, b);
}

function compareTitles(a: EventEntry, b: EventEntry, language: Language | undefined): number {
  return compareNames(textIn(a.record, 'title', language), textIn(b.record, 'title', language));
}

function compareChanges({ record: a }: EventEntry, { record: b }: EventEntry): number {
  return a.modified_utc < b.modified_utc ? -1 : Number(a.modified_utc > b.modified_utc);
}
