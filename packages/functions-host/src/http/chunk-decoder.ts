/** Bodies in chunks (RFC 9112, section 7.1). */

import type { SocketReader } from './socket-reader.ts';

/** A body that cannot be read. */
export class BodyError extends Error {
  constructor(what: 'too large' | 'too slow' | 'incomplete' | 'malformed') {
    super(`Cannot read the request body: it is ${what}.`);
  }
}

/** Longest line of a size or a trailer. */
const maxLine = 32_768;

export class ChunkDecoder {
  /** Bytes left of the chunk; `size` and `end` before and after one, `trailers` after the last. */
  #state: number | 'size' | 'end' | 'trailers' = 'size';
  done = false;

  /** Takes the decoded bytes out of what has arrived. Throws a BodyError. */
  take(reader: SocketReader): Buffer[] {
    const parts: Buffer[] = [];
    while (!this.done && this.#step(reader, parts));
    return parts;
  }

  #step(reader: SocketReader, parts: Buffer[]): boolean {
    if (typeof this.#state === 'number') return this.#takeData(reader, parts, this.#state);
    const line = takeLine(reader);
    if (line === undefined) return false;
    if (this.#state === 'size') this.#startChunk(line);
    else if (this.#state === 'trailers') this.done = line === '';
    else if (line === '') this.#state = 'size';
    else throw new BodyError('malformed');
    return true;
  }

  #takeData(reader: SocketReader, parts: Buffer[], remaining: number): boolean {
    const taken = reader.take(remaining);
    const length = taken.reduce((sum, part) => sum + part.length, 0);
    parts.push(...taken);
    this.#state = remaining - length || 'end';
    return length > 0;
  }

  #startChunk(line: string): void {
    const size = /^([0-9a-f]{1,8})[\t ]*(;.*)?$/i.exec(line)?.[1];
    if (size === undefined) throw new BodyError('malformed');
    this.#state = Number.parseInt(size, 16) || 'trailers';
  }
}

function takeLine(reader: SocketReader): string | undefined {
  const { bytes } = reader;
  const end = bytes.indexOf('\r\n');
  if (end > maxLine || (end === -1 && bytes.length > maxLine)) throw new BodyError('malformed');
  if (end === -1) return undefined;
  const line = bytes.toString('latin1', 0, end);
  reader.consume(end + 2);
  return line;
}
