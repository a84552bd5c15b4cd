import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../../../../functions/calendar/model/records.ts';
import { entryOf } from '../../../../../functions/calendar/replica/entries.ts';
import { EventIndex } from '../../../../../functions/calendar/replica/event-index.ts';
import { EventSearch, parseSearch } from '../../../../../functions/calendar/search/event-search.ts';
import { calendarInMemory, calendarOf, changesOf } from '../../../../support/calendar-in-memory.ts';

const common = ['about', 'an', 'it', 'the', 'www'];

describe('parseSearch()', () => {
  test('drops common words beside others, and searches for one alone', () => {
    for (const word of common) {
      expect(parseSearch(`${word} fox`), word).toEqual({ wanted: ['fox'], excluded: [] });
      expect(parseSearch(`fox -${word}`), word).toEqual({ wanted: ['fox'], excluded: [] });
      expect(parseSearch(word), word).toEqual({ wanted: [word], excluded: [] });
    }
  });

  test('reads words, phrases and exclusions', () => {
    for (const [search, wanted, excluded] of [
      ['fox Quick', ['fox', 'quick'], []],
      ['fox,quick+brown', ['fox', 'quick', 'brown'], []],
      ['"Brown fox" quick', ['brown fox', 'quick'], []],
      ['"brown fox', ['brown fox'], []],
      ['quick -fox -"brown dog"', ['quick'], ['fox', 'brown dog']],
      ['-fox', [], ['fox']],
      ['a fox', ['fox'], []],
      ['z fox', ['fox'], []],
      ['7 fox', ['7', 'fox'], []],
      ['å fox', ['fox'], []],
      ['- fox', ['fox'], []],
      ['"" fox', ['fox'], []],
      [' The  of ', ['the  of'], []],
      ["'fox' don't", ['fox', "don't"], []],
      ['well-known', ['well-known'], []],
    ] as const) {
      expect(parseSearch(search), search).toEqual({ wanted, excluded });
    }
  });

  test('takes nine words that count, those excluded among them, and more as a phrase', () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
    expect(parseSearch(words(9).join(' ')).wanted).toEqual(words(9));
    expect(parseSearch(`${words(9).join(' ')} the a`).wanted).toEqual(words(9));
    expect(parseSearch(words(10).join(' ')).wanted).toEqual([words(10).join(' ')]);
    expect(parseSearch(`${words(8).join(' ')} -oak`)).toEqual({ wanted: words(8), excluded: ['oak'] });
    expect(parseSearch(`${words(9).join(' ')} -oak`).excluded).toEqual([]);
  });
});

test('a phrase is found where it stands, whatever words end or begin with its edges', async () => {
  const words = ['jazz', 'fizz', 'buzz', 'day', 'days', 'daylight', 'friday', 'x'];
  const titles = words.flatMap((first) =>
    words.flatMap((second) => words.map((third) => `${first} ${second} ${third}`)),
  );
  const calendar = await calendarOf('event', titles);
  const total = async (search: string) => (await calendar.list('events', { search })).total;
  const ends = ['jazz', 'azz', 'zz', 'day', 'y', 'none'];
  const phrases = ends.flatMap((end) =>
    [' ', ' day ', ' fizz ', ' fi '].flatMap((middle) =>
      ['x', 'da', 'days', 'f', 'none'].map((start) => `${end}${middle}${start}`),
    ),
  );
  const found = [];
  for (const phrase of phrases) found.push([phrase, await total(`"${phrase}"`)]);
  const expected = (phrase: string) => titles.filter((title) => title.includes(phrase)).length;
  expect(found).toEqual(phrases.map((phrase) => [phrase, expected(phrase)]));
});

test('a phrase is found in the present texts, after some of them changed and after all of them changed', async () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
  const titles = (title: string, count: number) =>
    numbers.slice(0, count).map((number) => `${title} ${number}`);
  const calendar = await calendarOf('event', titles('Common words', 300));
  const total = async (search: string) => (await calendar.list('events', { search })).total;
  const totals = async () => [await total('"common words"'), await total('"words common"')];
  const found = [await totals()];
  for (const [title, count] of [
    ['Words common', 3],
    ['Common words', 1],
    ['Words common', 300],
  ] as const) {
    await calendar.put(changesOf('event', titles(title, count)));
    found.push(await totals());
  }
  expect(found).toEqual([
    [300, 0],
    [297, 3],
    [298, 2],
    [0, 300],
  ]);
});

test('words and phrases are looked for in the texts of a language, and in the others where there is none', async () => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };
  const { id } = await calendar.create('events', { title: 'A great concert outside', ...times });
  await calendar.create('events', { title: 'Another great concert', ...times });
  await calendar.update('events', id, { title: 'En stor koncert ude', translation_language: 'da' });
  const total = async (search: string, query = {}) =>
    (await calendar.list('events', { search, ...query })).total;
  const searches = [
    '"tor koncert u"',
    'koncert',
    '"eat concert"',
    '"concert out"',
    'concert',
    '-"stor koncert"',
  ];
  const inDanish = [];
  const inEnglish = [];
  for (const search of searches) {
    inDanish.push(await total(search, { translation_language: 'da' }));
    inEnglish.push(await total(search));
  }
  expect([inDanish, inEnglish]).toEqual([
    [1, 1, 1, 0, 1, 1],
    [0, 0, 2, 1, 2, 2],
  ]);
});

test('texts are indexed in turns of the event loop, and searches meanwhile find the same', async () => {
  const events = new EventIndex();
  const count = 2_200;
  for (let id = 1; id <= count; id += 1) events.replace(undefined, entryOf(eventWith(id), 1, 0));
  const search = new EventSearch(events);
  const found = (words: string) => {
    const slots = events.statuses.any(['publish']);
    search.keepMatches(slots, words, undefined);
    return slots.count();
  };
  const answers = () => ['jazz', '"number 7"', '-jazz', 'umber 2199', 'none'].map(found);
  let isIndexed = false;
  const indexing = search.index().then(() => {
    isIndexed = true;
  });
  const expected = [count / 2, 1 + 10 + 100, count / 2, 1, 0];
  let turns = 0;
  while (!isIndexed) {
    turns += 1;
    expect(answers()).toEqual(expected);
    await nextTurn();
  }
  await indexing;
  expect(turns).toBeGreaterThan(count / 500);
  expect(answers()).toEqual(expected);
  // A few changes are indexed by the next search.
  events.replace(events.at(0), entryOf({ ...eventWith(1), title: 'Jazz number 0' }, 2, 0));
  expect(found('jazz')).toBe(count / 2 + 1);
});

function eventWith(id: number): EventRecord {
  const at = '2030-06-01 10:00:00';
  const dates = { date: at, date_utc: at, modified: at, modified_utc: at };
  const times = { start_date: at, end_date: at, utc_start_date: at, utc_end_date: at, timezone: 'UTC' };
  const title = `${id % 2 === 0 ? 'Jazz' : 'Choir'} number ${id}`;
  return { kind: 'event', id, author: 1, status: 'publish', slug: `e-${id}`, title, ...dates, ...times };
}
