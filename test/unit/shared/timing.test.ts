import { describe, expect, test, vi } from 'vitest';
import { type BackoffOptions, backoff, deadlineIn, withTimeout } from '../../../shared/timing.ts';
import { useFakeTimeouts, useInstantWaits } from '../../support/timers.ts';

describe('backoff()', () => {
  test.each<[options: BackoffOptions | undefined, waits: number[]]>([
    [undefined, [20, 40, 80, 160, 320, 500, 500]],
    [{ firstWait: 100 }, [100, 200, 400, 500, 500, 500, 500]],
    [{ firstWait: 100, maxWait: 1_000 }, [100, 200, 400, 800, 1_000, 1_000, 1_000]],
    [{ retryAfter: 3_000 }, [3_020, 3_040, 3_080, 3_160, 3_320, 3_500, 3_500]],
  ])(
    'with %j waits twice as long after each failure, up to a limit, and no shorter than it was asked to',
    async (options, longest) => {
      const waits = useInstantWaits();
      for (const attempt of longest.keys()) await backoff(attempt + 1, options);
      expect(waits).toEqual(longest);
    },
  );

  test('waits a random part of it', async () => {
    const waits = useInstantWaits(0.25);
    await backoff(2, { firstWait: 100 });
    expect(waits).toEqual([50]);
  });
});

describe('withTimeout()', () => {
  test('rejects when the time is over, and leaves no timer behind when it is not', async () => {
    useFakeTimeouts();
    const late = withTimeout(50, new Promise(() => {}), () => new RangeError('late')).catch((error) => error);
    vi.advanceTimersByTime(49);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await late).toEqual(new RangeError('late'));
    expect(await withTimeout(50, Promise.resolve('there'), () => new Error('late'))).toBe('there');
    await expect(withTimeout(50, Promise.reject(new Error('no')), () => new Error('late'))).rejects.toThrow(
      'no',
    );
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('deadlineIn() counts down to 0', () => {
  useFakeTimeouts({ clock: true });
  const deadline = deadlineIn(100);
  const remaining = [0, 60, 40, 1].map((milliseconds) => {
    vi.advanceTimersByTime(milliseconds);
    return deadline.remainingMs();
  });
  expect(remaining).toEqual([100, 40, 0, 0]);
});
