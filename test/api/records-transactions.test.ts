/** A change of custom data is stored as a whole, or says what was stored: whatever its procedures do to the transaction of their caller. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { documentWithSource, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

/** Creates a document with a source whose `_Set` stores a row before it does something to the transaction. */
function documentWithProcedure(work: string) {
  return documentWithSource(app, 'REF', (name) => [
    `CREATE TABLE dbo.[rows_${name}] (propID int NOT NULL, value int NOT NULL)`,
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue int AS
BEGIN
SET NOCOUNT ON;
INSERT INTO dbo.[rows_${name}] (propID, value) VALUES (@propID, @pvalue);
${work}
END`,
    `CREATE VIEW dbo.[CustomData_${name}] AS SELECT propID, value FROM dbo.[rows_${name}]`,
  ]);
}

/** What a PUT of a JSON value and of a value of the source answers, and what is there afterwards. */
async function put(work: string, values: object | object[] = { value: 1 }) {
  const { identifier, path } = await documentWithProcedure(work);
  const feed = async () => ((await alice('GET', '/v8.0/changes')).json as { next?: string }).next;
  const before = await feed();
  const { status, json } = await alice('PUT', path, { body: { remark: 'new', [identifier]: values } });
  const after = (await alice('GET', path)).json as Record<string, unknown>;
  const { code, detail } = json as { code?: string; detail?: string };
  return {
    name: `pCustomData_${identifier}_Set`,
    identifier,
    path,
    reply: { status, code, detail: detail ?? '' },
    after: { remark: after['remark'], rows: after[identifier] },
    isInFeed: before !== (await feed()),
  };
}

const nothing = { remark: undefined, rows: null };
const all = { remark: 'new', rows: { value: 1 } };

describe('a procedure that', () => {
  test.each([
    ['rolls back, and begins anew', 'ROLLBACK TRANSACTION; BEGIN TRANSACTION;'],
    [
      'rolls back, begins anew, and stores more',
      'ROLLBACK; BEGIN TRAN; DELETE FROM dbo.tCustomData WHERE 1 = 0;',
    ],
    [
      'rolls back in its own CATCH, and goes on',
      'BEGIN TRY SELECT 1 / 0 AS x; END TRY BEGIN CATCH ROLLBACK; BEGIN TRANSACTION; END CATCH;',
    ],
    ['rolls back and begins twice', 'ROLLBACK; BEGIN TRANSACTION; ROLLBACK; BEGIN TRANSACTION;'],
    ['rolls back alone', 'ROLLBACK TRANSACTION;'],
  ])('%s stores nothing, and is named', async (_, work) => {
    const { reply, after, name } = await put(work);
    expect({ reply, after }).toEqual({
      reply: { status: 500, code: 'custom-data-source-failed', detail: expect.stringContaining(name) },
      after: nothing,
    });
    expect(reply.detail).not.toContain('committed');
  });

  test.each([
    ['commits, and begins anew', 'COMMIT TRANSACTION; BEGIN TRANSACTION;'],
    ['commits, and begins anew twice', 'COMMIT; BEGIN TRAN; COMMIT; BEGIN TRAN;'],
    ['commits alone', 'COMMIT TRANSACTION;'],
    ['commits, and fails', 'COMMIT TRANSACTION; SELECT 1 / 0 AS x;'],
  ])('%s says so, and is named', async (_, work) => {
    const { reply, after, name, isInFeed } = await put(work);
    expect({ reply, after }).toEqual({
      reply: { status: 500, code: 'custom-data-source-failed', detail: expect.stringContaining(name) },
      after: all,
    });
    expect(reply.detail).toContain('was committed');
    expect(isInFeed).toBe(true);
  });

  test.each([
    ['commits, begins anew and refuses', 'COMMIT; BEGIN TRANSACTION;'],
    ['commits and refuses', 'COMMIT;'],
  ])('%s is 422, which says what was stored', async (_, work) => {
    const { reply, after } = await put(`${work} THROW 50001, N'Not today.', 1;`);
    expect({ reply, after }).toEqual({
      reply: {
        status: 422,
        code: 'custom-data-refused',
        detail: expect.stringMatching(/Not today\. .*was committed/),
      },
      after: all,
    });
  });

  test.each([
    ['refuses', ''],
    ['rolls back and refuses', 'ROLLBACK;'],
    ['rolls back, begins anew and refuses', 'ROLLBACK; BEGIN TRANSACTION;'],
  ])('%s is 422, and stores nothing', async (_, work) => {
    const { reply, after, isInFeed } = await put(`${work} THROW 50001, N'Not today.', 1;`);
    expect({ reply, after, isInFeed }).toEqual({
      reply: { status: 422, code: 'custom-data-refused', detail: 'Cannot store custom data: Not today.' },
      after: nothing,
      isInFeed: false,
    });
  });

  test.each([
    ['has a transaction of its own', 'BEGIN TRANSACTION; COMMIT TRANSACTION;'],
    [
      'goes back to a point of its own',
      'SAVE TRANSACTION here; DELETE FROM dbo.tCustomData; ROLLBACK TRANSACTION here;',
    ],
  ])('%s is fine', async (_, work) => {
    const { reply, after } = await put(work);
    expect([reply.status, after]).toEqual([200, all]);
  });

  test('rolls back in the second of three calls stores none of them', async () => {
    const { reply, after } = await put('IF @pvalue = 2 BEGIN ROLLBACK; BEGIN TRANSACTION; END', [
      { value: 1 },
      { value: 2 },
      { value: 3 },
    ]);
    expect([reply.status, after]).toEqual([500, nothing]);
  });
});

test('a change that a procedure has committed has another entity tag', async () => {
  const { identifier, path } = await documentWithProcedure('COMMIT; BEGIN TRANSACTION;');
  const etag = (await alice('GET', path)).headers.get('etag') ?? '';
  const body = { [identifier]: { value: 1 } };
  const headers = { 'If-Match': etag };
  expect((await alice('PUT', path, { body, headers })).status).toBe(500);
  expect((await alice('PUT', path, { body, headers })).status).toBe(412);
});
