/** What reading custom data costs over the bare driver that runs the same statement, both behind the same host. */

import { randomUUID } from 'node:crypto';
import type { FunctionsHost } from '@records-and-calendar/functions-host';
import { type DevStack, databases, sqlLogin, startDevStack } from '../../local/index.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { selectOfMany } from '../../shared/custom-data/read-many.ts';
import { selectRegistrations } from '../../shared/custom-data/registrations.ts';
import { callProcedure } from '../../shared/sql/foreign-procedures.ts';
import { inTransaction, transactionOfCalls } from '../../shared/sql/transaction.ts';
import { executeSql } from '../support/execute-sql.ts';
import { type Benchmark, comparison } from './benchmark.ts';
import { paced } from './pace.ts';
import { startSourceApp } from './source-app.ts';
import { connections, throughputs } from './throughput.ts';

const values = { remarks: 'Signed.', tags: ['a', 'b'], amounts: { net: 1.1 }, approved: true, year: 2026 };
const path = '/api/v8.0/deeds/deed-complaint/custom-data';

/** Objects of the list of one identifier. */
const manyObjects = paced(1_000, 50);
/** A reply takes long: with many connections a short load would end before the first. */
const fewConnections = 4;
/** Objects of a change of many: a call of all of them may take longer than a measurement. */
const changedObjects = paced(200, 20);

/** What is stored of each. */
const value = { amount: 1.1, paid: true, note: 'Signed by both parties.' };

/** Calls of a procedure in one change. */
const callsOfChange = 100;

/** The statement of a change with calls of a procedure; `checked`: with what finds out whether one has ended the transaction. */
function changeWithCalls(isChecked: boolean): string {
  const calls = Array.from({ length: callsOfChange }, (_, index) => {
    const call = callProcedure('pCustomData_benchmark_Set', [
      '@propID = 1',
      '@usrPropID = 2',
      `@pamount = ${index}`,
    ]);
    return isChecked ? `${call}\n${transactionOfCalls.checkAfter(index)}` : call;
  });
  const statements = isChecked ? [transactionOfCalls.begin, ...calls] : calls;
  return `${transactionOfCalls.declare}\n${inTransaction(statements.join('\n'))}\nSELECT @@TRANCOUNT AS [open];`;
}

const manyPath = `/api/v8.0/documents/custom-data/many?bkInt01=7&limit=${manyObjects}`;

export const records: Benchmark = async () => {
  const stack = await startDevStack({ migrate: prepareDatabases });
  const bare = await startBareDriver(stack);
  try {
    const headers = { Authorization: `Bearer ${stack.token('alice@example.org')}` };
    await store(stack, headers);
    const many = JSON.stringify(await createMany(stack));
    for (const batch of procedure) await executeSql(stack.settings, 'customization', batch);
    const [served = Number.NaN, driver = Number.NaN] = await throughputs([
      { url: stack.url + path, headers },
      { url: `${bare.url}/api/registrations/302`, headers },
    ]);
    const [servedMany = Number.NaN, driverMany = Number.NaN] = await throughputs([
      { url: stack.url + manyPath, headers, connections: fewConnections },
      {
        url: `${bare.url}/api/values?${new URLSearchParams({ propIDs: many })}`,
        connections: fewConnections,
      },
    ]);
    const creation = {
      url: `${stack.url}/api/v8.0/deeds/deed-complaint/documents`,
      headers,
      body: { title: 'Created' },
      status: 201,
      connections: fewConnections,
    };
    const headersOfEach = () => ({ 'Idempotency-Key': randomUUID() });
    const [keyed = Number.NaN, plain = Number.NaN] = await throughputs([
      { ...creation, headersOfEach },
      creation,
    ]);
    const setCalls = { url: `${bare.url}/api/set-calls`, connections: fewConnections };
    const [checked = Number.NaN, unchecked = Number.NaN] = await throughputs([
      { ...setCalls, url: `${setCalls.url}/checked` },
      { ...setCalls, url: `${setCalls.url}/unchecked` },
    ]);
    const change = { headers, method: 'PUT', connections: fewConnections } as const;
    const [changedMany = Number.NaN, changedOne = Number.NaN] = await throughputs([
      {
        ...change,
        url: `${stack.url}/api/v8.0/documents/custom-data/changed`,
        headers: { ...headers, Prefer: 'handling=lenient' },
        body: Array.from({ length: changedObjects }, (_, index) => ({ id: `many-${index}`, value })),
        connections: 1,
      },
      {
        ...change,
        url: `${stack.url}/api/v8.0/documents/many-0/custom-data/many`,
        body: value,
        connections: 1,
      },
    ]);
    return [
      comparison(
        `custom data GET, 5 JSON rows, warm, ${connections} connections`,
        served,
        'requests/s',
        { name: 'the bare driver running the same statement behind the same host', value: driver },
        'at least 0.8',
      ),
      comparison(
        `custom data of ${manyObjects} objects, one identifier, ${fewConnections} connections`,
        servedMany,
        'requests/s',
        {
          name: 'the bare driver running the statement of the values behind the same host',
          value: driverMany,
        },
        'at least 0.5',
      ),
      comparison(
        `POST of an object with an Idempotency-Key, ${fewConnections} connections`,
        keyed,
        'requests/s',
        { name: 'the same without a key', value: plain },
        'at least 0.7',
      ),
      comparison(
        `${callsOfChange} calls of a _Set procedure in one transaction, each with the question whether it is still ours`,
        checked,
        'requests/s',
        { name: 'the same calls without the question, by the bare driver', value: unchecked },
        'at least 0.8',
      ),
      comparison(
        `PUT of one value of ${changedObjects} objects, a transaction for each`,
        changedMany * changedObjects,
        'values/s',
        { name: 'PUTs of one value, one after the other', value: changedOne },
        'at least 2',
      ),
    ];
  } finally {
    await bare.stop();
    await stack.stop();
  }
};

const procedure = [
  'CREATE TABLE dbo.benchmark (propID int NOT NULL PRIMARY KEY, amount decimal(18, 2) NOT NULL)',
  'INSERT INTO dbo.benchmark (propID, amount) VALUES (1, 0)',
  'CREATE PROCEDURE dbo.pCustomData_benchmark_Set @propID int, @usrPropID int, @pamount decimal(18, 2) AS UPDATE dbo.benchmark SET amount = @pamount WHERE propID = @propID',
];

async function store(stack: DevStack, headers: Readonly<Record<string, string>>): Promise<void> {
  const reply = await fetch(stack.url + path, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(values),
  });
  if (!reply.ok) throw new Error(`Cannot prepare: ${reply.status} ${await reply.text()}`);
}

/** Creates documents, each with a JSON value, and returns their propIDs. */
async function createMany({ settings }: DevStack): Promise<number[]> {
  await executeSql(
    settings,
    'main',
    `DECLARE @i int = 0;
WHILE @i < ${manyObjects}
BEGIN
  INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (CONCAT(N'many-', @i), 2, 5);
  INSERT INTO dbo.tDocuments (propID, parentPropID, title, bkInt01) SELECT TOP (1) SCOPE_IDENTITY(), propID, N'Many', 7 FROM dbo.tDeeds;
  SET @i = @i + 1;
END`,
  );
  const rows = await executeSql(
    settings,
    'main',
    "SELECT propID FROM dbo.tDocuments WHERE title = N'Many' ORDER BY propID",
  );
  const propIDs = rows.map(({ propID }) => Number(propID));
  await executeSql(
    settings,
    'customization',
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, customData)
SELECT propID, N'many', CONCAT(N'{"amount":', propID, N'.10,"paid":true,"note":"Signed by both parties."}')
FROM OPENJSON(N'${JSON.stringify(propIDs)}') WITH (propID int '$')`,
  );
  return propIDs;
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
const setCalls = ${JSON.stringify({ checked: changeWithCalls(true), unchecked: changeWithCalls(false) })};
app.http('setCalls', {
  route: 'set-calls/{form}',
  methods: ['GET'],
  authLevel: 'anonymous',
  handler: async ({ params }) => {
    const { recordset } = await (await connected).request().query(setCalls[params.form]);
    return { status: recordset[0].open === 0 ? 200 : 500, jsonBody: recordset };
  },
});
app.http('values', {
  route: 'values',
  methods: ['GET'],
  authLevel: 'anonymous',
  handler: async ({ query }) => {
    const request = (await connected).request().input('propIDs', sql.NVarChar(sql.MAX), query.get('propIDs'));
    request.input('identifier', sql.NVarChar(128), 'many').input('typeID', sql.Int, 5);
    const { recordsets: [, , rows] } = await request.query(${JSON.stringify(selectOfMany)});
    return { status: rows.length === ${manyObjects} ? 200 : 500, jsonBody: rows };
  },
});
`);
}
