import * as Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CodedError } from '../../../../shared/errors.ts';
import { detailsOf, healthOf } from '../../../../shared/http/health.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const db = {
  name: 'db',
  silent: () => new CodedError('database-unavailable', 'It is silent.'),
};
const time = { milliseconds: expect.any(Number), threshold: 2_000 };
const ready = { state: 'ready', since: '2026-11-21T10:00:00.000Z', ...time };

describe('healthOf()', () => {
  test('asks a ready dependency once, however often it is probed', async () => {
    const check = vi.fn(async () => {});
    const health = healthOf([{ ...db, check }]);
    expect(await health()).toEqual({ db: ready });
    vi.advanceTimersByTime(3_600_000);
    expect(await health()).toEqual({ db: ready });
    expect(check).toHaveBeenCalledTimes(1);
  });

  test('asks again when a ready dependency has failed in use', async () => {
    let failed = false;
    const check = vi.fn(async () => {});
    const health = healthOf([{ ...db, check, shouldRecheck: () => failed }]);
    await health();
    failed = true;
    await health();
    expect(check).toHaveBeenCalledTimes(2);
  });

  test('says since when it fails, however often it is found to, and asks at once when it was used with success', async () => {
    let isServed = false;
    const check = vi.fn(async (): Promise<void> => {
      if (!isServed) throw new CodedError('database-unavailable', 'It is away.');
    });
    const health = healthOf([{ ...db, check, hasRecovered: () => isServed }]);
    for (let probe = 1; probe <= 3; probe++) {
      expect((await health())['db']).toMatchObject({ state: 'failing', since: '2026-11-21T10:00:00.000Z' });
      expect(check).toHaveBeenCalledTimes(probe);
      vi.advanceTimersByTime(5_000);
    }
    await health();
    vi.advanceTimersByTime(1_000);
    isServed = true;
    expect((await health())['db']).toMatchObject({ state: 'ready', since: '2026-11-21T10:00:16.000Z' });
  });

  test('reports the code of a failure, and asks again after five seconds', async () => {
    const check = vi.fn(async (): Promise<void> => {
      throw new CodedError('database-unavailable', 'It is away.');
    });
    const health = healthOf([{ ...db, check }]);
    const failing = {
      state: 'failing',
      code: 'database-unavailable',
      detail: 'It is away.',
      since: '2026-11-21T10:00:00.000Z',
      ...time,
    };
    expect(await health()).toEqual({ db: failing });
    vi.advanceTimersByTime(4_999);
    expect(await health()).toEqual({ db: failing });
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    check.mockImplementation(async () => {});
    expect(await health()).toEqual({ db: { state: 'ready', since: '2026-11-21T10:00:05.000Z', ...time } });
  });

  test('reports a dependency as failing that cannot say what is to be known of it', async () => {
    const notice = async () => {
      throw new CodedError('database-unavailable', 'It is away.');
    };
    expect(await healthOf([{ ...db, check: async () => {}, notice }])()).toMatchObject({
      db: { state: 'failing', code: 'database-unavailable' },
    });
  });

  test('says nothing of the inside of an unknown failure', async () => {
    const health = healthOf([{ ...db, check: () => Promise.reject(new Error('password=secret')) }]);
    expect(await health()).toEqual({
      db: {
        state: 'failing',
        code: 'internal-error',
        detail: 'The check failed.',
        since: ready.since,
        ...time,
      },
    });
  });

  test('is failing after three seconds without an answer, at once for further probes, and ready when it comes', async () => {
    const answer = Promise.withResolvers<void>();
    const check = vi.fn(() => answer.promise);
    const health = healthOf([{ ...db, check }]);
    const first = health();
    await vi.advanceTimersByTimeAsync(2_999);
    let isDone = false;
    void first.then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const silent = {
      state: 'failing',
      code: 'database-unavailable',
      detail: 'It is silent.',
      since: '2026-11-21T10:00:03.000Z',
      milliseconds: 3_000,
      threshold: 2_000,
    };
    expect([await first, await health()]).toEqual([{ db: silent }, { db: silent }]);
    answer.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(await health()).toMatchObject({ db: { state: 'ready' } });
    expect(check).toHaveBeenCalledTimes(1);
  });

  test('asks once for probes that come together', async () => {
    const check = vi.fn(() => Promise.resolve());
    const health = healthOf([{ ...db, check }]);
    await Promise.all([health(), health(), health()]);
    expect(check).toHaveBeenCalledTimes(1);
  });
});

describe('detailsOf()', () => {
  test('leaves out what does not come in time', async () => {
    const details = { version: { schema: Type.Unknown(), read: () => new Promise(() => {}) } };
    const read = detailsOf([{ ...db, check: async () => {}, details }]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await read).toEqual({ db: { version: undefined } });
  });

  test('leaves out what cannot be read, and keeps the rest', async () => {
    const unavailable = new CodedError('database-unavailable', 'It is away.');
    const detail = (read: () => Promise<unknown>) => ({ schema: Type.Unknown(), read });
    const details = { version: detail(async () => 7), sources: detail(() => Promise.reject(unavailable)) };
    const check = async () => {};
    expect(
      await detailsOf([
        { ...db, check, details },
        { ...db, name: 'keys', check },
      ]),
    ).toEqual({ db: { version: 7, sources: undefined }, keys: {} });
  });
});
