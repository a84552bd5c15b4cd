/** Reads a file of JSON lines: the first line names the source, and each further line is one stored record. */

import { readFile } from 'node:fs/promises';
import type { CalendarRecord } from '../../../../shared/calendar/model/records.ts';

/** The format of the file that `export` writes. */
export const format = 'calendar-records-1';

/** Reads the records of a file. Throws an Error that names the first invalid line. */
export async function readRecords(file: string): Promise<{ source: string; records: CalendarRecord[] }> {
  const lines = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '').split('\n');
  const [header, ...records] = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parseLine(line, file, index + 1)],
  );
  const { source } = header ?? {};
  if (header?.['format'] !== format || typeof source !== 'string')
    throw new Error(
      `${file} is no export of a calendar: its first line must say {"format":"${format}",...}.`,
    );
  for (const [index, record] of records.entries()) mustBeRecord(record, file, index + 2);
  return { source, records: records as unknown as CalendarRecord[] };
}

const kinds = ['author', 'image', 'category', 'tag', 'venue', 'organizer', 'event'];

function parseLine(line: string, file: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Error(`${file}, line ${number}: it is not a JSON object.`);
}

function mustBeRecord({ kind, id }: Readonly<Record<string, unknown>>, file: string, number: number): void {
  if (!kinds.includes(String(kind)) || !Number.isSafeInteger(id))
    throw new Error(`${file}, line ${number}: it is not a record with a kind and an id.`);
}
