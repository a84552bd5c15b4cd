/** Many followers that wait: they take a part of the requests in flight, and never harm others. */

import { expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

// Five sixths of the host's limit are 100 requests in flight, of which a tenth may wait.
const app = useCalendarApp({ AzureFunctionsJobHost__extensions__http__maxOutstandingRequests: '120' });

test('a caller who cannot wait is answered now, and others are served meanwhile', async () => {
  await app.create('tags', { name: 'First' });
  const { latest } = (await app.call('GET', '/changes')).body;
  const follow = () => app.call('GET', `/changes?since=${latest}`, { headers: { Prefer: 'wait=8' } });
  const followers = Array.from({ length: 20 }, follow);
  const refused = await Promise.race(followers);
  expect([refused.status, refused.body.changes]).toEqual([200, []]);
  expect([refused.headers.get('retry-after'), refused.headers.has('preference-applied')]).toEqual([
    '5',
    false,
  ]);

  expect((await app.call('GET', '/events')).status).toBe(200);
  const { id } = await app.create('tags', { name: 'Second' });
  const replies = await Promise.all(followers);
  const waited = replies.filter(({ headers }) => headers.has('preference-applied'));
  // Clients without a token are one caller, who leaves a quarter of the places to others.
  expect(waited).toHaveLength(7);
  for (const { body } of waited) expect(body.changes).toMatchObject([{ kind: 'tag', id }]);
});
