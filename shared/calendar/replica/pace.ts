/** Long work in slices, so that nobody waits long for the thread: a query that has worked for a slice is interrupted, and run again after others had their turn. */

import { createFairStart } from '../../waiting.ts';

/** Milliseconds of a slice, unless told. A step that is longer by itself cannot be interrupted. */
const defaultSlice = 8;

/** Thrown where work goes on in the next slice. */
export class Interrupted extends Error {}

/** One for all: the stack of each would cost more than the slice. */
const interrupted = new Interrupted();

/** The pace of one request. What it has done in one slice it has at hand in the next. */
export class Pace {
  readonly #done = new Map<string, WeakMap<object, unknown>>();
  readonly #slice: number;
  #started = performance.now();
  #hasWorked = false;

  constructor(slice = defaultSlice) {
    this.#slice = slice;
  }

  /** Begins the next slice. */
  begin(): this {
    this.#started = performance.now();
    this.#hasWorked = false;
    return this;
  }

  /** Throws `Interrupted` when the slice is over. Call it after each step whose outcome is kept: there is one step in each slice at least. */
  step(): void {
    if (performance.now() - this.#started >= this.#slice) throw interrupted;
  }

  /** Returns what a piece of work says of an item, done once in all slices. `what` names the work. */
  once<Item extends object, Value>(what: string, item: Item, work: (item: Item) => Value): Value {
    let done = this.#done.get(what);
    if (done === undefined) {
      done = new WeakMap();
      this.#done.set(what, done);
    }
    if (done.has(item)) return done.get(item) as Value;
    if (this.#hasWorked) this.step();
    const value = work(item);
    this.#hasWorked = true;
    done.set(item, value);
    return value;
  }
}

/** Milliseconds of work after which others wait until what has arrived is looked at. */
const long = 2;

export class ReadTurns {
  readonly #fairStart = createFairStart();
  #isBusy = false;

  /** Runs a slice of a read. One that `goesOn` waits for the turn of its caller, and so does any while another has worked for long; else it runs at once. */
  async run<T>(caller: string, goesOn: boolean, slice: () => T): Promise<T> {
    if (goesOn || this.#isBusy) await this.#fairStart.awaitTurn(caller);
    const start = performance.now();
    try {
      return slice();
    } finally {
      if (performance.now() - start > long) this.#rest();
    }
  }

  #rest(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => {
      this.#isBusy = false;
    });
  }
}
