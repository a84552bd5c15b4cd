/** When a statement is sent again, and how much time it has: over a pool that fails on every connection. */

import { EventEmitter } from 'node:events';
import type { Request } from 'mssql';
import { describe, expect, test, vi } from 'vitest';
import { CodedError } from '../../../../shared/errors.ts';
import { CircuitBreaker } from '../../../../shared/sql/circuit-breaker.ts';
import {
  createConnectionQueue,
  createStallDetector,
  RequestDatabase,
  type Server,
} from '../../../../shared/sql/database.ts';
import type { Pool } from '../../../../shared/sql/pool.ts';
import { int, nvarchar, type Parameters } from '../../../../shared/sql/values.ts';
import { createTrace, inTrace } from '../../../../shared/telemetry/trace.ts';
import { useFakeClock, useFakeTimeouts, useInstantWaits } from '../../../support/timers.ts';

/** A server with ten connections. */
function serverOf(pool: Pool): Server {
  return {
    pool,
    breaker: new CircuitBreaker(),
    trusted: false,
    database: 'main',
    connections: createConnectionQueue(10),
    stall: createStallDetector(),
    isAnswering: async () => true,
    renew: () => undefined,
    maxResultBytes: 1_000,
  };
}

const now = Date.parse('2026-11-21T10:00:00Z');

/** Returns what one query does whose connections fail with these errors; the clock stands still, and nothing is added to pauses. */
async function queryFailingWith(error: Error, budget: number, stretch = 0) {
  useFakeClock(now);
  useInstantWaits(stretch);
  const timeouts: number[] = [];
  const pool: Pool = {
    async request(timeout) {
      timeouts.push(timeout);
      throw error;
    },
    renew: () => undefined,
    wasReached: true,
    loginNumber: () => undefined,
    counts: () => ({ used: 0, idle: 0, pending: 0 }),
    close: async () => {},
  };
  const breaker = new CircuitBreaker();
  const code = await new RequestDatabase({ ...serverOf(pool), breaker }, now + budget)
    .query('SELECT 1')
    .catch(({ code: found }: { code: string }) => found);
  return { code, timeouts, failing: breaker.failing };
}

const closedWay = new Error('Failed to acquire a connection from the pool');
const deadlock = Object.assign(new Error('deadlock'), { name: 'RequestError', number: 1205 });
const login = Object.assign(new Error('login'), { name: 'ConnectionError', code: 'ELOGIN' });
const failed = Object.assign(new Error('failed'), { name: 'RequestError', number: 8134 });

describe('query()', () => {
  test('keeps one and a half seconds of its time for the reply', async () => {
    expect((await queryFailingWith(failed, 10_000)).timeouts).toEqual([8_500]);
  });

  test('gives a statement a tenth of a second at least', async () => {
    expect((await queryFailingWith(failed, 1_550)).timeouts).toEqual([100]);
  });

  test.each([
    ['deadlocks', deadlock, 10_000, 3],
    ['a deadlock, with time for pauses of 20 and 100 ms', deadlock, 1_600, 3],
    ['a deadlock, without time for a second pause of 100 ms', deadlock, 1_599, 2],
    ['a deadlock, with time for a pause of 20 ms', deadlock, 1_520, 2],
    ['a deadlock, without time for a pause of 20 ms', deadlock, 1_519, 1],
    ['a pool that cannot connect', closedWay, 10_000, 3],
    ['a pool that cannot connect, with time for pauses of 250 ms and 1 s', closedWay, 2_500, 3],
    ['a pool that cannot connect, without time for a second pause of 1 s', closedWay, 2_499, 2],
    ['a pool that cannot connect, with time for a pause of 250 ms', closedWay, 1_750, 2],
    ['a pool that cannot connect, without time for a pause of 250 ms', closedWay, 1_749, 1],
    ['an error of the statement', failed, 10_000, 1],
  ])('sends a statement as often as it makes sense after %s', async (_, error, budget, times) => {
    expect((await queryFailingWith(error, budget)).timeouts).toHaveLength(times);
  });

  test('stretches a pause by up to half', async () => {
    expect((await queryFailingWith(deadlock, 1_529, 1)).timeouts).toHaveLength(1);
    expect((await queryFailingWith(deadlock, 1_530, 1)).timeouts).toHaveLength(2);
  });

  test.each([
    ['database-unavailable', login, true],
    ['database-unavailable', closedWay, true],
    ['database-busy', deadlock, false],
    ['reply-too-large', new CodedError('reply-too-large', 'Too large.', { facts: { limit: 1 } }), false],
    ['database-busy', new CodedError('database-busy', 'Too many are queued.'), false],
    ['database-unavailable', new CodedError('database-unavailable', 'Too late.'), true],
  ])(
    'counts %s for the circuit breaker where the server could not be reached: %#',
    async (code, error, failing) => {
      expect(await queryFailingWith(error, 1_500)).toMatchObject({ code, failing });
    },
  );
});

/** A pool that fails on every connection. */
function poolFailingWith(error: Error): Pool {
  return {
    request: () => Promise.reject(error),
    renew: () => undefined,
    wasReached: true,
    loginNumber: () => undefined,
    counts: () => ({ used: 0, idle: 0, pending: 0 }),
    close: async () => {},
  };
}

/** A request of the driver that answers with rows of one column. */
class AnsweringRequest extends EventEmitter {
  readonly rows: readonly unknown[][];
  constructor(rows: readonly unknown[][]) {
    super();
    this.rows = rows;
  }
  input() {}
  cancel() {}
  async query() {
    this.emit('recordset', [{ name: 'value' }]);
    for (const row of this.rows) this.emit('row', row);
  }
}

test.each([
  ['20 numbers', Array(20).fill([1]), 20],
  ['21 numbers', Array(21).fill([1]), 'reply-too-large'],
  ['41 rows without a value', Array(41).fill([]), 41],
  ['42 rows without a value', Array(42).fill([]), 'reply-too-large'],
  ['a text of 952 characters', [['x'.repeat(952)]], 1],
  ['a text of 953 characters', [['x'.repeat(953)]], 'reply-too-large'],
  ['953 bytes', [[new Uint8Array(953)]], 'reply-too-large'],
])('counts 24 bytes for each row and each value, and what is in it: %s', async (_, rows, expected) => {
  const request = async () => new AnsweringRequest(rows) as unknown as Request;
  const server = serverOf({ ...poolFailingWith(failed), request });
  const found = await new RequestDatabase(server, Date.now() + 60_000).query('SELECT 1').then(
    ([result]) => result?.rows.length,
    ({ code }: CodedError) => code,
  );
  expect(found).toBe(expected);
});

test('a change whose second attempt is lost is not sent again, since its outcome is unknown', async () => {
  useFakeClock(now);
  useInstantWaits(0);
  const lost = Object.assign(new Error('lost'), { name: 'RequestError', code: 'ESOCKET' });
  const errors = [deadlock, lost];
  const request = () => Promise.reject(errors.shift() ?? failed);
  const database = new RequestDatabase(serverOf({ ...poolFailingWith(failed), request }), now + 10_000);
  const change = database.query('UPDATE', {}, { repeatable: false });
  await expect(change).rejects.toMatchObject({ code: 'outcome-unknown' });
});

test.each([
  ['is refused', failed],
  ['is a deadlock', deadlock],
])(
  'a repeatable change that was lost, and then %s, is of unknown outcome, and a read is not',
  async (_, then) => {
    useFakeClock(now);
    useInstantWaits(0);
    const lost = Object.assign(new Error('lost'), { name: 'RequestError', code: 'ESOCKET' });
    const outcomeOf = (options: object) => {
      const errors = [lost];
      const request = () => Promise.reject(errors.shift() ?? then);
      const database = new RequestDatabase(serverOf({ ...poolFailingWith(then), request }), now + 10_000);
      return database.query('UPDATE', {}, options).catch(({ code }: CodedError) => code);
    };
    expect(await outcomeOf({ repeatable: true })).toBe('outcome-unknown');
    expect(await outcomeOf({})).not.toBe('outcome-unknown');
  },
);

test('tells telemetry what was sent to which database, and how often again', async () => {
  useInstantWaits();
  const server = serverOf(poolFailingWith(deadlock));
  const trace = createTrace();
  const database = new RequestDatabase(server, Date.now() + 10_000);
  await inTrace(trace, () => database.query('SELECT 1', {}, { name: 'find user' })).catch(() => undefined);
  await inTrace(trace, () => database.query('SELECT 1')).catch(() => undefined);
  const facts = { 'db.system.name': 'microsoft.sql_server', 'db.namespace': 'main', 'app.db.retries': 2 };
  expect(
    trace.measurements.map(({ kind, name, attributes, error }) => [kind, name, attributes, error]),
  ).toEqual(
    ['find user', 'statement'].map((name) => [
      'sql',
      name,
      { ...facts, 'db.query.summary': name },
      'database-busy',
    ]),
  );
});

test.each<[string, string | number | undefined, Parameters, budget: number, keys: string[], wait: number]>([
  ['the service', undefined, {}, 10_000, ['caller service'], 5_000],
  ['a caller', 'ann', { propID: int(5) }, 10_000, ['caller ann', 'object 5'], 5_000],
  ['a user', undefined, { usrPropID: int(7) }, 10_000, ['caller 7'], 5_000],
  ['a caller who is a user', 3, { usrPropID: int(7), propID: int(null) }, 10_000, ['caller 3'], 5_000],
  ['a caller with little time', 'ann', { name: nvarchar('x') }, 3_500, ['caller ann'], 2_000],
])('a statement of %s waits for a connection', async (_, caller, parameters, budget, keys, wait) => {
  useFakeClock(now);
  const server = serverOf(poolFailingWith(failed));
  const run = vi.spyOn(server.connections, 'run');
  await new RequestDatabase(server, now + budget, caller)
    .query('SELECT 1', parameters)
    .catch(() => undefined);
  expect(run.mock.calls).toEqual([[keys, expect.any(Function), { timeoutMs: wait, deadline: now + budget }]]);
});

describe('createConnectionQueue()', () => {
  /** Returns how many of a hundred statements run at once, by their keys. */
  async function runningAtOnce(keysOf: (index: number) => string[], connections = 10): Promise<number> {
    const queue = createConnectionQueue(connections);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const all = Array.from({ length: 100 }, (_, index) =>
      queue.run(keysOf(index), () => {
        running += 1;
        return gate.promise;
      }),
    );
    const found = running;
    gate.resolve();
    await Promise.all(all);
    return found;
  }

  test('gives eight of ten connections to one caller, and six to one object', async () => {
    expect([
      await runningAtOnce((index) => [`caller ${index}`, `object ${index}`]),
      await runningAtOnce((index) => ['caller 1', `object ${index}`]),
      await runningAtOnce((index) => [`caller ${index}`, 'object 1']),
      await runningAtOnce(() => ['caller 1', 'object 1']),
    ]).toEqual([10, 8, 6, 6]);
  });

  test('gives at least one', async () => {
    expect(await runningAtOnce(() => ['caller 1', 'object 1'], 1)).toBe(1);
  });

  test('rejects a statement after five seconds, or when 500 are queued', async () => {
    useFakeTimeouts();
    const queue = createConnectionQueue(1);
    const gate = Promise.withResolvers<void>();
    const code = ({ code, message, retryAfter }: CodedError) => [code, message, retryAfter];
    const all = Array.from({ length: 502 }, () => queue.run(['caller 1'], () => gate.promise).catch(code));
    expect(await all.at(-1)).toEqual([
      'database-busy',
      'Cannot use the database: too many statements are queued.',
      1,
    ]);
    vi.advanceTimersByTime(5_000);
    expect(await all[1]).toEqual([
      'database-busy',
      'Cannot use the database: the statement was queued for too long.',
      1,
    ]);
    gate.resolve();
    await Promise.all(all);
  });
});
