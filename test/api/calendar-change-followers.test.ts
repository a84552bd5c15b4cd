/** Many followers that wait: they take a part of the requests in flight, and never harm others, also those that hang up. */

import { expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

// Five sixths of the host's limit are 100 requests in flight, of which a tenth may wait.
const app = useCalendarApp({ AzureFunctionsJobHost__extensions__http__maxOutstandingRequests: '120' });

test('too many followers are answered earlier, and others are served meanwhile', async () => {
  await app.create('tags', { name: 'First' });
  const { latest } = (await app.call('GET', '/changes')).body;
  const follow = () => app.call('GET', `/changes?since=${latest}`, { headers: { Prefer: 'wait=8' } });
  const followers = Array.from({ length: 20 }, follow);
  const early = await Promise.race(followers);
  expect([early.status, early.body.changes]).toEqual([200, []]);
  expect([early.headers.get('retry-after'), early.headers.has('preference-applied')]).toEqual(['5', false]);

  expect((await app.call('GET', '/events')).status).toBe(200);
  const { id } = await app.create('tags', { name: 'Second' });
  const replies = await Promise.all(followers);
  const waited = replies.filter(({ headers }) => headers.has('preference-applied'));
  expect(waited).toHaveLength(10);
  for (const { body } of waited) expect(body.changes).toMatchObject([{ kind: 'tag', id }]);
});

test.each(['false', 'true'])(
  'sixty followers who hang up keep the next from no place, with HTTP_STREAMING %s',
  async (streaming) => {
    const at = (await app.another({ HTTP_STREAMING: streaming })).calendar;
    const { latest } = (await app.call('GET', '/changes', { at })).body;
    const path = `/changes?since=${latest}`;
    const hangingUp = new AbortController();
    let answered = 0;
    const gone = Array.from({ length: 60 }, async () => {
      const reply = await fetch(at + path, { headers: { Prefer: 'wait=8' }, signal: hangingUp.signal });
      await reply.arrayBuffer();
      answered += 1;
    });
    const ended = Promise.allSettled(gone);
    // The others have the ten places.
    await expect.poll(() => answered).toBe(50);
    hangingUp.abort();
    await ended;
    const followers = Array.from({ length: 11 }, () =>
      app.call('GET', path, { headers: { Prefer: 'wait=8' }, at }),
    );
    // One too many: by then all the others wait.
    await Promise.race(followers);
    const { id } = await app.create('tags', { name: `Behind those with streaming ${streaming}` });
    const replies = await Promise.all(followers);
    const waited = replies.filter(({ headers }) => headers.has('preference-applied'));
    expect(waited).toHaveLength(10);
    for (const { body } of waited) expect(body.changes).toMatchObject([{ kind: 'tag', id }]);
  },
);
