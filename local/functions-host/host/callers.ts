/** Who calls, as far as a host can tell that knows no tokens: callers have turns by it. */

import { hash } from 'node:crypto';
import type { RequestHead } from '../http/request-head.ts';

/** Credentials that are remembered, at most. */
const maxKnown = 1_000;

/** All who show credentials that no function has accepted yet. */
const strangers = 'strangers';

/** Who has sent a request. */
export interface Caller {
  /** The same for all that have turns together. */
  readonly name: string;
  /** What stands for the credentials; none where there are none. */
  readonly credentials: string | undefined;
}

/** Callers by their credentials. Who has none is one caller, and so are all whose credentials were never accepted, since anybody can make up many. */
export class Callers {
  /** Those accepted last at the end. */
  readonly #accepted = new Set<string>();

  /** Returns who has sent a request. */
  of({ headers }: RequestHead): Caller {
    const authorization = headers.get('authorization');
    if (authorization === undefined) return { name: '', credentials: undefined };
    const credentials = hash('sha256', authorization, 'base64');
    return { name: this.#accepted.has(credentials) ? credentials : strangers, credentials };
  }

  /** Notes with which status a caller was answered. */
  note({ credentials }: Caller, status: number): void {
    if (credentials === undefined || status >= 400) return;
    this.#accepted.delete(credentials);
    this.#accepted.add(credentials);
    for (const oldest of this.#accepted) {
      if (this.#accepted.size <= maxKnown) break;
      this.#accepted.delete(oldest);
    }
  }
}
