/** The loader of the sample calendar, against a calendar that is busy. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isCalendarEmpty } from '../sample-data/calendar/load.ts';

/** Serves a calendar that answers each call with the next of these replies. */
async function calendarAnswering(
  ...replies: readonly [status: number, retryAfter: string | undefined, body: object][]
) {
  const remaining = [...replies];
  const server = createServer((_, response) => {
    const [status, retryAfter, body] = remaining.shift() ?? [500, undefined, {}];
    response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
    response.end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'a.b.c' };
}

test('a call that is rejected for a moment is sent again after Retry-After', async () => {
  const busy = [503, '0', { message: 'Too many writes are queued.' }] as const;
  const target = await calendarAnswering([...busy], [...busy], [200, undefined, { total: 0 }]);
  expect(await isCalendarEmpty(target)).toBe(true);
});
