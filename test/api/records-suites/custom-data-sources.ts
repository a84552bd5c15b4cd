/** The sources of custom data, for consultants who register them. */

import { expect, test } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { executeSql } from '../../support/execute-sql.ts';
import { documentWithSource, recordsAs } from '../../support/records.ts';

export function testCustomDataSources(app: TestApp): void {
  const alice = recordsAs(app, 'alice@example.org');

  test('GET custom-data/sources names kind and source of each identifier, in the order of the custom data', async () => {
    const path = '/v8.0/documents/document-contract/custom-data';
    const { status, json } = await alice('GET', `${path}/sources`);
    const sources = json as { identifier: string }[];
    expect(status).toBe(200);
    expect(sources.map(({ identifier }) => identifier)).toEqual(
      Object.keys((await alice('GET', path)).json as object),
    );
    expect(sources).toEqual(
      expect.arrayContaining([
        { identifier: 'remarks', kind: 'JSON', source: 'stored', name: null },
        expect.objectContaining({
          identifier: 'invoice',
          kind: 'REF',
          source: 'procedure',
          name: 'pCustomData_invoice_Get',
        }),
        expect.objectContaining({
          identifier: 'parcels',
          kind: 'REF_RO',
          source: 'view',
          name: 'CustomData_parcels',
        }),
      ]),
    );
  });

  test('GET custom-data/sources tells the columns of a view with their SQL and JSON types', async () => {
    const { path } = await documentWithSource(app, 'REF_RO', (name) => [
      `CREATE TABLE dbo.[t_${name}] (propID int NOT NULL, code nvarchar(20) NOT NULL, amount decimal(18, 4) NULL, at datetimeoffset(3) NULL, body varbinary(max) NULL, due date NULL, paid bit NOT NULL)`,
      `CREATE VIEW dbo.[CustomData_${name}] AS SELECT paid, propID, code, amount, at, body, due, CAST(1 AS bigint) AS big FROM dbo.[t_${name}]`,
    ]);
    const [{ columns } = {}] = (await alice('GET', `${path}/sources`)).json as { columns?: unknown }[];
    expect(columns).toEqual([
      { name: 'paid', sqlType: 'bit', jsonType: 'boolean', nullable: false },
      { name: 'code', sqlType: 'nvarchar(20)', jsonType: 'string', nullable: false },
      { name: 'amount', sqlType: 'decimal(18, 4)', jsonType: 'number', nullable: true },
      { name: 'at', sqlType: 'datetimeoffset(3)', jsonType: 'string', format: 'date-time', nullable: true },
      { name: 'body', sqlType: 'varbinary(max)', jsonType: 'string', nullable: true },
      { name: 'due', sqlType: 'date', jsonType: 'string', format: 'date', nullable: true },
      expect.objectContaining({ name: 'big', sqlType: 'bigint', jsonType: 'integer', format: 'int64' }),
    ]);
  });

  test.each<[string, string, unknown]>([
    [
      'those of a result without rows',
      'SELECT CAST(1 AS int) AS [number], CAST(2 AS money) AS sum WHERE 1 = 0',
      [
        { name: 'number', sqlType: 'int', jsonType: 'integer', format: 'int32', nullable: true },
        { name: 'sum', sqlType: 'money', jsonType: 'number', nullable: true },
      ],
    ],
    ['none of FOR JSON', 'SELECT 1 AS a FOR JSON PATH', undefined],
    ['none where it refuses', "THROW 50403, N'No.', 1", undefined],
    ['none where it fails', 'SELECT 1 / @propID AS a', undefined],
    ['none where it gives nothing', 'IF @propID > 0 SELECT 1 AS a', undefined],
    ['none where it leaves a transaction', 'BEGIN TRANSACTION; SELECT 1 / @propID AS a', undefined],
  ])('of a procedure, %s, and those of the next one', async (_, statement, expected) => {
    const { identifier, path, propID } = await documentWithSource(app, 'REF', (name) => [
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS ${statement}`,
    ]);
    const next = `${identifier}z`;
    await executeSql(
      app.stack.settings,
      'customization',
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${next}', 'REF')`,
    );
    await executeSql(
      app.stack.settings,
      'customization',
      `CREATE PROCEDURE dbo.[pCustomData_${next}_Get] @propID int, @usrPropID int, @langID int AS SELECT N'x' AS text`,
    );
    const found = (await alice('GET', `${path}/sources`)).json as { identifier: string; columns?: unknown }[];
    expect(found.map(({ columns }) => columns)).toEqual([
      expected,
      [{ name: 'text', sqlType: 'nvarchar', jsonType: 'string', nullable: true }],
    ]);
  });

  test('a source that does not exist is said to be missing, and the list is still there', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', () => []);
    expect((await alice('GET', path)).status).toBe(500);
    const { status, json } = await alice('GET', `${path}/sources`);
    expect([status, json]).toEqual([200, [{ identifier, kind: 'REF', source: 'missing', name: null }]]);
  });

  test('a view without propID is named, since it is there and to be mended', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF_RO', (name) => [
      `CREATE VIEW dbo.[CustomData_${name}] AS SELECT 1 AS value`,
    ]);
    const source = { identifier, kind: 'REF_RO', source: 'view', name: `CustomData_${identifier}` };
    expect((await alice('GET', `${path}/sources`)).json).toEqual([source]);
  });

  test('an object that is not there has no sources', async () => {
    expect((await alice('GET', '/v8.0/documents/nothing/custom-data/sources')).status).toBe(404);
  });
}
