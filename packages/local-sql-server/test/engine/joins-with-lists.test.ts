/** Joins of views with a list of keys, as the service sends them: the list is taken apart once, and looked up by its keys. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import type { Engine } from '../../src/engine/session.ts';
import { run } from './run.ts';

let engine: Engine;
beforeEach(() => {
  engine = openEngine({ folder: undefined, databases: ['main'] });
});
afterEach(() => engine.close());

const keys = Array.from({ length: 1_000 }, (_, index) => index * 20);

// Made anew for each row of the view, the list would keep these tests for minutes.
test.each([
  ['plain', 'SELECT id, propID, amount FROM dbo.rows'],
  [
    'with a window',
    'SELECT id, propID, amount, ROW_NUMBER() OVER (PARTITION BY propID ORDER BY id) AS n FROM dbo.rows',
  ],
  ['of groups', 'SELECT MIN(id) AS id, propID, SUM(amount) AS amount FROM dbo.rows GROUP BY propID'],
  ['of distinct rows', 'SELECT DISTINCT id, propID, amount FROM dbo.rows'],
  ['of two tables', 'SELECT r.id, r.propID, r.amount FROM dbo.rows r JOIN dbo.rows q ON q.id = r.id'],
])(
  'a view %s',
  async (_name, view) => {
    const session = engine.openSession({ user: 'sa', database: 'main', application: 'test' });
    await run(
      session,
      `CREATE TABLE dbo.rows (id int PRIMARY KEY, propID int NOT NULL, amount int NOT NULL);
INSERT INTO dbo.rows SELECT value, value, value FROM GENERATE_SERIES(0, 19999)`,
    );
    await run(session, `CREATE VIEW dbo.CustomData_x AS ${view}`);
    const rows = await run(
      session,
      `DECLARE @filter nvarchar(max) = N'${JSON.stringify(keys)}';
SELECT f.propID, v.id, v.amount FROM dbo.CustomData_x v JOIN OPENJSON(@filter) WITH (propID int '$') f ON v.propID = f.propID ORDER BY f.propID`,
    );
    expect(rows).toEqual(keys.map((key) => [key, key, key]));
  },
  120_000,
);
