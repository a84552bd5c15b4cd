/** `SAMPLE_DATA=off`: the sample users, no records, and an empty calendar. */

import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';

const app = useApp({ sampleData: false });

test('the service is ready', async () => {
  expect((await app.call('GET', '/health')).status).toBe(200);
});

test('a sample user finds no diaries', async () => {
  const { status, json } = await app.call('GET', '/v8.0/diaries', { token: app.token('alice@example.org') });
  expect({ status, json }).toEqual({ status: 200, json: [] });
});

test.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
  'the calendar has no %s',
  async (resource) => {
    const { status, headers, json } = await app.call('GET', `/tribe/events/v1/${resource}`);
    expect({ status, total: headers.get('x-tec-total'), pages: headers.get('x-tec-totalpages') }).toEqual({
      status: 200,
      total: '0',
      pages: '0',
    });
    expect(json).toMatchObject({ [resource]: [], total: 0, total_pages: 0 });
  },
);
