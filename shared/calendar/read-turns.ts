/** When a read of the calendar works: long ones by turns, so that many at once do not keep the thread for all their slices together. */

import { createFairStart } from '../fair-start.ts';

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
