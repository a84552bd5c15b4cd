import { describe, expect, test } from 'vitest';
import { maxTextBytes, rendered, TextCaches } from '../../../../../functions/calendar/read/text-cache.ts';
import { entryOf } from '../../../../../functions/calendar/replica/entries.ts';
import { manyRecords } from '../../../../support/many-events.ts';

const [{ json = '' } = {}] = [...manyRecords(1)].slice(-1);

function newEntry() {
  return entryOf(JSON.parse(json), 1, 0);
}

/** Creates a function that asks a cache for the text of an entry, and returns the number of the call that made the text. */
function createAsk(caches = new TextCaches()) {
  const cache = caches.open();
  let made = 0;
  return (entry = newEntry(), state = '', revision = 1, length = 1) => {
    const make = () => rendered(`${++made} ${'x'.repeat(length)}`);
    return Number.parseInt(cache.of(entry, revision, { stateOf: () => state, make }).text, 10);
  };
}

describe('TextCaches', () => {
  test('cache the text of an entry until its state changes, which is checked once in a revision', () => {
    const ask = createAsk();
    const entry = newEntry();
    const asked = [ask(entry, 'a'), ask(entry, 'b'), ask(entry, 'a', 2), ask(entry, 'b', 3)];
    expect([...asked, ask(entry, 'b', 4), ask()]).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('separate the texts of each cache', () => {
    const caches = new TextCaches();
    const entry = newEntry();
    const json = createAsk(caches);
    const calendar = createAsk(caches);
    json();
    expect([json(entry), calendar(entry), json(entry), calendar(entry)]).toEqual([2, 1, 2, 1]);
  });

  test('evict the text that was asked for least recently', () => {
    const ask = createAsk();
    const entries = Array.from('abcde', newEntry);
    const asked = [0, 1, 2, 3, 0, 4, 0, 1].map((index) => ask(entries[index], '', 1, maxTextBytes / 4 - 200));
    expect(asked).toEqual([1, 2, 3, 4, 1, 5, 1, 6]);
  });
});
