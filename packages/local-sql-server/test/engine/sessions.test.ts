/** Sessions beside each other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import { type Engine, EngineFault, LoginFailure, type Session } from '../../src/engine/session.ts';
import { run } from './run.ts';

let engine: Engine;
const open = (): Session => engine.openSession({ user: 'sa', database: 'main', application: 'test' });

beforeEach(async () => {
  engine = openEngine({ folder: undefined, databases: ['main', 'other'] });
  const session = open();
  await run(session, 'CREATE TABLE T (id int PRIMARY KEY, x int); INSERT T VALUES (1, 10), (2, 20)');
  session.close();
});
afterEach(() => engine.close());

/** Resolves after everything that is ready has had its turn. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 5; round++) await new Promise(setImmediate);
};

describe('sessions beside each other', () => {
  test('read what is committed, and never wait for a writer', async () => {
    const writer = open();
    const reader = open();
    await run(writer, 'BEGIN TRAN; UPDATE T SET x = 11 WHERE id = 1');
    expect(await run(reader, 'SELECT x FROM T WHERE id = 1')).toEqual([[10]]);
    expect(await run(writer, 'SELECT x FROM T WHERE id = 1; COMMIT')).toEqual([[11]]);
    expect(await run(reader, 'SELECT x FROM T WHERE id = 1')).toEqual([[11]]);
  });

  test('each statement of a transaction reads anew', async () => {
    const reader = open();
    const writer = open();
    expect(await run(reader, 'BEGIN TRAN; SELECT x FROM T WHERE id = 1')).toEqual([[10]]);
    await run(writer, 'UPDATE T SET x = 12 WHERE id = 1');
    expect(await run(reader, 'SELECT x FROM T WHERE id = 1; COMMIT')).toEqual([[12]]);
  });

  test('a second writer waits for the first', async () => {
    const first = open();
    const second = open();
    await run(first, 'BEGIN TRAN; UPDATE T SET x = x + 1 WHERE id = 1');
    const waiting = run(second, 'UPDATE T SET x = x + 1 WHERE id = 1; SELECT x FROM T WHERE id = 1');
    await settled();
    await run(first, 'COMMIT');
    expect(await waiting).toEqual([[12]]);
  });

  test.each([
    ['a time-out', 'SET LOCK_TIMEOUT 20; UPDATE T SET x = 0'],
    ['a time-out of zero', 'SET LOCK_TIMEOUT 0; DELETE T'],
    ['a reader with UPDLOCK', 'SET LOCK_TIMEOUT 0; BEGIN TRAN; SELECT * FROM T WITH (UPDLOCK)'],
    [
      'a serializable reader',
      'SET LOCK_TIMEOUT 0; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; BEGIN TRAN; SELECT * FROM T',
    ],
    ['a reader with NOWAIT', 'SELECT * FROM T WITH (READCOMMITTEDLOCK, NOWAIT)'],
  ])('%s ends waiting with 1222', async (_, sql) => {
    const holder = open();
    const other = open();
    await run(holder, 'BEGIN TRAN; UPDATE T SET x = 0 WHERE id = 2');
    expect(await run(other, sql)).toEqual(['error 1222']);
  });

  test('who closes a ring of waiting is the victim of the deadlock', async () => {
    const a = open();
    const b = open();
    const lock = (name: string) => `EXEC sp_getapplock @Resource = '${name}', @LockMode = 'Exclusive'`;
    await run(a, `BEGIN TRAN; UPDATE T SET x = 1 WHERE id = 1`);
    await run(b, `BEGIN TRAN; ${lock('r')}`);
    const waiting = run(a, `DECLARE @r int; EXEC @r = sp_getapplock 'r', 'Exclusive'; SELECT @r`);
    await settled();
    expect(await run(b, 'UPDATE T SET x = 2 WHERE id = 1; SELECT 1')).toEqual(['error 1205']);
    expect(await waiting).toEqual([[1]]);
    expect(await run(b, 'SELECT @@TRANCOUNT')).toEqual([[0]]);
    expect(await run(a, 'COMMIT; SELECT x FROM T WHERE id = 1')).toEqual([[1]]);
  });

  test('application locks keep others out until the transaction ends', async () => {
    const a = open();
    const b = open();
    const lock = (timeout: number) =>
      `DECLARE @r int; EXEC @r = sp_getapplock 'r', 'Exclusive', 'Transaction', ${timeout}; SELECT @r`;
    await run(a, `BEGIN TRAN; ${lock(0)}`);
    expect(await run(b, `BEGIN TRAN; ${lock(0)}`)).toEqual([[-1]]);
    const waiting = run(b, lock(-1));
    await settled();
    await run(a, 'ROLLBACK');
    expect(await waiting).toEqual([[1]]);
  });

  test('fifty increments at once are fifty', async () => {
    const sessions = Array.from({ length: 50 }, open);
    await Promise.all(sessions.map((session) => run(session, 'UPDATE T SET x = x + 1 WHERE id = 1')));
    expect(await run(open(), 'SELECT x FROM T WHERE id = 1')).toEqual([[60]]);
  });
});

describe('a session', () => {
  test('of a database that is not there is refused with 4060', () => {
    const login = () => engine.openSession({ user: 'sa', database: 'nope', application: 'test' });
    expect(login).toThrow(LoginFailure);
    expect(login).toThrow('Cannot open database "nope" requested by the login. The login failed.');
  });

  test.each([
    ['an endless loop', 'WHILE 1 = 1 SET NOCOUNT ON'],
    ['a wait', "WAITFOR DELAY '01:00:00'"],
  ])('that is cancelled ends %s', async (_, sql) => {
    const session = open();
    const running = run(session, sql);
    await settled();
    session.cancel();
    await running;
    expect(await run(session, 'SELECT 1')).toEqual([[1]]);
  });

  test('that is cancelled stops waiting for a lock, and keeps its transaction', async () => {
    const holder = open();
    const session = open();
    await run(holder, 'BEGIN TRAN; DELETE T');
    const waiting = run(session, 'BEGIN TRAN; UPDATE T SET x = 1');
    await settled();
    session.cancel();
    expect(await waiting).toEqual([]);
    expect(await run(session, 'SELECT @@TRANCOUNT')).toEqual([[1]]);
  });

  test('that is reset forgets transactions, #temp tables, settings and locks', async () => {
    const session = open();
    await run(
      session,
      "SET LOCK_TIMEOUT 5; CREATE TABLE #t (a int); EXEC sp_getapplock 'r', 'Exclusive', 'Session'; BEGIN TRAN; DELETE T",
    );
    session.reset();
    expect(
      await run(
        session,
        "SELECT @@TRANCOUNT, @@LOCK_TIMEOUT, OBJECT_ID('tempdb..#t'), (SELECT COUNT(*) FROM T)",
      ),
    ).toEqual([[0, -1, null, 2]]);
  });

  test('that is closed gives its locks back', async () => {
    const session = open();
    await run(session, 'BEGIN TRAN; DELETE T');
    session.close();
    expect(await run(open(), 'SET LOCK_TIMEOUT 0; DELETE T WHERE id = 1; SELECT COUNT(*) FROM T')).toEqual([
      [1],
    ]);
  });

  test('sees new objects of others at once', async () => {
    const maker = open();
    const user = open();
    expect(await run(user, 'SELECT * FROM V')).toEqual(['error 208']);
    await run(maker, 'CREATE VIEW V AS SELECT x FROM T');
    expect(await run(user, 'SELECT * FROM V WHERE x = 10')).toEqual([[10]]);
    await run(maker, 'ALTER VIEW V AS SELECT x * 2 AS x FROM T');
    expect(await run(user, 'SELECT * FROM V WHERE x = 20')).toEqual([[20]]);
  });

  test('gets the results of a procedure in the order of the protocol', async () => {
    const session = open();
    await run(session, 'CREATE PROCEDURE p @a int, @b int OUTPUT AS SELECT @a; SET @b = @a + 1; RETURN 3');
    const kinds: unknown[] = [];
    const call = session.procedure('dbo.p', [
      { name: '@a', type: { name: 'int' }, value: 4 },
      { name: '@b', type: { name: 'int' }, value: null, output: true },
    ]);
    for await (const event of call) kinds.push('value' in event ? [event.kind, event.value] : event.kind);
    expect(kinds).toEqual(['columns', 'row', 'statementDone', ['returnStatus', 3], ['returnValue', 5]]);
  });
});

test('a fault of the server is thrown as one, undoes the transaction, and leaves the session whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const faulty = openEngine({ folder, databases: ['main'] });
  const session = faulty.openSession({ user: 'sa', database: 'main', application: 'test' });
  await run(session, 'CREATE TABLE Whole (a int); CREATE TABLE Torn (a int)');
  const file = new DatabaseSync(join(folder, 'main.sqlite'));
  file.exec('DROP TABLE "dbo.Torn"');
  file.close();
  await expect(
    run(
      session,
      'BEGIN TRAN; INSERT Whole VALUES (1); BEGIN TRY SELECT * FROM Torn END TRY BEGIN CATCH END CATCH',
    ),
  ).rejects.toBeInstanceOf(EngineFault);
  expect(await run(session, 'SELECT @@TRANCOUNT, COUNT(*) FROM Whole')).toEqual([[0, 0]]);
  faulty.close();
  rmSync(folder, { recursive: true });
});

describe('CREATE DATABASE', () => {
  const outcomeOf = (batch: string) => run(open(), batch);

  test('makes a database that the next session may use, with the collation that it names', async () => {
    expect(await outcomeOf('CREATE DATABASE [New one] COLLATE SQL_Latin1_General_CP1_CI_AS')).toEqual([]);
    const session = engine.openSession({ user: 'sa', database: 'new ONE', application: 'test' });
    expect(await run(session, "SELECT DB_NAME(), DB_ID('New one')")).toEqual([['New one', 4]]);
  });

  test('makes a copy of another one as it is, which goes its own way from then on', async () => {
    await outcomeOf('CREATE DATABASE Original COLLATE Danish_Norwegian_CI_AS');
    const of = (database: string) => engine.openSession({ user: 'sa', database, application: 'test' });
    const original = of('Original');
    await run(
      original,
      `CREATE TABLE tA (id int IDENTITY PRIMARY KEY, a nvarchar(10) NOT NULL CHECK (LEN(a) > 1), b AS UPPER(a));
CREATE UNIQUE INDEX ixA ON tA (a);
INSERT tA (a) VALUES (N'one'), (N'two');
DELETE tA WHERE a = N'two';`,
    );
    await run(original, 'CREATE VIEW vA AS SELECT id, b FROM tA');
    expect(await outcomeOf('CREATE DATABASE [A copy] AS COPY OF original')).toEqual([]);
    const copy = of('a copy');
    await run(copy, "INSERT tA (a) VALUES (N'three')");
    expect(await run(copy, 'SELECT id, b FROM vA')).toEqual([
      [1, 'ONE'],
      [3, 'THREE'],
    ]);
    expect(await run(copy, "INSERT tA (a) VALUES (N'ONE')")).toEqual(['error 2601']);
    expect(await run(copy, "INSERT tA (a) VALUES (N'x')")).toEqual(['error 547']);
    expect(await run(copy, "SELECT DATABASEPROPERTYEX(DB_NAME(), 'Collation')")).toEqual([
      ['Danish_Norwegian_CI_AS'],
    ]);
    expect(await run(original, 'SELECT COUNT(*) FROM tA')).toEqual([[1]]);
  });

  test.each([
    ['that is there', 'CREATE DATABASE Other', 1801],
    ['that is there, as a copy', 'CREATE DATABASE Other AS COPY OF master', 1801],
    ['as a copy of none', 'CREATE DATABASE x AS COPY OF nothing', 911],
    ['as a copy of no name', 'CREATE DATABASE x AS COPY OF', 102],
    ['inside a transaction', 'BEGIN TRAN; CREATE DATABASE x', 226],
    ['with a collation that nobody knows', 'CREATE DATABASE x COLLATE Martian_CI_AS', 448],
    [
      'with a collation by which names would differ',
      'CREATE DATABASE x COLLATE Danish_Norwegian_CS_AS',
      40517,
    ],
    ['with files', "CREATE DATABASE x ON (NAME = a, FILENAME = 'a')", 40517],
    ['without a name', 'CREATE DATABASE', 102],
  ])('%s is refused', async (_, batch, number) => {
    expect(await outcomeOf(batch)).toEqual([`error ${number}`]);
  });

  test('is kept in the folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'));
    const first = openEngine({ folder, databases: ['main'] });
    const session = first.openSession({ user: 'sa', database: 'main', application: 'test' });
    await run(session, 'CREATE DATABASE Ønsket');
    session.close();
    first.close();
    const second = openEngine({ folder, databases: [] });
    const there = second.openSession({ user: 'sa', database: 'Ønsket', application: 'test' });
    expect(await run(there, 'SELECT DB_NAME()')).toEqual([['ønsket']]);
    there.close();
    second.close();
    rmSync(folder, { recursive: true });
  });
});
