/** A source that takes too long is told by its name; a change that is ended in its procedure was not stored. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type TestReply, useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { createObjects, documentWithSource, propIdOf, recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const bjorn = recordsAs(app, 'bjorn@example.org');
const wait = "WAITFOR DELAY '00:01:00';";
const parameters = '@propID int, @usrPropID int, @langID int';
const getProcedure = (name: string, work: string) =>
  `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] ${parameters} AS ${work} SELECT 1 AS value`;

function outcomeOf({ status, json, headers }: TestReply) {
  const { code, detail } = json as { code?: string; detail?: string };
  return { status, code, detail, retryAfter: headers.get('retry-after') };
}

const named = (...names: string[]) => ({
  status: 500,
  code: 'custom-source-timeout',
  detail: expect.stringMatching(new RegExp(names.join('.*'))),
  retryAfter: null,
});

test('procedures that take too long are named, wherever they are called', { timeout: 60_000 }, async () => {
  // The second of three sources is the slow one.
  const { identifier, propID, path } = await documentWithSource(app, 'REF', (name) => [
    getProcedure(name, ''),
  ]);
  for (const [suffix, work] of [
    ['b', wait],
    ['c', ''],
  ] as const) {
    await customization(getProcedure(`${identifier}${suffix}`, work));
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${identifier}${suffix}', 'REF')`,
    );
  }
  const slow = await documentWithSource(app, 'REF', (name) => [
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue int AS ${wait}`,
    `CREATE VIEW dbo.[CustomData_${name}] AS SELECT propID, 1 AS value FROM dbo.tCustomData WHERE customDataIdentifier = N'${name}'`,
  ]);
  const [all, one, many, stored] = await Promise.all([
    alice('GET', path),
    alice('GET', `${path}/${identifier}b`),
    bjorn('GET', `/v8.0/documents/custom-data/${identifier}b?limit=1000`),
    alice('PUT', slow.path, { body: { remark: 'new', [slow.identifier]: { value: 2 } } }),
  ]);
  const get = `pCustomData_${identifier}b_Get`;
  expect([all, one, many].map(outcomeOf)).toEqual([
    named(`"${identifier}b"`, get),
    named(`"${identifier}b"`, get),
    named(`"${identifier}b"`, get),
  ]);
  expect(outcomeOf(stored)).toEqual(named(`pCustomData_${slow.identifier}_Set`, 'Nothing was stored'));
  expect((await alice('GET', slow.path)).json).toEqual({ [slow.identifier]: { value: 1 } });
  // Its transaction is not left to anybody.
  expect((await alice('PUT', slow.path, { body: { remark: 'newer' } })).status).toBe(200);
});

test('each of many: what was stored before the slow one is told, and what was not tried', {
  timeout: 60_000,
}, async () => {
  const documents = await Promise.all([createObjects(alice), createObjects(alice), createObjects(alice)]);
  const ids = documents.map(({ document }) => document);
  const name = `each${randomUUID().slice(0, 8)}`;
  await customization(`CREATE TABLE dbo.[t_${name}] (propID int NOT NULL PRIMARY KEY, value int NOT NULL)`);
  await customization(`CREATE VIEW dbo.[CustomData_${name}] AS SELECT propID, value FROM dbo.[t_${name}]`);
  await customization(`CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue int AS
IF @pvalue = 0 THROW 50001, N'Not zero.', 1;
IF @pvalue = 99 ${wait}
INSERT INTO dbo.[t_${name}] (propID, value) VALUES (@propID, @pvalue);`);
  await customization(
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind) VALUES (${typeNumber(app, 'documents')}, N'${name}', 'REF')`,
  );
  const propIDs = await Promise.all(ids.map((id) => propIdOf(app, id)));
  const inOrder = ids.toSorted((a, b) => (propIDs[ids.indexOf(a)] ?? 0) - (propIDs[ids.indexOf(b)] ?? 0));
  const put = (values: readonly number[]) =>
    alice('PUT', `/v8.0/documents/custom-data/${name}`, {
      body: inOrder.map((id, index) => ({ id, value: { value: values[index] } })),
      headers: { Prefer: 'handling=lenient' },
    });
  const slow = {
    status: 500,
    result: 'refused',
    problem: {
      code: 'custom-source-timeout',
      detail: expect.stringMatching(`pCustomData_${name}_Set.*Nothing was stored`),
    },
  };
  const notTried = { status: 503, result: 'refused', problem: { code: 'custom-data-busy' } };
  expect((await put([1, 99, 3])).json).toMatchObject([{ status: 200, result: 'stored' }, slow, notTried]);
  expect(await customization(`SELECT value FROM dbo.[t_${name}]`)).toEqual([{ value: 1 }]);
  expect((await put([99, 2, 3])).json).toMatchObject([slow, notTried, notTried]);
  expect(await customization(`SELECT value FROM dbo.[t_${name}]`)).toEqual([{ value: 1 }]);
});

test('so are views, and pStructureObjectInfoGet', { timeout: 60_000 }, async () => {
  const name = `slow${randomUUID().slice(0, 8)}`;
  const { document } = await createObjects(alice);
  await main(`CREATE TABLE dbo.[t_${name}] (id int NOT NULL)`);
  await main(`CREATE VIEW dbo.[RefData_${name}] AS SELECT id FROM dbo.[t_${name}] WITH (READCOMMITTEDLOCK)`);
  const shown = 'SELECT propID, objectID, moduleID, typeID FROM dbo.tObjProperties WHERE propID = @propID';
  await main(`CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS
IF EXISTS (SELECT 1 FROM dbo.tObjProperties WHERE propID = @propID AND objectID = N'${document}') ${wait}
${shown}`);
  try {
    const blocked = main(
      `BEGIN TRANSACTION; INSERT INTO dbo.[t_${name}] (id) VALUES (1); WAITFOR DELAY '00:00:15'; COMMIT;`,
    );
    // What was found out about an object counts for five seconds.
    await using another = await app.startAnother();
    const [list, object] = await Promise.all([
      alice('GET', `/v8.0/reference-data/${name}`, { base: another.base }),
      bjorn('GET', `/v8.0/documents/${document}/custom-data`, { base: another.base }),
    ]);
    expect([list, object].map(outcomeOf)).toEqual([
      named(`RefData_${name}`),
      named('pStructureObjectInfoGet'),
    ]);
    await blocked;
  } finally {
    await main(`CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS ${shown}`);
  }
});
