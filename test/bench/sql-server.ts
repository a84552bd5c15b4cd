/** One-row look-ups by primary key through mssql on the local SQL server, against `SELECT 1`: a pool of 10 in both. */

import { startSqlServer } from '@records-and-calendar/local-sql-server';
import sql from 'mssql';
import { type Benchmark, comparison, inTurn } from './benchmark.ts';

const connections = 10;
const rows = 1_000;
const requests = 1_000;
const login = { user: 'sa', password: 'Bench-1' };

export const sqlServer: Benchmark = async () => {
  const server = await startSqlServer({ databases: ['bench'], users: { [login.user]: login.password } });
  const pool = new sql.ConnectionPool({
    server: '127.0.0.1',
    port: server.port,
    ...login,
    database: 'bench',
    validateConnection: false,
    options: { encrypt: false },
    pool: { max: connections },
  });
  await pool.connect();
  await fill(pool);
  const measurements = [
    () => throughput(() => lookUp(pool)),
    () => throughput(() => pool.request().query('SELECT 1')),
  ];
  await Promise.all(measurements.map((measure) => measure()));
  const [lookUps = Number.NaN, constants = Number.NaN] = await inTurn(21, measurements);
  await pool.close();
  await server.stop();
  const against = { name: 'SELECT 1 (requests/s)', value: constants };
  return [
    comparison(
      'local SQL server: one-row look-ups by primary key, pool of 10',
      lookUps,
      'requests/s',
      against,
      'at least 0.7',
    ),
  ];
};

async function fill(pool: sql.ConnectionPool): Promise<void> {
  await pool
    .request()
    .batch(
      'CREATE TABLE dbo.Item (id int NOT NULL PRIMARY KEY, name nvarchar(50) NOT NULL, price decimal(9, 2) NULL)',
    );
  for (let id = 0; id < rows; id++) {
    await pool
      .request()
      .input('id', sql.Int, id)
      .input('name', sql.NVarChar(50), `item ${id}`)
      .query('INSERT INTO dbo.Item (id, name, price) VALUES (@id, @name, 9.95)');
  }
}

let next = 0;

async function lookUp(pool: sql.ConnectionPool): Promise<void> {
  const id = next++ % rows;
  const { recordset } = await pool
    .request()
    .input('id', sql.Int, id)
    .query('SELECT id, name, price FROM dbo.Item WHERE id = @id');
  if (recordset[0].name !== `item ${id}`)
    throw new Error(`Cannot measure: item ${id} is ${recordset[0].name}.`);
}

/** Requests per second with all connections busy. */
async function throughput(request: () => Promise<unknown>): Promise<number> {
  let remaining = requests;
  const started = performance.now();
  const worker = async () => {
    while (remaining-- > 0) await request();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (requests * 1000) / (performance.now() - started);
}
