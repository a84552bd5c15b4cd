/** Stores the records of an import in a file, so that they can be read repeatedly without being in memory together. */

import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { orderOf } from './record.ts';
import type { SourceRecord } from './record-decision.ts';

interface Place {
  readonly order: number;
  readonly offset: number;
  readonly length: number;
}

const extension = '.records';

/** Records in the order of links: linked records first. Close it after use. */
export class RecordStore implements Iterable<SourceRecord> {
  readonly #descriptor: number;
  readonly #places: Place[] = [];
  #size = 0;
  /** One buffer for all records: memory of buffers is returned late. */
  #buffer = Buffer.alloc(1 << 16);
  #isSorted = true;

  /**
   * Creates an empty store in a folder. Its file has no name from the beginning, so that drafts do not stay there when the process is killed.
   * Files that an earlier version has left there are removed.
   */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder))
      if (name.endsWith(extension)) rmSync(join(folder, name), { force: true });
    const file = join(folder, randomUUID() + extension);
    this.#descriptor = openSync(file, 'wx+', 0o600);
    rmSync(file);
  }

  get count(): number {
    return this.#places.length;
  }

  add(item: SourceRecord): void {
    const bytes = Buffer.from(JSON.stringify(item));
    writeSync(this.#descriptor, bytes, 0, bytes.length, this.#size);
    this.#places.push({ order: orderOf(item.record), offset: this.#size, length: bytes.length });
    this.#size += bytes.length;
    this.#isSorted = false;
  }

  *[Symbol.iterator](): Generator<SourceRecord> {
    if (!this.#isSorted) this.#places.sort((a, b) => a.order - b.order || a.offset - b.offset);
    this.#isSorted = true;
    for (const { offset, length } of this.#places) {
      if (this.#buffer.length < length) this.#buffer = Buffer.alloc(2 * length);
      readSync(this.#descriptor, this.#buffer, 0, length, offset);
      yield JSON.parse(this.#buffer.toString('utf8', 0, length)) as SourceRecord;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
