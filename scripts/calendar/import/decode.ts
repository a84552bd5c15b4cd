/** Reads the text of a file in the encodings that programs write: UTF-8 and UTF-16, with or without a byte order mark, else Windows-1252. */

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

/** Reads a whole file as text. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  const text = decoded(bytes, encodingOf(bytes));
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
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

function decoded(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
