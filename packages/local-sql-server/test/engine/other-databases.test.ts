/** Names of three parts: another database of the same server. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import type { Engine, Session } from '../../src/engine/session.ts';
import { run } from './run.ts';

let engine: Engine;
const open = (database: string): Session => engine.openSession({ user: 'sa', database, application: 'test' });

beforeEach(async () => {
  engine = openEngine({ folder: undefined, databases: ['main', 'other'] });
  await run(open('main'), 'CREATE TABLE dbo.T (id int PRIMARY KEY, x int); INSERT dbo.T VALUES (1, 10)');
  const other = open('other');
  await run(
    other,
    'CREATE TABLE dbo.T (id int PRIMARY KEY, word nvarchar(10)); INSERT dbo.T VALUES (1, N$)'.replace(
      '$',
      "'one'",
    ),
  );
  await run(other, 'CREATE VIEW dbo.V AS SELECT UPPER(word) AS loud FROM dbo.T');
});
afterEach(() => engine.close());

test('a table of another database is joined with one of this', async () => {
  const sql = 'SELECT a.x, b.word FROM dbo.T AS a JOIN other.dbo.T AS b ON b.id = a.id';
  expect(await run(open('main'), sql)).toEqual([[10, 'one']]);
  expect(await run(open('main'), 'SELECT word FROM other..T')).toEqual([['one']]);
});

test('names in a view of another database mean what they mean there', async () => {
  expect(await run(open('main'), 'SELECT loud FROM other.dbo.V')).toEqual([['ONE']]);
});

test('rows of another database are copied, and its changes and new columns are seen', async () => {
  const main = open('main');
  const other = open('other');
  await run(main, 'SELECT id, word INTO #copy FROM other.dbo.T');
  await run(other, "UPDATE dbo.T SET word = N'two'");
  expect(
    await run(main, 'SELECT c.word, t.word FROM #copy AS c JOIN other.dbo.T AS t ON t.id = c.id'),
  ).toEqual([['one', 'two']]);
  await run(other, 'ALTER TABLE dbo.T ADD more int');
  expect(await run(main, 'SELECT more FROM other.dbo.T')).toEqual([[null]]);
});

test('a transaction that reads another database does not keep its writers waiting', async () => {
  const main = open('main');
  const other = open('other');
  await run(main, 'SELECT word FROM other.dbo.T');
  await run(main, 'BEGIN TRAN; UPDATE dbo.T SET x = (SELECT LEN(word) FROM other.dbo.T)');
  await run(other, "UPDATE dbo.T SET word = N'three'");
  expect(await run(main, 'COMMIT; SELECT x FROM dbo.T')).toEqual([[3]]);
});

test.each([
  ['INSERT other.dbo.T VALUES (2, NULL)', 40_517],
  ['CREATE TABLE other.dbo.U (a int)', 40_517],
  ['SELECT name FROM other.sys.tables', 40_517],
  ['BEGIN TRAN; UPDATE dbo.T SET x = 1; EXEC($SELECT word FROM other.dbo.T$)', 40_517],
  ['SELECT word FROM other.dbo.Nothing', 208],
  ['SELECT word FROM nowhere.dbo.T', 208],
])('%s is refused', async (sql, number) => {
  expect(await run(open('main'), sql.replaceAll('$', "'"))).toEqual([`error ${number}`]);
});

test('databases of the server are listed under any name', async () => {
  expect(await run(open('main'), 'SELECT name FROM master.sys.databases')).toEqual([
    ['master'],
    ['main'],
    ['other'],
  ]);
});
