/** Transactions, locks and connections, with the real client. */
import sql from 'mssql';
import { Connection, type ConnectionConfiguration, Request } from 'tedious';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ContractServer, openContractServer } from '../support/contract-server.ts';
import { beginTransaction } from '../support/transaction.ts';

let server: ContractServer;
let pool: sql.ConnectionPool;

beforeAll(async () => {
  server = await openContractServer();
  pool = await server.connect();
  await pool
    .request()
    .batch(
      'CREATE TABLE dbo.Account (id int NOT NULL CONSTRAINT PK_Account PRIMARY KEY, amount int NOT NULL)',
    );
});

beforeEach(async () => {
  await pool
    .request()
    .batch('DELETE FROM dbo.Account; INSERT INTO dbo.Account (id, amount) VALUES (1, 100), (2, 200);');
});

afterAll(() => server.stop());

async function amounts(): Promise<number[]> {
  const { recordset } = await pool.request().query('SELECT amount FROM dbo.Account ORDER BY id');
  return recordset.map(({ amount }) => amount);
}

describe('a transaction', () => {
  test.each([
    ['commit', [1, 200]],
    ['rollback', [100, 200]],
  ] as const)('ends with %s', async (end, expected) => {
    const transaction = await beginTransaction(server);
    await transaction.request().query('UPDATE dbo.Account SET amount = 1 WHERE id = 1');
    await transaction[end]();
    expect(await amounts()).toEqual(expected);
  });

  test('is counted by the server', async () => {
    const transaction = await beginTransaction(server);
    const { recordset } = await transaction.request().query('SELECT @@TRANCOUNT AS n');
    await transaction.rollback();
    const after = await transaction.request().query('SELECT @@TRANCOUNT AS n');
    expect([recordset[0].n, after.recordset[0].n]).toEqual([1, 0]);
  });

  test('that an error has ended cannot be committed', async () => {
    const transaction = await beginTransaction(server);
    const failing = transaction
      .request()
      .query('SET XACT_ABORT ON; INSERT INTO dbo.Account (id, amount) VALUES (1, 1);');
    await expect(failing).rejects.toMatchObject({ number: 2627 });
    await expect(transaction.commit()).rejects.toMatchObject({ number: 3902 });
    expect(await amounts()).toEqual([100, 200]);
  });
});

describe('a transaction of the protocol', () => {
  test.each([
    ['commit', [1, 200]],
    ['rollback', [100, 200]],
  ] as const)('ends with %s', async (end, expected) => {
    const transaction = new sql.Transaction(pool);
    await transaction.begin(sql.ISOLATION_LEVEL.SERIALIZABLE);
    await transaction.request().query('UPDATE dbo.Account SET amount = 1 WHERE id = 1');
    const { recordset } = await transaction.request().query('SELECT @@TRANCOUNT AS n');
    await transaction[end]();
    expect([recordset[0].n, await amounts()]).toEqual([1, expected]);
  });

  test('that an error has ended is over for the client too', async () => {
    const transaction = new sql.Transaction(pool);
    await transaction.begin();
    const failing = transaction
      .request()
      .query('SET XACT_ABORT ON; INSERT INTO dbo.Account (id, amount) VALUES (1, 1);');
    await expect(failing).rejects.toMatchObject({ number: 2627 });
    await expect(transaction.commit()).rejects.toMatchObject({ code: 'EABORT' });
  });

  test('has savepoints', async () => {
    const connection = await openConnection(server);
    await settled((done) => connection.beginTransaction(done, 'outer'));
    await execute(connection, 'UPDATE dbo.Account SET amount = 1 WHERE id = 1');
    await settled((done) => connection.saveTransaction(done, 'first'));
    await execute(connection, 'UPDATE dbo.Account SET amount = 2 WHERE id = 1');
    await settled((done) => connection.rollbackTransaction(done, 'first'));
    await settled((done) => connection.commitTransaction(done));
    connection.close();
    expect(await amounts()).toEqual([1, 200]);
  });

  test('of the isolation level SNAPSHOT is refused', async () => {
    const begun = new sql.Transaction(pool).begin(sql.ISOLATION_LEVEL.SNAPSHOT);
    await expect(begun).rejects.toMatchObject({ message: expect.stringContaining('SNAPSHOT') });
  });
});

describe('a request that waits for a lock', () => {
  test('is cancelled by the client, whose connection lives on', async () => {
    const waiting = await server.connect({ pool: { max: 1 } });
    const transaction = await beginTransaction(server);
    await transaction.request().query('UPDATE dbo.Account SET amount = 1 WHERE id = 1');
    const request = waiting.request();
    const blocked = request.query('UPDATE dbo.Account SET amount = 2 WHERE id = 1');
    const settled = expect(blocked).rejects.toMatchObject({ code: 'ECANCEL' });
    await expect.poll(() => waiting.borrowed).toBe(1);
    expect(await transaction.request().query('SELECT 1')).toBeDefined();
    request.cancel();
    await settled;
    await transaction.rollback();
    await waiting.request().query('UPDATE dbo.Account SET amount = 3 WHERE id = 1');
    expect(await amounts()).toEqual([3, 200]);
  });

  test('is cancelled when the client has waited long enough', async () => {
    const waiting = await server.connect({ requestTimeout: 200 });
    const transaction = await beginTransaction(server);
    await transaction.request().query('UPDATE dbo.Account SET amount = 1 WHERE id = 1');
    const blocked = waiting.request().query('UPDATE dbo.Account SET amount = 2 WHERE id = 1');
    await expect(blocked).rejects.toMatchObject({ code: 'ETIMEOUT' });
    await transaction.commit();
    expect(await amounts()).toEqual([1, 200]);
  });
});

describe('connections', () => {
  test('are served a hundred at once', async () => {
    const pool = await server.connect({ pool: { max: 100, min: 100 } });
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        pool.request().input('n', sql.Int, n).query('SELECT @n + 1 AS n'),
      ),
    );
    expect(results.map(({ recordset }) => recordset[0].n)).toEqual(
      Array.from({ length: 300 }, (_, n) => n + 1),
    );
  });

  test('that are dropped in the middle of a statement roll back', async () => {
    const dropped = await openConnection(server);
    await execute(dropped, 'BEGIN TRANSACTION; UPDATE dbo.Account SET amount = 1 WHERE id = 1;');
    dropped.execSqlBatch(new Request('UPDATE dbo.Account SET amount = 1 WHERE id = 2;', () => {}));
    dropped.close();
    await pool.request().query('UPDATE dbo.Account SET amount = amount + 5 WHERE id = 1');
    expect(await amounts()).toEqual([105, 200]);
  });

  test('that are dropped while they wait for a lock never get it', async () => {
    const holding = await beginTransaction(server);
    await holding.request().query('UPDATE dbo.Account SET amount = 1 WHERE id = 1');
    const dropped = await openConnection(server);
    await execute(dropped, 'BEGIN TRANSACTION');
    dropped.execSqlBatch(new Request('UPDATE dbo.Account SET amount = 2 WHERE id = 1;', () => {}));
    await holding.request().query('SELECT 1 AS one');
    dropped.close();
    await holding.rollback();
    await pool.request().query('UPDATE dbo.Account SET amount = amount + 5 WHERE id = 1');
    expect(await amounts()).toEqual([105, 200]);
  });
});

/** Opens a connection of tedious itself, which can be dropped at any time. */
async function openConnection({ config }: ContractServer): Promise<Connection> {
  const { server: host, port, user, password, database, options } = config;
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { ...options, port, database },
  } as ConnectionConfiguration);
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  );
  return connection;
}

function execute(connection: Connection, batch: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.execSqlBatch(new Request(batch, (error) => (error ? reject(error) : resolve())));
  });
}

/** Settles when a request of tedious about the transaction is answered. */
function settled(request: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => request((error) => (error ? reject(error) : resolve())));
}
