/** Tells a dependency that has stopped answering from one that is busy: calls are in flight, and none has been answered for some seconds. */

import { withTimeout } from '../timing.ts';

/** Milliseconds without an answer. */
const silence = 3_000;

/** Milliseconds in which a dependency that is well answers a question. */
export const answerTime = 1_000;

export class StallDetector {
  readonly #isAnswer: (error: unknown) => boolean;
  readonly #now: () => number;
  #inFlight = 0;
  /** When a call was answered last, or the first of those began that were not. */
  #since = 0;
  /** Whether the call that ended last was answered. */
  #wasAnswered = true;
  #asking: Promise<boolean> | undefined;

  /** `isAnswer` tells errors that the dependency has answered from those of no answer. `now` is in milliseconds on a steady clock. */
  constructor(isAnswer: (error: unknown) => boolean, now: () => number = () => performance.now()) {
    this.#isAnswer = isAnswer;
    this.#now = now;
  }

  /** Calls in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether calls wait for an answer, and none has come for some seconds. */
  get isStalled(): boolean {
    return this.#inFlight > 0 && this.isSilent;
  }

  /** Whether no answer has come for some seconds. Without calls in flight nobody has asked for one. */
  get isSilent(): boolean {
    return this.#now() - this.#since >= silence;
  }

  /** Watches a call until it ends. */
  async watch<T>(call: () => Promise<T>): Promise<T> {
    // Calls that were given up without an answer are no reason to wait for those behind them anew.
    if (this.#inFlight === 0 && this.#wasAnswered) this.#since = this.#now();
    this.#inFlight += 1;
    try {
      const result = await call();
      this.#ended(true);
      return result;
    } catch (error) {
      this.#ended(this.#isAnswer(error));
      throw error;
    }
  }

  #ended(wasAnswered: boolean): void {
    this.#inFlight -= 1;
    this.#wasAnswered = wasAnswered;
    if (wasAnswered) this.#since = this.#now();
  }

  /** Checks whether a question is answered within a second. Those who ask at once share one question. */
  answers(question: () => Promise<unknown>): Promise<boolean> {
    const noAnswer = new Error('No answer in time');
    this.#asking ??= withTimeout(answerTime, question(), () => noAnswer)
      .then(
        () => true,
        (error: unknown) => error !== noAnswer && this.#isAnswer(error),
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
