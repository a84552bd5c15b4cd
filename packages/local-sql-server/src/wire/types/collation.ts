/** Collations on the wire (MS-TDS 2.2.5.1.2): 20 bits locale, 8 bits flags, 4 bits version, a byte sort id. */

/** The server's collation: US English, ignoring case, width and kana type, code page 1252. */
export const DEFAULT_COLLATION = 'SQL_Latin1_General_CP1_CI_AS';

const ENGLISH_LOCALE = 0x0409;
const SORT_ID_CP1_CI_AS = 52;

const Flag = {
  ignoreCase: 0x01,
  ignoreAccent: 0x02,
  ignoreKana: 0x04,
  ignoreWidth: 0x08,
  binary: 0x10,
  binary2: 0x20,
  utf8: 0x40,
};

/** Checks whether char and varchar text of a collation is UTF-8. */
export function isUtf8(collation: string): boolean {
  return /_UTF8$/i.test(collation);
}

/** Checks the same for the bytes that a client sends. */
export function isUtf8Bytes(bytes: Buffer): boolean {
  return (flagsOf(bytes) & Flag.utf8) !== 0;
}

const cache = new Map<string, Buffer>();

/** Returns the 5 bytes of a collation, from its name: all locales are sent as US English, which is what code page 1252 needs. */
export function collationBytes(name: string): Buffer {
  const bytes = cache.get(name) ?? encode(name);
  cache.set(name, bytes);
  return bytes;
}

function encode(name: string): Buffer {
  const flags = flagsOfName(name);
  const version = /_140_/.test(name) ? 3 : /_100_/.test(name) ? 2 : /_90_/.test(name) ? 1 : 0;
  const sortId = name.toUpperCase() === DEFAULT_COLLATION.toUpperCase() ? SORT_ID_CP1_CI_AS : 0;
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32LE(ENGLISH_LOCALE + flags * 2 ** 20 + version * 2 ** 28, 0);
  bytes.writeUInt8(sortId, 4);
  return bytes;
}

function flagsOfName(name: string): number {
  const utf8 = isUtf8(name) ? Flag.utf8 : 0;
  if (/_BIN2(_|$)/i.test(name)) return Flag.binary2 | utf8;
  if (/_BIN(_|$)/i.test(name)) return Flag.binary | utf8;
  return (
    utf8 |
    (/_CI(_|$)/i.test(name) ? Flag.ignoreCase : 0) |
    (/_AI(_|$)/i.test(name) ? Flag.ignoreAccent : 0) |
    (/_KS(_|$)/i.test(name) ? 0 : Flag.ignoreKana) |
    (/_WS(_|$)/i.test(name) ? 0 : Flag.ignoreWidth)
  );
}

function flagsOf(bytes: Buffer): number {
  return (bytes.readUInt32LE(0) >>> 20) & 0xff;
}
