/** Honest use of an idle app: how many connections send which requests. */

import type { HttpRequest } from './client.ts';
import { bearer, calendar, customDataOf, events, type Fixtures } from './fixtures.ts';

export interface Scene {
  readonly name: string;
  readonly connections: number;
  /** Creates the next request of a connection; `index` counts all requests of the benchmark. */
  readonly request: (fixtures: Fixtures, index: number, connection: number) => HttpRequest;
}

const posts = '/wp-json/wp/v2/tribe_events';

/** Lists, searches, feeds and lists of posts, none of which was sent before. */
const distinctPaths: readonly ((index: number) => string)[] = [
  (index) => `${calendar}/events?start_date=${timeOf(index)}`,
  (index) => `${calendar}/events?search=welcome&start_date=${timeOf(index)}`,
  (index) => `${calendar}/events.ics?start_date=${timeOf(index)}`,
  (index) => `${posts}?search=number+${index % events}`,
];

const repeatedPaths = [
  `${calendar}/events`,
  `${calendar}/events?search=harbour`,
  `${calendar}/events.ics`,
  posts,
];

const customData = JSON.stringify({
  remarks: 'Signed by both parties.',
  tags: ['contract', 'road'],
  amounts: { net: 1200.1, gross: 1500.125 },
  approved: true,
  year: 2026,
});

export const scenes: readonly Scene[] = [
  ...[1, 10, 32, 100, 300].flatMap((connections): Scene[] => [
    {
      name: `distinct requests without a token, connections: ${connections}`,
      connections,
      request: (_, index) => distinctRequest(index),
    },
    {
      name: `distinct and repeated requests without a token, connections: ${connections}`,
      connections,
      request: (_, index) => (index % 2 === 0 ? distinctRequest(index >> 1) : repeatedRequest(index >> 1)),
    },
  ]),
  ...[4, 16, 64, 200].map((connections) => ({
    name: `GET and PUT of custom data by one user, connections: ${connections}`,
    connections,
    request: ({ userTokens, documents }: Fixtures, index: number) =>
      customDataRequest(userTokens[0], documents, index),
  })),
  {
    name: 'GET and PUT of custom data by 16 users, connections of each: 4',
    connections: 64,
    request: ({ userTokens, documents }, index, connection) =>
      customDataRequest(userTokens[connection % userTokens.length], documents, index),
  },
];

/** Returns a request without a token that was not sent before. */
export function distinctRequest(index: number): HttpRequest {
  return { method: 'GET', path: distinctPaths[index % distinctPaths.length]?.(index) ?? '' };
}

function repeatedRequest(index: number): HttpRequest {
  return { method: 'GET', path: repeatedPaths[index % repeatedPaths.length] ?? '' };
}

/** Returns a GET or a PUT in turn, of one document after the other. */
export function customDataRequest(
  token: string | undefined,
  documents: readonly string[],
  index: number,
): HttpRequest {
  const path = customDataOf(documents[(index >> 1) % documents.length] ?? '');
  const request = { path, headers: bearer(token) };
  return index % 2 === 0 ? { ...request, method: 'GET' } : { ...request, method: 'PUT', body: customData };
}

/** Returns a separate point in time for each number, in the first days of the calendar. */
function timeOf(index: number): string {
  return new Date(Date.now() + index * 1000).toISOString().slice(0, 19);
}
