/** The order in which calendar programs put the states of an event: SEQUENCE and LAST-MODIFIED follow all that an event shows. */

import { expect, test } from 'vitest';
import { formatWall, readWall } from '../../../../functions/calendar/model/dates/wall.ts';
import type { ImageRecord } from '../../../../functions/calendar/model/records.ts';
import type { ReplicaContext } from '../../../../functions/calendar/replica/find.ts';
import { CalendarReplica } from '../../../../functions/calendar/replica/replica.ts';
import { Write } from '../../../../functions/calendar/write/write.ts';
import { calendarInMemory } from '../../../support/calendar-in-memory.ts';
import { fc } from '../../../support/properties.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

/** What somebody does: to one of two venues or organizers, or to the event that links to one of them. */
const step = fc.oneof(
  fc.record({
    of: fc.constantFrom('venues', 'organizers'),
    which: fc.nat(1),
    change: fc.constantFrom('name', 'draft', 'trash', 'publish'),
  }),
  fc.record({
    of: fc.constant('events'),
    which: fc.nat(1),
    change: fc.constantFrom('venue', 'organizer', 'none', 'categories'),
  }),
  fc.record({
    of: fc.constant('categories'),
    which: fc.nat(1),
    change: fc.constantFrom('name', 'color', 'delete'),
  }),
);

type Calendar = ReturnType<typeof calendarInMemory>;

/** Reads the one event of a feed: what it shows, and its state. */
async function eventOf(calendar: Calendar) {
  const lines = (await calendar.feed()).replaceAll('\r\n ', '').split('\r\n');
  const textOf = (name: string) =>
    lines.findLast((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
  return {
    shown: lines.filter((line) => /^(?:LOCATION|ORGANIZER|CATEGORIES)/.test(line)).join(),
    sequence: Number(textOf('SEQUENCE')),
    modified: String(textOf('LAST-MODIFIED')),
  };
}

test('SEQUENCE and LAST-MODIFIED rise with each change of a venue, organizer or category that an event shows, and never fall', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const calendar = calendarInMemory('2030-05-01 00:00:00');
      const ids: Record<string, number[]> = { venues: [], organizers: [], categories: [] };
      const addCategory = async (name: string) => (await calendar.create('categories', { name })).id;
      for (const [collection, name] of [
        ['venues', 'venue'],
        ['organizers', 'organizer'],
      ] as const)
        for (const title of ['A', 'B'])
          ids[collection]?.push((await calendar.create(collection, { [name]: title })).id);
      ids['categories'] = [await addCategory('A'), await addCategory('B')];
      const { id } = await calendar.create('events', {
        title: 'E',
        ...times,
        categories: ids['categories'],
        venue: ids['venues']?.[0],
        organizer: ids['organizers'],
      });
      let before = await eventOf(calendar);
      for (const [index, { of, which, change }] of steps.entries()) {
        calendar.now = formatWall(readWall(calendar.now) + 60);
        const record = ids[of]?.[which] ?? 0;
        if (of === 'categories' && change === 'delete') {
          await calendar.remove('categories', record);
          ids['categories'][which] = await addCategory(`New${index}`);
        } else if (of === 'categories')
          await calendar.update(
            'categories',
            record,
            change === 'name' ? { name: `C${index}` } : { color: `#0000${10 + index}` },
          );
        else if (change === 'categories')
          await calendar.update('events', id, { categories: ids['categories'] });
        else if (change === 'name')
          await calendar.update(of as 'venues', record, { venue: `V${index}`, organizer: `O${index}` });
        else if (of !== 'events') await calendar.update(of as 'venues', record, { status: change });
        else if (change === 'none') await calendar.update('events', id, { venue: [], organizer: [] });
        else {
          const linked = ids[`${change}s`]?.[which] ?? 0;
          await calendar.update(`${change}s` as 'venues', linked, { status: 'publish' });
          await calendar.update('events', id, { [change]: [linked] });
        }
        const after = await eventOf(calendar);
        expect(after.sequence).toBeGreaterThanOrEqual(before.sequence);
        expect(after.modified >= before.modified).toBe(true);
        if (after.shown !== before.shown) {
          expect(after.sequence).toBeGreaterThan(before.sequence);
          expect(after.modified > before.modified).toBe(true);
        }
        before = after;
      }
    }),
  );
});

test('a picture notes since when its address is another one, which is a later state of the events that show it', () => {
  const calendar = new CalendarReplica(() => 0);
  const image = (url: string): ImageRecord => ({ kind: 'image', id: 7, url });
  const context = { replica: calendar, now: 60 } as ReplicaContext;
  const write = (record: ImageRecord) => {
    const write = new Write({ ...context, caller: { role: 'editor' } } as never, () => 1);
    write.put(record);
    const { puts } = write.decision(undefined);
    calendar.apply(puts.map(({ key, json }) => ({ key, json, version: calendar.version + 1 })));
    return calendar.image(7)?.shown_since;
  };
  expect(write(image('https://a.example/1.png'))).toBeUndefined();
  expect(write({ ...image('https://a.example/1.png'), width: 5 })).toBeUndefined();
  const since = write(image('https://a.example/2.png'));
  expect(since).toEqual({ version: 3, utc: '1970-01-01 00:01:00' });
  expect(write({ ...image('https://a.example/2.png'), ...(since && { shown_since: since }) })).toEqual(since);
});
