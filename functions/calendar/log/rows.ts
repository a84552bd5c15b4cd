/** The kinds of rows of a calendar's partition, and how they are written as entities (docs/decisions/calendar-log.md). */

import type { Change, IdSpace, PastRecord } from './log.ts';

/** An entity as the tables' client takes and gives it: text, and 64-bit whole numbers. */
export type Entity = { readonly partitionKey: string; readonly rowKey: string } & Readonly<
  Record<string, string | bigint>
>;

/** Names a snapshot of the log: a blob that holds all rows up to a version. */
export interface SnapshotRef {
  readonly version: number;
  readonly blob: string;
  /** Hash of the blob's bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** Number of the blob's bytes, and of those that they unpack to. */
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/** The row that is the commit point of the log. */
export interface Head {
  /** Names this history of the calendar: drawn by its first write. Empty when there was none yet. */
  readonly log: string;
  /** Version of the newest row. */
  readonly version: number;
  readonly nextIds: Readonly<Record<IdSpace, number>>;
  /** The latest instant at which records were written, in seconds; absent where the writer was an earlier version of the app. */
  readonly changed?: number;
  /** The latest write of each writer as `<writer>:<number of its write>`, newest first. The row calls them `marks`. */
  readonly recentWriteIds: readonly string[];
  /** The snapshot from which the log may be loaded. */
  readonly snapshot: SnapshotRef | undefined;
  /** Tag of the row for `If-Match`; empty when the row does not exist yet. */
  readonly etag: string;
}

/** UTF-16 code units of a text property: 64 KiB. */
export const maxPropertyLength = 32_768;

export const headKey = 'head';

/** The head of a calendar that was never written to. */
export const noHead: Head = {
  log: '',
  version: 0,
  nextIds: { post: 1, term: 1, user: 1 },
  recentWriteIds: [],
  snapshot: undefined,
  etag: '',
};

const spaces = ['post', 'term', 'user'] as const satisfies readonly IdSpace[];

/** Writes the head as an entity. */
export function headToEntity(
  partitionKey: string,
  { log, version, nextIds, changed, recentWriteIds, snapshot }: Omit<Head, 'etag'>,
): Entity {
  const ids = Object.fromEntries(spaces.map((space) => [space, BigInt(nextIds[space])]));
  return {
    partitionKey,
    rowKey: headKey,
    log,
    version: BigInt(version),
    marks: recentWriteIds.join(' '),
    ...(changed === undefined ? {} : { changed: BigInt(changed) }),
    ...(snapshot && { snapshot: snapshotText(snapshot) }),
    ...ids,
  };
}

/** Reads the head from an entity. */
export function entityToHead(entity: Readonly<Record<string, unknown>>): Head {
  const { log, version, changed, marks, etag, post, term, user } = entity;
  return {
    log: String(log),
    version: Number(version),
    nextIds: { post: Number(post), term: Number(term), user: Number(user) },
    ...(changed === undefined ? {} : { changed: Number(changed) }),
    recentWriteIds: String(marks).split(' '),
    snapshot: parseSnapshotRef(entity['snapshot']),
    etag: String(etag),
  };
}

function snapshotText({ version, sha256, blob, bytes, unpackedBytes }: SnapshotRef): string {
  return `${version} ${sha256} ${blob} ${bytes} ${unpackedBytes}`;
}

/** Reads what the head says of a snapshot; undefined for what an earlier version wrote, without the numbers of bytes. */
function parseSnapshotRef(text: unknown): SnapshotRef | undefined {
  const [, version, sha256 = '', blob = '', bytes, unpackedBytes] =
    /^(\d+) ([0-9a-f]{64}) (\S+) (\d+) (\d+)$/.exec(String(text)) ?? [];
  if (version === undefined) return undefined;
  return {
    version: Number(version),
    sha256,
    blob,
    bytes: Number(bytes),
    unpackedBytes: Number(unpackedBytes),
  };
}

const prefix = 'v|';
const versionDigits = 16;

/** Row key of a version. Keys sort by code unit, so the number is padded to the width of the largest safe integer. */
export function versionKey(version: number): string {
  return prefix + String(version).padStart(versionDigits, '0');
}

/** Writes a change as an entity: its text in `json0`, `json1`, ..., each as long as a property may be; none for a tombstone. */
export function changeToEntity(partitionKey: string, { key, json, version }: Change): Entity {
  const parts = json === null ? [] : splitText(json, maxPropertyLength);
  const texts = Object.fromEntries(parts.map((part, index) => [`json${index}`, part]));
  return { partitionKey, rowKey: versionKey(version), key, ...texts };
}

/** Reads a change from an entity. */
export function entityToChange(entity: Readonly<Record<string, unknown>>): Change {
  const version = Number(String(entity['rowKey']).slice(prefix.length));
  const parts: unknown[] = [];
  while (entity[`json${parts.length}`] !== undefined) parts.push(entity[`json${parts.length}`]);
  return {
    key: String(entity['key']),
    json: parts.length === 0 ? null : parts.join(''),
    version,
  };
}

const pastPrefix = 'h|';

/** Returns the bounds of the keys of what a record was before a version, or ever; both outside of them. */
export function pastKeysOf(key: string, before?: number): KeyRange {
  const prefix = `${pastPrefix}${key.replace('/', '|')}|`;
  return { after: before === undefined ? prefix : prefix + fromNewest(before), upTo: `${prefix}~` };
}

/** The bounds of the keys of all earlier versions. */
export const allPastKeys: KeyRange = { after: pastPrefix, upTo: `${pastPrefix}~` };

export interface KeyRange {
  readonly after: string;
  readonly upTo: string;
}

/** Returns the row key of an earlier version of a record. Those of one record stand together, the newest first. */
function pastKey({ key, version }: Pick<PastRecord, 'key' | 'version'>): string {
  return pastKeysOf(key).after + fromNewest(version);
}

function fromNewest(version: number): string {
  return String(Number.MAX_SAFE_INTEGER - version).padStart(versionDigits, '0');
}

/** Writes an earlier version as an entity, with the instant at which it was replaced, in seconds, and the history it is of. */
export function pastToEntity(
  partitionKey: string,
  past: PastRecord,
  replacedAt: number,
  log: string,
): Entity {
  const entity = changeToEntity(partitionKey, { ...past, json: spellJson(past.json) });
  return { ...entity, rowKey: pastKey(past), at: BigInt(replacedAt), log };
}

/** Reads an earlier version from an entity. */
export function entityToPast(entity: Readonly<Record<string, unknown>>): PastRecord {
  const inverted = String(entity['rowKey']).split('|').at(-1);
  const { key, json } = entityToChange(entity);
  return { key, json: json ?? '', version: Number.MAX_SAFE_INTEGER - Number(inverted) };
}

/** Writes the draft of a record as an entity. */
export function draftToEntity(partitionKey: string, key: string, json: string): Entity {
  const entity = changeToEntity(partitionKey, { key, json: spellJson(json), version: 0 });
  return { ...entity, rowKey: draftKeyOf(key) };
}

/** Returns the row key of the draft of a record. */
export function draftKeyOf(key: string): string {
  return `d|${key.replace('/', '|')}`;
}

/** Splits a text into parts of at most `length` code units, never within a surrogate pair: a lone surrogate cannot be sent. */
export function splitText(text: string, length: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + length;
    const cut = end < text.length && isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
    parts.push(text.slice(start, cut));
    start = cut;
  }
  return parts;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const wideCharacters = /[\u0100-\uffff]/g;
const lineSeparators = /[\u2028\u2029]/g;
const escapeLength = 6;

/**
 * Spells a JSON text for the log. The same text is stored and kept by every process.
 *
 * V8 keeps a string with one byte per character as long as all are below U+0100, and with two bytes as soon as one is not:
 * so a text with few wider characters has them escaped (`\u2013`), and one with many is left as it is.
 * U+2028 and U+2029 are always escaped: Azurite takes them for ends of lines, and then never answers.
 */
export function spellJson(json: string): string {
  const count = json.match(wideCharacters)?.length ?? 0;
  if (count === 0) return json;
  if (json.length + (escapeLength - 1) * count >= 2 * json.length)
    return json.replace(lineSeparators, escaped);
  // Replacing in a two-byte string makes another one, so the text takes a way through bytes.
  return Buffer.from(json.replace(wideCharacters, escaped), 'latin1').toString('latin1');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
