/** What readers see of the writes of another process while reads share states (`CALENDAR_READ_STALENESS_MS`). */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { names, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({ CALENDAR_READ_STALENESS_MS: '200' });
let other = '';

beforeAll(async () => {
  other = (await app.another({ CALENDAR_READ_STALENESS_MS: '200' })).calendar;
});

/** Readers keep the other process busy, so that it nearly always has a state to share. */
beforeEach(() => {
  let isBusy = true;
  const reading = (async () => {
    while (isBusy) await app.call('GET', '/tags', { at: other });
  })();
  return async () => {
    isBusy = false;
    await reading;
  };
});

const rounds = [1, 2, 3, 4, 5];

test('a caller who may write sees at once what was written through another process', async () => {
  for (const round of rounds) {
    const { id } = await app.create('tags', { name: `Editor ${round}` });
    expect((await app.call('GET', `/tags/${id}`, { at: other, as: 'editor' })).status).toBe(200);
  }
});

test('any reader sees at once what was written through the same process', async () => {
  for (const round of rounds) {
    const { id } = await app.create('tags', { name: `Same ${round}` });
    expect((await app.call('GET', `/tags/${id}`)).status).toBe(200);
  }
});

test('a follower without a role reads each change that the feed names, through any process', async () => {
  let next = '/changes?per_page=1000';
  for (const round of rounds) {
    const { id } = await app.create('tags', { name: `Followed ${round}` });
    const { body } = await app.call('GET', next);
    const { version } = body.changes.at(-1);
    const reply = await app.call('GET', `/tags/${id}`, { at: other });
    expect([reply.status, reply.headers.get('etag')]).toEqual([200, expect.stringMatching(`^"${version}-`)]);
    next = `/changes?since=${body.version}`;
  }
});

test('a reader without a role sees it soon', async () => {
  const { name } = await app.create('tags', { name: 'Soon' });
  const listed = async () => names(await app.call('GET', '/tags?search=Soon&hide_empty=0', { at: other }));
  await expect.poll(listed).toEqual([name]);
});

test('a follower who brings a version of another process is not told that it is gone', async () => {
  for (const round of rounds) {
    await app.create('tags', { name: `Brought ${round}` });
    const { body } = await app.call('GET', '/changes?per_page=1000', { as: 'editor' });
    const { status } = await app.call('GET', `/changes?since=${body.version}&history=${body.history}`, {
      at: other,
    });
    expect(status).toBe(200);
  }
});
