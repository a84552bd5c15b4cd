import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FairQueue, type FairQueueOptions } from '../../../../shared/limits/fair-queue.ts';
import { withEntries } from '../../../support/collections.ts';
import { useFakeTimeouts } from '../../../support/timers.ts';

const options: FairQueueOptions = {
  name: 'wait',
  maxQueued: 100,
  timeoutMs: 4_000,
  rejection: (reason) => new RangeError(reason),
};

/** A queue, and work that ends on demand. */
function createScene(given: Partial<FairQueueOptions>) {
  const queue = new FairQueue({ ...options, ...given });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    queue,
    started,
    add(name: string, keys = [name.charAt(0)]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return queue.run(keys, () => {
        started.push(name);
        return promise.then(() => name);
      });
    },
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

const rejected = (work: Promise<unknown>) => work.catch(({ message }: Error) => message);

describe('FairQueue', () => {
  // The time stands still, so no work that a test leaves behind is rejected after its end.
  beforeEach(() => useFakeTimeouts());

  test('runs work at once while there is room, and resolves with its result', async () => {
    const { add, end, started, queue } = createScene({ concurrency: 2 });
    const work = [add('a1'), add('a2'), add('a3')];
    expect([started, queue.queued]).toEqual([['a1', 'a2'], 1]);
    await end('a1');
    expect([started, queue.queued]).toEqual([['a1', 'a2', 'a3'], 0]);
    await end('a2');
    await end('a3');
    expect(await Promise.all(work)).toEqual(['a1', 'a2', 'a3']);
  });

  test('rejects with the error of the work, and starts the next work', async () => {
    const { queue, add, end } = createScene({ concurrency: 1 });
    const failing = queue.run(['a'], () => Promise.reject(new TypeError('broken')));
    const next = add('b1');
    await expect(failing).rejects.toThrow(new TypeError('broken'));
    await end('b1');
    expect(await next).toBe('b1');
  });

  test('starts the earliest deadline of a key first, and equal ones in order of arrival', async () => {
    const { add, end, started, queue } = createScene({ concurrency: 1 });
    const running = add('first', ['a']);
    const done: string[] = [];
    const work = Object.entries({ late: 3, early: 1, middle: 2, 'early too': 1 }).map(([name, deadline]) =>
      queue.run(['a'], async () => void done.push(name), { deadline }),
    );
    expect(started).toEqual(['first']);
    await end('first');
    await Promise.all([running, ...work]);
    expect(done).toEqual(['early', 'early too', 'middle', 'late']);
  });

  test('serves keys by round robin, and the work of one key in its order', async () => {
    const { add, end, started } = createScene({ concurrency: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name);
    const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'];
    for (const name of order) await end(name);
    expect(started).toEqual(order);
  });

  test('runs only so much work of one key at once, by the position of the key', async () => {
    const { add, end, started } = createScene({ concurrency: 4, concurrencyPerKey: [3, 2] });
    void add('a1', ['a', 'x']);
    void add('a2', ['a', 'x']);
    void add('a3', ['a', 'x']);
    void add('a4', ['a', 'y']);
    void add('a5', ['a', 'z']);
    void add('b1', ['b', 'z']);
    expect(started).toEqual(['a1', 'a2', 'a4', 'b1']);
    await end('a4');
    expect(started).toEqual(['a1', 'a2', 'a4', 'b1', 'a5']);
    await end('a1');
    expect(started.at(-1)).toBe('a3');
  });

  test('with perTurn starts one piece of work in each turn of the event loop', async () => {
    const { add, started } = createScene({ perTurn: true });
    for (const name of ['a1', 'a2', 'b1']) void add(name);
    const seen = [[...started]];
    for (let turn = 0; turn < 2; turn++) {
      await new Promise(setImmediate);
      seen.push([...started]);
    }
    expect(seen).toEqual([['a1'], ['a1', 'a2'], ['a1', 'a2', 'b1']]);
  });

  test('rejects work after its timeout and not before, and forgets it', async () => {
    const { add, queue } = createScene({ concurrency: 1 });
    void add('a1');
    const patient = rejected(add('a2'));
    const impatient = rejected(queue.run(['a'], async () => 'never', { timeoutMs: 1_000 }));
    vi.advanceTimersByTime(999);
    expect(queue.queued).toBe(2);
    vi.advanceTimersByTime(1);
    expect([await impatient, queue.queued]).toEqual(['timeout', 1]);
    vi.advanceTimersByTime(3_000);
    expect([await patient, queue.queued, vi.getTimerCount()]).toEqual(['timeout', 0, 0]);
  });

  test('when it is full, drops the last work of the key that has most in it', async () => {
    const { add, end, queue, started } = createScene({ concurrency: 1, maxQueued: 3 });
    void add('a1');
    void add('a2');
    void add('a3');
    const a4 = rejected(add('a4'));
    expect(await rejected(add('a5'))).toBe('full');
    const b1 = add('b1');
    expect([await a4, queue.queued]).toEqual(['full', 3]);
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect([await b1, started]).toEqual(['b1', ['a1', 'a2', 'b1', 'a3']]);
  });

  test('when it is full, rejects work of a key that has as much in it as any other', async () => {
    const { add, queue } = createScene({ concurrency: 1, maxQueued: 4 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(name);
    for (const name of ['a4', 'b3']) expect([await rejected(add(name)), queue.queued]).toEqual(['full', 4]);
  });

  test('removes no other work when the timeout of dropped or started work passes', async () => {
    const { add, end, queue } = createScene({ concurrency: 1, maxQueued: 2 });
    void add('a1');
    void add('a2');
    const dropped = rejected(add('a3'));
    vi.advanceTimersByTime(1_000);
    const b1 = add('b1');
    expect(await dropped).toBe('full');
    await end('a1');
    const a4 = add('a4');
    vi.advanceTimersByTime(3_000);
    expect([queue.queued, vi.getTimerCount()]).toEqual([2, 2]);
    for (const name of ['a2', 'b1', 'a4']) await end(name);
    expect(await Promise.all([b1, a4])).toEqual(['b1', 'a4']);
  });

  test('keeps nothing of work that has ended, was rejected or dropped', async () => {
    const limits = { concurrency: 2, concurrencyPerKey: [1], maxQueued: 10 };
    const { made: queue, entries } = withEntries(() => new FairQueue({ ...options, ...limits }));
    const work = Array.from({ length: 1_000 }, (_, index) =>
      rejected(queue.run([`key ${index % 100}`, `${index}`], () => new Promise(setImmediate))),
    );
    expect(entries()).toBeGreaterThan(0);
    await Promise.all(work);
    expect([entries(), queue.queued]).toEqual([0, 0]);
    const done = await Promise.all([1, 2].map((index) => queue.run([`key ${index}`], async () => index)));
    expect(done).toEqual([1, 2]);
  });

  test('runs all work once, whatever its keys, within the limits', async () => {
    const work = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        work,
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (all, concurrency, perTurn) => {
          const queue = new FairQueue({ ...options, concurrency, concurrencyPerKey: [2, 2], perTurn });
          const running = new Map<string, number>();
          const ran: number[] = [];
          const count = (keys: readonly string[], difference: number) => {
            for (const key of ['', ...keys]) running.set(key, (running.get(key) ?? 0) + difference);
          };
          await Promise.all(
            all.map((keys, index) =>
              queue.run(keys, async () => {
                count(keys, 1);
                expect(running.get('')).toBeLessThanOrEqual(concurrency);
                for (const key of keys) expect(running.get(key)).toBeLessThanOrEqual(2);
                await new Promise(setImmediate);
                count(keys, -1);
                ran.push(index);
              }),
            ),
          );
          expect(ran.toSorted((a, b) => a - b)).toEqual([...all.keys()]);
        },
      ),
    );
  });
});
