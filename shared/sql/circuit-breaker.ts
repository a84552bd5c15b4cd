/** A circuit breaker: spares a server that cannot be reached, and its callers the wait. */

/** Failures in a row that open the circuit, and milliseconds until one request may try again. */
const limits = { failures: 5, pause: 2_000 };

export class CircuitBreaker {
  /** Returns milliseconds on a steady clock. */
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #lastFailure: Error | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the last use failed. */
  get failing(): boolean {
    return this.#lastFailure !== undefined;
  }

  /** Throws the last failure while the circuit is open. After the pause it lets one caller through as a trial. */
  check(): void {
    if (this.#lastFailure === undefined || this.#failures < limits.failures) return;
    if (this.#now() < this.#openUntil) throw this.#lastFailure;
    this.#openUntil = this.#now() + limits.pause;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#lastFailure = undefined;
  }

  failed(error: Error): void {
    this.#failures += 1;
    this.#lastFailure = error;
    this.#openUntil = this.#now() + limits.pause;
  }
}
