import * as Type from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import { readInput } from '../../../shared/http/input.ts';
import { checkStored, compose } from '../../../shared/records/custom-data/read.ts';
import { joinTagged } from '../../../shared/records/entity-tag.ts';
import { backoff, deadlineIn, endOfSlice, isLong, orRefused, within } from '../../../shared/waiting.ts';
import { useFakeTimeouts, useInstantWaits } from '../../support/timers.ts';

describe('backoff()', () => {
  test.each<[first: number | undefined, waits: number[]]>([
    [undefined, [20, 40, 80, 160, 320, 500, 500]],
    [100, [100, 200, 400, 500, 500, 500, 500]],
  ])(
    'after a first wait of %s waits twice as long after each failure, up to 500 ms',
    async (first, longest) => {
      const waits = useInstantWaits();
      for (const attempt of longest.keys()) await backoff(attempt + 1, first);
      expect(waits).toEqual(longest);
    },
  );

  test('waits a random part of it', async () => {
    const waits = useInstantWaits(0.25);
    await backoff(2, 100);
    expect(waits).toEqual([50]);
  });
});

describe('within()', () => {
  test('rejects when the time is over, and leaves no timer behind when it is not', async () => {
    useFakeTimeouts();
    const late = within(50, new Promise(() => {}), () => new RangeError('late')).catch((error) => error);
    vi.advanceTimersByTime(49);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await late).toEqual(new RangeError('late'));
    expect(await within(50, Promise.resolve('there'), () => new Error('late'))).toBe('there');
    await expect(within(50, Promise.reject(new Error('no')), () => new Error('late'))).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('deadlineIn() counts down to 0', () => {
  useFakeTimeouts({ clock: true });
  const deadline = deadlineIn(100);
  const left = [0, 60, 40, 1].map((milliseconds) => {
    vi.advanceTimersByTime(milliseconds);
    return deadline.left();
  });
  expect(left).toEqual([100, 40, 0, 0]);
});

test('orRefused() tells of a signal that comes before, was there already, or comes too late', async () => {
  const told: unknown[] = [];
  const tell = (reason: unknown) => told.push(reason);
  const [early, already, late] = [new AbortController(), new AbortController(), new AbortController()];
  already.abort('already');
  const gate = Promise.withResolvers<string>();
  const results = [
    orRefused(gate.promise, early.signal, tell),
    orRefused(gate.promise, already.signal, tell),
    orRefused(gate.promise, late.signal, tell),
    orRefused(gate.promise, undefined, tell),
  ];
  early.abort('early');
  gate.resolve('done');
  expect(await Promise.all(results)).toEqual(Array(4).fill('done'));
  late.abort('late');
  expect(told).toEqual(['already', 'early']);
});

describe('a long text or body is worked on in slices of 512 Ki', () => {
  const slice = 512 * 1_024;

  test('and only what is longer than one is long', () => {
    expect([isLong('x'.repeat(slice)), isLong('x'.repeat(slice + 1)), isLong(Buffer.alloc(slice))]).toEqual([
      ...[false, true, false],
    ]);
  });

  test('which cut no pair of surrogates', () => {
    const pairs = '😀'.repeat(slice);
    expect([endOfSlice(pairs, 0), endOfSlice(pairs, 1), endOfSlice(pairs, 2 * slice - 4)]).toEqual([
      ...[slice, slice, 2 * slice],
    ]);
    expect([endOfSlice(Buffer.alloc(slice + 1), 0), endOfSlice(Buffer.alloc(slice + 1), slice)]).toEqual([
      ...[slice, slice + 1],
    ]);
  });

  /** Returns how often others have their turn while something is done. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    const next = () => {
      turns += 1;
      running = setImmediate(next);
    };
    let running = setImmediate(next);
    await work();
    clearImmediate(running);
    return turns;
  }

  test('and between them others have their turn', async () => {
    const [short, long] = ['x'.repeat(slice), 'x'.repeat(3 * slice + 1)];
    expect(await turnsDuring(() => joinTagged([short]))).toBe(0);
    expect(await turnsDuring(() => joinTagged(['{', long]))).toBeGreaterThanOrEqual(3);
    const read = (body: string) => {
      const headers = new Headers({ 'content-type': 'application/json' });
      const pieces = (async function* () {
        yield Buffer.from(JSON.stringify(body));
      })();
      const request = {
        method: 'PUT',
        url: new URL('http://localhost'),
        parameters: {},
        headers,
        body: pieces,
      };
      return readInput({ body: { schema: text } }, { request });
    };
    const text = Type.String();
    await read(short);
    expect(await turnsDuring(() => read(long))).toBeGreaterThanOrEqual(2);
    const stored = (customData: string) => [
      { identifier: 'a', kind: 'JSON' as const, customData: JSON.stringify(customData) },
    ];
    expect(await turnsDuring(() => compose(stored(long), new Map()))).toBeGreaterThanOrEqual(3);
    expect(await turnsDuring(() => checkStored([...stored(long), ...stored(long)]))).toBeGreaterThanOrEqual(
      2,
    );
  });
});
