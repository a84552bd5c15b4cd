/** A circuit breaker: spares a server that cannot be reached, and its callers the wait. */

/** Failures in a row that open the circuit, and milliseconds until one request may try again. */
const limits = { failures: 5, pause: 2_000 };

export interface CircuitBreaker {
  /** Whether the last use failed. */
  readonly failing: boolean;
  /** Throws the last failure while the circuit is open. After the pause it lets one caller through as a trial. */
  check(): void;
  succeeded(): void;
  failed(error: Error): void;
}

/** Creates a closed circuit. `now` returns milliseconds on a steady clock. */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  let failures = 0;
  let openUntil = 0;
  let lastFailure: Error | undefined;

  return {
    get failing() {
      return lastFailure !== undefined;
    },
    check() {
      if (lastFailure === undefined || failures < limits.failures) return;
      if (now() < openUntil) throw lastFailure;
      openUntil = now() + limits.pause;
    },
    succeeded() {
      failures = 0;
      lastFailure = undefined;
    },
    failed(error) {
      failures += 1;
      lastFailure = error;
      openUntil = now() + limits.pause;
    },
  };
}
