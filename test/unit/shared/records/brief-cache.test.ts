import { expect, test } from 'vitest';
import { createBriefCache } from '../../../../shared/records/brief-cache.ts';

function cacheWithClock() {
  const clock = { now: 0 };
  const loads: string[] = [];
  const cache = createBriefCache<string>({ limit: 2, lifetime: 5_000, now: () => clock.now });
  const get = (key: string, value = key) =>
    cache.get(key, async () => {
      loads.push(value);
      if (value === 'fails') throw new Error(value);
      return value;
    });
  return { clock, loads, get };
}

test('a brief cache loads once for all who ask at the same time', async () => {
  const { get, loads } = cacheWithClock();
  expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a', 'a', 'a']);
  expect(loads).toEqual(['a']);
});

test('a brief cache loads again when the time is over', async () => {
  const { get, loads, clock } = cacheWithClock();
  await get('a', 'old');
  clock.now = 4_999;
  expect(await get('a', 'new')).toBe('old');
  clock.now = 5_000;
  expect(await get('a', 'new')).toBe('new');
  expect(loads).toEqual(['old', 'new']);
});

test('a brief cache does not keep a failure', async () => {
  const { get } = cacheWithClock();
  await expect(get('a', 'fails')).rejects.toThrow('fails');
  expect(await get('a', 'works')).toBe('works');
});
