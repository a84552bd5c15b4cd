/** The databases over real TDS: `mssql` talks to the local SQL server's wire, whose engine says what the test wants. */

import { type AddressInfo, createServer } from 'node:net';
import {
  type Answer,
  type Event,
  LoginFailure,
  type Message,
  PASSWORD,
  ScriptedEngine,
  startWire,
} from '@records-and-calendar/local-sql-server/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSession } from '../../../../scripts/sql/session.ts';
import { readConfig } from '../../../../shared/config.ts';
import { FairQueue } from '../../../../shared/limits/fair-queue.ts';
import type { DatabaseServer } from '../../../../shared/sql/databases.ts';
import { int, nvarchar, rowsOf } from '../../../../shared/sql/values.ts';
import { databasesOf, settingsForPort } from '../../../support/database-settings.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

const login = { user: 'sa', password: PASSWORD };
/** A deadline that no busy machine misses. */
const inOneMinute = () => Date.now() + 60_000;

const eightMebibytes = String(8 * 1024 * 1024);

function settings(port: number, changes: Readonly<Record<string, string>> = {}) {
  return {
    ...settingsForPort(port, login),
    DB_NAME: 'main',
    DB_CUSTOMIZATION_NAME: 'other',
    BODY_BYTES_IN_FLIGHT: eightMebibytes,
    ...changes,
  };
}

async function wireWith(
  answers: Readonly<Record<string, Answer>> = {},
  engine = new ScriptedEngine(answers),
) {
  const server = await startWire(engine);
  onTestFinished(() => server.stop());
  return { engine, port: server.port };
}

/** Starts a server that answers PRELOGIN with its version and ENCRYPT_NOT_SUP (MS-TDS 2.2.6.5). Returns its port. */
async function serverWithoutEncryption(): Promise<number> {
  const reply = Buffer.from(
    '0401001a00000100' + '00000b0006' + '0100110001' + 'ff' + '100000000000' + '02',
    'hex',
  );
  const server = createServer((socket) => socket.once('data', () => socket.write(reply)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const message = (number: number): Message => ({
  number,
  state: 1,
  class: 16,
  message: `error ${number}`,
  line: 1,
});

/** Answers with errors first, and then with one row. */
function failing(...numbers: number[]): Answer {
  return function* () {
    const number = numbers.shift();
    if (number === undefined) yield* selectOne();
    else yield { kind: 'message', message: message(number) };
  };
}

function* selectOne(): Iterable<Event> {
  yield { kind: 'columns', columns: [{ name: 'number', type: { name: 'int' }, nullable: false }] };
  yield { kind: 'row', values: [1] };
  yield { kind: 'statementDone', count: 1, insideProcedure: true };
}

/** Answers when the session is cancelled, or never. */
const hanging: Answer = async function* (session) {
  await new Promise<void>((resolve) => {
    session.onCancel = resolve;
  });
  yield* [];
};

/** Answers with rows of a mebibyte until the session is cancelled. */
const endless = (type: 'varchar' | 'varbinary'): Answer =>
  async function* (session) {
    const text = 'x'.repeat(1024 * 1024);
    let isCancelled = false;
    session.onCancel = () => {
      isCancelled = true;
    };
    yield {
      kind: 'columns',
      columns: [{ name: 'text', type: { name: type, length: 'max' }, nullable: false }],
    };
    while (!isCancelled) {
      yield { kind: 'row', values: [type === 'varchar' ? text : Buffer.from(text)] };
      await new Promise(setImmediate);
    }
  };

/** Refuses the first logins with an error. */
class RefusingEngine extends ScriptedEngine {
  refusals: number[];
  constructor(refusals: number[]) {
    super({ selectOne });
    this.refusals = refusals;
  }
  override openSession(given: { user: string; database: string }) {
    const number = this.refusals.shift();
    if (number !== undefined) throw new LoginFailure(message(number));
    return super.openSession(given);
  }
}

describe('query()', () => {
  test('gives typed columns and plain values, and sends typed parameters', async () => {
    const { port } = await wireWith();
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    const [result] = await main.query('echo', {
      i: int(5),
      n: nvarchar('å', 10),
      m: nvarchar(null),
      b: { type: 'bit', value: true },
    });
    expect(result?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['i', 'int'],
      ['n', 'nvarchar'],
      ['m', 'nvarchar'],
      ['b', 'bit'],
    ]);
    expect(rowsOf(result)).toEqual([{ i: 5, n: 'å', m: null, b: true }]);
  });

  test.each(['varchar', 'varbinary'] as const)(
    'cancels a statement whose results of %s are larger than the byte budget, and says how much fits',
    async (type) => {
      const { port, engine } = await wireWith({ endless: endless(type) });
      const { main } = databasesOf(settings(port)).within(inOneMinute());
      await expect(main.query('endless')).rejects.toMatchObject({
        code: 'reply-too-large',
        facts: { limit: expect.any(Number) },
      });
      expect(engine.sessions.at(-1)?.cancelled).toBe(true);
    },
  );

  test.each([
    ['a deadlock', [1205]],
    ['two deadlocks', [1205, 1205]],
    ['a reconfiguration', [40197]],
  ])('repeats a read after %s', async (_, numbers) => {
    const { port } = await wireWith({ selectOne: failing(...numbers) });
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    expect(rowsOf((await main.query('selectOne'))[0])).toEqual([{ number: 1 }]);
  });

  test('repeats a change after a deadlock, because it was rolled back', async () => {
    const { port } = await wireWith({ selectOne: failing(1205) });
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    expect(rowsOf((await main.query('selectOne', {}, { repeatable: false }))[0])).toEqual([{ number: 1 }]);
  });

  test('hands on the last of several errors, which comes from the outermost procedure', async () => {
    const refusing: Answer = function* () {
      for (const number of [2627, 50_001, 50_002]) yield { kind: 'message', message: message(number) };
    };
    const { port } = await wireWith({ refusing });
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    await expect(main.query('refusing')).rejects.toMatchObject({ number: 50_002 });
  });

  test('does not know what came of a change that takes too long', async () => {
    const { port } = await wireWith({ hanging, selectOne });
    const databases = databasesOf(settings(port));
    // Its time passes in the statement, not in the connection that a busy machine makes.
    await databases.within(inOneMinute()).main.query('selectOne');
    const { main } = databases.within(Date.now() + 2_000);
    await expect(main.query('hanging', {}, { repeatable: false })).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
  });

  test('ends a statement that takes too long, inside the budget', async () => {
    const { port, engine } = await wireWith({ hanging, selectOne });
    const databases = databasesOf(settings(port));
    await databases.within(inOneMinute()).main.query('selectOne');
    const { main } = databases.within(Date.now() + 3_000);
    await expect(main.query('hanging')).rejects.toMatchObject({
      kind: 'overloaded',
      code: 'database-busy',
      retryAfter: 2,
    });
    expect(engine.sessions.at(-1)?.cancelled).toBe(true);
  });

  test('answers quickly when every connection is in use', async () => {
    const { port, engine } = await wireWith({ hanging, selectOne });
    const databases = databasesOf(settings(port, { DB_POOL_MAX: '1' }));
    await databases.within(inOneMinute()).main.query('selectOne');
    const occupying = databases
      .within(inOneMinute())
      .main.query('hanging')
      .catch(() => []);
    await expect(databases.within(Date.now() + 3_000).main.query('selectOne')).rejects.toMatchObject({
      kind: 'overloaded',
      code: 'database-busy',
    });
    for (const session of engine.sessions) session.onCancel?.();
    await occupying;
  });
});

describe('a connection', () => {
  test.each([
    ['an unknown server', { DB_SERVER: 'no-such-server.invalid' }, 'DB_SERVER'],
    ['something that is no address', { DB_SERVER: 'http://server' }, 'DB_SERVER'],
    ['no server', { DB_SERVER: '' }, 'DB_SERVER'],
    ['a refused login', { DB_PASSWORD: 'wrong' }, 'DB_USER'],
    ['no password', { DB_PASSWORD: '' }, 'DB_PASSWORD'],
    ['a certificate that nobody has signed', { DB_ENCRYPT: 'true' }, 'DB_TRUST_SERVER_CERTIFICATE'],
  ])('with %s fails with the setting, never its value', async (_, changes, setting) => {
    const { port } = await wireWith();
    const { main } = databasesOf(settings(port, changes)).within(inOneMinute());
    const error = await main.query('SELECT 1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'misconfigured', code: 'database-connection', facts: { setting } });
    for (const value of Object.values(changes).filter(Boolean)) expect(String(error)).not.toContain(value);
  });

  test('with encryption that the server does not have fails with the setting', async () => {
    const { main } = databasesOf(settings(await serverWithoutEncryption(), { DB_ENCRYPT: 'true' })).within(
      inOneMinute(),
    );
    await expect(main.query('SELECT 1')).rejects.toMatchObject({
      code: 'database-connection',
      facts: { setting: 'DB_ENCRYPT' },
    });
  });

  test('to a paused database succeeds when it has resumed', async () => {
    const { port } = await wireWith({}, new RefusingEngine([40613, 40613]));
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    expect(rowsOf((await main.query('selectOne'))[0])).toEqual([{ number: 1 }]);
  });

  test('to a database that stays paused is unavailable, with a time to come back', async () => {
    const { port } = await wireWith({}, new RefusingEngine(Array(10).fill(40613)));
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    await expect(main.query('selectOne')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'database-unavailable',
      retryAfter: 5,
    });
  });

  test('to a server that is gone fails inside the budget, and works again when it is back', async () => {
    const { port } = await wireWith({ selectOne });
    await using proxy = await startTcpProxy(port);
    const databases = databasesOf(settings(proxy.port));
    await databases.within(inOneMinute()).main.query('selectOne');
    proxy.gone = true;
    proxy.cutAll();
    const failures = await Promise.all(
      Array.from({ length: 8 }, () =>
        databases
          .within(inOneMinute())
          .main.query('selectOne')
          .catch((error: { code: string }) => error.code),
      ),
    );
    expect(new Set(failures)).toEqual(new Set(['database-unavailable']));
    proxy.gone = false;
    await expect
      .poll(() =>
        databases
          .within(inOneMinute())
          .main.query('selectOne')
          .then(
            (results) => results.length,
            () => 0,
          ),
      )
      .toBe(1);
  });

  test('that fails names DB_SERVER until either database was reached: both are on one server', async () => {
    const { port } = await wireWith({ selectOne });
    await using proxy = await startTcpProxy(port);
    proxy.gone = true;
    const messageOf = (databases: DatabaseServer) =>
      databases
        .within(Date.now() + 2_000)
        .customization.query('selectOne')
        .then(String, ({ message }: Error) => message);
    const databases = databasesOf(settings(proxy.port));
    expect(await messageOf(databases)).toContain('DB_SERVER');
    proxy.gone = false;
    await databases.within(inOneMinute()).main.query('selectOne');
    proxy.gone = true;
    proxy.cutAll();
    expect(await messageOf(databases)).toMatch(/^Cannot use the database: it [^;]*$/);
  });

  test('that is lost during a read is replaced', async () => {
    const { port } = await wireWith({ selectOne });
    await using proxy = await startTcpProxy(port);
    const { main } = databasesOf(settings(proxy.port)).within(inOneMinute());
    await main.query('selectOne');
    let cuts = 1;
    proxy.onReply = () => (cuts-- > 0 ? 'cut' : 'pass');
    expect(rowsOf((await main.query('selectOne'))[0])).toEqual([{ number: 1 }]);
  });

  test('that is lost during a change leaves its outcome unknown', async () => {
    const { port } = await wireWith({ selectOne });
    await using proxy = await startTcpProxy(port);
    const { main } = databasesOf(settings(proxy.port)).within(inOneMinute());
    await main.query('selectOne');
    proxy.onReply = () => 'cut';
    await expect(main.query('selectOne', {}, { repeatable: false })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'outcome-unknown',
    });
  });
});

describe('openDatabases()', () => {
  test('closes the connections of both databases', async () => {
    const { port, engine } = await wireWith({ selectOne });
    const databases = databasesOf(settings(port));
    const { main, customization } = databases.within(inOneMinute());
    await Promise.all([main.query('selectOne'), customization.query('selectOne')]);
    await databases.close();
    await expect.poll(() => engine.sessions.every(({ log }) => log.at(-1) === 'close')).toBe(true);
    expect(new Set(engine.sessions.map(({ database }) => database))).toEqual(new Set(['main', 'other']));
    // Idle connections end by themselves after a while; a pool that is closed opens none.
    const later = await Promise.allSettled([main.query('selectOne'), customization.query('selectOne')]);
    expect(later.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('has the statements of a request wait as work of its caller, at both databases', async () => {
    const { port } = await wireWith({ selectOne });
    const run = vi.spyOn(FairQueue.prototype, 'run');
    onTestFinished(() => run.mockRestore());
    const { main, customization } = databasesOf(settings(port)).within(inOneMinute(), 7);
    for (const database of [main, customization]) await database.query('selectOne');
    expect(run.mock.calls.map(([keys]) => keys)).toEqual([['caller 7'], ['caller 7']]);
  });

  test('tells which of the two databases failed last, until it is used again', async () => {
    const engine = new RefusingEngine([18456]);
    const { port } = await wireWith({}, engine);
    const databases = databasesOf(settings(port));
    const { main, customization } = databases.within(inOneMinute());
    expect(databases.failing).toEqual({ main: false, customization: false });
    await customization.query('selectOne').catch(() => undefined);
    expect(databases.failing).toEqual({ main: false, customization: true });
    engine.refusals = [18456];
    await main.query('selectOne').catch(() => undefined);
    expect(databases.failing).toEqual({ main: true, customization: true });
    await customization.query('selectOne');
    // An error of a statement is an answer of the server, too.
    await main.query('no such statement').catch(() => undefined);
    expect(databases.failing).toEqual({ main: false, customization: false });
  });

  test('spares a server that has refused five times in a row', async () => {
    const engine = new RefusingEngine(Array(6).fill(18456));
    const { port } = await wireWith({}, engine);
    const { main } = databasesOf(settings(port)).within(inOneMinute());
    for (let number = 0; number < 7; number++)
      await expect(main.query('selectOne')).rejects.toMatchObject({ code: 'database-connection' });
    expect(engine.refusals).toHaveLength(1);
  });
});

describe('openSession()', () => {
  test('keeps one connection for all batches, and none takes its place once it is lost', async () => {
    const { port, engine } = await wireWith({ selectOne, 'SELECT 1': selectOne });
    await using proxy = await startTcpProxy(port);
    const session = await openSession(readConfig(settings(proxy.port)), 'main', 60_000);
    onTestFinished(() => session.close());
    expect(rowsOf((await session.batch('selectOne'))[0])).toEqual([{ number: 1 }]);
    expect(rowsOf((await session.query('selectOne', {}))[0])).toEqual([{ number: 1 }]);
    const asked = engine.sessions.map(({ log }) => log.filter((line) => line.includes('selectOne')).length);
    // The first connection has tried the settings.
    expect(asked).toEqual([0, 2]);
    const accepted = proxy.accepted;
    proxy.cutAll();
    for (let time = 0; time < 2; time++)
      await expect(session.batch('selectOne')).rejects.toMatchObject({ code: 'database-unavailable' });
    expect(proxy.accepted).toBe(accepted);
  });
});
