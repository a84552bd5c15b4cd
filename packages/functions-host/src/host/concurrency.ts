/** Limits how many requests are in flight and how many of them are handled at once. */
export class RequestLimit {
  readonly #outstanding: number;
  readonly #concurrent: number;
  #inFlight = 0;
  #handled = 0;
  readonly #queue: (() => void)[] = [];

  constructor(outstanding: number, concurrent: number) {
    this.#outstanding = outstanding;
    this.#concurrent = concurrent;
  }

  /** Runs work in its turn; undefined, at once, when too many requests are in flight. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#inFlight >= this.#outstanding) return undefined;
    this.#inFlight++;
    try {
      if (this.#handled >= this.#concurrent) await new Promise<void>((resolve) => this.#queue.push(resolve));
      this.#handled++;
      return await work();
    } finally {
      this.#inFlight--;
      this.#handled--;
      this.#queue.shift()?.();
    }
  }
}
