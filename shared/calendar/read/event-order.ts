/** The order of event lists: by start, or another order that was asked for, an extension. */

import { textIn } from '../model/text/render-text.ts';
import type { Language } from '../model/values.ts';
import type { EventEntry } from '../replica/entries.ts';
import { compareEvents, type EventIndex } from '../replica/event-index.ts';
import type { CompareEvents, EventOrder, PageRange } from '../replica/event-order.ts';
import { compareNames } from '../replica/record-sets.ts';
import type { Bits } from '../replica/slot-sets.ts';

interface OrderValues {
  readonly order?: string;
  readonly orderby?: string;
}

/** Returns a range of a set of events in the order asked for; equal events stand in the order of lists. */
export function rangeInOrder(
  set: Bits,
  { order, orderby = '' }: OrderValues,
  range: PageRange,
  events: EventIndex,
  language: Language | undefined,
): EventEntry[] {
  const isDescending = order?.toLowerCase() === 'desc';
  const sign = isDescending ? -1 : 1;
  switch (orderby.toLowerCase()) {
    case 'title':
      return orderOf(events, `title ${language} ${sign}`, sign, byTitle(language)).range(set, range);
    case 'modified':
      return orderOf(events, `modified ${sign}`, sign, byChange).range(set, range);
    case 'featured':
      return featuredFirst(set, range, events, isDescending);
    default:
      return events.starts.range(set, range, isDescending);
  }
}

function orderOf(events: EventIndex, name: string, sign: number, compare: CompareEvents): EventOrder {
  return events.orderBy(name, (a, b) => sign * compare(a, b) || compareEvents(a, b));
}

/** Featured events precede the rest, or follow it where the order is descending. */
function featuredFirst(
  set: Bits,
  { skip, limit }: PageRange,
  events: EventIndex,
  isDescending: boolean,
): EventEntry[] {
  const featured = events.flags.any(['featured']);
  const [first, second] = [set.copy(), set.copy()];
  (isDescending ? second : first).keepAll(featured);
  (isDescending ? first : second).deleteAll(featured);
  const items = events.starts.range(first, { skip, limit });
  const skipped = Math.max(0, skip - first.count());
  return [...items, ...events.starts.range(second, { skip: skipped, limit: limit - items.length })];
}

function byTitle(language: Language | undefined): CompareEvents {
  return ({ record: a }, { record: b }) =>
    compareNames(textIn(a, 'title', language), textIn(b, 'title', language));
}

function byChange({ record: a }: EventEntry, { record: b }: EventEntry): number {
  return a.modified_utc < b.modified_utc ? -1 : Number(a.modified_utc > b.modified_utc);
}
