/** Searches find what people type: without accents, in letters composed otherwise, with the quotes of a phone. */

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const dates = { start_date: '2031-06-01 10:00:00', end_date: '2031-06-01 12:00:00' };
const window = 'start_date=2031-01-01&end_date=2032-01-01';
const name = 'Café Åkerö på Ærø, Straße “Łódź”';

/** A list by its path, and how many of its records a search finds. */
const lists = {
  events: (search: string) => found(`/events?${window}&search=${search}`, 'events'),
  'events.ics': async (search: string) =>
    String((await app.call('GET', `/events.ics?${window}&search=${search}`)).body).split('BEGIN:VEVENT')
      .length - 1,
  venues: (search: string) => found(`/venues?search=${search}`, 'venues'),
  organizers: (search: string) => found(`/organizers?search=${search}`, 'organizers'),
  categories: (search: string) => found(`/categories?hide_empty=false&search=${search}`, 'categories'),
  tags: (search: string) => found(`/tags?hide_empty=false&search=${search}`, 'tags'),
};

async function found(path: string, collection: string): Promise<number> {
  return (await app.call('GET', path)).body[collection].length;
}

beforeAll(async () => {
  await app.create('events', { ...dates, title: name });
  await app.create('events', { ...dates, title: 'Harbour walk' });
  await app.create('venues', { venue: 'Hall', city: name });
  await app.create('organizers', { organizer: name.normalize('NFD') });
  await app.create('categories', { name });
  await app.create('tags', { name });
});

describe.each(Object.entries(lists))('a search of %s', (_, count) => {
  test.each([
    'cafe',
    'CAFÉ',
    'Cafe\u0301',
    'akero',
    'Åkerö',
    'pa',
    'på',
    'aero',
    'ærø',
    'strasse',
    'lodz',
    'Łódź',
  ])('finds it by %s', async (typed) => {
    expect(await count(encodeURIComponent(typed))).toBe(1);
  });

  test.each(['coffee', 'akeru', 'paa'])('does not find it by %s', async (typed) => {
    expect(await count(encodeURIComponent(typed))).toBe(0);
  });
});

test('a search finds words with any marks by the words without, and the other way round', async () => {
  const letter = fc.constantFrom(...'aeiouncsyz');
  const mark = fc.constantFrom('', '\u0301', '\u0308', '\u030a', '\u0303', '\u0327', '\u030c');
  const word = fc.array(fc.tuple(letter, mark), { minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(word, fc.constantFrom('NFC', 'NFD'), async (pairs, form) => {
      const plain = pairs.map(([letter]) => letter).join('');
      const marked = pairs.flat().join('').normalize(form);
      const { id } = await app.create('events', { ...dates, title: `Walk ${marked} walk` });
      for (const typed of [plain, marked, marked.normalize('NFC').toUpperCase()]) {
        const path = `/events?${window}&per_page=50&include=${id}&search=${encodeURIComponent(typed)}`;
        expect(await found(path, 'events'), typed).toBe(1);
      }
    }),
    { numRuns: 25 },
  );
});

test('quotes and dashes of a phone mean what those of a keyboard mean', async () => {
  const { id } = await app.create('events', { ...dates, title: 'The gardener’s open-air “big feast”' });
  for (const typed of ["gardener's", 'gardener’s', '“big feast”', '"big feast"', 'open‑air', 'open–air'])
    expect(
      await found(`/events?${window}&include=${id}&search=${encodeURIComponent(typed)}`, 'events'),
      typed,
    ).toBe(1);
  expect(await found(`/events?${window}&search=${encodeURIComponent('“feast big”')}`, 'events')).toBe(0);
});

test('a tag whose letters are composed otherwise is the same tag', async () => {
  const { body } = await app.call('POST', '/events', {
    as: 'editor',
    body: { ...dates, title: 'Tagged', tags: [{ name: name.normalize('NFD') }] },
  });
  expect(body.tags).toHaveLength(1);
  expect(await found('/tags?hide_empty=false&search=cafe', 'tags')).toBe(1);
});
