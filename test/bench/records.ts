/** What reading custom data costs over the bare driver that runs the same statement, both behind the same host. */

import type { FunctionsHost } from '@records-and-calendar/functions-host';
import { databases, sqlLogin } from '../../local/defaults.ts';
import { type DevStack, startDevStack } from '../../local/dev-stack.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { selectRegistrations } from '../../shared/custom-data/registrations.ts';
import { type Benchmark, comparison } from './benchmark.ts';
import { startSourceApp } from './source-app.ts';
import { connections, throughputs } from './throughput.ts';

const values = { remarks: 'Signed.', tags: ['a', 'b'], amounts: { net: 1.1 }, approved: true, year: 2026 };
const path = '/api/v8.0/deeds/deed-complaint/custom-data';

export const records: Benchmark = async () => {
  const stack = await startDevStack({ migrate: prepareDatabases });
  const bare = await startBareDriver(stack);
  try {
    const headers = { Authorization: `Bearer ${stack.token('alice@example.org')}` };
    await store(stack, headers);
    const [served = Number.NaN, driver = Number.NaN] = await throughputs([
      { url: stack.url + path, headers },
      { url: `${bare.url}/api/registrations/302`, headers },
    ]);
    return [
      comparison(
        `custom data GET, 5 JSON rows, warm, ${connections} connections`,
        served,
        'requests/s',
        { name: 'the bare driver running the same statement behind the same host', value: driver },
        'at least 0.8',
      ),
    ];
  } finally {
    await bare.stop();
    await stack.stop();
  }
};

async function store(stack: DevStack, headers: Readonly<Record<string, string>>): Promise<void> {
  const reply = await fetch(stack.url + path, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(values),
  });
  if (!reply.ok) throw new Error(`Cannot prepare: ${reply.status} ${await reply.text()}`);
}

/** An app that runs the statement of a GET with `mssql` and answers the rows: nothing but driver and host. */
function startBareDriver({ settings }: DevStack): Promise<FunctionsHost> {
  const [, port] = (settings['DB_SERVER'] ?? '').split(',');
  const config = {
    server: '127.0.0.1',
    port: Number(port),
    ...sqlLogin,
    database: databases.customization,
    validateConnection: false,
    options: { encrypt: false },
    pool: { max: 10 },
  };
  return startSourceApp(`
import { app } from '@azure/functions';
import sql from 'mssql';
const connected = new sql.ConnectionPool(${JSON.stringify(config)}).connect();
app.http('registrations', {
  route: 'registrations/{propID}',
  methods: ['GET'],
  authLevel: 'anonymous',
  handler: async ({ params }) => {
    const request = (await connected).request().input('propID', sql.Int, Number(params.propID)).input('typeID', sql.Int, 4);
    const { recordsets: [, rows] } = await request.query(${JSON.stringify(selectRegistrations({ propID: 0 }))});
    return { status: rows.length === 5 ? 200 : 500, jsonBody: rows };
  },
});
`);
}
