/** What reading custom data costs over the bare driver that runs the same statement. */

import sql from 'mssql';
import { startLocalCloud } from '../../local/cloud.ts';
import { databases, sqlLogin } from '../../local/defaults.ts';
import { selectRegistrations } from '../../shared/records/registrations.ts';
import { type Benchmark, comparison, inTurn } from './benchmark.ts';
import { throughput } from './throughput.ts';

const connections = 32;
const seconds = 2;
const values = { remarks: 'Signed.', tags: ['a', 'b'], amounts: { net: 1.1 }, approved: true, year: 2026 };

export const records: Benchmark = async () => {
  const cloud = await startLocalCloud();
  const [, port] = (cloud.settings['DB_SERVER'] ?? '').split(',');
  const pool = await barePool(Number(port));
  try {
    const headers = { Authorization: `Bearer ${cloud.token('alice@example.org')}` };
    const url = `${cloud.address}/api/v8.0/deeds/deed-complaint/custom-data`;
    const stored = await fetch(url, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(values),
    });
    if (!stored.ok) throw new Error(`Cannot prepare: ${stored.status} ${await stored.text()}`);
    const propID = await propIdOf(pool);
    const measurements = [
      () => throughput({ url, headers, connections, seconds }),
      () => bareThroughput(pool, propID),
    ];
    await Promise.all(measurements.map((measure) => measure()));
    const [served = Number.NaN, bare = Number.NaN] = await inTurn(5, measurements);
    return [
      comparison(
        `custom data GET, 5 JSON rows, warm, ${connections} connections`,
        served,
        'requests/s',
        { name: 'the bare driver running the same statement (requests/s)', value: bare },
        'at least 0.8',
      ),
    ];
  } finally {
    await pool.close();
    await cloud.stop();
  }
};

async function barePool(port: number): Promise<sql.ConnectionPool> {
  const pool = new sql.ConnectionPool({
    server: '127.0.0.1',
    port,
    ...sqlLogin,
    database: databases.customization,
    arrayRowMode: true,
    validateConnection: false,
    options: { encrypt: false },
    pool: { max: 10 },
  });
  return pool.connect();
}

async function propIdOf(pool: sql.ConnectionPool): Promise<number> {
  const { recordset } = await pool
    .request()
    .query("SELECT MAX(propID) FROM dbo.tCustomData WHERE customDataIdentifier = N'year'");
  return (recordset as unknown as number[][])[0]?.[0] ?? Number.NaN;
}

/** Statements per second with as many callers as the load on the app has connections. */
async function bareThroughput(pool: sql.ConnectionPool, propID: number): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < end) {
      const { recordset } = await pool.request().input('propID', sql.Int, propID).query(selectRegistrations);
      if (recordset.length !== Object.keys(values).length)
        throw new Error(`Cannot measure: ${recordset.length} rows instead of 5.`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return (done * 1_000) / (performance.now() - started);
}
