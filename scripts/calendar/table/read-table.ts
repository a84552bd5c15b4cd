/** Reads events, venues or organizers from a table (RFC 4180): of `export`, or with the headings of The Events Calendar for WordPress. */

import { CsvError, parse } from 'csv-parse/sync';
import { decodeHTML } from 'entities/decode';
import { escapeUTF8 } from 'entities/escape';
import { parseDate } from '../../../functions/calendar/model/dates/parse-date.ts';
import { formatWall } from '../../../functions/calendar/model/dates/wall.ts';
import type { LinkedKind, PostKind } from '../../../functions/calendar/model/values.ts';
import { takeLinks } from '../import/links.ts';
import { Notes } from '../import/notes.ts';
import type { Contact, FileRows, Row, RowSource } from '../import/row.ts';
import { ianaZone } from '../import/zone-names.ts';
import { textOfCell } from './cell.ts';
import { type Headings, readHeadings } from './headings.ts';
import { namesIn, split } from './name-list.ts';
import { isoOfSpreadsheet } from './spreadsheet-date.ts';

/** The format of the sources of tables, with which their names begin. */
const format = 'table';

/** The first line of a table of Excel, which names its delimiter. Its end remains, so that lines have their numbers. */
const separatorLine = /^\uFEFF?"?sep=.?"?[ \t]*(?=\r?\n|\r)/i;

const delimiters = [',', ';', '\t', '|'] as const;

/** Fields whose empty cell is an empty value, and fields whose empty cell is ignored. */
const textFields = ['title', 'description', 'excerpt', 'website', 'registration_url', 'event_status_reason'];
const optionalFields = ['slug', 'status', 'event_status', 'start_date', 'end_date', 'image'];
const flagFields = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'];

/** Reads the records of a table. Throws an Error with the reason for a text that is no table. */
export function readTable(written: string, source: RowSource): FileRows {
  const { file, limits } = source;
  const text = written.replace(separatorLine, '');
  const [delimiter, headings] = findHeadings(text, source);
  const [, ...lines] = parseRows(text, delimiter, source);
  if (lines.length > limits.records)
    throw new Error(`${file} has more than ${limits.records} lines: split the file.`);
  const notes = new Notes();
  for (const heading of headings.unknown) notes.add('Columns that were not understood', heading);
  const rejected: string[] = [];
  const rows: Row[] = [];
  const sourceName = source.sourceName ?? source.fallbackName;
  const identitySource = sourceName === undefined ? format : `${format} ${sourceName}`;
  for (const { record, info } of lines) {
    const name = `line ${info.lines}`;
    const cells = cellsByColumn(record, headings);
    if (cells === undefined) rejected.push(`${name}: it has more cells than the first line`);
    else rows.push(rowOf(headings.kind, cells, name, notes, identitySource));
  }
  const named = sourceName === undefined ? undefined : identitySource;
  return { rows, rejected, source: named, leftOut: 0, isCut: rejected.length > 0, notes: notes.lines() };
}

type Cells = ReadonlyMap<string, string>;

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Finds the delimiter by which the first line has headings of a table. */
function findHeadings(text: string, source: RowSource): readonly [string, Headings] {
  const reasons: string[] = [];
  const headingsIn = (cells: readonly string[]) => {
    try {
      return readHeadings(cells);
    } catch (error) {
      if (error instanceof Error) reasons.push(error.message);
      return undefined;
    }
  };
  const found = delimiters.flatMap((delimiter) => {
    const [first] = parseRows(text, delimiter, source, 1);
    const headings = first && headingsIn(first.record);
    return headings === undefined ? [] : [[delimiter, headings] as const];
  });
  const [best] = found.toSorted(([, a], [, b]) => knownColumns(b) - knownColumns(a));
  if (best !== undefined) return best;
  if (reasons[0] !== undefined) throw new Error(`${source.file} is no table of events: ${reasons[0]}.`);
  throw new Error(
    `${source.file} is no table of events, venues or organizers: its first line must name title and start_date, or have the headings of an export (Event Name, Venue Name, Organizer Name).`,
  );
}

function knownColumns({ columns }: Headings): number {
  return columns.filter((column) => column !== undefined).length;
}

function parseRows(text: string, delimiter: string, { file, limits }: RowSource, to?: number): ParsedRow[] {
  const options = {
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    // An inch sign in a cell without quotes.
    relax_quotes: true,
    delimiter,
    max_record_size: limits.lineLength,
    ...(to === undefined ? {} : { to }),
  };
  try {
    return parse(text, options) as unknown as ParsedRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The first line may be none of this delimiter.
    if (to !== undefined && delimiter !== ',') return [];
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

/** Returns the cells by their columns; undefined for a line with a text behind the last column. */
function cellsByColumn(record: readonly string[], { columns }: Headings): Cells | undefined {
  if (record.slice(columns.length).some((cell) => cell.trim() !== '')) return undefined;
  const cells = columns.flatMap((column, index) =>
    column === undefined ? [] : [[column, textOfCell(record[index] ?? '')] as const],
  );
  return new Map(cells);
}

/** Returns the record of a line. */
function rowOf(kind: PostKind, cells: Cells, name: string, notes: Notes, identitySource: string): Row {
  return kind === 'event'
    ? eventRow(cells, name, notes, identitySource)
    : contactRow(kind, cells, name, notes);
}

/** Returns the event of the cells of a line, by column. */
export function rowOfCells(cells: Readonly<Record<string, string>>): Row {
  return eventRow(new Map(Object.entries(cells)), '', new Notes());
}

function eventRow(cells: Cells, name: string, notes: Notes, identitySource = format): Row {
  const cell = (column: string) => cells.get(column) ?? '';
  const at = (day: string, time: string) => `${cell(day)} ${cell(time)}`.trim();
  const start = at('start_date', 'start_time');
  const id = cell('id').trim();
  // An end without a day is on that of the start.
  const endDay = cell('end_date').trim() === '' && cell('end_time').trim() !== '' ? 'start_date' : 'end_date';
  const written = [start, at(endDay, 'end_time')].map(isoOfSpreadsheet) as [string, string];
  const end = endOfNight(...written, name, notes) || (id === '' ? written[0] : '');
  // A meeting on the Web has a link for a place.
  const place = takeLinks((cells.get('venue') ?? cells.get('venue_names') ?? '').trim());
  const [website = '', ...others] = place.links;
  const isLink = place.text === '' && others.length === 0 && /^https?:/i.test(website);
  if (isLink && !['', website].includes(cell('website').trim()))
    notes.add('Links as places of events that have another website, and that are left out', website);
  return {
    kind: 'event',
    name,
    identity: { source: identitySource, uid: `${cell('title')} ${start}`, recurrence: '' },
    formerUid: `${cell('title')} ${start}`,
    id: /^\d{1,15}$/.test(id) ? Number(id) : undefined,
    fields: {
      ...texts(cells, textFields, optionalFields, notes),
      ...(/^(?:true|yes|1)$/i.test(cell('private').trim()) ? { status: 'private' } : {}),
      ...(start === '' ? {} : { start_date: written[0] }),
      ...(end === '' ? {} : { end_date: end }),
      ...(isLink && cell('website').trim() === '' ? { website } : {}),
      ...flags(cells),
      ...costIn(cells),
      ...zoneIn(cells, notes),
      ...termsIn(cells, 'categories'),
      ...termsIn(cells, 'tags'),
    },
    venue: isLink ? [] : contactsIn('venue', cells),
    organizer: contactsIn('organizer', cells),
  };
}

const secondsOfDay = 86_400;

/**
 * Returns the end of an event. One that is before the start on the same day is on the next day, as of an event from 22:00 to 02:00; another is
 * named, since it becomes the start.
 */
function endOfNight(start: string, end: string, name: string, notes: Notes): string {
  const [from, to] = [start, end].map((text) => parseDate(text, 0));
  if (from === undefined || to === undefined || !('wall' in from) || !('wall' in to) || to.wall >= from.wall)
    return end;
  const dayOf = (wall: number) => Math.floor(wall / secondsOfDay);
  if (dayOf(from.wall) === dayOf(to.wall)) {
    notes.add('Events that end before they begin, and are imported with their end on the next day', name);
    return formatWall(to.wall + secondsOfDay);
  }
  notes.add('Events that end before they begin, and are imported with their start as end', name);
  return end;
}

const contactTexts: Readonly<Record<LinkedKind, readonly string[]>> = {
  venue: ['venue', 'description', 'city', 'country', 'zip', 'phone', 'website', 'geo_lat', 'geo_lng'],
  organizer: ['organizer', 'description', 'phone', 'website', 'email'],
};

function contactRow(kind: LinkedKind, cells: Cells, name: string, notes: Notes): Row {
  const cell = (column: string) => cells.get(column)?.trim() ?? '';
  const address = [cell('address'), cell('address_2')].filter((line) => line !== '').join(', ');
  const isAmerican = /^(?:US|USA|United States)$/i.test(cell('country'));
  const region = cell('region');
  return {
    kind,
    name,
    fields: {
      [kind]: escapeUTF8(decodeHTML(cell(kind))),
      ...texts(cells, [], [...contactTexts[kind].slice(1), 'image'], notes),
      ...(address === '' ? {} : { address }),
      ...(region === '' ? {} : { [isAmerican ? 'state' : 'province']: region }),
      ...flags(cells),
    },
  };
}

/** Returns the texts of columns. An empty cell of `optional` is ignored. */
function texts(cells: Cells, always: readonly string[], optional: readonly string[], notes: Notes) {
  const isKept = (column: string, text: string) => {
    if (text.trim() === '') return always.includes(column);
    if (column !== 'image' || /^https?:/i.test(text)) return true;
    notes.add('Pictures that have no address, and are left out', text);
    return false;
  };
  const present = [...always, ...optional].flatMap((column) => {
    const text = cells.get(column);
    return text === undefined || !isKept(column, text) ? [] : [[column, text] as const];
  });
  return Object.fromEntries(present);
}

function flags(cells: Cells) {
  const present = flagFields.flatMap((column) => {
    const text = cells.get(column)?.trim() ?? '';
    return text === '' ? [] : [[column, String(/^(?:true|1|yes|y|on|x|checked)$/i.test(text))] as const];
  });
  return Object.fromEntries(present);
}

/** Returns the zone of a cell in the site's words: an IANA name, or the name of a zone of Windows. */
function zoneIn(cells: Cells, notes: Notes) {
  const text = cells.get('timezone')?.trim() ?? '';
  if (text === '') return {};
  const timezone = ianaZone(text);
  if (timezone !== undefined) return { timezone };
  notes.add('Unknown time zones, whose times are read as those of the site', text);
  return {};
}

/** Returns the costs of our column, or of the plugin's columns for cost and currency. */
function costIn(cells: Cells) {
  const range = cells.get('cost');
  if (range !== undefined) {
    const costs = split(range, ';');
    return { cost: costs.length === 1 ? costs[0] : costs, ...codeIn(cells) };
  }
  const cost = cells.get('single_cost')?.trim();
  if (cost === undefined) return {};
  return { ...costWithCurrency(cost, cells), ...codeIn(cells) };
}

/** Returns the code of the currency of a line, where it is one. */
function codeIn(cells: Cells) {
  const code = cells.get('currency_code')?.trim().toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? { currency_code: code } : {};
}

function costWithCurrency(cost: string, cells: Cells) {
  const textIn = (column: string) => cells.get(column)?.trim() ?? '';
  const currency = textIn('currency_symbol') || textIn('currency_code');
  const position = textIn('currency_position');
  if (currency === '' || !/^[\d.,'\s\u2013-]+$/.test(cost) || !/[1-9]/.test(cost)) return { cost };
  return { cost: /^(?:postfix|suffix|after|right)/i.test(position) ? cost + currency : currency + cost };
}

function termsIn(cells: Cells, column: string) {
  const cell = cells.get(column);
  return cell === undefined ? {} : { [column]: namesIn(cell, true).map(termName) };
}

/** A name in the form of the API, which drops tags. */
function termName(name: string): string {
  return name.includes('<') ? escapeUTF8(name) : name;
}

/** Returns the contacts of our column, whose names may have commas, or of the plugin's. */
function contactsIn(kind: LinkedKind, cells: Cells): Row['venue'] {
  const list = cells.get(kind);
  if (list !== undefined) return namesIn(list, false).map((name): Contact => ({ [kind]: escapeUTF8(name) }));
  const names = cells.get(`${kind}_names`);
  if (names === undefined) return undefined;
  const semicolons = namesIn(names, false);
  return semicolons.length > 1
    ? semicolons.map((name) => ({ [kind]: escapeUTF8(name) }))
    : { text: semicolons[0] ?? '' };
}
