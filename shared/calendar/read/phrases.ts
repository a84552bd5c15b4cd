/** In which texts the phrases are that were searched lately: the same one is asked for with other filters. */

import { type Cache, createCache } from '../../cache.ts';
import { Bits } from '../replica/bits.ts';
import { budget } from './caches.ts';

/** Phrases, at most: more of them than have room in the budget. */
const maxPhrases = 1_000;
/** Changes that are remembered, at most: who has not seen one that is forgotten begins anew. */
const maxChanges = 4_096;

/** What is known of a phrase. */
interface Outcome {
  tested: Bits;
  readonly isIn: Bits;
  /** Number of changes that it takes into account. */
  seen: number;
  readonly bytes: number;
}

export class Phrases {
  readonly #outcomes: Cache<string, Outcome> = createCache({
    maxEntries: maxPhrases,
    bytes: { max: budget.phrases, of: ({ bytes }) => bytes },
  });
  /** Slots whose texts have changed, and how many changes there were before these. */
  readonly #changes: number[] = [];
  #forgotten = 0;

  /** Notes that a text has changed. */
  note(slot: number): void {
    this.#changes.push(slot);
    if (this.#changes.length < 2 * maxChanges) return;
    this.#changes.splice(0, maxChanges);
    this.#forgotten += maxChanges;
  }

  /** Keeps those slots of a set whose texts have a phrase. */
  keep(found: Bits, phrase: string, isIn: (slot: number) => boolean): void {
    const outcome = this.#outcomeOf(phrase, 2 * found.bytes);
    this.#update(outcome);
    const open = found.copy();
    open.deleteAll(outcome.tested);
    for (let slot = open.next(0); slot !== undefined; slot = open.next(slot + 1)) {
      if (isIn(slot)) outcome.isIn.add(slot);
      else outcome.isIn.delete(slot);
      outcome.tested.add(slot);
    }
    found.keepAll(outcome.isIn);
  }

  #outcomeOf(phrase: string, bytes: number): Outcome {
    const cached = this.#outcomes.get(phrase);
    if (cached !== undefined) return cached;
    const outcome = { tested: new Bits(), isIn: new Bits(), seen: this.#seen, bytes };
    this.#outcomes.set(phrase, outcome);
    return outcome;
  }

  get #seen(): number {
    return this.#forgotten + this.#changes.length;
  }

  /** Forgets what was known of texts that have changed. */
  #update(outcome: Outcome): void {
    if (outcome.seen < this.#forgotten) outcome.tested = new Bits();
    else for (const slot of this.#changes.slice(outcome.seen - this.#forgotten)) outcome.tested.delete(slot);
    outcome.seen = this.#seen;
  }
}
