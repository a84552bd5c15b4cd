/** When the signing keys of an issuer are loaded again, by a clock that the test turns. */

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultTiming, KeySet } from '../../../../shared/auth/key-set.ts';
import type { SigningKeys } from '../../../../shared/auth/signing-keys.ts';
import { useFakes } from '../../../support/timers.ts';

const second = 1_000;
const minute = 60 * second;
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const key = newKey();

/** A key set with the default times; `current` is what the issuer publishes, undefined while it is away. */
function keySet() {
  useFakes(['setTimeout', 'clearTimeout', 'Date']);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const issuer: { current: SigningKeys | undefined; loads: number; changes: number; failures: number } = {
    current: { issuer: 'https://issuer.example', keys: new Map([['one', key]]) },
    loads: 0,
    changes: 0,
    failures: 0,
  };
  const keys = new KeySet({
    async load() {
      issuer.loads += 1;
      if (issuer.current === undefined) throw new Error('away');
      return issuer.current;
    },
    onChange: () => {
      issuer.changes += 1;
    },
    onFailure: () => {
      issuer.failures += 1;
    },
    timing: defaultTiming,
    now: Date.now,
  });
  onTestFinished(() => keys.close());
  /** Returns how often the keys have been loaded after each of these waits. */
  const loadsAfter = async (...waits: readonly number[]) => {
    const loads: number[] = [];
    for (const wait of waits) {
      await vi.advanceTimersByTimeAsync(wait);
      loads.push(issuer.loads);
    }
    return loads;
  };
  const found = (keyId: string) =>
    keys.find(keyId).then(
      ({ key: item }) => item !== undefined,
      ({ code }: { code: string }) => code,
    );
  return { issuer, keys, loadsAfter, found };
}

test('the times are those that Entra ID advises', () => {
  expect(defaultTiming).toEqual({
    refresh: 3_600_000,
    retry: 60_000,
    pause: 1_000,
    keep: 86_400_000,
    coolDown: 30_000,
    timeout: 4_000,
  });
});

describe('keys are loaded again', () => {
  test.each([
    [0, 54 * minute],
    [0.5, 60 * minute],
    [0.999_999_999, 66 * minute],
  ])('each hour, sooner or later by up to a tenth (%d)', async (random, wait) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { keys, loadsAfter } = keySet();
    await keys.ready();
    expect(await loadsAfter(wait - second, second, wait - second, second)).toEqual([1, 2, 2, 3]);
  });

  test('each minute after a failure, and each hour again once one has succeeded', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { issuer, keys, loadsAfter } = keySet();
    await keys.ready();
    const published = issuer.current;
    issuer.current = undefined;
    expect(await loadsAfter(60 * minute, minute - 1, 1, minute)).toEqual([2, 2, 3, 4]);
    issuer.current = published;
    expect(await loadsAfter(minute, minute, 59 * minute - 1, 1)).toEqual([5, 5, 5, 6]);
    expect([issuer.failures, issuer.changes]).toEqual([3, 0]);
  });

  test('never while none are known, and never once the set is closed', async () => {
    const { issuer, keys, loadsAfter } = keySet();
    const published = issuer.current;
    issuer.current = undefined;
    await expect(keys.ready()).rejects.toMatchObject({ code: 'signing-keys-unavailable' });
    expect(await loadsAfter(120 * minute)).toEqual([1]);
    issuer.current = published;
    await keys.ready();
    keys.close();
    expect(await loadsAfter(120 * minute)).toEqual([2]);
  });
});

test('a set that is closed while keys are being loaded does not load them again', async () => {
  const { issuer, keys, loadsAfter } = keySet();
  const ready = keys.ready();
  keys.close();
  await ready;
  expect([issuer.loads, ...(await loadsAfter(120 * minute))]).toEqual([1, 1]);
});

describe('an unknown key id', () => {
  test('is unknown again, not unavailable, once an outage is over', async () => {
    const { issuer, keys, loadsAfter, found } = keySet();
    await keys.ready();
    const published = issuer.current;
    issuer.current = undefined;
    expect([await found('two'), await found('three')]).toEqual([
      'signing-keys-unavailable',
      'signing-keys-unavailable',
    ]);
    issuer.current = published;
    await loadsAfter(minute);
    expect([await found('two'), await found('three'), await found('one')]).toEqual([false, false, true]);
  });

  test('is looked for once per 30 seconds, whoever asks, and the same one too', async () => {
    const { issuer, keys, loadsAfter, found } = keySet();
    await keys.ready();
    const loads: number[] = [];
    const lookFor = async (keyId: string, wait: number) => {
      await loadsAfter(wait);
      await found(keyId);
      loads.push(issuer.loads);
    };
    await lookFor('a', 0);
    await lookFor('b', 30 * second - 1);
    await lookFor('b', 1);
    await lookFor('b', 30 * second - 1);
    await lookFor('b', 1);
    expect(loads).toEqual([2, 2, 3, 3, 4]);
  });
});

describe('keys that cannot be loaded', () => {
  test('are asked for once per second while none are known', async () => {
    const { issuer, loadsAfter, found } = keySet();
    issuer.current = undefined;
    const loads: number[] = [];
    for (const wait of [0, second - 1, 1]) {
      await loadsAfter(wait);
      await found('one');
      loads.push(issuer.loads);
    }
    expect(loads).toEqual([1, 1, 2]);
  });

  test('stay good for a day', async () => {
    const { issuer, keys, loadsAfter, found } = keySet();
    await keys.ready();
    issuer.current = undefined;
    await loadsAfter(24 * 60 * minute);
    expect(await found('one')).toBe(true);
    await loadsAfter(1);
    expect(await found('one')).toBe('signing-keys-unavailable');
  });
});

describe('a load', () => {
  const same = { issuer: 'https://issuer.example', keys: new Map([['one', key]]) };

  test.each<[string, SigningKeys, number]>([
    ['the same', same, 0],
    ['another issuer with the same keys', { ...same, issuer: 'https://other.example' }, 1],
    ['another key of the same id', { ...same, keys: new Map([['one', newKey()]]) }, 1],
    ['one key more', { ...same, keys: new Map([...same.keys, ['two', key]]) }, 1],
    ['one key under another id', { ...same, keys: new Map([['two', key]]) }, 1],
  ])('that brings %s counts as a change or not', async (_, next, changes) => {
    const { issuer, keys, loadsAfter } = keySet();
    await keys.ready();
    issuer.current = next;
    await loadsAfter(66 * minute);
    expect([issuer.loads > 1, issuer.changes]).toEqual([true, changes]);
  });
});
