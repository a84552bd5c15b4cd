/** Read, change, write: a value that was read may be sent back, with any procedures of a source. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf, executeBatches } from '../support/execute-sql.ts';
import { createObjects, documentWithSource, propIdOf, recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

const roundTrip = async (path: string, body: unknown) => {
  const { status, text } = await alice('PUT', path, { body });
  return { status, json: JSON.parse(text) as unknown };
};

/** One row per object with a note that `_Set` does not take, and a priority that has a default. */
const task = (identifier: string, propID: number) => [
  `CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, name nvarchar(20) NOT NULL, priority int NULL, note nvarchar(20) NULL)`,
  `INSERT INTO dbo.[rows_${identifier}] VALUES (${propID}, N'first', 5, N'by the office')`,
  `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, name, priority, note FROM dbo.[rows_${identifier}]`,
  `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pname nvarchar(20), @ppriority int = 3 AS
UPDATE dbo.[rows_${identifier}] SET name = @pname, priority = @ppriority WHERE propID = @propID`,
];

describe('parameters of _Set', () => {
  test('that have a default may be left out, null is not the same', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', task);
    const stored = async (value: object) => {
      expect((await roundTrip(path, { [identifier]: value })).status).toBe(200);
      return ((await alice('GET', path)).json as Record<string, unknown>)[identifier];
    };
    expect(await stored({ name: 'a' })).toMatchObject({ name: 'a', priority: 3 });
    expect(await stored({ name: 'a', priority: null })).toMatchObject({ priority: null });
  });

  test('without a default must be sent, and are named where they are missing', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', task);
    const value = [{ name: 'a' }, { priority: 1 }];
    expect(await roundTrip(path, { [identifier]: value })).toMatchObject({
      status: 400,
      json: { code: 'invalid-body', errors: [{ pointer: `/${identifier}/1/name`, detail: 'is missing' }] },
    });
    expect((await alice('GET', path)).json).toMatchObject({ [identifier]: { name: 'first' } });
  });
});

describe('a value that is sent back', () => {
  test('is 400 when one of two properties that _Set does not take was changed', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name, propID) => [
      `CREATE TABLE dbo.[rows_${name}] (propID int NOT NULL, name nvarchar(20) NOT NULL, note nvarchar(20) NULL, color nvarchar(20) NULL)`,
      `INSERT INTO dbo.[rows_${name}] VALUES (${propID}, N'first', N'by the office', N'red')`,
      `CREATE VIEW dbo.[CustomData_${name}] AS SELECT propID, name, note, color FROM dbo.[rows_${name}]`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pname nvarchar(20) AS
UPDATE dbo.[rows_${name}] SET name = @pname WHERE propID = @propID`,
    ]);
    const value = { name: 'second', note: 'by the office', color: 'red' };
    const put = (change: object) => roundTrip(path, { [identifier]: { ...value, ...change } });
    for (const change of [{ color: 'blue' }, { note: 'mine' }, { color: 'blue', note: 'mine' }])
      expect(await put(change)).toMatchObject({ status: 400, json: { code: 'invalid-body' } });
    expect((await alice('GET', path)).json).toMatchObject({ [identifier]: { name: 'first', color: 'red' } });
    expect((await put({})).status).toBe(200);
  });

  test('is left out alone where its procedure fails, not one whose identifier it begins with', async () => {
    const source = (failing: boolean) => (name: string, propID: number) => [
      `CREATE TABLE dbo.[rows_${name}] (propID int NOT NULL, amount int NOT NULL)`,
      `INSERT INTO dbo.[rows_${name}] VALUES (${propID}, 1)`,
      `CREATE VIEW dbo.[CustomData_${name}] AS SELECT propID, amount FROM dbo.[rows_${name}]`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pamount int AS
BEGIN ${failing ? "THROW 50001, N'The invoice is closed.', 1;" : ''} UPDATE dbo.[rows_${name}] SET amount = @pamount WHERE propID = @propID; INSERT INTO dbo.[calls_of_sets] VALUES (N'${name}'); END`,
    ];
    await customization('CREATE TABLE dbo.[calls_of_sets] (name nvarchar(128) NOT NULL)');
    const first = await documentWithSource(app, 'REF', source(false));
    const longer = `${first.identifier}2`;
    await executeBatches(app.stack.settings, 'customization', [
      ...source(true)(longer, first.propID),
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${first.propID}, N'${longer}', N'REF')`,
    ]);
    const body = { [first.identifier]: { amount: 1 }, [longer]: { amount: 1 } };
    expect((await roundTrip(first.path, body)).status).toBe(200);
    const calls = await customization('SELECT name FROM dbo.calls_of_sets');
    expect(calls).toEqual([{ name: first.identifier }]);
  });

  test('may have properties that _Set does not take, as they were read', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', task);
    const { text, json } = await alice('GET', path);
    expect((await roundTrip(path, text)).status).toBe(200);
    expect((await alice('GET', path)).text).toBe(text);
    const value = (json as Record<string, object>)[identifier];
    expect((await roundTrip(path, { [identifier]: { ...value, name: 'b' } })).status).toBe(200);
    expect((await alice('GET', path)).json).toMatchObject({ [identifier]: { name: 'b' } });
    expect(await roundTrip(path, { [identifier]: { ...value, name: 'b', note: 'mine' } })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: `/${identifier}/note` }] },
    });
  });

  test.each([
    ['requires what _Get does not give', '@pname nvarchar(20), @preason nvarchar(20)', 'SELECT 1 AS one'],
    ['refuses it', '@pname nvarchar(20)', `THROW 50001, N'Not now.', 1`],
    ['takes another type', '@pname int', 'SELECT 1 AS one'],
    ['cannot store it', '@pname nvarchar(20)', 'DECLARE @id uniqueidentifier = @pname'],
    ['does not work', '@pname nvarchar(20)', 'EXEC dbo.pThatDoesNotExist'],
  ])('of two rows is 200 when _Set %s, and the rest is stored', async (_, parameters, body) => {
    const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
      `CREATE PROCEDURE dbo.[pCustomData_${source}_Get] @propID int, @usrPropID int, @langID int AS SELECT N'a' AS name UNION ALL SELECT N'c'`,
      `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, ${parameters} AS ${body}`,
    ]);
    const { json } = await alice('GET', path);
    const reply = await alice('PUT', path, { body: { ...(json as object), remarks: 'new' } });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    expect((await alice('GET', path)).json).toEqual({
      [identifier]: [{ name: 'a' }, { name: 'c' }],
      remarks: 'new',
    });
    expect((await roundTrip(path, { [identifier]: { name: 'b' } })).status).toBeGreaterThanOrEqual(400);
  });

  test('is not replaced by the default of a parameter that it does not fit', async () => {
    const { path } = await documentWithSource(app, 'REF', (source, propID) => [
      `CREATE TABLE dbo.[rows_${source}] (propID int NOT NULL, name nvarchar(20) NULL)`,
      `INSERT INTO dbo.[rows_${source}] VALUES (${propID}, N'longer')`,
      `CREATE VIEW dbo.[CustomData_${source}] AS SELECT propID, name FROM dbo.[rows_${source}]`,
      `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, @pname nvarchar(3) = NULL AS
UPDATE dbo.[rows_${source}] SET name = @pname WHERE propID = @propID`,
    ]);
    const { text } = await alice('GET', path);
    expect((await roundTrip(path, text)).status).toBe(200);
    expect((await alice('GET', path)).text).toBe(text);
  });

  test('is 200 without a _Set', async () => {
    const { path } = await documentWithSource(app, 'REF', (source, propID) => [
      `CREATE VIEW dbo.[CustomData_${source}] AS SELECT ${propID} AS propID, 1 AS value`,
    ]);
    expect((await roundTrip(path, (await alice('GET', path)).text)).status).toBe(200);
  });
});

/** A list that `_Set` replaces as a whole. */
const list = (identifier: string) => [
  `CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, name nvarchar(20) NOT NULL, amount decimal(9, 2) NULL)`,
  `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, name, amount FROM dbo.[rows_${identifier}]`,
  `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @json nvarchar(max) AS
BEGIN
DELETE FROM dbo.[rows_${identifier}] WHERE propID = @propID;
INSERT INTO dbo.[rows_${identifier}] (propID, name, amount)
SELECT @propID, JSON_VALUE(value, '$.name'), JSON_VALUE(value, '$.amount')
FROM OPENJSON(CASE WHEN LEFT(@json, 1) = N'{' THEN N'[' + @json + N']' ELSE @json END);
END`,
];

describe('a _Set with @json', () => {
  test('gets the whole value in one call, so that a list can get shorter', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', list);
    const rows = [
      { name: 'a', amount: 1.5 },
      { name: 'b', amount: null },
    ];
    const stored = async (value: unknown) => {
      expect(await roundTrip(path, { [identifier]: value })).toMatchObject({ status: 200 });
      return ((await alice('GET', path)).json as Record<string, unknown>)[identifier];
    };
    expect(await stored(rows)).toEqual(rows);
    expect(await stored(rows.slice(1))).toEqual(rows[1]);
    expect(await stored(rows[0])).toEqual(rows[0]);
    expect(await stored([])).toBe(null);
  });

  test('gets objects only', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', list);
    expect(await roundTrip(path, { [identifier]: [1] })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: `/${identifier}` }] },
    });
  });
});

describe('a value that only the server can refuse is 400', () => {
  test.each([
    [245, 'DECLARE @a int = @pvalue', 'x'],
    [8114, 'DECLARE @a decimal(9, 2) = @pvalue', 'x'],
    [13_609, 'SELECT value FROM OPENJSON(@pvalue)', 'x'],
  ])('of error %i', async (_, body, value) => {
    const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
      `CREATE PROCEDURE dbo.[pCustomData_${source}_Get] @propID int, @usrPropID int, @langID int AS SELECT N'now' AS value`,
      `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, @pvalue nvarchar(40) AS ${body}`,
    ]);
    expect(await roundTrip(path, { [identifier]: { value } })).toMatchObject({
      status: 400,
      json: { code: 'custom-data-value', errors: [{ pointer: `/${identifier}` }] },
    });
  });
});

test('a view without propID is named', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF_RO', (source) => [
    `CREATE VIEW dbo.[CustomData_${source}] AS SELECT 1 AS value`,
  ]);
  expect(await alice('GET', path)).toMatchObject({
    status: 500,
    json: {
      code: 'custom-data-source-failed',
      detail: `Cannot read the custom data "${identifier}": the view CustomData_${identifier} has no column propID.`,
    },
  });
});

describe('PUT answers the new ETag', () => {
  test('of JSON values, whatever their order', async () => {
    const { document } = await createObjects(alice);
    const path = `/v8.0/documents/${document}/custom-data`;
    const { headers } = await alice('PUT', path, { body: '{"b":1.50,"a":2,"Ä":3,"A":[4]}' });
    expect(headers.get('etag')).toBe((await alice('GET', path)).headers.get('etag'));
    const again = { headers: { 'If-Match': headers.get('etag') ?? '' }, body: { a: 1 } };
    expect((await alice('PUT', path, again)).status).toBe(200);
    expect((await alice('PUT', path, again)).status).toBe(412);
  });

  test('of sources too', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', task);
    const { headers } = await alice('PUT', path, { body: { [identifier]: { name: 'b' }, more: 1 } });
    expect(headers.get('etag')).toBe((await alice('GET', path)).headers.get('etag'));
  });
});

test('PUT takes the current tag though its body leaves a source out', async () => {
  const { path } = await documentWithSource(app, 'REF', task);
  const headers = { 'If-Match': (await alice('GET', path)).headers.get('etag') ?? '' };
  const put = async () => (await alice('PUT', path, { body: { a: 1 }, headers })).status;
  expect([await put(), await put()]).toEqual([200, 412]);
});

test('PUT stores, without an ETag, when a source cannot be read afterwards', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
    `CREATE PROCEDURE dbo.[pCustomData_${source}_Get] @propID int, @usrPropID int, @langID int AS THROW 50001, N'no', 1`,
    `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, @pvalue int AS SELECT @pvalue AS stored`,
  ]);
  const { status, headers } = await alice('PUT', path, { body: { [identifier]: { value: 1 } } });
  expect([status, headers.get('etag')]).toEqual([200, null]);
});

test('PUT that gives the new state has its ETag, also where a source could be read at the second attempt only', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
    `CREATE TABLE dbo.[reads_${source}] (number int NOT NULL)`,
    `INSERT INTO dbo.[reads_${source}] VALUES (0)`,
    `CREATE PROCEDURE dbo.[pCustomData_${source}_Get] @propID int, @usrPropID int, @langID int AS
BEGIN
  UPDATE dbo.[reads_${source}] SET number = number + 1;
  IF (SELECT number % 2 FROM dbo.[reads_${source}]) = 1 THROW 50001, N'Not now.', 1;
  SELECT 1 AS value;
END`,
  ]);
  const put = await alice('PUT', path, { body: { a: 1 }, headers: { Prefer: 'return=representation' } });
  expect([put.status, put.json]).toEqual([200, { a: 1, [identifier]: { value: 1 } }]);
  expect((await alice('GET', path)).status).toBe(500);
  expect((await alice('GET', path)).headers.get('etag')).toBe(put.headers.get('etag'));
});

/** Registers a source for all documents, makes a document, and returns its path. */
async function documentOfType(kind: 'REF' | 'REF_RO', shape: 'one' | 'many' | null) {
  const identifier = `t${randomUUID().slice(0, 8)}`;
  const batches = [
    `CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, name nvarchar(20) NOT NULL)`,
    `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, name FROM dbo.[rows_${identifier}]`,
    `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pname nvarchar(20) AS
INSERT INTO dbo.[rows_${identifier}] (propID, name) VALUES (@propID, @pname)`,
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (${typeNumber(app, 'documents')}, N'${identifier}', '${kind}', ${shape === null ? 'NULL' : `'${shape}'`})`,
  ];
  await executeBatches(app.stack.settings, 'customization', batches);
  const objects = await createObjects(alice);
  return {
    identifier,
    path: `/v8.0/documents/${objects.document}/custom-data`,
    other: `/v8.0/deeds/${objects.deed}/custom-data`,
  };
}

describe('a registration by type', () => {
  const a = { name: 'a' };

  test.each([
    [null, [null, a, [a, a]]],
    ['one', [null, a, a]],
    ['many', [[], [a], [a, a]]],
  ] as const)('of shape %s counts for new objects, and says what the JSON is', async (shape, values) => {
    const { identifier, path, other } = await documentOfType('REF', shape);
    for (const expected of values) {
      const { text, json } = await alice('GET', path);
      expect(json).toMatchObject({ [identifier]: expected });
      expect((await roundTrip(path, text)).status).toBe(200);
      await customization(`DELETE FROM dbo.[rows_${identifier}]`);
      for (let row = 0; row <= values.indexOf(expected as never); row++)
        expect((await roundTrip(path, { [identifier]: a })).status).toBe(200);
    }
    expect((await alice('GET', other)).json).not.toHaveProperty(identifier);
    const fixed = shape === null ? {} : { shape };
    expect((await alice('GET', `${path}/sources`)).json).toContainEqual({
      identifier,
      kind: 'REF',
      source: 'view',
      name: `CustomData_${identifier}`,
      ...fixed,
      columns: [expect.objectContaining({ name: 'name', jsonType: 'string' })],
    });
    const rows = await customization(
      `SELECT kind FROM dbo.tCustomData WHERE customDataIdentifier = N'${identifier}'`,
    );
    expect(rows).toEqual([]);
  });

  test('of kind REF_RO is not written, and stores no JSON under its name', async () => {
    const { identifier, path } = await documentOfType('REF_RO', null);
    expect((await alice('GET', path)).json).toMatchObject({ [identifier]: [] });
    expect(await roundTrip(path, { [identifier]: 'mine' })).toMatchObject({
      status: 422,
      json: { code: 'custom-data-read-only' },
    });
  });

  test('has the shape of the type of the object, where two types register the same identifier', async () => {
    const { identifier, path, other } = await documentOfType('REF', 'one');
    await customization(
      `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (${typeNumber(app, 'deeds')}, N'${identifier}', 'REF', 'many')`,
    );
    for (const at of [path, other]) expect((await roundTrip(at, { [identifier]: a })).status).toBe(200);
    const read = async (at: string) => (await alice('GET', at)).json as Record<string, unknown>;
    expect([(await read(path))[identifier], (await read(other))[identifier]]).toEqual([a, [a]]);
    const sources = (await alice('GET', `${path}/sources`)).json as { identifier: string; shape?: string }[];
    expect(sources.filter((source) => source.identifier === identifier)).toMatchObject([{ shape: 'one' }]);
  });

  test('gives way to a row of the object itself, and not to one of another object or another identifier', async () => {
    const { identifier, path } = await documentOfType('REF', 'one');
    expect((await roundTrip(path, { another: 1 })).status).toBe(200);
    const { document } = await createObjects(alice);
    const propID = await propIdOf(app, document);
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (${propID}, N'${identifier}', 'JSON', N'7')`,
    );
    const read = async (at: string) => ((await alice('GET', at)).json as Record<string, unknown>)[identifier];
    expect([await read(path), await read(`/v8.0/documents/${document}/custom-data`)]).toEqual([null, 7]);
  });

  test('of kind REF_RO gives way to JSON of the object itself', async () => {
    const { identifier } = await documentOfType('REF_RO', 'one');
    const document = await documentWithSource(app, 'REF', (_, propID) =>
      [
        `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (${propID}, N'${identifier}', 'JSON', N'7')`,
      ].concat(task(_, propID)),
    );
    expect((await alice('GET', document.path)).json).toMatchObject({ [identifier]: 7 });
    await customization(`DELETE FROM dbo.tCustomDataTypes WHERE customDataIdentifier = N'${identifier}'`);
  });
});

test.each(['REF_RO', 'REF'] as const)('what a typed client has read of a %s is taken back', async (kind) => {
  const values = `CAST('2026-11-21T10:00:00.12' AS datetime2(7)) AS moment, CAST('2026-11-21' AS date) AS day,
CAST('10:00' AS time) AS time, CAST('2026-11-21T10:00:00+01:00' AS datetimeoffset(3)) AS instant,
CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) AS guid, CAST(1.50 AS decimal(9, 4)) AS amount`;
  const { identifier, path } = await documentWithSource(app, kind, (name) => [
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS SELECT ${values}, 1 AS a`,
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pa int AS RETURN 0`,
  ]);
  const typed = {
    moment: '2026-11-21T10:00:00.12',
    day: '2026-11-21T00:00:00',
    time: '10:00:00',
    instant: '2026-11-21T09:00:00+00:00',
    guid: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    amount: 1.5,
    a: 1,
  };
  const put = async (value: object) =>
    (await alice('PUT', path, { body: { [identifier]: kind === 'REF' ? value : [value] } })).status;
  expect(await put(typed)).toBe(200);
  const refused = kind === 'REF' ? 400 : 422;
  for (const [name, value] of [
    ['moment', '2026-11-21T10:00:00.121'],
    ['day', '2026-11-22'],
    ['instant', '2026-11-21T09:00:00'],
    ['guid', '6f9619ff-8b86-d011-b42d-00c04fc964fe'],
  ])
    expect([name, await put({ ...typed, [String(name)]: value })]).toEqual([name, refused]);
});

test.each([
  ['REF_RO', 'VIEW', 422],
  ['REF_RO', 'PROCEDURE', 422],
  ['REF', 'VIEW', 400],
] as const)(
  'a text of a %s from a %s that looks like a time, a moment or a GUID is compared as it is written',
  async (kind, object, refused) => {
    const text = {
      time: '10:00',
      moment: '2026-11-21T10:00',
      guid: '6F9619FF-8B86-D011-B42D-00C04FC964FF',
      amount: '1.50',
    };
    const columns = Object.entries(text)
      .map(([name, value]) => `N'${value}' AS ${name}`)
      .join(', ');
    const { identifier, path } = await documentWithSource(app, kind, (name, propID) => [
      object === 'VIEW'
        ? `CREATE VIEW dbo.[CustomData_${name}] AS SELECT ${propID} AS propID, ${columns}, 1 AS a`
        : `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS SELECT ${columns}, 1 AS a`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pa int AS RETURN 0`,
    ]);
    const put = async (value: object) =>
      (await alice('PUT', path, { body: { [identifier]: kind === 'REF' ? value : [value] } })).status;
    expect(await put({ ...text, a: 1 })).toBe(200);
    for (const other of [
      { time: '10:00:00' },
      { moment: '2026-11-21T10:00:00' },
      { guid: text.guid.toLowerCase() },
    ])
      expect([other, await put({ ...text, a: 1, ...other })]).toEqual([other, refused]);
  },
);

test.each(['varchar(20)', 'char(3)', 'varchar(max)'])(
  'a character that a %s cannot hold is refused, and never becomes another one',
  async (type) => {
    const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
      `CREATE TABLE dbo.[table_${source}] (propID int NOT NULL, name ${type} NOT NULL, remark nvarchar(20) NULL)`,
      `CREATE VIEW dbo.[CustomData_${source}] AS SELECT propID, name, remark FROM dbo.[table_${source}]`,
      `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, @premark nvarchar(20) = NULL, @pname ${type} AS
BEGIN
    DELETE FROM dbo.[table_${source}] WHERE propID = @propID;
    INSERT INTO dbo.[table_${source}] VALUES (@propID, @pname, @premark);
END`,
    ]);
    const put = (name: string, remark = '😀') =>
      alice('PUT', path, { body: { [identifier]: { remark, name } } });
    expect((await put('å€Æ')).status).toBe(200);
    const before = await alice('GET', path);
    expect(before.text).toContain('"name":"å€Æ"');
    for (const name of ['😀', 'ł', 'a日', '\u2603']) {
      const { status, json } = await put(name);
      expect({ status, json }).toMatchObject({
        status: 400,
        json: { code: 'invalid-body', errors: [{ pointer: `/${identifier}/name` }] },
      });
    }
    expect((await alice('GET', path)).text).toBe(before.text);
  },
);
