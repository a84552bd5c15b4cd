/** Custom procedures that answer with FOR JSON: the JSON is the value. */

import { describe, expect, test } from 'vitest';
import { formatResult } from '../../scripts/sql/format-result.ts';
import { openSession } from '../../scripts/sql/session.ts';
import { readConfig } from '../../shared/config.ts';
import { useApp } from '../support/app.ts';
import { administratorOf } from '../support/database-settings.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { documentWithSource, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

const getProcedure = (name: string, body: string) =>
  `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS ${body}`;

/** The column that SQL Server makes for FOR JSON, by which a procedure can give any JSON. */
const jsonColumn = '[JSON_F52E2B61-18A1-11d1-B105-00805F49916B]';

const long = `[${Array.from({ length: 500 }, (_, index) => `{"number":${index}}`).join(',')}]`;

describe('a procedure with FOR JSON', () => {
  test.each([
    ['an array of one', 'REF', 'SELECT 1 AS a FOR JSON PATH', '[{"a":1}]'],
    ['an array of several', 'REF', 'SELECT 1 AS a UNION ALL SELECT 2 FOR JSON PATH', '[{"a":1},{"a":2}]'],
    ['an object', 'REF', 'SELECT 1 AS a FOR JSON PATH, WITHOUT_ARRAY_WRAPPER', '{"a":1}'],
    ['an object with a root', 'REF', "SELECT 1 AS a FOR JSON PATH, ROOT('cases')", '{"cases":[{"a":1}]}'],
    ['nothing', 'REF', 'SELECT 1 AS a WHERE 1 = 0 FOR JSON PATH', 'null'],
    ['nothing', 'REF_RO', 'SELECT 1 AS a WHERE 1 = 0 FOR JSON PATH', '[]'],
    ['an array', 'REF_RO', 'SELECT 1 AS a FOR JSON PATH', '[{"a":1}]'],
    ['an object', 'REF_RO', 'SELECT 1 AS a FOR JSON PATH, WITHOUT_ARRAY_WRAPPER', '{"a":1}'],
    [
      'exact digits',
      'REF',
      `SELECT N'{"a":1.10,"b":12345678901234567890.5}' AS ${jsonColumn}`,
      '{"a":1.10,"b":12345678901234567890.5}',
    ],
    ['a text', 'REF', `SELECT N'"å😀"' AS ${jsonColumn}`, '"å😀"'],
    ['a text of many packets', 'REF', `SELECT N'${long}' AS ${jsonColumn}`, long],
    ['the first result', 'REF', 'SELECT 1 AS a FOR JSON PATH; SELECT 2 AS b', '[{"a":1}]'],
    ['a later result, which does not count', 'REF', 'SELECT 2 AS b; SELECT 1 AS a FOR JSON PATH', '{"b":2}'],
    [
      'the column beside others',
      'REF',
      `SELECT N'{}' AS ${jsonColumn}, 1 AS a`,
      '{"JSON_F52E2B61-18A1-11d1-B105-00805F49916B":"{}","a":1}',
    ],
    ['a column of another name', 'REF', "SELECT N'[1]' AS value", '{"value":"[1]"}'],
  ] as const)('that gives %s (%s)', async (_what, kind, body, expected) => {
    const { identifier, path } = await documentWithSource(app, kind, (name) => [getProcedure(name, body)]);
    const all = await alice('GET', path);
    expect([all.status, all.text]).toEqual([200, `{"${identifier}":${expected}}`]);
    const one = await alice('GET', `${path}/${identifier}`);
    expect([one.status, one.text]).toEqual([200, expected]);
    const put = await alice('PUT', path, { body: all.text, headers: { Prefer: 'return=representation' } });
    expect([put.status, put.text]).toEqual([200, all.text]);
  });

  test.each([
    ['many', 'FOR JSON PATH, WITHOUT_ARRAY_WRAPPER', '[{"a":1}]'],
    ['many', 'FOR JSON PATH', '[{"a":1}]'],
    ['one', 'FOR JSON PATH', '{"a":1}'],
    ['one', 'FOR JSON PATH, WITHOUT_ARRAY_WRAPPER', '{"a":1}'],
  ])('keeps the registered shape %s: %s', async (shape, clause, expected) => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
      getProcedure(name, `SELECT 1 AS a ${clause}`),
      `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (5, N'${name}', 'REF', '${shape}')`,
    ]);
    expect((await alice('GET', `${path}/${identifier}`)).text).toBe(expected);
    await databasesOf(app).customization(
      `DELETE FROM dbo.tCustomDataTypes WHERE customDataIdentifier = N'${identifier}'`,
    );
  });

  test.each([
    ['XML', "SELECT N'x,y' FOR XML PATH('')", 'its source returns XML (FOR XML).'],
    ['no JSON', `SELECT N'{"a":1},{"a":2}' AS ${jsonColumn}`, 'what its source returns is not JSON.'],
  ])('that gives %s is named by an error', async (_what, body, reason) => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name) => [getProcedure(name, body)]);
    for (const there of [path, `${path}/${identifier}`])
      expect(await alice('GET', there)).toMatchObject({
        status: 500,
        json: {
          code: 'custom-data-source-failed',
          detail: `Cannot read the custom data "${identifier}": ${reason}`,
        },
      });
    expect((await alice('PUT', path, { body: { stored: 1 } })).status).toBe(200);
    expect((await alice('GET', `${path}?identifiers=stored`)).text).toBe('{"stored":1}');
  });

  test('may stand in a procedure that stores, where its result does not count', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
      getProcedure(name, 'SELECT 1 AS a FOR JSON PATH'),
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pa int AS SELECT @pa AS a FOR JSON PATH; SELECT N'x' FOR XML PATH('')`,
    ]);
    const reply = await alice('PUT', path, { body: { [identifier]: { a: 2 } } });
    expect(reply.status).toBe(200);
  });

  test('whose JSON is no object can be sent back, and no other can be sent', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
      getProcedure(name, `SELECT N'[1,2]' AS ${jsonColumn}`),
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pa int AS THROW 50001, N'no', 1`,
    ]);
    expect((await alice('PUT', path, { body: { [identifier]: [1, 2] } })).status).toBe(200);
    expect(await alice('PUT', path, { body: { [identifier]: [1, 3] } })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: `/${identifier}`, detail: 'must be an object or an array of objects' }] },
    });
  });
});

test('a view whose only column has the name of FOR JSON is no list of reference data', async () => {
  await databasesOf(app).customization(`CREATE VIEW dbo.RefData_json AS SELECT N'[]' AS ${jsonColumn}`);
  for (const Accept of ['application/json', 'text/csv'])
    expect(await alice('GET', '/v8.0/reference-data/custom/json', { headers: { Accept } })).toMatchObject({
      status: 500,
      json: { code: 'reference-data-source-failed' },
    });
  await databasesOf(app).customization('DROP VIEW dbo.RefData_json');
});

test('npm run sql prints what FOR JSON and FOR XML give', async () => {
  const config = readConfig(administratorOf(app.stack.settings));
  const session = await openSession(config, config.DB_CUSTOMIZATION_NAME, 10_000);
  try {
    const printed = async (batch: string) => (await session.batch(batch)).map(formatResult).join('');
    expect(await printed(`SELECT N'${long}' AS ${jsonColumn}`)).toContain(`\n${long}\n(1 row)`);
    expect(await printed("SELECT N'x,y' FOR XML PATH('')")).toContain('\nx,y\n');
  } finally {
    await session.close();
  }
});
