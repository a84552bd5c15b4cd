/** Records without what an import notes of them. */

import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';

/** Returns a record without the digests of what was imported of it. */
export function withoutNotes<R extends CalendarRecord>(record: R): Omit<R, 'follows'> {
  const { follows: _follows, ...others } = record as R & { readonly follows?: unknown };
  return others;
}
