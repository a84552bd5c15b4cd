/** Events in a table (RFC 4180): that of `export`, or one with the headings that calendars of the same kind write. */

import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import type { Contact, Row } from './rows.ts';

/** Headings of other calendars, and what the API calls the same. */
const otherNames: Readonly<Record<string, string>> = {
  'event name': 'title',
  'event description': 'description',
  'event excerpt': 'excerpt',
  'event start date': 'start_date',
  'event start time': 'start_time',
  'event end date': 'end_date',
  'event end time': 'end_time',
  'all day event': 'all_day',
  'event time zone': 'timezone',
  timezone: 'timezone',
  'event cost': 'cost',
  'event website': 'website',
  'event featured image': 'image',
  'event slug': 'slug',
  'event status': 'status',
  'event venue name': 'venue',
  'event organizer name(s)': 'organizer',
  'event category': 'categories',
  'event tags': 'tags',
};

/** Fields of the API that a table has; of the second kind a cell that is empty says nothing. */
const texts = ['title', 'description', 'excerpt', 'cost', 'website'];
const givens = ['slug', 'status', 'start_date', 'end_date', 'timezone', 'image'];

/** Reads the events of a table. Throws an Error that names the line that cannot be read. */
export async function readTable(file: string): Promise<Row[]> {
  const records = parsed(await readFile(file, 'utf8'), file);
  const [first] = records;
  if (first !== undefined && !('title' in first.record && 'start_date' in first.record))
    throw new Error(`${file} is no table of events: its first line must name title and start_date.`);
  return records.map(({ record, info }) => rowOf(record, `line ${info.lines}`));
}

type Cells = Readonly<Record<string, string>>;

interface Parsed {
  readonly record: Cells;
  readonly info: { readonly lines: number };
}

function parsed(text: string, file: string): Parsed[] {
  const columns = (names: readonly string[]) =>
    names.map((name) => otherNames[name.trim().toLowerCase()] ?? name.trim().toLowerCase());
  try {
    const options = { bom: true, columns, info: true, skip_empty_lines: true, relax_column_count: true };
    return parse(text, options) as unknown as Parsed[];
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

function rowOf(cells: Cells, name: string): Row {
  const cell = (column: string) => unescaped(cells[column] ?? '');
  const at = (day: string, time: string) => [cell(day), cell(time)].join(' ').trim();
  const isThere = (column: string) => cells[column] !== undefined;
  const dates = { start_date: at('start_date', 'start_time'), end_date: at('end_date', 'end_time') };
  const end = dates.end_date === '' && cell('id') === '' ? { end_date: dates.start_date } : {};
  const all: Record<string, string> = {
    ...Object.fromEntries(texts.filter(isThere).map((column) => [column, cell(column)])),
    ...Object.fromEntries([...givens, 'all_day'].map((column) => [column, cell(column)])),
    ...dates,
    ...end,
  };
  const given = Object.entries(all).filter(([column, value]) => texts.includes(column) || value !== '');
  return {
    name,
    uid: `${cell('title')} ${dates.start_date}`,
    id: /^\d{1,15}$/.test(cell('id')) ? Number(cell('id')) : undefined,
    fields: {
      ...Object.fromEntries(given),
      ...(all['all_day'] === '' ? {} : { all_day: String(/^(true|1|yes)$/i.test(all['all_day'] ?? '')) }),
      ...(isThere('categories') ? { categories: namesIn(cell('categories')) } : {}),
      ...(isThere('tags') ? { tags: namesIn(cell('tags')) } : {}),
    },
    venue: isThere('venue') ? contacts('venue', cell('venue')) : undefined,
    organizer: isThere('organizer') ? contacts('organizer', cell('organizer')) : undefined,
  };
}

/** Names are separated by semicolons, or else by commas. */
function namesIn(cell: string): string[] {
  return cell
    .split(cell.includes(';') ? ';' : ',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Names of places have commas of their own. */
function contacts(kind: 'venue' | 'organizer', cell: string): Contact[] {
  return cell
    .split(';')
    .map((name) => ({ [kind]: name.trim() }))
    .filter((contact) => contact[kind] !== '');
}

/** `export` writes an apostrophe before what a spreadsheet would take for a formula. */
function unescaped(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
