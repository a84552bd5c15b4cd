/** The row that an export to iCalendar has of an event of this calendar. */

import { written } from '../../../functions/calendar/model/rights.ts';
import { calendarText } from '../../../functions/calendar/read/views/icalendar.ts';
import type { EventEntry } from '../../../functions/calendar/replica/entries.ts';
import { unfold } from '../import/decode.ts';
import type { Row, RowSource } from '../import/row.ts';
import type { Target } from '../import/target.ts';
import { readICalendar } from './read-icalendar.ts';

/** Returns the row of an event. */
export function exportedRow(
  entry: EventEntry,
  { context, replica }: Target,
  source: RowSource,
): Row | undefined {
  const text = calendarText([written(context.caller, entry)], { ...context, replica });
  return readICalendar(unfold(text), source).rows[0];
}
