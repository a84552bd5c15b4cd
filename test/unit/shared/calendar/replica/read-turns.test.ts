import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ReadTurns } from '../../../../../shared/calendar/replica/pace.ts';
import { useStillClock } from '../../../../support/timers.ts';

/** Does nothing else for some milliseconds, as work that computes. */
function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('long reads leave the thread to others between their slices', async () => {
  const turns = new ReadTurns();
  let pass = 0;
  let isOver = false;
  const count = () => {
    pass++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const passes: number[] = [];
  const slice = () => {
    passes.push(pass);
    compute(10);
  };
  await Promise.all(Array.from({ length: 10 }, () => turns.run('many', true, slice)));
  isOver = true;
  expect(new Set(passes).size).toBe(10);
});

test('a read runs at once, but for when another has just worked for long', async () => {
  const turns = new ReadTurns();
  const done: string[] = [];
  await turns.run('one', false, () => done.push('short'));
  void turns.run('one', false, () => compute(5));
  const waiting = turns.run('other', false, () => done.push('after a long one'));
  done.push('others');
  await waiting;
  expect(done).toEqual(['short', 'others', 'after a long one']);
});

test('a read runs at once again in the turn after a long one', async () => {
  useStillClock();
  const turns = new ReadTurns();
  await turns.run('one', false, () => vi.advanceTimersByTime(5));
  await nextTurn();
  await nextTurn();
  const done: string[] = [];
  const read = turns.run('other', false, () => done.push('read'));
  done.push('what comes next');
  await read;
  expect(done).toEqual(['read', 'what comes next']);
});
