/** The attacks: what callers without rights, and single users, may send to take the service from others. */

import { createHash } from 'node:crypto';
import type { HostileRequest } from './client.ts';

/** Who suffers: a visitor of the public calendar, a clerk who reads custom data, an editor of the calendar. */
export type VictimName = 'visitor' | 'clerk' | 'editor';

/** What requests are made of. */
export interface Ammunition {
  /** Tokens by the first name of a sample user. */
  readonly tokens: Readonly<Record<string, string>>;
  /** An object whose custom data takes a second to read. */
  readonly slowObject: string;
  /** Id of an event that a password protects. */
  readonly lockedEvent: number;
}

export interface Attack {
  readonly name: string;
  readonly connections: number;
  readonly victims: readonly VictimName[];
  /** Creates the next request; `index` counts all of the attack. */
  readonly request: (ammunition: Ammunition, index: number) => HostileRequest;
}

const mebibyte = 1024 * 1024;
export const calendar = '/api/tribe/events/v1';
export const customDataOf = (document: string) => `/api/v8.0/documents/${document}/custom-data`;

export const bearer = (token: string | undefined) => ({ Authorization: `Bearer ${token}` });

/** Creates a value once, when it is first wanted. */
function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

const emptyArrays = lazy(() => `{"a":[${'[],'.repeat((4 * mebibyte - 32) / 3)}[]]}`);
const fullObjects = lazy(() => `{"a":[${`{"b":"${'c'.repeat(60)}"},`.repeat(49_000)}{}]}`);
const longText = lazy(() => JSON.stringify({ remark: 'x'.repeat(3 * mebibyte) }));
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
const newEvent = lazy(() =>
  JSON.stringify({
    title: 'One of many',
    description: '<p>Words, <b>bold</b> and plain.</p>'.repeat(2_000),
    start_date: '2031-01-01 10:00:00',
    end_date: '2031-01-01 11:00:00',
  }),
);

const put = (path: string, token: string | undefined, body: string): HostileRequest => ({
  method: 'PUT',
  path,
  headers: token === undefined ? {} : bearer(token),
  body,
});
const post = (path: string, token: string | undefined, body: string): HostileRequest => ({
  ...put(path, token, body),
  method: 'POST',
});
const get = (path: string, token?: string): HostileRequest => ({
  method: 'GET',
  path,
  headers: token === undefined ? {} : bearer(token),
});

/** Returns a word that follows from a number and that no event has. */
const wordOf = (index: number) => createHash('sha1').update(String(index)).digest('hex').slice(0, 6);

/** Returns an honest token with the id of a key that nobody has, another for each number. */
function withUnknownKey(token: string, index: number): string {
  const [, payload, signature] = token.split('.');
  const header = { alg: 'RS256', typ: 'JWT', kid: `key-${index}` };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.');
}

const contract = customDataOf('document-contract');
/** What the clerk reads. */
export const ordinary = customDataOf('document-letter');

/** Those that fill the calendar stand at the end. */
export const attacks: readonly Attack[] = [
  {
    name: 'PUT of 4 MiB of empty arrays by a user (1)',
    connections: 40,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => put(contract, tokens['erik'], emptyArrays()),
  },
  {
    name: 'PUT of 49,000 objects by a user (1)',
    connections: 40,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => put(contract, tokens['erik'], fullObjects()),
  },
  {
    name: 'PUT of 3 MiB of text by a user (1)',
    connections: 100,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => put(contract, tokens['erik'], longText()),
  },
  {
    name: 'body of 4.9 MB without a token, to records (2)',
    connections: 200,
    victims: ['visitor', 'clerk'],
    request: () => put(contract, undefined, tooLong()),
  },
  {
    name: 'body of 4.9 MB without a token, to the calendar (2)',
    connections: 200,
    victims: ['visitor', 'clerk'],
    request: () => post(`${calendar}/events`, undefined, tooLong()),
  },
  {
    name: 'the feed, a question that was not asked before each time (3)',
    connections: 32,
    victims: ['visitor', 'clerk'],
    request: (_, index) =>
      get(`${calendar}/events.ics?page=${(index % 4) + 1}&start_date=2026-12-${(index % 28) + 1}&x=${index}`),
  },
  {
    name: 'events by a user without a role (4)',
    connections: 150,
    victims: ['editor', 'visitor'],
    request: ({ tokens }) => post(`${calendar}/events`, tokens['erik'], newEvent()),
  },
  {
    name: 'custom data that takes a second, by one user (5)',
    connections: 50,
    victims: ['clerk', 'visitor'],
    request: ({ tokens, slowObject }) => get(customDataOf(slowObject), tokens['erik']),
  },
  {
    name: 'lists and searches that were not asked before (7)',
    connections: 32,
    victims: ['visitor', 'clerk'],
    request: (_, index) =>
      get(
        `${calendar}/events?${index % 2 ? `search=${wordOf(index)}` : `per_page=50&page=${(index % 100) + 1}&start_date=2026-11-${(index % 28) + 1} ${index % 24}:00`}`.replaceAll(
          ' ',
          '%20',
        ),
      ),
  },
  {
    name: 'lists without a token (8)',
    connections: 500,
    victims: ['clerk', 'editor'],
    request: () => get(`${calendar}/events`),
  },
  {
    name: 'lists by one user (8)',
    connections: 500,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => get(`${calendar}/events`, tokens['erik']),
  },
  {
    name: 'custom data by one user (8)',
    connections: 500,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => get(customDataOf('document-large'), tokens['erik']),
  },
  {
    name: 'custom data that others read, too, by one user (8)',
    connections: 500,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => get(ordinary, tokens['erik']),
  },
  {
    // What the PUTs above have left there.
    name: 'custom data of 3 MiB by one user (8)',
    connections: 500,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }) => get(contract, tokens['erik']),
  },
  {
    name: 'paths at which there is nothing, without a token',
    connections: 500,
    victims: ['visitor', 'clerk'],
    request: (_, index) => get(`/api/nothing/${index}`),
  },
  {
    name: 'preflights without a token',
    connections: 500,
    victims: ['visitor', 'clerk'],
    request: () => ({
      method: 'OPTIONS',
      path: contract,
      headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' },
    }),
  },
  {
    name: 'the OpenAPI document without a token',
    connections: 500,
    victims: ['editor', 'clerk'],
    request: () => get('/api/openapi.json'),
  },
  {
    name: 'tokens with ids of unknown keys (10)',
    connections: 64,
    victims: ['visitor', 'clerk'],
    request: ({ tokens }, index) => get(contract, withUnknownKey(tokens['erik'] ?? '', index)),
  },
  {
    name: 'passwords of an event that were not tried before, without a token',
    connections: 16,
    victims: ['visitor', 'editor'],
    request: ({ lockedEvent }, index) => get(`${calendar}/events/${lockedEvent}?password=${wordOf(index)}`),
  },
  {
    name: 'mismatched HTML by one contributor (6)',
    connections: 8,
    victims: ['visitor', 'editor'],
    request: ({ tokens }) => post(`${calendar}/events`, tokens['dorte'], mismatched()),
  },
  {
    name: 'events by one contributor (4)',
    connections: 150,
    victims: ['editor', 'visitor'],
    request: ({ tokens }) => post(`${calendar}/events`, tokens['dorte'], newEvent()),
  },
];
