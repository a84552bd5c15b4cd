/** The attacks: what callers without rights, and single users, may send to starve others. */

import { createHash } from 'node:crypto';
import type { HttpRequest } from './client.ts';
import { bearer, calendar, customDataOf, type Fixtures } from './fixtures.ts';

/** The role of an honest caller: visitors read the public calendar, clerks read custom data, editors write to the calendar. */
export type CallerName = 'visitor' | 'clerk' | 'editor';

export interface Attack {
  readonly name: string;
  readonly connections: number;
  /** The honest callers that are observed. */
  readonly callers: readonly CallerName[];
  /** How the app answers some of the requests that it does not refuse for their number. */
  readonly status: '200' | '201' | '401' | '403' | '404' | '413';
  /** Creates the next request; `index` counts all of the attack. */
  readonly request: (fixtures: Fixtures, index: number) => HttpRequest;
}

const mebibyte = 1024 * 1024;

/** Creates a value once, on first use. */
function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

const emptyArrays = lazy(() => `{"a":[${'[],'.repeat((4 * mebibyte - 32) / 3)}[]]}`);
const tooLong = lazy(() => 'x'.repeat(4_900_000));
const mismatched = lazy(() =>
  JSON.stringify({
    title: 'Mismatched',
    description: `${'<b>'.repeat(11_000)}${'</i>'.repeat(11_000)}`,
    excerpt: `${'<p><b>'.repeat(8_000)}${'</i>'.repeat(8_000)}`,
    start_date: '2031-01-01 10:00:00',
    end_date: '2031-01-01 11:00:00',
  }),
);
const longEvent = lazy(() =>
  JSON.stringify({
    title: 'One of many',
    description: '<p>Words, <b>bold</b> and plain.</p>'.repeat(2_000),
    start_date: '2031-01-01 10:00:00',
    end_date: '2031-01-01 11:00:00',
  }),
);

const put = (path: string, token: string | undefined, body: string): HttpRequest => ({
  method: 'PUT',
  path,
  headers: token === undefined ? {} : bearer(token),
  body,
});
const post = (path: string, token: string | undefined, body: string): HttpRequest => ({
  ...put(path, token, body),
  method: 'POST',
});
const get = (path: string, token?: string): HttpRequest => ({
  method: 'GET',
  path,
  headers: token === undefined ? {} : bearer(token),
});

/** Returns a word for a number that is in no event. */
const wordOf = (index: number) => createHash('sha1').update(String(index)).digest('hex').slice(0, 6);

/** Returns an honest token with the id of an unknown key, another for each number. */
function withUnknownKey(token: string, index: number): string {
  const [, payload, signature] = token.split('.');
  const header = { alg: 'RS256', typ: 'JWT', kid: `key-${index}` };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.');
}

const contract = customDataOf('document-contract');
/** The document of the clerk. */
const letter = customDataOf('document-letter');

/** Attacks that fill the calendar are at the end. */
export const attacks: readonly Attack[] = [
  {
    name: 'PUT of 4 MiB of empty arrays by a user',
    connections: 40,
    callers: ['visitor', 'clerk'],
    status: '413',
    request: ({ tokens, documents }) => put(customDataOf(documents[0] ?? ''), tokens['erik'], emptyArrays()),
  },
  {
    name: 'body of 4.9 MB without a token, to records',
    connections: 200,
    callers: ['visitor', 'clerk'],
    status: '401',
    request: () => put(contract, undefined, tooLong()),
  },
  {
    name: 'body of 4.9 MB without a token, to the calendar',
    connections: 200,
    callers: ['visitor', 'clerk'],
    status: '401',
    request: () => post(`${calendar}/events`, undefined, tooLong()),
  },
  {
    name: 'distinct feeds',
    connections: 32,
    callers: ['visitor', 'clerk'],
    status: '200',
    request: (_, index) =>
      get(`${calendar}/events.ics?page=${(index % 4) + 1}&start_date=2026-12-${(index % 28) + 1}&x=${index}`),
  },
  {
    name: 'events by a user without a role',
    connections: 150,
    callers: ['editor', 'visitor'],
    status: '403',
    request: ({ tokens }) => post(`${calendar}/events`, tokens['erik'], longEvent()),
  },
  {
    name: 'custom data that takes a second, by one user',
    connections: 50,
    callers: ['clerk', 'visitor'],
    status: '200',
    request: ({ tokens, slowDocument }) => get(customDataOf(slowDocument), tokens['erik']),
  },
  {
    name: 'distinct lists and searches',
    connections: 32,
    callers: ['visitor', 'clerk'],
    status: '200',
    request: (_, index) =>
      get(
        `${calendar}/events?${index % 2 ? `search=${wordOf(index)}` : `per_page=50&page=${(index % 100) + 1}&start_date=2026-11-${(index % 28) + 1} ${index % 24}:00`}`.replaceAll(
          ' ',
          '%20',
        ),
      ),
  },
  {
    name: 'lists without a token',
    connections: 500,
    callers: ['clerk', 'editor'],
    status: '200',
    request: () => get(`${calendar}/events`),
  },
  {
    name: 'custom data by one user',
    connections: 500,
    callers: ['visitor', 'clerk'],
    status: '200',
    request: ({ tokens }) => get(customDataOf('document-large'), tokens['erik']),
  },
  {
    name: "custom data of the clerk's document by one user",
    connections: 500,
    callers: ['visitor', 'clerk'],
    status: '200',
    request: ({ tokens }) => get(letter, tokens['erik']),
  },
  {
    name: 'custom data of 3 MiB by one user',
    connections: 500,
    callers: ['visitor', 'clerk'],
    status: '200',
    request: ({ tokens }) => get(contract, tokens['erik']),
  },
  {
    name: 'paths without an endpoint, without a token',
    connections: 500,
    callers: ['visitor', 'clerk'],
    status: '404',
    request: (_, index) => get(`/api/nothing/${index}`),
  },
  {
    name: 'the OpenAPI document without a token',
    connections: 500,
    callers: ['editor', 'clerk'],
    status: '200',
    request: () => get('/api/openapi.json'),
  },
  {
    name: 'tokens with ids of unknown keys',
    connections: 64,
    callers: ['visitor', 'clerk'],
    status: '401',
    request: ({ tokens }, index) => get(contract, withUnknownKey(tokens['erik'] ?? '', index)),
  },
  {
    name: 'distinct passwords of an event, without a token',
    connections: 16,
    callers: ['visitor', 'editor'],
    status: '403',
    request: ({ lockedEvent }, index) => get(`${calendar}/events/${lockedEvent}?password=${wordOf(index)}`),
  },
  {
    name: 'mismatched HTML by one contributor',
    connections: 8,
    callers: ['visitor', 'editor'],
    status: '201',
    request: ({ tokens }) => post(`${calendar}/events`, tokens['dorte'], mismatched()),
  },
  {
    name: 'events by one contributor',
    connections: 150,
    callers: ['editor', 'visitor'],
    status: '201',
    request: ({ tokens }) => post(`${calendar}/events`, tokens['dorte'], longEvent()),
  },
];

/** Returns the attack of a name. */
export function attackNamed(name: string): Attack {
  const found = attacks.find((attack) => attack.name === name);
  if (found === undefined) throw new TypeError(`There is no attack "${name}".`);
  return found;
}
