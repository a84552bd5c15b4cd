/** Who runs, who waits and who is refused. */

import { expect, test, vi } from 'vitest';
import type { OffThread } from '../../../shared/rests.ts';
import { createTurns } from '../../../shared/turns.ts';

const minute = 60_000;

/** Turns in which work runs until it is told to end, and a record of what became of each piece. */
function turns(running: number, runningOfOne: number, waiting: number, behindHeldUp = waiting) {
  const { run } = createTurns({
    name: 'wait',
    running,
    runningOfOne,
    inAll: running + waiting,
    behindHeldUp,
    refusal: () => new Error('refused'),
  });
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const request = (name: string, keys: readonly string[], timeout = minute, continues = false) =>
    run(
      keys,
      timeout,
      () => {
        log.push(`${name} runs`);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { continues },
    ).catch((error: Error) => log.push(`${name} is ${error.message}`));
  const flush = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await flush();
  };
  return { ask: request, end, flush, log };
}

test('no key runs more than its share, and others run past it', async () => {
  const { ask, flush, end, log } = turns(4, 2, 10);
  for (const name of ['a1', 'a2', 'a3']) void ask(name, ['a']);
  void ask('b1', ['b', 'object']);
  void ask('c1', ['c', 'object']);
  await flush();
  expect(log).toEqual(['a1 runs', 'a2 runs', 'b1 runs', 'c1 runs']);
  await end('b1');
  expect(log).toHaveLength(4);
  await end('a1');
  expect(log.at(-1)).toBe('a3 runs');
});

test('who waits does so off the thread, and runs on it', async () => {
  const { run } = createTurns({
    ...{ name: 'wait', running: 1, runningOfOne: 1, inAll: 2 },
    refusal: () => new Error('refused'),
  });
  const log: string[] = [];
  const request = (name: string) => {
    const offThread: OffThread = async (wait) => {
      log.push(`${name} leaves`);
      return wait().finally(() => log.push(`${name} is back`));
    };
    return run(['a'], minute, async () => log.push(`${name} runs`), { offThread });
  };
  const outcomes = await Promise.allSettled(['first', 'second', 'third'].map(request));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(log.toSorted()).toEqual([
    ...['first runs', 'second is back', 'second leaves', 'second runs'],
    ...['third is back', 'third leaves'],
  ]);
  expect(log.indexOf('second is back')).toBeLessThan(log.indexOf('second runs'));
});

test('a key that was served less recently goes first', async () => {
  const { ask, flush, end, log } = turns(1, 1, 10);
  for (const name of ['a1', 'a2', 'a3']) void ask(name, ['a']);
  void ask('b1', ['b']);
  await flush();
  for (const name of ['a1', 'b1', 'a2']) await end(name);
  expect(log).toEqual(['a1 runs', 'b1 runs', 'a2 runs', 'a3 runs']);
});

test('a full queue refuses at once whoever waits with the most', async () => {
  const { ask, flush, log } = turns(1, 1, 3);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask(name, ['a']);
  void ask('b1', ['b']);
  void ask('anybody', []);
  await flush();
  expect(log).toEqual(['a1 runs', 'a5 is refused', 'anybody is refused', 'a4 is refused']);
});

test('who waits with two makes place for one who does not wait at all, and not for one who waits with one', async () => {
  const { ask, flush, log } = turns(1, 1, 3);
  for (const name of ['a1', 'a2', 'a3']) void ask(name, ['a']);
  void ask('b1', ['b']);
  void ask('b2', ['b']);
  void ask('c1', ['c']);
  await flush();
  expect(log).toEqual(['a1 runs', 'b2 is refused', 'a3 is refused']);
});

test('many that wait for the same object make place for another who asks for it', async () => {
  const { ask, flush, end, log } = turns(2, 1, 2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, ['a', 'object']);
  void ask('b1', ['b', 'object']);
  await flush();
  expect(log).toEqual(['a1 runs', 'a4 is refused']);
  await end('a1');
  expect(log.at(-1)).toBe('b1 runs');
});

test('many that wait for one object make place for one who asks for another, whoever they are', async () => {
  const { ask, flush, end, log } = turns(2, 1, 3);
  for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, [name, 'slow']);
  for (const name of ['f', 'g']) void ask(name, [name, 'quick']);
  await flush();
  expect(log).toEqual(['a runs', 'f runs', 'e is refused']);
  await end('f');
  expect(log.at(-1)).toBe('g runs');
});

test('who asks for what many of another wait for has a turn before most of them, however slow it is', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { ask, flush, end, log } = turns(4, 2, 20, 3);
    for (let number = 1; number <= 5; number++) void ask(`a${number}`, ['a', 'object']);
    vi.advanceTimersByTime(1_000);
    void ask('b1', ['b', 'object'], 3_000);
    vi.advanceTimersByTime(1_000);
    await flush();
    expect(log).toEqual(['a1 runs', 'a2 runs', 'a5 is refused']);
    await end('a1');
    expect(log.at(-1)).toBe('b1 runs');
  } finally {
    vi.useRealTimers();
  }
});

test('work whose turn does not come in time is refused, and leaves its place', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { ask, flush, log } = turns(1, 1, 1);
    void ask('a1', ['a']);
    void ask('a2', ['a'], 100);
    vi.advanceTimersByTime(100);
    void ask('a3', ['a']);
    await flush();
    expect(log).toEqual(['a1 runs', 'a2 is refused']);
  } finally {
    vi.useRealTimers();
  }
});

test('work that fails gives its turn to the next', async () => {
  const { run } = createTurns({
    name: 'wait',
    running: 1,
    runningOfOne: 1,
    inAll: 2,
    refusal: () => new Error('refused'),
  });
  const failing = run(['a'], minute, () => Promise.reject(new Error('failed')));
  const next = run(['a'], minute, async () => 'ran');
  expect(await Promise.allSettled([failing, next])).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: 'ran' },
  ]);
});

test('who would wait for too long, by the time that work of the same key takes, is refused at once', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { ask, flush, end, log } = turns(4, 2, 20);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, ['a']);
    vi.advanceTimersByTime(1_000);
    await end('a1');
    // A turn has to be expected in three quarters of the time.
    void ask('a5', ['a'], 1_334);
    void ask('a6', ['a'], 1_999);
    void ask('b1', ['b'], 1);
    await flush();
    expect(log).toEqual(['a1 runs', 'a2 runs', 'a3 runs', 'b1 runs', 'a6 is refused']);
  } finally {
    vi.useRealTimers();
  }
});

test('who waits behind work that turns out to be slow is refused as soon as that is known, and nobody whose turn may still come', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { ask, flush, log } = turns(4, 2, 20);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void ask(name, ['a'], 1_000);
    vi.advanceTimersByTime(500);
    await flush();
    expect(log).toEqual(['a1 runs', 'a2 runs']);
    vi.advanceTimersByTime(40);
    await flush();
    expect(log).toEqual(['a1 runs', 'a2 runs', 'a5 is refused', 'a6 is refused']);
  } finally {
    vi.useRealTimers();
  }
});

test('few wait behind work that is held up nobody knows for how long, others have their turns meanwhile, and more wait once it is known', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { ask, flush, end, log } = turns(4, 2, 20, 3);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) void ask(name, ['a']);
    vi.advanceTimersByTime(119);
    await flush();
    expect(log.splice(0)).toEqual(['a1 runs', 'a2 runs']);
    vi.advanceTimersByTime(1);
    await flush();
    void ask('a8', ['a']);
    void ask('b1', ['b']);
    await flush();
    expect(log.splice(0)).toEqual(['a6 is refused', 'a7 is refused', 'b1 runs', 'a8 is refused']);
    await end('a1');
    for (const name of ['a9', 'a10', 'a11']) void ask(name, ['a']);
    vi.advanceTimersByTime(200);
    await flush();
    expect(log.splice(0)).toEqual(['a3 runs']);
    // Longer than twice what the work has taken before.
    vi.advanceTimersByTime(80);
    await flush();
    expect(log).toEqual(['a10 is refused', 'a11 is refused']);
  } finally {
    vi.useRealTimers();
  }
});

test('work that continues a request goes before other work of its key, not before that of others, and waits as long as it may', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { ask, end, log } = turns(1, 1, 20);
    for (const name of ['a1', 'a2']) void ask(name, ['a'], 10_000);
    vi.advanceTimersByTime(1_000);
    void ask('a3', ['a'], 1_000, true);
    void ask('a4', ['a'], 1_000);
    void ask('b1', ['b']);
    for (const name of ['a1', 'b1', 'a3']) await end(name);
    expect(log).toEqual(['a1 runs', 'a4 is refused', 'b1 runs', 'a3 runs', 'a2 runs']);
    void ask('a5', ['a'], 1_000, true);
    vi.advanceTimersByTime(1_000);
    await end('a2');
    expect(log.slice(5)).toEqual(['a5 is refused']);
  } finally {
    vi.useRealTimers();
  }
});

test('slow work counts at once, and quick work after it hardly lets more wait', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { ask, end, log } = turns(4, 2, 20);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, ['a']);
    await end('a1');
    vi.advanceTimersByTime(800);
    for (const name of ['a2', 'a3']) await end(name);
    // Two took 800 ms; a4 and a5 end at once.
    void ask('a5', ['a']);
    await end('a4');
    for (const name of ['a6', 'a7', 'a8']) void ask(name, ['a'], 800);
    await end('a5');
    expect(log.slice(5)).toEqual(['a6 runs', 'a8 is refused', 'a7 runs']);
  } finally {
    vi.useRealTimers();
  }
});

test('a signal refuses work that waits, with its reason, and none that runs', async () => {
  const { run } = createTurns({
    name: 'wait',
    running: 1,
    runningOfOne: 1,
    inAll: 9,
    refusal: () => new Error('refused'),
  });
  const abort = new AbortController();
  const gate = Promise.withResolvers<void>();
  const signal = () => abort.signal;
  const work = async () => 'ran';
  const all = [
    run(['a'], minute, () => gate.promise.then(work), { refused: signal }),
    run(['a'], minute, work, { refused: signal }),
    run(['a'], minute, work),
  ];
  abort.abort(new Error('too much'));
  all.push(run(['a'], minute, work, { refused: signal }));
  gate.resolve();
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 'ran' },
    { reason: { message: 'too much' } },
    { value: 'ran' },
    { reason: { message: 'too much' } },
  ]);
});
