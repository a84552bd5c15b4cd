/**
 * A backup of a calendar: one blob, with a line of JSON for each row by ascending version, and a last line that says what is whole. The blob
 * storage shows a blob when all of it has arrived, so a backup is complete or not there.
 */

import { type BlobStore, openBlobStore } from '../../functions/calendar/blobs/blob-store.ts';
import { callTimeout } from './call-timeout.ts';
import { propertiesOf, type Row, type Source } from './place.ts';
import { type SignIn, signIn } from './sign-in.ts';

/** The last line of a backup. */
export interface BackupEnd {
  readonly head: Row;
  /** Keys of rows that the scan has found, and later found replaced. */
  readonly superseded: readonly string[];
  /** The number of rows without those. */
  readonly rows: number;
}

export interface BackupFile extends Source {
  /** Writes the rows, and what `end` returns after the last of them. Nothing is left of a backup when either of them throws. */
  readonly write: (rows: AsyncIterable<Row>, end: () => Promise<BackupEnd>) => Promise<BackupEnd>;
}

const pattern =
  /^(?:(\S*AccountName=[^#]+)(#)|(https?:\/\/.+)\/)([a-z0-9][a-z0-9-]{2,62})\/([^/#?]+)\/([^/#?]+\.jsonl)$/;

/** Checks whether the name of a place is that of a backup: its last part ends in `.jsonl`. */
export const isBackupFile = (text: string): boolean => pattern.test(text);

/** Opens a backup by the address of a blob service or its connection string, a container, the calendar and a file. Throws an Error for another text. */
export function openBackupFile(text: string, credential: SignIn = signIn): BackupFile {
  const [, connectionString = '', , endpoint = '', container = '', calendar = '', file = ''] =
    pattern.exec(text) ?? [];
  if (file === '')
    throw new Error(
      `"${text}" is no backup: it must be <address or connection string>, a container, a calendar and a file (.jsonl).`,
    );
  const folder = encodeURIComponent(calendar);
  const settings = { connectionString, endpoint, container, folder, timeout: callTimeout };
  const store = openBlobStore({ ...settings, contents: 'backups' }, credential);
  const name = `${container}/${calendar}/${file}`;
  // A backup never changes, and its last line is behind all others.
  let known: BackupEnd | undefined;
  const end = async () => (known ??= await endOf(store, file, name));
  return {
    name,
    head: async () => (await end())?.head,
    async *rows(after, upTo) {
      const { superseded = [], rows = 0 } = (await end()) ?? {};
      let count = 0;
      for await (const row of rowsIn(store, file, new Set(superseded))) {
        count += 1;
        if (row.rowKey !== undefined && row.rowKey > after && row.rowKey <= upTo) yield row;
      }
      if (count !== rows)
        throw new Error(`The backup ${name} is not whole: it has ${count} rows, and had ${rows}.`);
    },
    async write(rows, end) {
      let written: BackupEnd | undefined;
      async function* lines() {
        for await (const row of rows) yield line({ row: propertiesOf(row) });
        written = await end();
        yield line({ end: { ...written, head: propertiesOf(written.head) } });
      }
      await store.put(file, lines(), 'application/x-ndjson');
      if (written === undefined) throw new TypeError('The last line was not asked for.');
      return written;
    },
  };
}

const line = (value: unknown) => Buffer.from(`${JSON.stringify(value, toJson)}\n`);

/** A whole number of 64 bits has no type in JSON: `{"int64": "132"}`. */
const toJson = (_: string, value: unknown) => (typeof value === 'bigint' ? { int64: String(value) } : value);
const fromJson = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'int64' in value ? BigInt(String(value.int64)) : value;

type Line = { readonly row: Row } | { readonly end: BackupEnd };

async function* linesIn(store: BlobStore, file: string): AsyncIterable<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of (await store.open(file)) ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      number += 1;
      yield lineIn(text, file, number);
    }
  }
}

/** Reads a line. Throws an Error for a text that no backup has. */
function lineIn(text: string, file: string, number: number): Line {
  const damaged = `The file ${file} is no backup, or is damaged: see its line ${number}.`;
  let line: unknown;
  try {
    line = JSON.parse(text, fromJson);
  } catch (cause) {
    throw new Error(damaged, { cause });
  }
  const isLine = typeof line === 'object' && line !== null && ('row' in line || 'end' in line);
  if (!isLine) throw new Error(damaged);
  return line as Line;
}

/** The last line of a backup; undefined where there is none. Throws an Error for a file that ends before it. */
async function endOf(store: BlobStore, file: string, name: string): Promise<BackupEnd | undefined> {
  let last: Line | undefined;
  for await (const found of linesIn(store, file)) last = found;
  if (last === undefined) return undefined;
  if (!('end' in last)) throw new Error(`The backup ${name} is not whole: its last line is missing.`);
  return last.end;
}

/** The rows of a backup without those that were replaced. */
async function* rowsIn(store: BlobStore, file: string, superseded: ReadonlySet<string>): AsyncIterable<Row> {
  for await (const found of linesIn(store, file)) {
    if (!('row' in found)) return;
    if (!superseded.has(String(found.row.rowKey))) yield found.row;
  }
}
