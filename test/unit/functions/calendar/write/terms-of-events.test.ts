/** Which terms an event has after a write that names them by id, slug and name. */

import { expect, test } from 'vitest';
import { calendarInMemory } from '../../../../support/calendar-in-memory.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

test.each(['categories', 'tags'] as const)('%s are found, made, or left out', async (kind) => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const { id } = await calendar.create(kind, { name: 'Jazz & Blues', slug: 'jazz' });
  const year = await calendar.create(kind, { name: '2030' });
  const namesOf = async (terms: readonly (string | number)[]) => {
    const event = await calendar.create('events', { title: 'E', ...times, [kind]: terms });
    return event[kind].map(({ name }: { name: string }) => name);
  };
  expect([
    await namesOf([id]),
    await namesOf(['jazz', id, String(id), 'Jazz & Blues']),
    await namesOf(['2030', year.id]),
    await namesOf([99, '99', '', '<b></b>', id]),
    await namesOf(['Rock', 'rock', 'ROCK']),
  ]).toEqual([['Jazz &amp; Blues'], ['Jazz &amp; Blues'], ['2030'], ['Jazz &amp; Blues'], ['Rock']]);
  expect((await calendar.list(kind, { hide_empty: false })).total).toBe(3);
});
