/** Writes a calendar to a file: all records as JSON lines, or the events as a table or as iCalendar. */

import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { CalendarRecord, SeriesLayer } from '../../functions/calendar/model/records.ts';
import { type Owned, readable } from '../../functions/calendar/model/rights.ts';
import { calendarText } from '../../functions/calendar/read/views/icalendar.ts';
import { format, passwordMark } from './import/file.ts';
import type { Target } from './import/target.ts';
import { cell } from './table/cell.ts';
import { cellsOf, columns } from './table/event-cells.ts';

/** Writes a calendar to a file, in the format of its extension. Returns the number of records. */
export async function exportCalendar(file: string, target: Target): Promise<number> {
  try {
    const records = await target.records();
    const write = { '.jsonl': jsonLines, '.csv': table, '.ics': iCalendar }[extname(file)];
    if (write === undefined) throw new Error(`"${file}" must end with .jsonl, .csv or .ics.`);
    await writeFile(file, write(records, target), { mode: 0o600 });
    return records.length;
  } finally {
    target.close();
  }
}

/** Returns all records as they are stored; of a password only that the event has one. */
function jsonLines(records: readonly CalendarRecord[], { context: { site } }: Target): string {
  const withoutPassword = (record: CalendarRecord) => {
    if (record.kind === 'series') {
      const { layers, given } = record;
      return { ...record, layers: layers.map(openLayer), ...(given && { given: given.map(openLayer) }) };
    }
    if (record.kind !== 'event' || record.access_password === undefined) return record;
    const { access_password: _password, ...rest } = record;
    return { ...rest, [passwordMark]: true };
  };
  const lines = [
    JSON.stringify({ format, source: site.url }),
    ...records.map((record) => JSON.stringify(withoutPassword(record))),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns values of a series without their password. Dates that the series gets later are not for everybody, as its events are where they are imported. */
function openLayer(layer: SeriesLayer): SeriesLayer {
  const { access_password: password, ...values } = layer.values;
  if (!password) return { ...layer, values };
  const { status } = values;
  return {
    ...layer,
    values: status === 'draft' || status === 'pending' ? values : { ...values, status: 'private' },
  };
}

/** A byte order mark: without it spreadsheets read UTF-8 as another encoding. */
const byteOrderMark = '\uFEFF';

/** Returns the events as a table, one per line (RFC 4180). */
function table(_records: readonly CalendarRecord[], { replica, context: { root } }: Target): string {
  const events = [...replica.posts.event.values()].sort((a, b) => a.record.id - b.record.id);
  const rows = events.map((entry) => {
    const cells = cellsOf(entry, { replica, root });
    return columns.map((column) => cells[column] ?? '');
  });
  return byteOrderMark + [[...columns], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Returns the events for calendar programs. Of an event with a password only its time is written. */
function iCalendar(_records: readonly CalendarRecord[], { replica, context }: Target): string {
  const isUnlocked = ({ record }: Owned) => !('access_password' in record);
  const events = [...replica.posts.event.values()].flatMap(
    (event) => readable(context.caller, event, isUnlocked) ?? [],
  );
  return calendarText(events, { ...context, replica });
}
