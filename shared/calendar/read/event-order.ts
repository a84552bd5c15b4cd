/** The order of event lists where one is asked for, an extension. */

import { textIn } from '../model/text/render-text.ts';
import type { Language } from '../model/values.ts';
import type { EventEntry } from '../replica/entries.ts';
import { compareEvents } from '../replica/post-set.ts';
import { compareNames } from '../replica/term-set.ts';

type Compare = (a: EventEntry, b: EventEntry) => number;

/** Returns events, which stand in the order of lists, in the order asked for; equal ones stay as they stand. */
export function inOrder(
  events: readonly EventEntry[],
  { order, orderby = 'date' }: { readonly order?: string; readonly orderby?: string },
  language: Language | undefined,
): readonly EventEntry[] {
  const all = comparisons(language);
  const name = orderby.toLowerCase();
  const compare = Object.hasOwn(all, name) ? all[name] : undefined;
  const isDescending = order?.toLowerCase() === 'desc';
  if (compare === undefined && !isDescending) return events;
  const sign = isDescending ? -1 : 1;
  return events.toSorted((a, b) => sign * (compare ?? compareEvents)(a, b));
}

function comparisons(language: Language | undefined): Readonly<Record<string, Compare | undefined>> {
  return {
    title: (a, b) => compareNames(textIn(a.record, 'title', language), textIn(b.record, 'title', language)),
    modified: (a, b) =>
      a.record.modified_utc < b.record.modified_utc
        ? -1
        : Number(a.record.modified_utc > b.record.modified_utc),
    featured: (a, b) => Number(b.record.featured ?? false) - Number(a.record.featured ?? false),
  };
}
