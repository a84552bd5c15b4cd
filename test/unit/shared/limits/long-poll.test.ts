/** Long polls on a clock of the test: who is woken by what, and how many looks that takes. */

import { expect, test, vi } from 'vitest';
import { LongPoll } from '../../../../shared/limits/long-poll.ts';
import { createTrace, inTrace } from '../../../../shared/telemetry/trace.ts';
import { useFakeTimeouts } from '../../../support/timers.ts';

function watched(maxWaiting = 100) {
  const source = { state: 'a', found: '', looks: 0, fails: false };
  const poll = new LongPoll({
    name: 'callers of a test',
    maxWaiting,
    async look() {
      source.looks += 1;
      if (source.fails) throw new Error('The source does not answer.');
      return source.state;
    },
  });
  const read = (caller = 'ann', waitMs = 8_000) =>
    poll.read(caller, waitMs, async () => ({
      value: source.found,
      state: source.state,
      isFound: source.found !== '',
    }));
  return { source, read };
}

test('what is there is read at once, and nothing is looked at', async () => {
  useFakeTimeouts({ clock: true });
  const { source, read } = watched();
  source.found = 'x';
  expect(await read()).toEqual({ value: 'x', hasWaited: true });
  expect(await read('ann', 0)).toEqual({ value: 'x', hasWaited: false });
  expect(source.looks).toBe(0);
});

test('all callers are woken by one look each second, and only by a change that has something for them', async () => {
  useFakeTimeouts({ clock: true });
  const { source, read } = watched();
  const callers = Array.from({ length: 40 }, (_, index) => read(`caller ${index}`));
  await vi.advanceTimersByTimeAsync(2_500);
  source.state = 'b';
  await vi.advanceTimersByTimeAsync(1_000);
  Object.assign(source, { state: 'c', found: 'x' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(callers)).toEqual(callers.map(() => ({ value: 'x', hasWaited: true })));
  expect(source.looks).toBe(4);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(source.looks).toBe(4);
});

test('a wait ends after its time, and does not count in the time of the request', async () => {
  useFakeTimeouts({ clock: true });
  const { read } = watched();
  const trace = createTrace();
  const reply = inTrace(trace, () => read('ann', 2_000));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reply).toEqual({ value: '', hasWaited: true });
  expect(trace.waited).toBeGreaterThanOrEqual(1_900);
});

test('a wait ends after its time, however often something changes that is not for the caller', async () => {
  useFakeTimeouts({ clock: true });
  const { source, read } = watched();
  const ended = vi.fn();
  const reply = read('ann', 3_500).finally(ended);
  for (let second = 1; second <= 4; second++) {
    source.state = `state ${second}`;
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(ended).toHaveBeenCalled();
  expect(await reply).toEqual({ value: '', hasWaited: true });
});

test('where all places are taken, the longest wait of the caller with the most of them ends at once', async () => {
  useFakeTimeouts({ clock: true });
  const { read } = watched(10);
  const ended: number[] = [];
  const replies = [
    ...Array.from({ length: 20 }, () => 'ann'),
    ...Array.from({ length: 6 }, () => 'ben'),
    'cleo',
  ].map((caller, index) => read(caller).finally(() => ended.push(index)));
  await vi.advanceTimersByTimeAsync(0);
  // Of 10 places ann has 4, ben 5 and cleo one.
  const left = [...Array.from({ length: 16 }, (_, index) => index), 20];
  expect(ended.toSorted((one, other) => one - other)).toEqual(left);
  await vi.advanceTimersByTimeAsync(8_000);
  const waited = (await Promise.all(replies)).map(({ hasWaited }) => hasWaited);
  expect(waited.flatMap((hasWaited, index) => (hasWaited ? [] : [index]))).toEqual(left);
});

test('a caller with one place keeps it, however many others come', async () => {
  useFakeTimeouts({ clock: true });
  const { read } = watched(10);
  const alone = read('ann');
  const others = Array.from({ length: 100 }, () => read('ben'));
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await alone).toEqual({ value: '', hasWaited: true });
  expect((await Promise.all(others)).filter(({ hasWaited }) => hasWaited)).toHaveLength(9);
});

test('a wait that ends for another, while its caller reads again, gives what was found', async () => {
  useFakeTimeouts({ clock: true });
  const source = { state: 'a' };
  const poll = new LongPoll({ name: 'callers of a test', maxWaiting: 1, look: async () => source.state });
  const reading = Promise.withResolvers<{ value: string; state: string; isFound: boolean }>();
  const nothing = async () => ({ value: '', state: source.state, isFound: false });
  let reads = 0;
  const first = poll.read('ann', 8_000, () => (reads++ === 0 ? nothing() : reading.promise));
  await vi.advanceTimersByTimeAsync(500);
  source.state = 'b';
  await vi.advanceTimersByTimeAsync(1_000);
  const second = poll.read('ben', 1_000, nothing);
  await vi.advanceTimersByTimeAsync(0);
  reading.resolve({ value: 'x', state: 'b', isFound: true });
  expect(await first).toEqual({ value: 'x', hasWaited: true });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await second).toEqual({ value: '', hasWaited: true });
});

test('a wait that has ended, whatever its end, leaves its place to another', async () => {
  useFakeTimeouts({ clock: true });
  const { source, read } = watched(1);
  for (const ends of ['timeout', 'change', 'timeout']) {
    source.found = '';
    const reply = read();
    Object.assign(source, ends === 'change' ? { state: 'b', found: 'x' } : {});
    await vi.advanceTimersByTimeAsync(8_000);
    expect((await reply).hasWaited).toBe(true);
  }
});

test('a look that fails ends every wait with its error', async () => {
  useFakeTimeouts({ clock: true });
  const { source, read } = watched();
  source.fails = true;
  const replies = Promise.allSettled([read(), read('ben')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await replies).map((reply) => reply.status === 'rejected' && reply.reason.message)).toEqual([
    'The source does not answer.',
    'The source does not answer.',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
