import { describe, expect, test } from 'vitest';
import { Rests } from '../../../shared/rests.ts';

/** Rests on a clock that the test moves, with requests that wait until they may begin. */
function setUp() {
  const time = { now: 10_000, active: 0 };
  const rests = new Rests({ now: () => time.now, active: () => time.active });
  return {
    rests,
    add: (caller: string, count: number) => Array.from({ length: count }, () => rests.add(caller)),
    work(milliseconds: number) {
      time.now += milliseconds;
      time.active += milliseconds;
    },
    idle(milliseconds: number) {
      time.now += milliseconds;
    },
  };
}

type Requests = ReturnType<ReturnType<typeof setUp>['add']>;

/** Lets those begin who may; returns them, and leaves the others. */
function begin(waiting: Requests): Requests {
  const begun: Requests = [];
  while (waiting[0]?.begin()) begun.push(...waiting.splice(0, 1));
  return begun;
}

function end(requests: Requests): void {
  for (const request of requests) request.end();
}

test('who is alone never rests', () => {
  const { add, work } = setUp();
  const waiting = add('many', 100);
  const begun = begin(waiting);
  work(100);
  expect(begun).toHaveLength(100);
});

test('who has few requests never rests, whoever else asks', () => {
  const { add, work } = setUp();
  add('other', 1);
  for (let round = 0; round < 20; round++) {
    const begun = begin(add('few', 8));
    expect(begun).toHaveLength(8);
    work(50);
    end(begun);
  }
});

test('who has many works in batches while others ask, and rests after each for twice as long as it took', () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  const first = begin(waiting);
  expect(first).toHaveLength(5);
  work(20);
  end(first);
  expect(begin(waiting)).toEqual([]);
  idle(39);
  expect(begin(waiting)).toEqual([]);
  idle(1);
  // One took 4 ms.
  const second = begin(waiting);
  expect(second).toHaveLength(1);
  work(1);
  end(second);
  idle(2);
  expect(begin(waiting)).toHaveLength(5);
});

describe('who has had what others than the thread worked for', () => {
  test('rests while others ask, however few requests they have', () => {
    const { add, idle } = setUp();
    add('other', 1);
    const [first] = begin(add('one', 1));
    first?.addRest(30);
    first?.addRest(10);
    const waiting = add('one', 1);
    idle(39);
    expect([begin(waiting).length, begin(add('other', 1)).length]).toEqual([0, 1]);
    idle(1);
    expect(begin(waiting)).toHaveLength(1);
  });

  test('rests from then on, also where they have no request meanwhile', () => {
    const { add, idle } = setUp();
    const [first] = begin(add('one', 1));
    idle(100);
    add('other', 1);
    first?.addRest(10);
    first?.end();
    idle(9);
    const waiting = add('one', 1);
    expect(begin(waiting)).toEqual([]);
    idle(1);
    expect(begin(waiting)).toHaveLength(1);
  });

  test('does not rest for what they had while nobody else asked', () => {
    const { add } = setUp();
    const [first] = begin(add('one', 1));
    first?.addRest(1_000);
    add('other', 1);
    expect(begin(add('one', 1))).toHaveLength(1);
  });

  test('rests for half a second at most', () => {
    const { add, idle } = setUp();
    add('other', 1);
    const [first] = begin(add('one', 1));
    for (let number = 0; number < 100; number++) first?.addRest(10);
    const waiting = add('one', 1);
    idle(499);
    expect(begin(waiting)).toEqual([]);
    idle(1);
    expect(begin(waiting)).toHaveLength(1);
  });
});

test('nobody rests once the others have not asked for a second', () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  begin(waiting);
  work(400);
  expect(begin(waiting)).toEqual([]);
  idle(599);
  work(1);
  expect(begin(waiting)).toHaveLength(95);
});

test('a batch that waits for something else does not keep the next one back while the thread is free, nor for long in any case', () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  begin(waiting);
  work(10);
  idle(19);
  expect(begin(waiting)).toEqual([]);
  idle(1);
  expect(begin(waiting)).toHaveLength(5);
  work(500);
  expect(begin(waiting)).toEqual([]);
  work(1);
  expect(begin(waiting)).toHaveLength(5);
});

test('requests that wait for others than the thread count no more, and keep no batch open', async () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 40);
  const first = begin(waiting);
  work(5);
  const { promise, resolve } = Promise.withResolvers<void>();
  const outcomes = first.map((request) => request.offThread(() => promise));
  expect(begin(waiting)).toEqual([]);
  idle(10);
  const second = begin(waiting);
  expect(second).toHaveLength(5);
  // Of 30 that have not begun most wait for something else: with those that run eight are left.
  outcomes.push(...waiting.slice(3).map((request) => request.offThread(() => promise)));
  expect(waiting.splice(0, 3).map((request) => request.begin())).toEqual([true, true, true]);
  resolve();
  await Promise.all(outcomes);
  work(1);
  expect(begin(waiting)).toHaveLength(5);
  expect(begin(waiting)).toEqual([]);
});

test('how long those who wait will wait is told from the pace of the batches', () => {
  const { rests, add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 20);
  expect(rests.waitOf('many', 20)).toBe(0);
  const first = begin(waiting);
  work(50);
  end(first);
  idle(100);
  begin(waiting);
  expect(rests.waitOf('many', 10)).toBe(300);
  expect(rests.waitOf('other', 10)).toBe(0);
});

test('a batch has eight requests at most, however little each costs', () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  const first = begin(waiting);
  work(0.5);
  end(first);
  idle(1);
  expect(begin(waiting)).toHaveLength(8);
});

test('who has many heavy requests rests until the thread has been free for three times as long as they took', () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  const first = begin(waiting);
  work(101);
  end(first);
  idle(302);
  expect(begin(waiting)).toEqual([]);
  idle(1);
  const second = begin(waiting);
  expect(second).toHaveLength(1);
  work(21);
  idle(62);
  expect(begin(waiting)).toEqual([]);
  idle(1);
  expect(begin(waiting)).toHaveLength(1);
});

test('who has many rests for longer while the thread has other work, for six times as long as the batch took at most', () => {
  const { add, work, idle } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  const first = begin(waiting);
  work(20);
  end(first);
  work(5);
  idle(49);
  expect(begin(waiting)).toEqual([]);
  // Since the batch began 25 of 75.
  idle(1);
  const second = begin(waiting);
  expect(second).toHaveLength(1);
  work(20);
  end(second);
  work(119);
  expect(begin(waiting)).toEqual([]);
  work(1);
  expect(begin(waiting)).toHaveLength(1);
});

test('who has many heavy requests rests for six times as long at most, and until half a second after the batch began', () => {
  const { add, work } = setUp();
  add('other', 1);
  const waiting = add('many', 100);
  const first = begin(waiting);
  work(101);
  end(first);
  work(399);
  expect(begin(waiting)).toEqual([]);
  work(1);
  const second = begin(waiting);
  work(21);
  end(second);
  work(125);
  expect(begin(waiting)).toEqual([]);
  work(1);
  expect(begin(waiting)).toHaveLength(1);
});
