/** Admission control: what a request passes before its work, by its caller. The numbers and their reasons: `docs/decisions/security.md`. */

import { CodedError } from '../errors.ts';
import { Budget, type Reservation } from './budget.ts';
import { FairQueue } from './fair-queue.ts';

/** Seconds after which a rejected caller may try again. */
const retryAfter = 1;

/** Milliseconds that a large body waits for its turn, at most. */
const timeoutMs = 5_000;

export interface AdmissionOptions {
  /** Requests in flight, at most. */
  readonly maxRequests: number;
  /** Bytes of bodies and large replies in memory, at most. */
  readonly maxBytes: number;
}

export class AdmissionControl {
  readonly #requests: Budget;
  readonly #bytes: Budget;
  /** Parsing a large body takes long, so one starts per turn of the event loop. */
  readonly #largeBodies: FairQueue;

  constructor({ maxRequests, maxBytes }: AdmissionOptions) {
    const overloaded = (found: string) =>
      new CodedError('overloaded', `Cannot answer now: ${found}.`, { retryAfter });
    this.#requests = new Budget({
      name: 'requests',
      limit: maxRequests,
      rejection: () => overloaded('too many requests are in flight'),
    });
    this.#bytes = new Budget({
      name: 'bytes of bodies',
      limit: maxBytes,
      rejection: () => overloaded('too many bytes of bodies are in flight'),
    });
    this.#largeBodies = new FairQueue({
      name: 'wait to read a large body',
      perTurn: true,
      maxQueued: maxRequests,
      timeoutMs,
      rejection: (reason) =>
        overloaded(
          reason === 'full' ? 'too many requests are queued' : 'the request was queued for too long',
        ),
    });
  }

  /**
   * Runs the work of a request within the budgets; that of a large body waits for its turn. The work adds the bytes of its reply to the
   * reservation, which is released when the reply is handed over. Throws `overloaded` (503, retry in a second).
   */
  async run<T>(caller: string, bodyBytes: number, work: (bytes: Reservation) => Promise<T>): Promise<T> {
    const request = this.#requests.reserve(caller, 1);
    try {
      return await this.#withBytes(caller, bodyBytes, work);
    } finally {
      request.release();
    }
  }

  async #withBytes<T>(
    caller: string,
    bodyBytes: number,
    work: (bytes: Reservation) => Promise<T>,
  ): Promise<T> {
    const bytes = this.#bytes.reserve(caller, bodyBytes);
    try {
      if (bodyBytes === 0) return await work(bytes);
      return await this.#largeBodies.run([caller], () => work(bytes));
    } catch (error) {
      bytes.release();
      throw error;
    }
  }
}
