/** The events that come of files, on one line each. */

import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { calendarWithFiles } from './calendar-with-files.ts';

/** Writes an event as `2027-06-01 19:00/20:00 Title`, its times in UTC, or whole days as `2027-06-01..2027-06-02 Title`. */
export function lineOf({
  title,
  all_day,
  start_date,
  end_date,
  utc_start_date,
  utc_end_date,
}: EventRecord): string {
  if (all_day === true) return `${start_date.slice(0, 10)}..${end_date.slice(0, 10)} ${title}`;
  const isOneDay = utc_start_date.slice(0, 10) === utc_end_date.slice(0, 10);
  const end = isOneDay ? utc_end_date.slice(11, 16) : utc_end_date.slice(0, 16);
  return `${utc_start_date.slice(0, 16)}/${end} ${title}`;
}

type Calendar = ReturnType<typeof calendarWithFiles>;

/** Returns the events of a calendar that are not in the trash. */
export async function linesOf(calendar: Calendar): Promise<string[]> {
  const records = await calendar.stored();
  const events = records.filter((record) => record.kind === 'event' && record.status !== 'trash');
  return events.map((record) => lineOf(record as EventRecord)).sort();
}

/** Imports a text of iCalendar into a new calendar. Returns the report and the events. */
export async function importedEvents(text: string | Uint8Array) {
  const calendar = calendarWithFiles();
  const output = await calendar.import('a.ics', text);
  return { calendar, output, events: await linesOf(calendar) };
}
