/** Who calls, as far as a host can tell that knows no tokens: callers have turns by it. */

import { hash } from 'node:crypto';
import type { RequestHead } from '../http/request-head.ts';

/** Credentials that are remembered, at most. */
const maxKnown = 1_000;

/** All who show credentials that no function has accepted yet. */
const strangers = 'strangers';

/** Callers by their credentials. Who has none is one caller, and so are all whose credentials were never accepted, since anybody can make up many. */
export class Callers {
  /** Those accepted last at the end. */
  readonly #accepted = new Set<string>();

  /** Returns a name for the caller of a request. */
  nameOf({ headers }: RequestHead): string {
    const credentials = headers.get('authorization');
    if (credentials === undefined) return '';
    const name = hash('sha256', credentials, 'base64');
    return this.#accepted.has(name) ? name : strangers;
  }

  /** Notes with which status a request was answered. */
  note({ headers }: RequestHead, status: number): void {
    const credentials = headers.get('authorization');
    if (credentials === undefined || status >= 400) return;
    const name = hash('sha256', credentials, 'base64');
    this.#accepted.delete(name);
    this.#accepted.add(name);
    for (const oldest of this.#accepted) {
      if (this.#accepted.size <= maxKnown) break;
      this.#accepted.delete(oldest);
    }
  }
}
