/** Reads events from a table (RFC 4180): of `export`, or with the headings of calendars of the same kind. */

import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import type { Contact, Row } from './rows.ts';

/** The fields of the API by the headings of other calendars. */
const fieldsByHeading: Readonly<Record<string, string>> = {
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

/** Fields whose empty cell is an empty value, and fields whose empty cell is ignored. */
const textFields = ['title', 'description', 'excerpt', 'cost', 'website'];
const optionalFields = ['slug', 'status', 'start_date', 'end_date', 'timezone', 'image'];

/** Reads the events of a table. Throws an Error that names the invalid line. */
export async function readTable(file: string): Promise<Row[]> {
  const records = parseRows(await readFile(file, 'utf8'), file);
  const [firstRow] = records;
  if (firstRow !== undefined && !('title' in firstRow.record && 'start_date' in firstRow.record))
    throw new Error(`${file} is no table of events: its first line must name title and start_date.`);
  return records.map(({ record, info }) => rowOf(record, `line ${info.lines}`));
}

type Cells = Readonly<Record<string, string>>;

interface ParsedRow {
  readonly record: Cells;
  readonly info: { readonly lines: number };
}

function parseRows(text: string, file: string): ParsedRow[] {
  const columns = (names: readonly string[]) =>
    names.map((name) => fieldsByHeading[name.trim().toLowerCase()] ?? name.trim().toLowerCase());
  try {
    const options = { bom: true, columns, info: true, skip_empty_lines: true, relax_column_count: true };
    return parse(text, options) as unknown as ParsedRow[];
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

function rowOf(cells: Cells, name: string): Row {
  const cell = (column: string) => withoutApostrophe(cells[column] ?? '');
  const at = (day: string, time: string) => [cell(day), cell(time)].join(' ').trim();
  const hasColumn = (column: string) => cells[column] !== undefined;
  const dates = { start_date: at('start_date', 'start_time'), end_date: at('end_date', 'end_time') };
  const end = dates.end_date === '' && cell('id') === '' ? { end_date: dates.start_date } : {};
  const all: Record<string, string> = {
    ...Object.fromEntries(textFields.filter(hasColumn).map((column) => [column, cell(column)])),
    ...Object.fromEntries([...optionalFields, 'all_day'].map((column) => [column, cell(column)])),
    ...dates,
    ...end,
  };
  const values = Object.entries(all).filter(([column, value]) => textFields.includes(column) || value !== '');
  return {
    name,
    uid: `${cell('title')} ${dates.start_date}`,
    id: /^\d{1,15}$/.test(cell('id')) ? Number(cell('id')) : undefined,
    fields: {
      ...Object.fromEntries(values),
      ...(all['all_day'] === '' ? {} : { all_day: String(/^(true|1|yes)$/i.test(all['all_day'] ?? '')) }),
      ...(hasColumn('categories') ? { categories: namesIn(cell('categories')) } : {}),
      ...(hasColumn('tags') ? { tags: namesIn(cell('tags')) } : {}),
    },
    venue: hasColumn('venue') ? contacts('venue', cell('venue')) : undefined,
    organizer: hasColumn('organizer') ? contacts('organizer', cell('organizer')) : undefined,
  };
}

/** Splits names at semicolons, or at commas in a cell without semicolons. */
function namesIn(cell: string): string[] {
  return cell
    .split(cell.includes(';') ? ';' : ',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Splits contacts at semicolons only, since names of places contain commas. */
function contacts(kind: 'venue' | 'organizer', cell: string): Contact[] {
  return cell
    .split(';')
    .map((name) => ({ [kind]: name.trim() }))
    .filter((contact) => contact[kind] !== '');
}

/** Removes the apostrophe that `export` puts before a text that a spreadsheet would read as a formula. */
function withoutApostrophe(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
