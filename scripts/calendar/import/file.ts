/** Reads a file of JSON lines: the first line names the source, and each further line is one stored record. */

import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { mustFit, readLines } from './decode.ts';
import type { Limits } from './limits.ts';
import { parseRecord } from './record.ts';
import type { RecordStore } from './record-store.ts';

/** The format of the file that `export` writes. */
export const format = 'calendar-records-1';

/** The field of an exported event whose password is not in the file. */
export const passwordMark = 'has_password';

export interface FileRecords {
  readonly source: string;
  /** Lines that are not imported, with the reason. */
  readonly rejected: readonly string[];
  /** Keys of events with a password in the source. */
  readonly withPassword: ReadonlySet<string>;
}

type Line = Readonly<Record<string, unknown>>;

/** Reads the records of a file into a store. Throws an Error for a file of another format, or beyond a limit. */
export async function readRecords(
  file: string,
  records: RecordStore,
  context: CalendarContext,
  limits: Limits,
): Promise<FileRecords> {
  await mustFit(file, limits);
  const rejected: string[] = [];
  const withPassword = new Set<string>();
  let source: string | undefined;
  let number = 0;
  for await (const text of readLines(file, limits)) {
    number += 1;
    if (text.trim() === '') continue;
    const line = parseLine(text);
    if (source === undefined) {
      source = sourceOf(line, file);
      continue;
    }
    if (records.count >= limits.records)
      throw new Error(`${file} has more than ${limits.records} records: split the file.`);
    const { record, errors } = line === undefined ? notObject : parseRecord(line, context);
    if (record === undefined || errors.length > 0) {
      rejected.push(`line ${number}: ${nameOf(line)}${errors.join('; ')}`);
      continue;
    }
    records.add({ record });
    if (line?.[passwordMark] === true) withPassword.add(keyOf(record));
  }
  if (source === undefined) sourceOf(undefined, file);
  return { source: source ?? '', rejected, withPassword };
}

const notObject = { record: undefined, errors: ['is not a JSON object'] };

function nameOf(line: Line | undefined): string {
  return typeof line?.['kind'] === 'string' && typeof line['id'] === 'number'
    ? `${line['kind'].slice(0, 20)}/${line['id']}: `
    : '';
}

function sourceOf(header: Line | undefined, file: string): string {
  const { source } = header ?? {};
  if (header?.['format'] !== format || typeof source !== 'string')
    throw new Error(
      `${file} is no export of a calendar: its first line must say {"format":"${format}",...}.`,
    );
  return source;
}

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Line;
  } catch (error) {
    // Arrays within arrays without end exceed the stack of the parser.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return undefined;
}
