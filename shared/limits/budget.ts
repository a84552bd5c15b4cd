/** A budget: how much of a resource is in use, in all and by caller, such as requests in flight or bytes of their bodies. */

import { getHeapStatistics } from 'node:v8';
import { offerGauge } from '../telemetry/gauges.ts';

/** The part of the limit that is each caller's share, and the part that only callers below their share may use. */
const share = 1 / 2;
const reserve = 1 / 4;

export interface BudgetOptions {
  /** What the budget is called in metrics. */
  readonly name: string;
  /** The amount that all callers together may use. */
  readonly limit: number;
  /** Creates the error of a reservation that is rejected. */
  readonly rejection: () => Error;
}

/** The amount that one piece of work uses. */
export interface Reservation {
  /** Adds to the amount, or throws the rejection. `force` adds what is in use already, such as a reply that must be sent. */
  add(amount: number, options?: { readonly force?: boolean }): void;
  /** Gives the whole amount back; a second call does nothing. */
  release(): void;
}

export class Budget {
  readonly #options: BudgetOptions;
  readonly #usedBy = new Map<string, number>();
  #used = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
    const { name, limit } = options;
    const labels = { 'app.budget': name };
    offerGauge('budgetUsed', name, () => [[this.#used, labels]]);
    offerGauge('budgetLimit', name, () => [[limit, labels]]);
  }

  /** Reserves an amount for a caller, or throws the rejection. */
  reserve(caller: string, amount: number): Reservation {
    let amountOfWork = 0;
    const add: Reservation['add'] = (more, { force = false } = {}) => {
      if (more === 0) return;
      if (!force && !this.#fits(caller, amountOfWork, more)) throw this.#options.rejection();
      amountOfWork += more;
      this.#change(caller, more);
    };
    add(amount);
    return {
      add,
      release: () => {
        this.#change(caller, -amountOfWork);
        amountOfWork = 0;
      },
    };
  }

  /**
   * Checks whether a piece of work that uses an amount may use more. The only piece of work in progress may use any amount. A caller above
   * its share leaves the reserve to others, so that it does not lock them out.
   */
  #fits(caller: string, amountOfWork: number, more: number): boolean {
    if (this.#used === amountOfWork) return true;
    const { limit } = this.#options;
    const usedByCaller = this.#usedBy.get(caller) ?? 0;
    const isWithinShare = usedByCaller === amountOfWork || usedByCaller + more <= limit * share;
    return this.#used + more <= (isWithinShare ? limit : limit * (1 - reserve));
  }

  #change(caller: string, amount: number): void {
    const usedByCaller = (this.#usedBy.get(caller) ?? 0) + amount;
    this.#used += amount;
    if (usedByCaller === 0) this.#usedBy.delete(caller);
    else this.#usedBy.set(caller, usedByCaller);
  }
}

/** A body takes some ten times its bytes while it is parsed, stored and sent, and half of the heap is for other data. */
const heapPerByte = 24;

/** Two request bodies of the largest size. */
const minBytes = 8 * 1024 * 1024;

/** Bytes of the heap, at most; V8 decides once. */
const { heap_size_limit: heapLimit } = getHeapStatistics();

/** Returns the limit of the byte budget in bytes: what the setting says, or what fits the heap where that is 0. */
export function byteLimit(bytes: number): number {
  const limit = bytes === 0 ? heapLimit / heapPerByte : bytes;
  return Math.max(Math.floor(limit), minBytes);
}
