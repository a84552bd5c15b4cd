/** What several pages ask of the lists of events, and make of them. */

import type { EventView } from '../common/views/types.ts';

/** Filters of the events that are not over yet. */
export const fromNow = { ends_after: 'now', strict_dates: 'true' } as const;

/** Filters of the events that are over, the last one first. */
export const untilNow = { ends_before: 'now', strict_dates: 'true', order: 'desc' } as const;

/** A bound beyond all events, since lists end in two years otherwise. */
export const farFuture = '9999-12-31';

/** Returns the events but for those that repeat the title of one before them. */
export function firstOfEachTitle(events: readonly EventView[]): readonly EventView[] {
  return [...Map.groupBy(events, ({ title }) => title).values()].flatMap(([first]) => first ?? []);
}
