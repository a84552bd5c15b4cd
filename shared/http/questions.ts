/**
 * Questions of those who show no token, who cannot be told apart. Those that nobody has asked lately have turns of their own, and never all
 * places that there are for anybody: who asks what others have asked, whose answer is mostly at hand, neither waits behind somebody's new
 * questions nor is refused for them.
 */

import { hash } from 'node:crypto';
import { createCache } from '../cache.ts';
import { createShares } from '../shares.ts';

/** Milliseconds for which a question that was answered is known, and how many are, at most. */
const known = { time: 60_000, entries: 2_000 };

/** The part of the places that new questions may take. */
const ofNew = 4 / 5;

export interface Questions {
  /** Runs the work of a question, and hands it the caller whose turns it takes. Throws `overloaded` where too many new ones are in flight. */
  run<T>(question: string, caller: string, work: (caller: string) => Promise<T>): Promise<T>;
}

/** Creates the questions of an app that takes so many requests at once of those without a token. */
export function createQuestions(places: number): Questions {
  const answered = createCache<string, true>({ ttl: known.time, maxEntries: known.entries });
  const max = Math.max(1, Math.floor(places * ofNew));
  const newOnes = createShares(max, max, { what: 'too many questions that were not asked before are' });
  return {
    async run(question, caller, work) {
      // A question may be long, and hold a password.
      const key = hash('sha256', question, 'base64');
      const result = answered.get(key)
        ? await work(`${caller} again`)
        : await newOnes.run(caller, 1, () => work(caller));
      answered.set(key, true);
      return result;
    },
  };
}
