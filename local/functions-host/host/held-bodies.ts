/** The large bodies that the host holds until the worker has answered: beyond a number of bytes, in all or of one caller, most are left on their connections, unread. */

/** Bytes that are held, beyond which only those bodies are read on that came first. Half of it is for one caller. */
const maxHeld = 32 * 1024 * 1024;
/** Callers whose first body is read on whatever is held, so that all are read in the end: several, since one may come slowly. */
const alwaysRead = 4;

/** A body that is read in parts. */
export interface ReadableBody {
  /** Reads the whole body; `onPart` is told of the bytes of each part, and waited for before the next one. */
  readAll(onPart: (bytes: number) => Promise<void>): Promise<Buffer[]>;
}

/** What is held of one caller. */
interface Held {
  /** Those that are read or worked with, in the order in which they came. */
  readonly bodies: Set<ReadableBody>;
  bytes: number;
}

export class HeldBodies {
  readonly #max: number;
  readonly #callers = new Map<string, Held>();
  #bytes = 0;
  #changed = Promise.withResolvers<void>();

  constructor(max = maxHeld) {
    this.#max = max;
  }

  /** Reads a body of a caller, runs work with it, and holds it until that has ended. */
  async run<T>(caller: string, body: ReadableBody, work: (parts: Buffer[]) => Promise<T>): Promise<T> {
    const own = this.#callers.get(caller) ?? { bodies: new Set(), bytes: 0 };
    let size = 0;
    const hold = (bytes: number) => {
      size += bytes;
      own.bytes += bytes;
      this.#bytes += bytes;
    };
    own.bodies.add(body);
    this.#callers.set(caller, own);
    try {
      const parts = await body.readAll(async (bytes) => {
        hold(bytes);
        while (!this.#mayReadOn(body, own)) await this.#changed.promise;
      });
      return await work(parts);
    } finally {
      hold(-size);
      own.bodies.delete(body);
      if (own.bodies.size === 0) this.#callers.delete(caller);
      this.#change();
    }
  }

  #mayReadOn(body: ReadableBody, own: Held): boolean {
    if (this.#bytes <= this.#max && own.bytes <= this.#max / 2) return true;
    const [first] = own.bodies;
    return first === body && [...this.#callers.values()].slice(0, alwaysRead).includes(own);
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
