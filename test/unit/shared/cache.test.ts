import { describe, expect, test } from 'vitest';
import { createCache, loadThrough } from '../../../shared/cache.ts';
import { type GaugeName, readGauge } from '../../../shared/telemetry/gauges.ts';

describe('a cache', () => {
  test('forgets what was used least recently when there is no more room', () => {
    const cache = createCache<string, number>({ maxEntries: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
    expect(cache.size).toBe(2);
  });

  test('keeps an entry for less than its time to live, its own before that of all', () => {
    const clock = { now: 1 };
    const cache = createCache<string, number>({ maxEntries: 9, ttl: 1_000, now: () => clock.now });
    cache.set('all', 1);
    cache.set('own', 2, 1);
    cache.set('past', 3, 0);
    cache.set('long past', 3, -5);
    const cached = () => ['all', 'own', 'past', 'long past'].map((key) => cache.get(key));
    expect(cached()).toEqual([1, 2, undefined, undefined]);
    clock.now = 2;
    expect(cached()).toEqual([1, undefined, undefined, undefined]);
    clock.now = 1_000;
    expect(cache.get('all')).toBe(1);
    clock.now = 1_001;
    expect(cache.get('all')).toBeUndefined();
  });

  test('drops an entry that is set again with a time that is over', () => {
    const cache = createCache<string, number>({ maxEntries: 9 });
    cache.set('a', 1);
    cache.set('a', 2, 0);
    expect(cache.get('a')).toBeUndefined();
  });

  test('takes no room for entries that it may have and does not have', () => {
    const heap = () => process.memoryUsage().heapUsed;
    const before = heap();
    const caches = Array.from({ length: 10 }, () => createCache<string, number>({ maxEntries: 1_000_000 }));
    expect(heap() - before).toBeLessThan(8 * 2 ** 20);
    expect(caches.map(({ size }) => size)).toEqual(Array.from({ length: 10 }, () => 0));
  });

  test('holds as many entries as there are bytes for, where no number is named', () => {
    const cache = createCache<number, string>({ bytes: { max: 3, of: () => 1 } });
    for (const key of [1, 2, 3, 4]) cache.set(key, 'value');
    expect([1, 2, 3, 4].map((key) => cache.get(key))).toEqual([undefined, 'value', 'value', 'value']);
    expect(cache.size).toBe(3);
  });

  test('holds no more bytes than it may, and nothing that is larger alone', () => {
    const cache = createCache<string, string>({
      maxEntries: 9,
      bytes: { max: 10, of: ({ length }) => length },
    });
    cache.set('a', 'x'.repeat(6));
    cache.set('b', 'x'.repeat(4));
    cache.set('c', 'x'.repeat(5));
    cache.set('d', 'x'.repeat(11));
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key)?.length)).toEqual([undefined, 4, 5, undefined]);
    cache.clear();
    expect(cache.size).toBe(0);
  });
});

test('a cache with a name tells how often it was asked, and what it holds', () => {
  const bytes = { max: 10, of: (value: string) => value.length };
  const cache = createCache<string, string>({ maxEntries: 9, name: 'named', bytes });
  createCache({ maxEntries: 9, name: 'without bytes' }).get('a');
  cache.set('a', 'four');
  for (const key of ['a', 'b', 'a', 'c', 'a']) cache.get(key);
  const ofNamed = (name: GaugeName) =>
    readGauge(name).filter(([, labels]) => /named|bytes/.test(String(labels?.['app.cache'])));
  expect((['cacheHits', 'cacheMisses', 'cacheBytes'] as const).map(ofNamed)).toEqual([
    [
      [3, { 'app.cache': 'named' }],
      [0, { 'app.cache': 'without bytes' }],
    ],
    [
      [2, { 'app.cache': 'named' }],
      [1, { 'app.cache': 'without bytes' }],
    ],
    [[4, { 'app.cache': 'named' }]],
  ]);
});

describe('loadThrough()', () => {
  function counting() {
    const clock = { now: 1 };
    const cache = createCache<string, Promise<string>>({ maxEntries: 2, ttl: 5_000, now: () => clock.now });
    const loads: string[] = [];
    const get = (key: string, value = key) =>
      loadThrough(cache, key, async () => {
        loads.push(value);
        if (value === 'fails') throw new Error(value);
        return value;
      });
    return { clock, loads, get };
  }

  test('loads once for all who ask at the same time', async () => {
    const { get, loads } = counting();
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a', 'a', 'a']);
    expect(loads).toEqual(['a']);
  });

  test('loads again when the time is over', async () => {
    const { get, loads, clock } = counting();
    await get('a', 'old');
    clock.now = 5_000;
    expect(await get('a', 'new')).toBe('old');
    clock.now = 5_001;
    expect(await get('a', 'new')).toBe('new');
    expect(loads).toEqual(['old', 'new']);
  });

  test.each([
    ['fails', ({ reject }: PromiseWithResolvers<string>) => reject(new Error('late'))],
    ['is done', ({ resolve }: PromiseWithResolvers<string>) => resolve('late')],
  ])('keeps what was loaded meanwhile when an earlier load %s', async (_, end) => {
    const cache = createCache<string, Promise<string>>({ maxEntries: 2 });
    const gate = Promise.withResolvers<string>();
    const earlier = loadThrough(
      cache,
      'a',
      () => gate.promise,
      () => 0,
    );
    cache.delete('a');
    const later = loadThrough(cache, 'a', async () => 'later');
    end(gate);
    await earlier.catch(() => undefined);
    expect(cache.get('a')).toBe(later);
  });

  test('does not keep a failure', async () => {
    const { get } = counting();
    await expect(get('a', 'fails')).rejects.toThrow('fails');
    expect(await get('a', 'works')).toBe('works');
  });
});
