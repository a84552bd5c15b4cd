/** What is kept of pages and of texts of records, and for how long. */

import { describe, expect, test } from 'vitest';
import { budget, PageCache, rendered, TextCaches } from '../../../../../shared/calendar/read/caches.ts';
import { entryOf } from '../../../../../shared/calendar/replica/entries.ts';
import { manyRecords } from '../../../../support/many-events.ts';

/** Creates a function that asks a new cache for a page and returns its number: each that is made has the next one. */
function asking() {
  const cache = new PageCache();
  let made = 0;
  return (cacheKey: string, bytes = 1, revision = 1) =>
    cache.of({
      ...{ revision, cacheKey },
      make: () => ({ number: ++made }),
      bytesOf: () => bytes,
    }).number;
}

describe('PageCache', () => {
  test('caches a page when it is asked for the second time', () => {
    const query = asking();
    expect(['a', 'b', 'a', 'a', 'b', 'b'].map((name) => query(name))).toEqual([1, 2, 3, 3, 4, 4]);
  });

  test('caches a page until the calendar changes, unless it takes a large part of the budget', () => {
    const query = asking();
    const large = [query('a', budget.pages), query('a', budget.pages), query('a', budget.pages)];
    const small = [query('a'), query('a'), query('a', 1, 2), query('a', 1, 2), query('a', 1, 2)];
    expect([large, small]).toEqual([
      [1, 2, 3],
      [4, 4, 5, 6, 6],
    ]);
  });

  test('drops the pages that were asked for least recently when the budget is used up', () => {
    const query = asking();
    const names = ['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'a', 'e', 'a', 'b'];
    expect(names.map((name) => query(name, budget.pages / 4 - 100))).toEqual([
      ...[1, 2, 3, 4, 5],
      ...[6, 7, 8, 9, 6, 10, 6, 11],
    ]);
  });

  test('remembers 1,000 pages that were asked for once', () => {
    const asked = (others: number) => {
      const query = asking();
      query('a');
      for (let other = 0; other < others; other += 1) query(`other ${other}`);
      const [second, third] = [query('a'), query('a')];
      return second === third;
    };
    expect([asked(999), asked(1_000)]).toEqual([true, false]);
  });

  test('caches 2,000 pages', () => {
    const query = asking();
    const names = Array.from({ length: 2_001 }, (_, index) => `page ${index}`);
    const made = names.map((name) => [query(name), query(name)].at(-1));
    expect([query('page 1'), query('page 2000')]).toEqual([made[1], made[2_000]]);
    expect(query('page 0')).not.toBe(made[0]);
  });
});

test('what is kept for later reads has a budget of 44 MiB', () => {
  expect(budget).toEqual({ pages: 8_388_608, texts: 33_554_432, phrases: 4_194_304 });
});

const [{ json = '' } = {}] = [...manyRecords(1)].slice(-1);

function newEntry() {
  return entryOf(JSON.parse(json), 1, 0);
}

/** Creates a function that asks a cache for the text of an entry in a state, and returns its number: each that is made has the next one. */
function rendering(caches = new TextCaches()) {
  const cache = caches.open();
  let made = 0;
  return (entry = newEntry(), state = '', revision = 1, length = 1) => {
    const make = () => {
      made += 1;
      return rendered(`${made} ${'x'.repeat(length)}`);
    };
    return Number.parseInt(cache.of(entry, revision, { stateOf: () => state, make }).text, 10);
  };
}

describe('TextCaches', () => {
  test('cache the text of an entry until its state is another one, which is asked for once in a revision', () => {
    const [query, entry] = [rendering(), newEntry()];
    const asked = [query(entry, 'a'), query(entry, 'b'), query(entry, 'a', 2), query(entry, 'b', 3)];
    expect([...asked, query(entry, 'b', 4), query()]).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('keep the texts of each cache apart, of one entry too', () => {
    const [caches, entry] = [new TextCaches(), newEntry()];
    const [one, other, foreign] = [rendering(caches), rendering(caches), rendering()];
    one();
    const asked = [one(entry), other(entry), one(entry), other(entry), foreign(entry), one(entry)];
    expect(asked).toEqual([2, 1, 2, 1, 1, 2]);
  });

  test('drop the texts that were asked for least recently when the budget is used up', () => {
    const [query, entries] = [rendering(), ['a', 'b', 'c', 'd', 'e'].map(newEntry)];
    const places = [0, 1, 2, 3, 4, 0, 4, 3];
    expect(places.map((place) => query(entries[place], '', 1, budget.texts / 4 - 200))).toEqual([
      ...[1, 2, 3, 4, 5],
      ...[6, 5, 4],
    ]);
  });

  test('keep a text that is asked for again and again, whatever is asked for meanwhile', () => {
    const [query, entry] = [rendering(), newEntry()];
    for (let other = 0; other < 5_000; other += 1) {
      query(newEntry(), '', 1, 16_384);
      expect(query(entry)).toBe(2);
    }
  });
});
