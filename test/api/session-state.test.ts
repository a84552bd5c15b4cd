/** What a customer's procedure leaves in its session does not reach the next caller on the same connection. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';
import { createObjects, documentWithSource, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

/** Waits for less than an idle connection lives, whose end would release its locks. */
const lock = (name: string) =>
  `DECLARE @result int; EXEC @result = sp_getapplock @Resource = N'${name}', @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = 7000;`;
const parameters = '@propID int, @usrPropID int, @langID int';

test('a lock of the session that a read procedure takes is not kept', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] ${parameters} AS ${lock(name)} SELECT @result AS value`,
  ]);
  await using other = await app.startAnother();
  const read = async (base = app.base) =>
    (await alice('GET', `${path}/${identifier}`, { base })).json as { value: number };
  // 0 is granted, and -1 is not granted in time.
  expect([0, 1]).toContain((await read()).value);
  expect((await read(other.base)).value).toBeGreaterThanOrEqual(0);
  expect((await read()).value).toBeGreaterThanOrEqual(0);
});

test.each([
  ['stores', ''],
  ['fails', "THROW 50001, N'Not today.', 1;"],
])('nor is one of a write procedure that %s', async (_, end) => {
  const { document } = await createObjects(alice);
  const propID = await propIdOf(app, document);
  const name = `w${document.replace(/\W/g, '').slice(0, 20)}${end.length}`;
  for (const batch of [
    `CREATE VIEW dbo.[CustomData_${name}] AS SELECT ${propID} AS propID, N'x' AS text`,
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] ${parameters}, @text nvarchar(10) AS ${lock(name)} IF @result < 0 THROW 50002, N'It is locked.', 1; ${end}`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${name}', 'REF')`,
  ])
    await executeSql(app.stack.settings, 'customization', batch);
  await using other = await app.startAnother();
  const path = `/v8.0/documents/${document}/custom-data/${name}`;
  const write = async (base = app.base) => (await alice('PUT', path, { base, body: { text: 'y' } })).text;
  expect(await write()).not.toContain('It is locked.');
  expect(await write(other.base)).not.toContain('It is locked.');
});

/** Leaves a lock in its session, and fails where another call has left it. */
const soilSession = (name: string) => `DECLARE @isSoiled bit = 1;
BEGIN TRY EXEC sp_releaseapplock @Resource = N'${name}', @LockOwner = N'Session'; END TRY
BEGIN CATCH SET @isSoiled = 0; END CATCH;
IF @isSoiled = 1 THROW 50123, N'Another call was here.', 1;
${lock(name)} IF @result < 0 THROW 50124, N'It is locked.', 1;`;

/** Creates three cases that a mark finds, each with a source that soils its session. */
async function casesWithSource() {
  const mark = randomUUID();
  const name = `soil${mark.slice(0, 8)}`;
  const { diary } = await createObjects(alice);
  const ids: string[] = [];
  for (const title of ['A', 'B', 'C']) {
    const path = `/v8.0/diaries/${diary}/journalized-cases`;
    const { json } = await alice('POST', path, { body: { title, bkStr30: mark } });
    ids.push((json as { id: string }).id);
  }
  await executeSql(
    app.stack.settings,
    'customization',
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] ${parameters} AS ${soilSession(name)} SELECT @propID AS value`,
  );
  for (const id of ids)
    await executeSql(
      app.stack.settings,
      'customization',
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${await propIdOf(app, id)}, N'${name}', 'REF')`,
    );
  return { ids, name, list: `/v8.0/journalized-cases/custom-data/${name}?bkStr30=${mark}` };
}

test('what a procedure leaves reaches neither the next object of a list nor the next caller', async () => {
  const { ids, name, list } = await casesWithSource();
  for (let round = 0; round < 5; round++) {
    const page = await alice('GET', list);
    expect([page.status, (page.json as unknown[]).length]).toEqual([200, 3]);
    const one = await alice('GET', `/v8.0/journalized-cases/${ids[0]}/custom-data/${name}`);
    expect(one.status).toBe(200);
  }
});

test('nor does what the procedure of the product leaves, which confirms objects', async () => {
  const { ids, name, list } = await casesWithSource();
  const latest = async (base: string) =>
    ((await alice('GET', '/v8.0/changes?limit=1', { base })).json as { latest: string }).latest;
  const confirm = (before: string) =>
    executeSql(
      app.stack.settings,
      'main',
      `ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS ${before} SELECT propID, objectID, moduleID, typeID FROM dbo.tObjProperties WHERE propID = @propID`,
    );
  await confirm(soilSession('product'));
  try {
    // What was found out counts for five seconds.
    await using another = await app.startAnother();
    const { base } = another;
    const since = await latest(base);
    for (const id of ids)
      await alice('PATCH', `/v8.0/journalized-cases/${id}`, { base, body: { title: 'New' } });
    await using fresh = await app.startAnother();
    const statuses = [];
    for (const path of [
      list,
      ...ids.map((id) => `/v8.0/journalized-cases/${id}/custom-data/${name}`),
      `/v8.0/changes?since=${since}`,
      `/v8.0/changes?since=${since}`,
      `/v8.0/journalized-cases/${ids[0]}/custom-data/${name}`,
    ])
      statuses.push((await alice('GET', path, { base: fresh.base })).status);
    expect(statuses).toEqual(statuses.map(() => 200));
  } finally {
    await confirm('');
  }
});
