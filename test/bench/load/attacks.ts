/** The attacks: what callers without rights, and single users, may send to starve others. */

import type { HttpRequest } from './client.ts';
import { bearer, calendar, customDataOf, type Fixtures } from './fixtures.ts';

export interface Attack {
  readonly name: string;
  readonly connections: number;
  /** How the app answers some of the requests that it does not refuse for their number. */
  readonly status: '200' | '401';
  readonly request: (fixtures: Fixtures) => HttpRequest;
}

const tooLong = 'x'.repeat(4_900_000);

export const attacks: readonly Attack[] = [
  // What a crowd, or a widget that has run wild, does to the public calendar.
  {
    name: 'lists without a token',
    connections: 500,
    status: '200',
    request: () => ({ method: 'GET', path: `${calendar}/events`, headers: {} }),
  },
  // A program of one user without a pause.
  {
    name: 'custom data by one user',
    connections: 500,
    status: '200',
    request: ({ tokens }) => ({
      method: 'GET',
      path: customDataOf('document-large'),
      headers: bearer(tokens['erik']),
    }),
  },
  // Bytes of a stranger: the host reads each body before the app sees its head.
  {
    name: 'body of 4.9 MB without a token, to records',
    connections: 100,
    status: '401',
    request: () => ({
      method: 'PUT',
      path: customDataOf('document-contract'),
      headers: {},
      body: tooLong,
    }),
  },
];

/** Returns the attack of a name. */
export function attackNamed(name: string): Attack {
  const found = attacks.find((attack) => attack.name === name);
  if (found === undefined) throw new TypeError(`There is no attack "${name}".`);
  return found;
}
