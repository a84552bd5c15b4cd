/** A fault behind the outcome of a change, which is no error of the change: over a request of the driver that answers as a test tells. */

import { EventEmitter } from 'node:events';
import type { Request } from 'mssql';
import { describe, expect, test, vi } from 'vitest';
import { runStatement } from '../../../../shared/sql/statement.ts';
import { timerIsSet, useFakeTimeouts } from '../../../support/timers.ts';

type Answer = (request: AnsweringRequest) => Promise<void>;

class AnsweringRequest extends EventEmitter {
  readonly #answer: Answer;
  readonly cancelled = Promise.withResolvers<void>();
  constructor(answer: Answer) {
    super();
    this.#answer = answer;
  }
  input() {}
  cancel() {
    this.cancelled.resolve();
  }
  query() {
    return this.#answer(this);
  }
  result(names: readonly string[], ...rows: readonly unknown[]) {
    this.emit(
      'recordset',
      names.map((name) => ({ name })),
    );
    for (const row of rows) this.emit('row', row);
  }
}

const outcome = ['$outcome', '$version'];
const decision = ['stored', 3];

/** Runs a statement with an outcome. Returns its results as rows, and the faults behind the outcome. */
async function runs(answer: Answer, timeoutMs?: number) {
  const faults: unknown[] = [];
  const request = new AnsweringRequest(answer) as unknown as Request;
  const results = await runStatement(
    request,
    'UPDATE',
    {},
    {
      maxBytes: 1_000,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      outcome: { columns: outcome, onFaultBehind: (error) => faults.push(error) },
    },
  );
  return { rows: results.map(({ rows }) => rows), faults };
}

const fault = Object.assign(new Error('fault'), { name: 'RequestError' });
const large = ['x'.repeat(2_000)];

describe('a fault behind the outcome', () => {
  const faults: readonly (readonly [string, Answer])[] = [
    [
      'the server raises an error',
      async (request) => {
        request.result(['a'], [1]);
        request.emit('error', fault);
      },
    ],
    [
      'the connection is lost between two rows',
      async (request) => {
        request.result(['a'], [1]);
        throw fault;
      },
    ],
    [
      'the driver cannot read a value',
      async () => {
        throw new TypeError('Unsupported dataLength');
      },
    ],
    ['the results are too large', async (request) => request.result(['a'], large, large, [1])],
  ];

  test.each(faults)('is told, and the outcome is the answer: %s', async (_, behind) => {
    const { rows, faults: told } = await runs(async (request) => {
      request.result(outcome, decision);
      await behind(request);
    });
    expect([rows, told.length]).toEqual([[[decision]], 1]);
  });

  test.each(faults)('before its row is an error of the change: %s', async (_, before) => {
    await expect(
      runs(async (request) => {
        request.result(outcome);
        await before(request);
      }),
    ).rejects.toThrow();
  });

  test('is that the rest takes too long, too', async () => {
    useFakeTimeouts();
    const result = runs(async (request) => {
      request.result(outcome, decision);
      await request.cancelled.promise;
      request.emit('error', Object.assign(fault, { code: 'ECANCEL' }));
    }, 500);
    await timerIsSet();
    vi.advanceTimersByTime(500);
    expect(await result).toEqual({
      rows: [[decision]],
      faults: [expect.objectContaining({ code: 'ETIMEOUT' })],
    });
  });
});

test('what procedures give before the outcome is left out, however large it is', async () => {
  const { rows, faults } = await runs(async (request) => {
    request.result(['a'], [1], large, large);
    request.result(['b'], large);
    request.result(outcome, decision);
    request.result(['c'], [2]);
  });
  expect([rows, faults]).toEqual([[[decision], [[2]]], []]);
});

test('a statement that has begun to answer is cancelled in time', async () => {
  useFakeTimeouts();
  const result = runs(async (request) => {
    request.result(['a'], [1]);
    await request.cancelled.promise;
    request.emit('error', Object.assign(fault, { code: 'ECANCEL' }));
  }, 500).catch((error: unknown) => error);
  await timerIsSet();
  vi.advanceTimersByTime(500);
  expect(await result).toMatchObject({ code: 'ETIMEOUT' });
  expect(vi.getTimerCount()).toBe(0);
});
