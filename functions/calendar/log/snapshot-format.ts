/**
 * The text of a snapshot before it is compressed: frames, each the number of its bytes (32 bits, little-endian) and so much text in UTF-8.
 * The first frame is the header, as JSON; every further one is a row: its version, its key and its JSON, with spaces between them. A
 * tombstone has no JSON.
 */

import type { Change } from './log.ts';

const format = 1;
const lengthBytes = 4;
/** Bytes of a frame, at most: a row of the tables has a megabyte. */
const maxFrameBytes = 8 * 1024 * 1024;
/** Rows that are yielded together. */
const portionLength = 1_000;

/** What a snapshot is of. */
export interface SnapshotOrigin {
  readonly calendar: string;
  /** Name of the history. */
  readonly log: string;
}

/** Writes the changes of a log, in ascending order of version. */
export async function* encodeSnapshot(
  { calendar, log }: SnapshotOrigin,
  portions: AsyncIterable<readonly Change[]>,
): AsyncGenerator<Buffer> {
  yield frame(JSON.stringify({ format, calendar, log }));
  for await (const changes of portions)
    if (changes.length > 0) yield Buffer.concat(changes.map((change) => frame(rowText(change))));
}

function frame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(lengthBytes + length);
  bytes.writeUInt32LE(length);
  bytes.write(text, lengthBytes);
  return bytes;
}

function rowText({ version, key, json }: Change): string {
  return json === null ? `${version} ${key}` : `${version} ${key} ${json}`;
}

/** Reads the changes of a snapshot, in portions. Throws an Error that says what is wrong with one of another format or origin, or that is damaged. */
export async function* decodeSnapshot(
  chunks: AsyncIterable<Uint8Array>,
  origin: SnapshotOrigin,
): AsyncGenerator<Change[]> {
  let isFirst = true;
  let version = 0;
  let portion: Change[] = [];
  for await (const texts of frames(chunks)) {
    if (isFirst) checkHeader(texts.shift(), origin);
    isFirst = false;
    for (const text of texts) {
      const change = readRow(text);
      if (!(change.version > version)) throw new Error('its rows are not in the order of their versions');
      version = change.version;
      portion.push(change);
    }
    if (portion.length < portionLength) continue;
    yield portion;
    portion = [];
  }
  yield portion;
}

function checkHeader(text = '', { calendar, log }: SnapshotOrigin): void {
  const header = JSON.parse(text) as Partial<SnapshotOrigin & { readonly format: number }>;
  if (header.format !== format) throw new Error(`its format is ${header.format}, and not ${format}`);
  if (header.calendar !== calendar || header.log !== log) throw new Error('it is of another calendar');
}

function readRow(text: string): Change {
  const afterVersion = text.indexOf(' ');
  const afterKey = text.indexOf(' ', afterVersion + 1);
  const version = Number(text.slice(0, afterVersion));
  if (afterKey === -1) return { version, key: text.slice(afterVersion + 1), json: null };
  return { version, key: text.slice(afterVersion + 1, afterKey), json: text.slice(afterKey + 1) };
}

/** Yields the texts of the frames that each chunk completes; nothing for one that completes none. */
async function* frames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    const texts: string[] = [];
    let start = 0;
    while (rest.length - start >= lengthBytes) {
      const length = rest.readUInt32LE(start);
      if (length > maxFrameBytes) throw new Error(`it has a frame of ${length} bytes`);
      const end = start + lengthBytes + length;
      if (end > rest.length) break;
      texts.push(rest.toString('utf8', start + lengthBytes, end));
      start = end;
    }
    rest = rest.subarray(start);
    if (texts.length > 0) yield texts;
  }
  if (rest.length > 0) throw new Error('it ends within a frame');
}
