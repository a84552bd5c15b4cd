/** Requests of the real client. */
import sql from 'mssql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractServer, openContractServer } from '../support/contract-server.ts';

let server: ContractServer;
let pool: sql.ConnectionPool;

beforeAll(async () => {
  server = await openContractServer();
  pool = await server.connect();
  await pool.request().batch(`
    CREATE TABLE dbo.Fruit (id int NOT NULL CONSTRAINT PK_Fruit PRIMARY KEY, name nvarchar(20) NOT NULL);
    INSERT INTO dbo.Fruit (id, name) VALUES (1, N'apple'), (2, N'pear');`);
  await pool.request().batch(`
    CREATE PROCEDURE dbo.pFruit @id int, @name nvarchar(20) OUTPUT, @count int = 7 OUTPUT AS
    BEGIN
      SELECT id, name FROM dbo.Fruit WHERE id <= @id ORDER BY id;
      SELECT @name = name FROM dbo.Fruit WHERE id = @id;
      SET @count = @count + 1;
      IF @name IS NULL
        THROW 50404, N'No such fruit.', 1;
      RETURN 42;
    END`);
});

afterAll(() => server.stop());

describe('a batch', () => {
  test('returns each result set and each count', async () => {
    const { recordsets, rowsAffected } = await pool.request().batch(`
      SELECT id FROM dbo.Fruit ORDER BY id;
      UPDATE dbo.Fruit SET name = name;
      SELECT name FROM dbo.Fruit WHERE id = 3;`);
    expect({ recordsets, rowsAffected }).toEqual({
      recordsets: [[{ id: 1 }, { id: 2 }], []],
      rowsAffected: [2, 2, 0],
    });
  });

  test('counts nothing under SET NOCOUNT ON', async () => {
    const { rowsAffected } = await pool.request().batch('SET NOCOUNT ON; UPDATE dbo.Fruit SET name = name;');
    expect(rowsAffected).toEqual([]);
  });

  test('tells where it fails', async () => {
    await expect(pool.request().batch('SELECT 1 AS one;\nSELECT * FROM dbo.Nothing;')).rejects.toMatchObject({
      number: 208,
      class: 16,
      lineNumber: 2,
      message: "Invalid object name 'dbo.Nothing'.",
    });
  });

  test('prints', async () => {
    const heard: string[] = [];
    const request = pool.request();
    request.on('info', ({ message }: { message: string }) => heard.push(message));
    await request.batch(`PRINT N'hello';`);
    expect(heard).toEqual(['hello']);
  });

  test('sends what it has by RAISERROR WITH NOWAIT, while it goes on', async () => {
    const request = pool.request();
    request.stream = true;
    const heard: unknown[] = [];
    request.on('error', ({ code }: { code: string }) => heard.push(code));
    request.on('row', (row) => {
      heard.push(row);
      // Only a batch that still runs is cancelled.
      request.cancel();
    });
    await request.batch(`SELECT 1 AS one; RAISERROR(N'', 0, 1) WITH NOWAIT; WAITFOR DELAY '00:10:00';`);
    expect(heard).toEqual([{ one: 1 }, 'ECANCEL']);
  });
});

describe('a procedure', () => {
  test('returns rows, output parameters and its status', async () => {
    const request = pool
      .request()
      .input('id', sql.Int, 2)
      .output('name', sql.NVarChar(20))
      .output('count', sql.Int, 1);
    const { recordset, output, returnValue } = await request.execute('dbo.pFruit');
    expect({ rows: [...recordset], output, returnValue }).toEqual({
      rows: [
        { id: 1, name: 'apple' },
        { id: 2, name: 'pear' },
      ],
      output: { name: 'pear', count: 2 },
      returnValue: 42,
    });
  });

  test('names itself in its errors', async () => {
    const request = pool.request().input('id', sql.Int, 9).output('name', sql.NVarChar(20));
    await expect(request.execute('dbo.pFruit')).rejects.toMatchObject({
      number: 50404,
      state: 1,
      class: 16,
      lineNumber: 8,
      message: 'No such fruit.',
      procName: expect.stringMatching(/^(dbo\.)?pFruit$/),
    });
  });

  test.each<[number, string, (request: sql.Request) => sql.Request, string]>([
    [2812, 'dbo.pNothing', (request) => request, "Could not find stored procedure 'dbo.pNothing'."],
    [
      201,
      'dbo.pFruit',
      (request) => request,
      "Procedure or function 'pFruit' expects parameter '@id', which was not supplied.",
    ],
    [
      8145,
      'dbo.pFruit',
      (request) => request.input('id', 1).input('name', '').input('other', 1),
      '@other is not a parameter for procedure pFruit.',
    ],
  ])('fails with %i where it must', async (number, procedure, prepare, message) => {
    await expect(prepare(pool.request()).execute(procedure)).rejects.toMatchObject({ number, message });
  });
});

describe('a query with parameters', () => {
  test('takes them in and gives them out', async () => {
    const { output } = await pool
      .request()
      .input('a', sql.Int, 20)
      .output('b', sql.Int)
      .query('SET @b = @a * 2 + 2;');
    expect(output).toEqual({ b: 42 });
  });

  test('may be prepared once and executed often', async () => {
    const statement = new sql.PreparedStatement(pool);
    statement.input('id', sql.Int);
    await statement.prepare('SELECT name FROM dbo.Fruit WHERE id = @id');
    const names = [];
    for (const id of [1, 2]) names.push((await statement.execute({ id })).recordset[0].name);
    await statement.unprepare();
    expect(names).toEqual(['apple', 'pear']);
  });

  test('that is prepared and executed at once gives rows, outputs and the handle for the next time', async () => {
    const { recordset, output } = await pool
      .request()
      .output('handle', sql.Int)
      .input('p', sql.NVarChar, '@n int, @next int OUTPUT')
      .input('s', sql.NVarChar, 'SELECT @n AS n; SET @next = @n + 1')
      .input('n', sql.Int, 5)
      .output('next', sql.Int)
      .execute('sp_prepexec');
    expect({ rows: [...recordset], output }).toEqual({
      rows: [{ n: 5 }],
      output: { handle: expect.any(Number), next: 6 },
    });
  });

  test.each([
    [8179, 'sp_execute', 'EXEC sp_execute 12345'],
    [8179, 'sp_unprepare', 'EXEC sp_unprepare 12345'],
    [8180, 'sp_prepare of a wrong text', "DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'', N'SELECT 1 FROM'"],
  ])('fails with %i by %s', async (number, _, batch) => {
    await expect(pool.request().batch(batch)).rejects.toMatchObject({ number });
  });

  test('takes and gives megabytes', async () => {
    const text = 'žluťoučký kůň '.repeat(150_000);
    const { recordset } = await pool
      .request()
      .input('text', sql.NVarChar(sql.MAX), text)
      .query("SELECT @text AS text, LEN(@text + N'.') AS length");
    expect(recordset[0].text === text).toBe(true);
    expect(Number(recordset[0].length)).toBe(text.length + 1);
  });
});
