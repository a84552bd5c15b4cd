/** Text of char and varchar: UTF-8 under a `_UTF8` collation, else code page 1252, as with SQL_Latin1_General_CP1_CI_AS. */

/** Bytes 0x80 to 0x9F; all others are their own code point. */
const HIGH = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index)),
];
const BYTE_OF = new Map(HIGH.map((character, index) => [character.charCodeAt(0), 0x80 + index]));
const QUESTION_MARK = 0x3f;

/** Encodes text in code page 1252; what it lacks becomes `?`, as on SQL Server. */
export function toCodePage1252(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0xff || (code >= 0x80 && code < 0xa0)) bytes[index] = BYTE_OF.get(code) ?? QUESTION_MARK;
  }
  return bytes;
}

/** Decodes bytes of code page 1252. */
export function fromCodePage1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] ?? character);
}
