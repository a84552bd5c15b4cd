/** What a customer's procedure leaves in its session does not reach the next caller on the same connection. */

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
