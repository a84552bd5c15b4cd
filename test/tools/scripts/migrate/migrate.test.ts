/** Migrations against a local SQL server: the journal is right after every interruption. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Mode } from '../../../../scripts/migrate/migrate.ts';
import type { DatabaseServer } from '../../../../shared/sql/databases.ts';
import { rowsOf } from '../../../../shared/sql/values.ts';
import { databasesOf } from '../../../support/database-settings.ts';
import { linesOfMigration } from '../../../support/lines-of-migration.ts';
import { scriptFolder } from '../../../support/script-folder.ts';
import { startSqlServerBehindProxy } from '../../../support/sql-server-behind-proxy.ts';

const names = Array.from({ length: 40 }, () => `d${randomUUID().slice(0, 8)}`);
const { proxy, settings: serverSettings } = await startSqlServerBehindProxy([...names]);

/** Settings of two new databases, through the proxy. */
function freshSettings() {
  const [main = '', customization = ''] = names.splice(0, 2);
  return { ...serverSettings, DB_NAME: main, DB_CUSTOMIZATION_NAME: customization };
}

/** Creates scripts and two databases. A run returns the first word of each line without the first and the last line. */
function project(files: Readonly<Record<string, string>>, settings = freshSettings()) {
  const { folder, write, remove } = scriptFolder(files);
  const linesOf = (mode: Mode = 'apply') => linesOfMigration(settings, { folders: [folder], mode });
  const run = async (mode?: Mode) => (await linesOf(mode)).slice(1, -1).map((line) => line.split(' ')[0]);
  let databases: DatabaseServer | undefined;
  const rows = async (sql: string) => {
    databases ??= databasesOf(settings);
    const { main } = databases.within(Date.now() + 30_000);
    return rowsOf((await main.query(sql, {}, { repeatable: false })).at(-1));
  };
  return { settings, write, remove, run, linesOf, rows };
}

const journal = 'SELECT script, position FROM dbo.tSchemaJournal ORDER BY position';

describe('a script that was applied', () => {
  test('is skipped, also with other line breaks or a byte order mark', async () => {
    const script = 'SELECT 1 AS one\nGO\nSELECT 2 AS two\n';
    const { run, write } = project({ 'main/1.sql': script });
    expect(await run()).toEqual(['apply']);
    write('main/1.sql', `\ufeff${script.replaceAll('\n', '\r\n')}`);
    expect(await run()).toEqual(['skip']);
  });

  test.each(['apply', 'check'] as const)('must not change (%s)', async (mode) => {
    const { run, write, rows } = project({ 'main/1.sql': 'CREATE TABLE dbo.tA (a int NOT NULL)' });
    await run();
    write('main/1.sql', 'CREATE TABLE dbo.tA (a int NOT NULL, b int NULL)');
    await expect(run(mode)).rejects.toThrow(
      /^Cannot migrate: .*main\/1\.sql has changed since it was applied on \d{4}-\d\d-\d\d\. Undo the change and put it into a new script with a higher number/,
    );
    expect(await rows("SELECT COL_LENGTH(N'dbo.tA', N'b') AS b")).toEqual([{ b: null }]);
  });

  test('runs again in the same position when it is repeatable and has changed', async () => {
    const view = (value: number) => `-- repeatable\nCREATE OR ALTER VIEW dbo.vA AS SELECT ${value} AS a\n`;
    const { run, write, rows } = project({ 'main/1.sql': view(1), 'main/2.sql': 'SELECT 1 AS a' });
    await run();
    write('main/1.sql', view(2));
    expect(await run('check')).toEqual(['again', 'skip']);
    expect(await rows('SELECT a FROM dbo.vA')).toEqual([{ a: 1 }]);
    expect(await run()).toEqual(['again', 'skip']);
    expect(await rows('SELECT a FROM dbo.vA')).toEqual([{ a: 2 }]);
    expect((await rows(journal)).map(({ position }) => position)).toEqual([1, 2]);
    expect(await run()).toEqual(['skip', 'skip']);
  });

  test('must not be removed or renamed', async () => {
    const { run, write, remove } = project({ 'main/1.sql': 'SELECT 1 AS a', 'main/2.sql': 'SELECT 2 AS a' });
    await run();
    remove('main/1.sql');
    await expect(run()).rejects.toThrow(
      /main\/1\.sql was applied on .*, but is missing\. Scripts that were applied stay/,
    );
    write('main/3.sql', 'SELECT 1 AS a');
    await expect(run()).rejects.toThrow(
      /but is missing; .*main\/3\.sql is the same script under another name/,
    );
  });

  test('must not follow a new script', async () => {
    const { run, write } = project({ 'main/2.sql': 'SELECT 2 AS a' });
    await run();
    write('main/1.sql', 'SELECT 1 AS a');
    await expect(run()).rejects.toThrow(
      /main\/1\.sql comes before .*main\/2\.sql, which was applied earlier\. A new script comes last: give it a higher number\./,
    );
  });
});

describe('a script that fails', () => {
  const half =
    'CREATE TABLE dbo.tA (a int NOT NULL)\nGO\nINSERT INTO dbo.tA (a) VALUES (1)\nGO\nSELECT * FROM dbo.nothing\nGO';

  test('is rolled back, names its batch, and runs completely the next time', async () => {
    const { run, write, rows } = project({ 'main/1.sql': half });
    await expect(run()).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot apply .*main\/1\.sql: the batch that starts in line 5 failed$/),
      cause: { number: 208 },
    });
    expect(await rows("SELECT OBJECT_ID(N'dbo.tA') AS id")).toEqual([{ id: null }]);
    write('main/1.sql', half.replace('dbo.nothing', 'dbo.tA'));
    expect(await run()).toEqual(['apply']);
  });

  test('has its finished batches when it runs without a transaction', async () => {
    const { run, rows } = project({ 'main/1.sql': `-- no transaction\n${half}` });
    await expect(run()).rejects.toThrow('the batch that starts in line 6 failed');
    expect(await rows('SELECT a FROM dbo.tA')).toEqual([{ a: 1 }]);
  });

  test.each(['COMMIT', 'BEGIN TRANSACTION', 'ROLLBACK'])(
    'may not leave its transaction with %s',
    async (word) => {
      const { run } = project({ 'main/1.sql': `SELECT 1 AS a\nGO\n${word}` });
      await expect(run()).rejects.toThrow(/it begins or ends a transaction, but/);
    },
  );
});

test('batches share a connection, and GO with a number repeats one', async () => {
  const { run, rows } = project({
    'main/1.sql': `CREATE TABLE dbo.tA (id int IDENTITY(1, 1) NOT NULL, a nvarchar(10) NOT NULL)
GO
CREATE TABLE #kept (a nvarchar(10) NOT NULL)
INSERT INTO #kept (a) VALUES (N'kept')
SET IDENTITY_INSERT dbo.tA ON
GO
INSERT INTO dbo.tA (id, a) SELECT 7, a FROM #kept
GO -- the option lasts as well
SET IDENTITY_INSERT dbo.tA OFF
GO
INSERT INTO dbo.tA (a) SELECT N'x
GO
y'
GO 3
CREATE PROCEDURE dbo.pA AS SELECT 1 AS one
GO
EXEC dbo.pA
GO -- not an argument`,
  });
  await run();
  expect(await rows('SELECT COUNT(*) AS n, MIN(id) AS id FROM dbo.tA')).toEqual([{ n: 4, id: 7 }]);
});

describe('modes', () => {
  test('check lists the scripts that would run, and changes nothing', async () => {
    const { linesOf, rows } = project({
      'main/1.sql': 'CREATE TABLE dbo.tA (a int NOT NULL)',
      'customization/1.sql': 'SELECT 1 AS a',
    });
    const lines = await linesOf('check');
    expect(lines.slice(1).map((line) => line.replace(/test-\w+/, 'scripts'))).toEqual([
      'apply scripts/main/1.sql',
      'apply scripts/customization/1.sql',
      'Would apply 2 scripts.',
    ]);
    expect(await rows('SELECT COUNT(*) AS n FROM sys.objects')).toEqual([{ n: 0 }]);
  });

  test('baseline marks existing scripts, forgets deleted ones, and runs nothing', async () => {
    const { run, write, remove, rows } = project({
      'main/1.sql': 'SELECT 1 AS a',
      'main/3.sql': 'SELECT 3 AS a',
    });
    await run();
    remove('main/3.sql');
    write('main/1.sql', 'SELECT * FROM dbo.nothing');
    write('main/0.sql', 'SELECT * FROM dbo.nothing');
    expect(await run('baseline')).toEqual(['forget', 'mark', 'mark']);
    expect(await run()).toEqual(['skip', 'skip']);
    write('main/4.sql', 'CREATE TABLE dbo.tA (a int NOT NULL)');
    expect(await run()).toEqual(['skip', 'skip', 'apply']);
    expect((await rows(journal)).map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  test('a journal of an older version is updated', async () => {
    const { run, rows, write } = project({ 'main/1.sql': 'SELECT 1 AS a', 'main/2.sql': 'SELECT 1 AS a' });
    await run();
    const old = await rows('SELECT script, digest, appliedAt FROM dbo.tSchemaJournal');
    await rows(`DROP TABLE dbo.tSchemaJournal; CREATE TABLE dbo.tSchemaJournal (script nvarchar(200) NOT NULL, digest nvarchar(64) NOT NULL,
      appliedAt datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(), CONSTRAINT PK_tSchemaJournal PRIMARY KEY (script));`);
    for (const { script, digest } of old)
      await rows(`INSERT INTO dbo.tSchemaJournal (script, digest) VALUES (N'${script}', N'${digest}')`);
    expect(await run('check')).toEqual(['skip', 'skip']);
    write('main/3.sql', 'SELECT 1 AS a');
    expect(await run()).toEqual(['skip', 'skip', 'apply']);
    expect((await rows(journal)).map(({ position }) => position)).toEqual([1, 2, 3]);
  });
});

describe('interrupted', () => {
  /** Two scripts whose batches fail or count twice when they run a second time. */
  const files = {
    'main/1.sql':
      'CREATE TABLE dbo.tA (a int NOT NULL)\nGO\nINSERT INTO dbo.tA (a) VALUES (1)\nGO 2\nCREATE VIEW dbo.vA AS SELECT a FROM dbo.tA',
    'main/2.sql': 'ALTER TABLE dbo.tA ADD b int NULL\nGO\nUPDATE dbo.tA SET b = ISNULL(b, 0) + 1\nGO',
  };
  const state = `SELECT (SELECT SUM(b) FROM dbo.tA) AS b, (SELECT COUNT(*) FROM dbo.vA) AS n, (SELECT COUNT(*) FROM dbo.tSchemaJournal) AS scripts`;
  const completeState = [{ b: 2, n: 2, scripts: 2 }];

  /** Cuts the connection at the nth packet of the client, once the server has it. Returns whether the client sent the packet. */
  async function runCut(run: () => Promise<unknown>, packet: number) {
    let remaining = packet;
    proxy.onRequest = () => (--remaining === 0 ? 'pass-then-cut' : 'pass');
    await run().catch(() => undefined);
    proxy.onRequest = undefined;
    return remaining <= 0;
  }

  test('at any statement, the next run completes it', async () => {
    const { run, rows } = project(files);
    let reached = true;
    let packets = 0;
    while (reached) {
      packets += 1;
      reached = await runCut(run, packets);
      await run();
      expect({ packets, state: await rows(state) }).toEqual({ packets, state: completeState });
      await rows('DROP VIEW dbo.vA; DROP TABLE dbo.tA; DROP TABLE dbo.tSchemaJournal;');
    }
    expect(packets).toBeGreaterThan(25);
  });

  test('concurrent migrations apply every script once, and print that they wait', async () => {
    const { linesOf, rows } = project(files);
    const runs = await Promise.all([linesOf(), linesOf(), linesOf()]);
    expect(runs.flat().filter((line) => line.startsWith('apply'))).toHaveLength(2);
    expect(runs.flat()).toContain('waiting for another migration to end');
    expect(await rows(state)).toEqual(completeState);
  });
});

test('one database in both roles is migrated with both folders', async () => {
  const settings = freshSettings();
  const { run, rows } = project(
    {
      'main/1.sql': 'CREATE TABLE dbo.tA (a int NOT NULL)',
      'customization/1.sql': 'CREATE TABLE dbo.tB (a int NOT NULL)',
    },
    { ...settings, DB_CUSTOMIZATION_NAME: settings.DB_NAME },
  );
  expect(await run()).toEqual(['apply', 'apply']);
  expect(await run()).toEqual(['skip', 'skip']);
  expect(await rows('SELECT COUNT(*) AS n FROM dbo.tA, dbo.tB')).toEqual([{ n: 0 }]);
});
