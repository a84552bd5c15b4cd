/** What SQL Server says of a custom source that failed: shown to callers with the role of the service, in bounds. */

import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';
import { documentWithSource } from '../support/records.ts';

const app = useApp();

/** Tokens by what they are of. */
const tokens = {
  service: () => app.stack.identity.issueToken({ idtyp: 'app', roles: ['Service.Access'] }),
  user: (roles: readonly string[]) => app.token('alice@example.org', roles),
};

type Problem = Readonly<Record<'code' | 'detail', string>>;

async function problem(method: string, path: string, token: string, body?: unknown): Promise<Problem> {
  const reply = await app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  return reply.json as Problem;
}

const getProcedure = (name: string, body: string) =>
  `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS ${body}`;

test('a procedure that divides by zero says so to callers with a role, and to no others', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
    getProcedure(name, 'SELECT 1 / 0 AS value'),
  ]);
  const plain = `Cannot read the custom data "${identifier}": the procedure pCustomData_${identifier}_Get failed with SQL error 8134`;
  for (const there of [path, `${path}/${identifier}`, `${path}?identifiers=${identifier}`]) {
    const shown = {
      code: 'custom-data-source-failed',
      detail: `${plain}: Divide by zero error encountered.`,
    };
    expect(await problem('GET', there, tokens.user(['Service.Access']))).toMatchObject(shown);
    expect(await problem('GET', there, tokens.service())).toMatchObject(shown);
    for (const roles of [[], ['Calendar.Editor']])
      expect(await problem('GET', there, tokens.user(roles))).toMatchObject({ detail: `${plain}.` });
  }
});

test('a view that fails says why', async () => {
  const { path } = await documentWithSource(app, 'REF_RO', (name, propID) => [
    `CREATE VIEW dbo.[CustomData_${name}] AS SELECT ${propID} AS propID, CAST(N'no number' AS int) AS value`,
  ]);
  const { detail } = await problem('GET', path, tokens.service());
  expect(detail).toMatch(/SQL error 245: Conversion failed .*int\.$/);
  expect((await problem('GET', path, tokens.user([]))).detail).toMatch(/SQL error 245\.$/);
});

test('a view of reference data that fails says why', async () => {
  await executeSql(
    app.stack.settings,
    'customization',
    'CREATE VIEW dbo.RefData_brokenRatio AS SELECT 1 / 0 AS ratio',
  );
  const path = '/v8.0/reference-data/custom/brokenRatio';
  expect(await problem('GET', path, tokens.service())).toMatchObject({
    code: 'reference-data-source-failed',
    detail: expect.stringMatching(/8134: Divide by zero error encountered\.$/),
  });
  expect((await problem('GET', path, tokens.user([]))).detail).toMatch(/SQL error 8134\.$/);
});

test.each([
  ['custom-data-value', 'DECLARE @a int = @pvalue'],
  [
    'custom-data-conflict',
    'DECLARE @t table (a nvarchar(40) PRIMARY KEY); INSERT @t VALUES (@pvalue), (@pvalue)',
  ],
])('a procedure that cannot store a value says why: %s', async (code, statement) => {
  const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
    getProcedure(name, "SELECT N'now' AS value"),
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue nvarchar(40) AS ${statement}`,
  ]);
  const body = { [identifier]: { value: 'seven' } };
  const shown = await problem('PUT', path, tokens.service(), body);
  expect(shown).toMatchObject({ code, detail: expect.stringContaining('seven') });
  expect((await problem('PUT', path, tokens.user([]), body)).detail).not.toContain('seven');
});

test('a text has 300 characters at most', async () => {
  const { path } = await documentWithSource(app, 'REF', (name) => [
    getProcedure(name, `THROW 50001, N'${'long '.repeat(200)}', 1`),
  ]);
  const { detail } = await problem('GET', path, tokens.service());
  expect(detail).toMatch(/SQL error 50001: long .*\.\.\.$/);
  expect(detail.length).toBeLessThan(450);
});

test('a text is not cut within a character', async () => {
  const { path } = await documentWithSource(app, 'REF', (name) => [
    getProcedure(name, `THROW 50001, N'${'😀'.repeat(160)}', 1`),
  ]);
  const { detail } = await problem('GET', path, tokens.service());
  expect(detail).toMatch(/SQL error 50001: (?:😀){148}\uFFFD\.\.\.$/u);
});

test('with SHOW_SOURCE_ERRORS everybody is told, as on the machine of a developer', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
    getProcedure(name, 'SELECT 1 / 0 AS value'),
  ]);
  await using another = await app.startAnother({ SHOW_SOURCE_ERRORS: 'true' });
  const shown = await app.call('GET', path, { token: tokens.user([]), base: another.base });
  expect(shown.json).toMatchObject({
    detail: `Cannot read the custom data "${identifier}": the procedure pCustomData_${identifier}_Get failed with SQL error 8134: Divide by zero error encountered.`,
  });
  await using wrong = await app.startAnother({ SHOW_SOURCE_ERRORS: 'maybe' });
  expect((await app.call('GET', path, { token: tokens.user([]), base: wrong.base })).json).toMatchObject({
    status: 500,
    code: 'configuration',
    detail: expect.stringContaining('SHOW_SOURCE_ERRORS'),
  });
});
