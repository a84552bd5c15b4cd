import { describe, expect, test } from 'vitest';
import { calendarInMemory } from '../../../support/calendar-in-memory.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

describe('the feed', () => {
  test('has 1,000 events of a list on each page', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const summaries = async (page = 1) =>
      (await calendar.feed({ page })).match(/^SUMMARY:.*(?=\r?$)/gm) ?? [];
    // The last one in the order of lists is made first.
    await calendar.create('events', { title: 'Last', ...times, start_date: '2030-06-01 11:00:00' });
    for (let made = 1; made < 1000; made += 1)
      await calendar.create('events', { title: `Event ${made}`, ...times });
    const full = await summaries();
    expect([full.length, full[0], full.at(-1)]).toEqual([1000, 'SUMMARY:Event 1', 'SUMMARY:Last']);
    await calendar.create('events', { title: 'One more', ...times });
    const cut = await summaries();
    expect([cut.length, cut.at(-1)]).toEqual([1000, 'SUMMARY:One more']);
    expect(await summaries(2)).toEqual(['SUMMARY:Last']);
    expect((await calendar.list('events')).total).toBe(1001);
  });
});
