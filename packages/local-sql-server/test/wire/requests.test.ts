/** Requests over the wire. */
import sql from 'mssql';
import { Connection, type ConnectionConfiguration, Request } from 'tedious';
import { describe, expect, test } from 'vitest';
import { EngineFault, type Event } from '../../src/engine/session.ts';
import { type Script, ScriptedEngine } from '../support/scripted-engine.ts';
import { clientConfig, connect, PASSWORD, startWire } from '../support/wire-server.ts';

const INT = { name: 'int' } as const;

function resultSet(name: string, ...values: number[]): Event[] {
  return [
    { kind: 'columns', columns: [{ name, type: INT, nullable: true }] },
    ...values.map((value): Event => ({ kind: 'row', values: [value] })),
  ];
}

function done(count?: number, insideProcedure = false): Event {
  return { kind: 'statementDone', insideProcedure, ...(count === undefined ? {} : { count }) };
}

function failure(number: number, message: string, line = 1, procedure = ''): Event {
  return { kind: 'message', message: { number, state: 3, class: 16, message, line, procedure } };
}

function answers(...events: Event[]): Script {
  return () => events;
}

/** Waits until the session is cancelled, as an engine that waits for a lock does. */
const forever: Script = async function* (session) {
  yield* resultSet('n', 1);
  await new Promise<void>((resolve) => {
    session.onCancel = resolve;
  });
};

describe('a batch', () => {
  test('calls procedures, whose return status stays in the batch', async () => {
    const engine = new ScriptedEngine({
      'EXEC p': answers(
        ...resultSet('a', 1),
        done(1, true),
        { kind: 'returnStatus', value: 3 },
        ...resultSet('b', 2),
        done(1),
      ),
    });
    await using server = await startWire(engine);
    await using pool = await connect(server.port);
    const { recordsets, rowsAffected } = await pool.request().batch('EXEC p');
    expect({ recordsets, rowsAffected }).toEqual({
      recordsets: [[{ a: 1 }], [{ b: 2 }]],
      rowsAffected: [1, 1],
    });
  });

  test('that fails in the middle keeps the results before', async () => {
    const engine = new ScriptedEngine({
      half: answers(...resultSet('a', 1), done(1), failure(8134, 'zero'), {
        ...done(),
        failed: true,
      } as Event),
    });
    await using server = await startWire(engine);
    await using pool = await connect(server.port);
    const seen: unknown[] = [];
    const request = pool.request();
    request.stream = true;
    request.on('row', (row) => seen.push(row));
    request.on('error', ({ number }: { number: number }) => seen.push(number));
    const ended = new Promise((seen) => request.once('done', seen));
    request.batch('half');
    await ended;
    expect(seen).toEqual([{ a: 1 }, 8134]);
  });
});

describe('a procedure call', () => {
  test('with a table-valued parameter is refused with a reason, and the connection lives on', async () => {
    await using server = await startWire(new ScriptedEngine());
    await using pool = await connect(server.port);
    const table = new sql.Table('dbo.T');
    table.columns.add('id', sql.Int, { nullable: false });
    table.rows.add(1);
    await expect(pool.request().input('t', table).execute('p')).rejects.toMatchObject({
      number: 40000,
      message: expect.stringContaining(
        'Cannot read parameter 1 ("@t"): table-valued parameters are not supported',
      ),
    });
    expect((await pool.request().query('SELECT 1')).recordset).toHaveLength(1);
  });

  test('of a cursor procedure is refused with a reason', async () => {
    await using server = await startWire(new ScriptedEngine());
    await using pool = await connect(server.port);
    await expect(pool.request().execute('sp_cursoropen')).rejects.toMatchObject({
      message: 'sp_cursoropen is not supported by the local SQL server.',
    });
  });
});

describe('a bulk load', () => {
  test('is refused with a reason', async () => {
    const engine = new ScriptedEngine({ 'insert bulk [t]([a] int)': answers(done()) });
    await using server = await startWire(engine);
    await using pool = await connect(server.port);
    const table = new sql.Table('t');
    table.columns.add('a', sql.Int, { nullable: true });
    table.rows.add(1);
    await expect(pool.request().bulk(table)).rejects.toMatchObject({
      message: expect.stringContaining('Bulk load is not supported by the local SQL server'),
    });
  });
});

describe('an attention', () => {
  test('ends the request, and the connection lives on', async () => {
    const engine = new ScriptedEngine({ forever });
    await using server = await startWire(engine);
    await using pool = await connect(server.port);
    const request = pool.request();
    const running = request.query('forever');
    await expect.poll(() => engine.sessions.at(-1)?.log.join()).toContain('forever');
    request.cancel();
    await expect(running).rejects.toMatchObject({ code: 'ECANCEL' });
    expect((await pool.request().query('SELECT 1')).recordset).toHaveLength(1);
    expect(engine.sessions).toHaveLength(2);
  });

  test('is not needed for a request that is taken back while it is sent', async () => {
    const engine = new ScriptedEngine();
    await using server = await startWire(engine);
    await withTedious(server.port, async (connection) => {
      const taken = settled((finish) =>
        connection.execSqlBatch(new Request(`SELECT '${'x'.repeat(100_000)}'`, finish)),
      );
      connection.cancel();
      await expect(taken).rejects.toMatchObject({ code: 'ECANCEL' });
      await settled((finish) => connection.execSqlBatch(new Request('SELECT 1', finish)));
    });
    expect(engine.sessions[0]?.log.filter((line) => line.includes('xxx'))).toEqual([]);
  });

  test('follows when the client has waited long enough', async () => {
    await using server = await startWire(new ScriptedEngine({ forever }));
    await using pool = await connect(server.port, { requestTimeout: 3_000 });
    await expect(pool.request().query('forever')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect((await pool.request().query('SELECT 1')).recordset).toHaveLength(1);
  });

  test('ends a result set without end, however fast its rows come', async () => {
    const endless: Script = async function* (session) {
      yield* resultSet('n');
      for (let n = 0; !session.cancelled; n++) yield { kind: 'row', values: [n] };
    };
    await using server = await startWire(new ScriptedEngine({ endless }));
    await withTedious(server.port, async (connection) => {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const request = new Request('endless', () => resolve());
      connection.execSqlBatch(request);
      await new Promise((seen) => request.once('row', seen));
      connection.cancel();
      await ended;
      await settled((finish) => connection.execSqlBatch(new Request('SELECT 1', finish)));
    });
  });
});

describe('a connection reset', () => {
  test('resets the session before the request, and tells the client', async () => {
    const engine = new ScriptedEngine();
    await using server = await startWire(engine);
    let resets = 0;
    await withTedious(server.port, async (connection) => {
      connection.on('resetConnection', () => resets++);
      await settled((finish) => connection.reset(finish));
      await settled((finish) => connection.execSqlBatch(new Request('SELECT 1', finish)));
    });
    expect(resets).toBe(1);
    expect(engine.sessions[0]?.log).toContain('reset');
  });
});

describe('packets', () => {
  test.each([512, 4096, 32_767])('of %i bytes carry large values both ways', async (packetSize) => {
    await using server = await startWire(new ScriptedEngine());
    await using pool = await connect(server.port, { options: { packetSize } });
    const text = '0123456789abcdé€'.repeat(20_000);
    const bytes = Buffer.from(text);
    const { recordset } = await pool
      .request()
      .input('text', sql.NVarChar(sql.MAX), text)
      .input('bytes', sql.VarBinary(sql.MAX), bytes)
      .query('echo');
    expect(recordset[0].text === text && bytes.equals(recordset[0].bytes)).toBe(true);
  });

  test('go no faster than the client reads', async () => {
    let given = 0;
    const endless: Script = function* () {
      yield {
        kind: 'columns',
        columns: [{ name: 'v', type: { name: 'varchar', length: 8000 }, nullable: true }],
      };
      for (; given < 20_000; given++) yield { kind: 'row', values: ['x'.repeat(8000)] };
    };
    await using server = await startWire(new ScriptedEngine({ endless }));
    await withTedious(server.port, async (connection) => {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const request = new Request('endless', () => resolve());
      connection.execSqlBatch(request);
      await new Promise((seen) => request.once('row', seen));
      request.pause();
      await untilStill(() => given);
      expect(given).toBeLessThan(20_000);
      connection.cancel();
      await ended;
    });
  });
});

/** Waits until a number has stopped to grow: the buffers between server and client are full. */
async function untilStill(read: () => number): Promise<void> {
  let before = -1;
  const isStill = () => {
    const still = read() === before;
    before = read();
    return still;
  };
  await expect.poll(isStill, { interval: 200 }).toBe(true);
}

describe('many clients', () => {
  test('a hundred connections are served at once', async () => {
    let waiting = 0;
    let letGo: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const together: Script = async function* () {
      if (++waiting === 100) letGo();
      await all;
      yield* [...resultSet('n', waiting), done(1)];
    };
    await using server = await startWire(new ScriptedEngine({ together }));
    const pool = new sql.ConnectionPool({ ...clientConfig(server.port), pool: { max: 100 } });
    await pool.connect();
    const results = await Promise.all(Array.from({ length: 100 }, () => pool.request().query('together')));
    await pool.close();
    expect(results.map(({ recordset }) => recordset[0].n)).toEqual(Array.from({ length: 100 }, () => 100));
  });

  test('one that is dropped in the middle of a statement ends its session only', async () => {
    const engine = new ScriptedEngine({ forever });
    await using server = await startWire(engine);
    await using pool = await connect(server.port);
    const { connection } = await tedious(server.port);
    connection.execSqlBatch(new Request('forever', () => {}));
    const dropped = engine.sessions.at(-1);
    await expect.poll(() => dropped?.log.join()).toContain('forever');
    connection.close();
    await expect.poll(() => dropped?.log.slice(-2)).toEqual(['cancel', 'close']);
    expect((await pool.request().query('SELECT 1')).recordset).toHaveLength(1);
  });

  test('one whose engine fails hears it, is closed, and leaves the others alone', async () => {
    const failure: Script = () => {
      throw new Error('out of order');
    };
    const engine = new ScriptedEngine({ fault: failure });
    await using server = await startWire(engine);
    await using pool = await connect(server.port);
    await using other = await connect(server.port);
    await expect(other.request().query('fault')).rejects.toMatchObject({
      number: 596,
      message: 'The local SQL server has failed: out of order',
    });
    expect((await pool.request().query('SELECT 1')).recordset).toHaveLength(1);
    expect(server.log.join()).toContain('out of order');
    expect(
      engine.sessions.filter(({ log }) => log.join().includes('fault')).map(({ log }) => log.at(-1)),
    ).toEqual(['close']);
  });

  test('one with a statement that fails for a fault of the server hears it, and goes on', async () => {
    const failure: Script = () => {
      throw new EngineFault(new Error('no such table'));
    };
    const engine = new ScriptedEngine({ fault: failure });
    await using server = await startWire(engine);
    const { connection } = await tedious(server.port);
    const batch = (sql: string) =>
      new Promise<unknown>((resolve) => {
        connection.execSqlBatch(new Request(sql, (error) => resolve(error ?? 'done')));
      });
    expect(await batch('fault')).toMatchObject({
      number: 8624,
      message: expect.stringContaining('no such table'),
    });
    expect(await batch('SELECT 1')).toBe('done');
    expect(server.log.join()).toContain('no such table');
    connection.close();
  });

  test('all are cut off when the server stops', async () => {
    const engine = new ScriptedEngine({ forever });
    const server = await startWire(engine);
    const { connection } = await tedious(server.port);
    const ended = new Promise((resolve) => connection.once('end', resolve));
    connection.execSqlBatch(new Request('forever', () => {}));
    await expect.poll(() => engine.sessions[0]?.log.join()).toContain('forever');
    await server.stop();
    await ended;
    expect(engine.sessions[0]?.log.at(-1)).toBe('close');
  });
});

async function tedious(port: number): Promise<{ connection: Connection }> {
  const connection = new Connection({
    server: '127.0.0.1',
    authentication: { type: 'default', options: { userName: 'sa', password: PASSWORD } },
    options: { port, encrypt: false, database: 'main' },
  } as ConnectionConfiguration);
  connection.on('error', () => {});
  await settled((finish) => connection.connect(finish));
  return { connection };
}

async function withTedious(port: number, use: (connection: Connection) => Promise<void>): Promise<void> {
  const { connection } = await tedious(port);
  await use(connection);
  const ended = new Promise((resolve) => connection.once('end', resolve));
  connection.close();
  await ended;
}

/** Turns a callback of tedious into a promise. */
function settled(start: (finish: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
