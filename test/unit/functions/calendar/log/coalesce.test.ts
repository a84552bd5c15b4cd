/** A task whose runs are ended by hand, in order. */

import { describe, expect, test, vi } from 'vitest';
import { coalesce } from '../../../../../functions/calendar/log/refresher.ts';
import { timerIsSet, useFakeTimeouts } from '../../../../support/timers.ts';

function manualTask() {
  const runs: PromiseWithResolvers<number>[] = [];
  const started = Promise.withResolvers<void>();
  const task = () => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    started.resolve();
    return run.promise;
  };
  return { task, runs, started: started.promise };
}

describe('coalesce()', () => {
  test('shares one run among the callers of one turn', async () => {
    let runs = 0;
    const call = coalesce(async () => ++runs);
    expect(await Promise.all([call(), call(), call()])).toEqual([1, 1, 1]);
  });

  test('begins a run in the next turn only', async () => {
    let runs = 0;
    const call = coalesce(async () => ++runs);
    const first = call();
    for (let step = 0; step < 20; step += 1) await undefined;
    expect(await Promise.all([first, call()])).toEqual([1, 1]);
  });

  test('gives who comes during a run the next one, and starts that when the first has ended', async () => {
    const { task, runs, started } = manualTask();
    const call = coalesce(task);
    const first = call();
    await started;
    const later = [call(), call()];
    expect(runs.length).toBe(1);
    runs[0]?.resolve(1);
    expect(await first).toBe(1);
    await expect.poll(() => runs.length).toBe(2);
    runs[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
    expect(runs.length).toBe(2);
  });

  test('waits up to 5 ms after a run that many shared, until 16 share the next one', async () => {
    useFakeTimeouts({ clock: true });
    let runs = 0;
    const call = coalesce(async () => ++runs);
    const calls = (count: number) => Promise.all(Array.from({ length: count }, call));
    await calls(4);
    const late = calls(15);
    await timerIsSet();
    expect(runs).toBe(1);
    expect([await call(), ...(await late)]).toEqual(Array(16).fill(2));
    const alone = call();
    await timerIsSet();
    vi.advanceTimersByTime(5);
    expect(await alone).toBe(3);
    expect(await call()).toBe(4);
  });

  test('runs again after a failure, which only its own callers see', async () => {
    let runs = 0;
    const call = coalesce(async () => {
      if (++runs === 1) throw new Error('first');
      return runs;
    });
    await expect(call()).rejects.toThrow('first');
    expect(await call()).toBe(2);
  });
});
