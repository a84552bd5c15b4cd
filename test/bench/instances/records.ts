/**
 * Many instances of the records API on one database: how long callers wait for a connection, and where the workers of the database are
 * used up. The queue for the connections is the product's; the database is a stand-in that takes 5 ms for each statement, on a clock of
 * its own, so that the machine does not count.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import concurrency from '../../../infra/concurrency.json' with { type: 'json' };
import { createConnectionQueue } from '../../../shared/sql/database.ts';
import { type BenchmarkRow, percentile, reportRow } from '../benchmark.ts';

/** Milliseconds that a statement takes. */
const statementMs = 5;
/** Statements that a request makes on one database, at most: a change of custom data that compares what it replaces. */
const statements = 3;
/** Milliseconds that a caller may wait beyond the statements themselves. */
const mostWaitMs = 250;
/** Milliseconds of the clock for which requests are kept in flight. */
const measuredMs = 2_000;
const step = 5;

/** A clock that moves on once all is done that can be done without it. */
class Clock {
  now = 0;
  readonly #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.push({ until: this.now + milliseconds, wake: resolve });
    return promise;
  }

  /** Moves on until nobody sleeps. */
  async run(): Promise<void> {
    for (;;) {
      await nextTurn();
      // All sleep for the same time, so they wake in the order in which they went to sleep.
      const [next] = this.#sleepers;
      if (next === undefined) return;
      this.now = next.until;
      const awake = this.#sleepers.findIndex(({ until }) => until > this.now);
      for (const { wake } of this.#sleepers.splice(0, awake === -1 ? this.#sleepers.length : awake)) wake();
    }
  }
}

/** A database with so many workers. Beyond them it refuses statements, as Azure SQL does (error 10928). */
class Database {
  readonly clock = new Clock();
  readonly #workers: number;
  #busy = 0;
  refused = 0;

  constructor(workers: number) {
    this.#workers = workers;
  }

  /** Takes a statement, and resolves with whether it was carried out. */
  async run(): Promise<boolean> {
    const isRefused = this.#busy >= this.#workers;
    if (isRefused) this.refused += 1;
    else this.#busy += 1;
    await this.clock.sleep(statementMs);
    if (!isRefused) this.#busy -= 1;
    return !isRefused;
  }
}

interface Load {
  /** Requests in flight in one instance. */
  readonly inFlight: number;
  /** Connections of one instance. */
  readonly pool: number;
  readonly instances: number;
  /** Whether all requests are of one caller. Default: each is of another. */
  readonly isOneCaller?: boolean;
}

/** Measures the waits of one instance by its pool, and the refusals of a database by the number of instances. */
export async function recordsRows(): Promise<readonly BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const pool of [6, 10])
    for (const isOneCaller of [false, true]) rows.push(await waitingRow(pool, isOneCaller));
  for (const size of ['S0', 'S2', 'GP_Gen5_2'] as const) rows.push(await workersRow(size, 6));
  return rows;
}

/** Finds the most requests in flight with which 99 of 100 callers wait no longer than they may. */
async function waitingRow(pool: number, isOneCaller: boolean): Promise<BenchmarkRow> {
  let most = 0;
  let seen: string[] = [];
  for (let inFlight = step; ; inFlight += step) {
    const { waits } = await run(
      { inFlight, pool, instances: 1, isOneCaller },
      new Database(Number.POSITIVE_INFINITY),
    );
    const wait = percentile(waits, 0.99);
    seen = [...seen.slice(-1), `${inFlight}: ${wait.toFixed(0)} ms`];
    if (wait > mostWaitMs) break;
    most = inFlight;
  }
  const scaleOutAt = concurrency.scaleOutPerConnection * pool;
  const against = {
    name: 'requests in flight at which another instance starts (perInstanceConcurrency)',
    value: scaleOutAt,
  };
  return reportRow({
    name: `requests in flight of ${isOneCaller ? 'one caller' : 'many callers'} on a pool of ${pool} until one waits longer than ${mostWaitMs} ms`,
    value: most,
    unit: 'requests',
    against,
    ratio: most / scaleOutAt,
    target: 'at least 1',
    details: `${statements} statements of ${statementMs} ms in each; p99 of the wait with ${seen.join(', ')}`,
  });
}

/** Adds instances until the workers of a database are used up. */
async function workersRow(
  size: keyof typeof concurrency.databaseWorkers,
  pool: number,
): Promise<BenchmarkRow> {
  const workers = concurrency.databaseWorkers[size];
  const inFlight = concurrency.scaleOutPerConnection * pool;
  const seen: string[] = [];
  for (let instances = 1; ; instances += 1) {
    const database = new Database(workers);
    const { perSecond } = await run({ inFlight, pool, instances }, database);
    seen.push(
      `${instances}: ${perSecond.toFixed(0)} requests/s, ${database.refused} statements refused in ${measuredMs / 1_000} s`,
    );
    if (database.refused === 0) continue;
    return reportRow({
      name: `busy instances with a pool of ${pool} at which the ${workers} workers of ${size} are used up`,
      value: instances,
      unit: 'instances',
      details: seen.slice(-2).join('; '),
    });
  }
}

/** Keeps requests in flight for a while, and returns how long each that was served waited, in milliseconds. */
async function run(load: Load, database: Database) {
  const { inFlight, pool, instances, isOneCaller = false } = load;
  const { clock } = database;
  const waits: number[] = [];
  const callers = Array.from({ length: instances }, () => createConnectionQueue(pool)).flatMap((queue) =>
    Array.from({ length: inFlight }, async (_, index) => {
      const keys = [isOneCaller ? 'caller' : `caller ${index}`, `object ${index}`];
      while (clock.now < measuredMs) {
        const startedAt = clock.now;
        let isServed = true;
        for (let statement = 0; statement < statements; statement += 1)
          isServed = (await queue.run(keys, () => database.run())) && isServed;
        if (isServed) waits.push(clock.now - startedAt - statements * statementMs);
      }
    }),
  );
  await Promise.all([clock.run(), ...callers]);
  return { waits, perSecond: waits.length / (measuredMs / 1_000) };
}
