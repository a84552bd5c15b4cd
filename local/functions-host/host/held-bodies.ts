/** The bodies that the host holds until the worker has answered: beyond a number of bytes most are left on their connections, unread. */

/** Bytes that are held, beyond which only those bodies are read on that came first. */
const maxHeld = 64 * 1024 * 1024;
/** Bodies that are read on whatever is held, so that all are read in the end: several, since one may come slowly. */
const alwaysRead = 4;

/** A body that is read in parts. */
export interface ReadableBody {
  /** Reads the whole body; `onPart` is told of the bytes of each part, and waited for before the next one. */
  readAll(onPart: (bytes: number) => Promise<void>): Promise<Buffer>;
}

export class HeldBodies {
  readonly #max: number;
  /** Those that are read or worked with, in the order in which they came. */
  readonly #held = new Set<ReadableBody>();
  #bytes = 0;
  #changed = Promise.withResolvers<void>();

  constructor(max = maxHeld) {
    this.#max = max;
  }

  /** Reads a body, runs work with it, and holds it until that has ended. */
  async run<T>(body: ReadableBody, work: (bytes: Buffer) => Promise<T>): Promise<T> {
    let size = 0;
    this.#held.add(body);
    try {
      const bytes = await body.readAll(async (length) => {
        size += length;
        this.#bytes += length;
        while (this.#bytes > this.#max && !this.#isAmongFirst(body)) await this.#changed.promise;
      });
      return await work(bytes);
    } finally {
      this.#held.delete(body);
      this.#bytes -= size;
      this.#change();
    }
  }

  #isAmongFirst(body: ReadableBody): boolean {
    return [...this.#held].slice(0, alwaysRead).includes(body);
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
