/** Reads the text of a file in the encodings that programs write: UTF-8 and UTF-16, with or without a byte order mark, or Windows-1252. */

import { open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Limits, mebibytes } from './limits.ts';

/** Checks that a path is a file of at most the size of its format. Throws an Error with the reason. */
export async function mustFit(file: string, { fileBytes }: Limits): Promise<void> {
  const facts = await stat(file);
  if (!facts.isFile()) throw new Error(`${file} is no file.`);
  const extension = extname(file).toLowerCase();
  const maximum = fileBytes[extension] ?? fileBytes['.jsonl'] ?? 0;
  if (facts.size > maximum)
    throw new Error(
      `${file} has ${mebibytes(facts.size)}, and an import reads ${mebibytes(maximum)}: split the file.`,
    );
}

/** The text of a file. */
export interface FileText {
  readonly text: string;
  /** Lines with octets that are no UTF-8, which are read as U+FFFD. */
  readonly damaged: readonly string[];
}

/** Reads a whole file as text. */
export async function readText(file: string): Promise<FileText> {
  const bytes = await readFile(file);
  return decode(bytes, encodingOf(bytes));
}

/** Reads a whole file of iCalendar without its folds: they are between octets, which may be those of one letter (RFC 5545 3.1). */
export async function readUnfolded(file: string): Promise<FileText> {
  const bytes = await readFile(file);
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') return decode(Buffer.from(unfold(bytes.toString('latin1')), 'latin1'), encoding);
  const { text, damaged } = decode(bytes, encoding);
  return { text: unfold(text), damaged };
}

/** Joins the lines of iCalendar that were folded. Programs that convert the ends of lines twice write CR CR LF, or an empty line after each. */
export function unfold(text: string): string {
  return text.replace(/[\r\n]{1,4}[ \t]/g, '');
}

/** Reads the lines of a file one by one. Throws an Error that names a line above the limit. */
export async function* readLines(file: string, { lineLength }: Limits): AsyncGenerator<string> {
  const handle = await open(file);
  try {
    const first = Buffer.alloc(4);
    const { bytesRead } = await handle.read(first, 0, first.length, 0);
    const decoder = new TextDecoder(encodingOf(first.subarray(0, bytesRead)));
    let rest = '';
    let number = 1;
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > lineLength)
        throw new Error(`${file}, line ${number + lines.length}: it has more than ${lineLength} characters.`);
      yield* lines;
      number += lines.length;
    }
    yield rest + decoder.decode();
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer, encoding: string): FileText {
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding !== 'utf-8' || !text.includes('\uFFFD')) return { text, damaged: [] };
  if (!isUtf8(bytes)) return { text: new TextDecoder('windows-1252').decode(bytes), damaged: [] };
  return { text, damaged: text.split(/\r\n|\n|\r/).filter((line) => line.includes('\uFFFD')) };
}

/** Octets that are no UTF-8, for each letter in UTF-8, at most, in a text in UTF-8 that was damaged. */
const damagedPerLetter = 10;

/** Checks whether a text with octets that are no UTF-8 is a damaged one in UTF-8, and not one in Windows-1252. */
function isUtf8(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const letters = count(utf8Letter);
  return letters > 0 && count(/[\x80-\xff]/g) - octetsIn(text) <= damagedPerLetter * letters;
}

const utf8Letter = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

function octetsIn(text: string): number {
  return (text.match(utf8Letter) ?? []).reduce((sum, letter) => sum + letter.length, 0);
}

/** Returns the encoding of a text by its byte order mark, or by the place of the zeros in its first characters. */
function encodingOf(bytes: Uint8Array): string {
  const [first = 1, second = 1, third = 1, fourth = 1] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return 'utf-8';
}
