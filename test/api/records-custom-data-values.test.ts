/** Custom data value by value: those that are asked for are read, one is replaced, and no other source is executed. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeBatches, executeSql } from '../support/execute-sql.ts';
import { createObjects, documentWithSource, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');
const customization = (batches: readonly string[]) =>
  executeBatches(app.stack.settings, 'customization', batches);

const contract = '/v8.0/documents/document-contract/custom-data';

/** Creates a document with two JSON values, a source that works and keeps what it is given, one that divides by zero, and one that is missing. */
async function documentWithFaults() {
  const { document } = await createObjects(alice);
  const propID = await propIdOf(app, document);
  const id = randomUUID().slice(0, 8);
  const names = { good: `good${id}`, zero: `zero${id}`, lost: `lost${id}` };
  await customization([
    `CREATE TABLE dbo.tGood${id} (propID int NOT NULL, amount int NOT NULL)`,
    `CREATE PROCEDURE dbo.pCustomData_${names.good}_Get @propID int, @usrPropID int, @langID int AS
SELECT amount FROM dbo.tGood${id} WHERE propID = @propID`,
    `CREATE PROCEDURE dbo.pCustomData_${names.good}_Set @propID int, @usrPropID int, @pamount int AS
BEGIN
  DELETE FROM dbo.tGood${id} WHERE propID = @propID;
  INSERT INTO dbo.tGood${id} (propID, amount) VALUES (@propID, @pamount);
  IF @pamount < 0 THROW 50001, N'An amount is not negative.', 1;
END`,
    `CREATE PROCEDURE dbo.pCustomData_${names.zero}_Get @propID int, @usrPropID int, @langID int AS SELECT 1 / 0 AS amount`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES
(${propID}, N'${names.good}', 'REF'), (${propID}, N'${names.zero}', 'REF'), (${propID}, N'${names.lost}', 'REF_RO')`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, customData) VALUES (${propID}, N'a', N'1.50'), (${propID}, N'b', N'[2]')`,
  ]);
  return { propID, names, path: `/v8.0/documents/${document}/custom-data` };
}

const versions = ['v7', 'v8.0'];

describe('GET custom-data?identifiers', () => {
  test.each(versions)('reads only the values that are named, in %s', async (version) => {
    const { path, names } = await documentWithFaults();
    const there = path.replace('v8.0', version);
    expect((await alice('GET', there)).status).toBe(500);
    const { status, text, headers } = await alice('GET', `${there}?identifiers=b,${names.good},a`);
    expect([status, text]).toEqual([200, `{"a":1.50,"b":[2],"${names.good}":null}`]);
    const etag = headers.get('etag') ?? '';
    const again = await alice('GET', `${there}?identifiers=a,b,${names.good}`, {
      headers: { 'If-None-Match': etag },
    });
    expect(again.status).toBe(304);
  });

  test('takes commas that are encoded, and gives a part another entity tag than the whole', async () => {
    const part = await alice('GET', `${contract}?identifiers=remarks%2Ctags`);
    expect(Object.keys(part.json as object)).toEqual(['remarks', 'tags']);
    expect(part.headers.get('etag')).not.toBe((await alice('GET', contract)).headers.get('etag'));
  });

  test('fails where a named source fails, and says which', async () => {
    const { path, names } = await documentWithFaults();
    expect(await alice('GET', `${path}?identifiers=a,${names.zero}`)).toMatchObject({
      status: 500,
      json: { code: 'custom-data-source-failed', detail: expect.stringContaining(names.zero) },
    });
    expect(await alice('GET', `${path}?identifiers=${names.lost}`)).toMatchObject({
      status: 500,
      json: { code: 'custom-data-source-missing', detail: expect.stringContaining(names.lost) },
    });
  });

  test.each([
    ['identifiers=economy', ['"economy" is not registered for this object']],
    [
      'identifiers=remarks,economy,parties',
      ['"economy"', '"parties"'].map((name) => `${name} is not registered for this object`),
    ],
    ['identifiers=Remarks', ['"Remarks" is not registered for this object']],
    ['identifiers=remarks%20', ['"remarks " is not registered for this object']],
    ['identifiers=%00', ['"\\u0000" is not registered for this object']],
    ['identifiers=', ['has an empty identifier']],
    ['identifiers=remarks,,tags', ['has an empty identifier']],
    ['identifiers=remarks,remarks', ['names "remarks" twice']],
    ['identifiers=remarks&identifiers=tags', ['is given more than once']],
  ])('refuses %s', async (query, details) => {
    const { status, json } = await alice('GET', `${contract}?${query}`);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: {
        code: 'invalid-parameters',
        errors: details.map((detail) => ({ pointer: 'query:identifiers', detail })),
      },
    });
  });

  test('names 20 of the identifiers that it refuses, at most', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `n${index}`);
    const { json } = await alice('GET', `${contract}?identifiers=${names.join(',')}`);
    const { errors } = json as { errors: { detail: string }[] };
    expect(errors.map(({ detail }) => detail.split(' ')[0])).toEqual(
      names.slice(0, 20).map((name) => `"${name}"`),
    );
  });

  test('refuses an identifier of another object, and any where the object is missing', async () => {
    const { path } = await documentWithFaults();
    expect((await alice('GET', `${path}?identifiers=remarks`)).status).toBe(400);
    expect((await alice('GET', '/v8.0/documents/none/custom-data?identifiers=remarks')).status).toBe(404);
  });
});

describe('GET custom-data/{identifier}', () => {
  test.each(versions)('reads one value, digit for digit, with an entity tag, in %s', async (version) => {
    const there = `/${version}/documents/document-contract/custom-data`;
    const { status, text, headers } = await alice('GET', `${there}/amounts`);
    expect([status, text]).toEqual([
      200,
      '{"net": 1200.10, "gross": 1500.125, "reference": 12345678901234567890}',
    ]);
    const condition = { headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    expect((await alice('GET', `${there}/amounts`, condition)).status).toBe(304);
    expect((await alice('GET', `${there}/remarks`, condition)).status).toBe(200);
    expect((await alice('GET', `${there}/archivedBy`)).text).toBe('null');
    expect((await alice('GET', `${there}/parcels`)).json).toHaveLength(2);
  });

  test('reads a value though others cannot be read', async () => {
    const { path, names } = await documentWithFaults();
    expect((await alice('GET', `${path}/a`)).text).toBe('1.50');
    expect((await alice('GET', `${path}/${names.good}`)).text).toBe('null');
    expect((await alice('GET', `${path}/${names.zero}`)).status).toBe(500);
  });

  test.each(['economy', 'Remarks', 'remarks%20', 'x'.repeat(300)])(
    'answers 404 to %s',
    async (identifier) => {
      expect(await alice('GET', `${contract}/${identifier}`)).toMatchObject({
        status: 404,
        json: { code: 'custom-data-not-found' },
      });
    },
  );

  test('tells an object that is missing', async () => {
    expect(await alice('GET', '/v8.0/documents/none/custom-data/remarks')).toMatchObject({
      status: 404,
      json: { code: 'object-not-found' },
    });
  });

  test('refuses a query', async () => {
    expect((await alice('GET', `${contract}/remarks?identifiers=tags`)).status).toBe(400);
  });
});

describe('PUT custom-data/{identifier}', () => {
  test.each(versions)('replaces one JSON value and no other, in %s', async (version) => {
    const { path } = await documentWithFaults();
    const there = path.replace('v8.0', version);
    for (const body of ['{"x": 1.10}', 'null', '"text"', '[]', ' 7 ']) {
      const { status, json, headers } = await alice('PUT', `${there}/a`, { body });
      const link = { href: `${app.base}${there}/a`, rel: 'a', method: 'GET' };
      expect([status, json]).toEqual([200, { _links: [link] }]);
      const read = await alice('GET', `${there}/a`);
      expect([read.text, read.headers.get('etag')]).toEqual([body.trim(), headers.get('etag')]);
    }
    expect((await alice('GET', `${there}?identifiers=a,b`)).text).toBe('{"a":7,"b":[2]}');
  });

  test('creates a value that is not registered', async () => {
    const { path } = await documentWithFaults();
    const { status, headers } = await alice('PUT', `${path}/c%252Fd%20e`, { body: '1' });
    expect([status, headers.get('location')]).toEqual([201, `${app.base}${path}/c%252Fd%20e`]);
    expect((await alice('GET', `${path}?identifiers=a,c/d%20e`)).json).toEqual({ a: 1.5, 'c/d e': 1 });
  });

  test('runs the procedure of a REF value, and no other source', async () => {
    const { path, names } = await documentWithFaults();
    const put = await alice('PUT', `${path}/${names.good}`, { body: { amount: 5 } });
    expect(put.status).toBe(200);
    const read = await alice('GET', `${path}/${names.good}`);
    expect([read.json, read.headers.get('etag')]).toEqual([{ amount: 5 }, put.headers.get('etag')]);
  });

  test('stores nothing where the procedure refuses', async () => {
    const { path, names } = await documentWithFaults();
    await alice('PUT', `${path}/${names.good}`, { body: { amount: 5 } });
    expect(await alice('PUT', `${path}/${names.good}`, { body: { amount: -5 } })).toMatchObject({
      status: 422,
      json: { code: 'custom-data-refused', errors: [{ pointer: '' }] },
    });
    expect((await alice('GET', `${path}/${names.good}`)).json).toEqual({ amount: 5 });
  });

  test.each([
    ['a property of another type', { amount: 'x' }, 400, '/amount'],
    ['an unknown property', { amount: 1, colour: 'red' }, 400, '/colour'],
    ['a missing property', {}, 400, '/amount'],
    ['an element of an array', [{ amount: 1 }, { amount: 1.5 }], 400, '/1/amount'],
    ['a scalar', 5, 400, ''],
  ])('points at %s in the value', async (_, body, status, pointer) => {
    const { path, names } = await documentWithFaults();
    expect(await alice('PUT', `${path}/${names.good}`, { body })).toMatchObject({
      status,
      json: { code: 'invalid-body', errors: [{ pointer }] },
    });
  });

  test('points at 20 places of a value, at most', async () => {
    const { path, names } = await documentWithFaults();
    const body = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, index]));
    const { json } = await alice('PUT', `${path}/${names.good}`, { body });
    expect((json as { errors: unknown[] }).errors).toHaveLength(20);
  });

  test('refuses a change of a read-only value, and takes the current one', async () => {
    const parcels = await alice('GET', `${contract}/parcels`);
    expect((await alice('PUT', `${contract}/parcels`, { body: parcels.text })).status).toBe(200);
    expect(await alice('PUT', `${contract}/parcels`, { body: [] })).toMatchObject({
      status: 422,
      json: { code: 'custom-data-read-only', errors: [{ pointer: '' }] },
    });
  });

  test.each([
    ['%20', 201],
    ['a%20', 400],
    ['x'.repeat(128), 201],
    ['x'.repeat(129), 400],
  ])('takes or refuses the identifier %s', async (identifier, expected) => {
    const { path } = await documentWithFaults();
    const { status, json } = await alice('PUT', `${path}/${identifier}`, { body: '1' });
    const error = { code: 'invalid-parameters', errors: [{ pointer: 'path:identifier' }] };
    expect({ status, json }).toMatchObject({ status: expected, json: expected === 400 ? error : {} });
    expect((await alice('GET', `${path}/a`)).text).toBe('1.50');
  });

  test('refuses a body that is missing or no JSON', async () => {
    expect((await alice('PUT', `${contract}/remarks`)).status).toBe(400);
    expect((await alice('PUT', `${contract}/remarks`, { body: '{' })).status).toBe(400);
  });

  test('with If-Match changes the state that is named only', async () => {
    const { path, names } = await documentWithFaults();
    const { headers } = await alice('GET', `${path}/a`);
    const condition = { 'If-Match': headers.get('etag') ?? '' };
    await alice('PUT', `${path}/b`, { body: '3' });
    expect((await alice('PUT', `${path}/a`, { body: '4', headers: condition })).status).toBe(200);
    expect((await alice('PUT', `${path}/a`, { body: '5', headers: condition })).status).toBe(412);
    expect((await alice('PUT', `${path}/new`, { body: '5', headers: condition })).status).toBe(412);
    expect((await alice('PUT', `${path}/new`, { body: '5', headers: { 'If-Match': '*' } })).status).toBe(412);
    const ref = (await alice('GET', `${path}/${names.good}`)).headers.get('etag') ?? '';
    const matching = { body: { amount: 1 }, headers: { 'If-Match': ref } };
    expect((await alice('PUT', `${path}/${names.good}`, matching)).status).toBe(200);
    expect((await alice('PUT', `${path}/${names.good}`, matching)).status).toBe(412);
  });

  test('of writers with the same tag exactly one succeeds, and writers of other values all do', async () => {
    const { path } = await documentWithFaults();
    const condition = { 'If-Match': (await alice('GET', `${path}/a`)).headers.get('etag') ?? '' };
    const same = [1, 2, 3, 4].map((body) =>
      alice('PUT', `${path}/a`, { body: String(body), headers: condition }),
    );
    const other = [1, 2, 3, 4].map((body) => alice('PUT', `${path}/n${body}`, { body: String(body) }));
    const statuses = (await Promise.all(same)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
    expect((await Promise.all(other)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await alice('GET', `${path}?identifiers=n1,n2,n3,n4`)).json).toEqual({
      n1: 1,
      n2: 2,
      n3: 3,
      n4: 4,
    });
  });

  test('with If-Match is stored though another value changes meanwhile, unlike all values', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
      `CREATE TABLE dbo.[writers_${name}] (isWaiting bit NOT NULL)`,
      `INSERT INTO dbo.[writers_${name}] VALUES (0)`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS
BEGIN
  UPDATE dbo.[writers_${name}] SET isWaiting = 0 WHERE isWaiting = 1;
  IF @@ROWCOUNT = 1 UPDATE dbo.tCustomDataVersions SET version = version + 1 WHERE propID = @propID;
  SELECT 1 AS value;
END`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue int AS SELECT 1 AS one`,
    ]);
    await alice('PUT', path, { body: { a: 1 } });
    const put = async (there: string, body: object) => {
      const headers = { 'If-Match': (await alice('GET', there)).headers.get('etag') ?? '' };
      await customization([`UPDATE dbo.[writers_${identifier}] SET isWaiting = 1`]);
      return (await alice('PUT', there, { body, headers })).status;
    };
    expect(await put(`${path}/${identifier}`, { value: 1 })).toBe(200);
    expect(await put(path, { [identifier]: { value: 1 } })).toBe(412);
    expect((await alice('GET', `${path}/a`)).text).toBe('1');
  });

  test('takes 10,000 values of an object, and no more', async () => {
    const { document } = await createObjects(alice);
    const path = `/v8.0/documents/${document}/custom-data`;
    const body = Object.fromEntries(Array.from({ length: 9_999 }, (_, index) => [`p${index}`, index]));
    await alice('PUT', path, { body });
    expect((await alice('PUT', `${path}/last`, { body: '1' })).status).toBe(201);
    expect(await alice('PUT', `${path}/more`, { body: '1' })).toMatchObject({
      status: 413,
      json: { code: 'too-many-properties' },
    });
    expect((await alice('PUT', `${path}/p1`, { body: '"changed"' })).status).toBe(200);
  });

  test('runs the procedure of a REF value beside 10,000 JSON values', async () => {
    const { path, names } = await documentWithFaults();
    const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, index]));
    expect((await alice('PUT', path, { body })).status).toBe(200);
    expect((await alice('PUT', `${path}/${names.good}`, { body: { amount: 5 } })).status).toBe(200);
  });
});

test('an identifier that the collation takes for another one is a conflict', async () => {
  const { document } = await createObjects(alice);
  const propID = await propIdOf(app, document);
  const index = `IX_test_${propID}`;
  await executeSql(
    app.stack.settings,
    'customization',
    `CREATE UNIQUE INDEX ${index} ON dbo.tCustomData (propID, kind) WHERE propID = ${propID}`,
  );
  const path = `/v8.0/documents/${document}/custom-data`;
  expect((await alice('PUT', `${path}/a`, { body: '1' })).status).toBe(201);
  expect(await alice('PUT', `${path}/b`, { body: '1' })).toMatchObject({
    status: 409,
    json: { code: 'custom-data-conflict' },
  });
  await executeSql(app.stack.settings, 'customization', `DROP INDEX ${index} ON dbo.tCustomData`);
});

describe('Prefer', () => {
  const prefer = (value: string) => ({ headers: { Prefer: value } });

  test.each([
    'return=representation',
    'RETURN="representation"',
    'wait=5, return = representation; x=y, return=minimal',
  ])('%s gives the new state', async (value) => {
    const { path, names } = await documentWithFaults();
    const replaced = await alice('PUT', `${path}/a`, { body: '{"x": 2.0}', ...prefer(value) });
    expect([replaced.status, replaced.text, replaced.headers.get('preference-applied')]).toEqual([
      200,
      '{"x": 2.0}',
      'return=representation',
    ]);
    const source = await alice('PUT', `${path}/${names.good}`, { body: { amount: 2 }, ...prefer(value) });
    expect(source.json).toEqual({ amount: 2 });
    const created = await alice('PUT', `${path}/new`, { body: '1', ...prefer(value) });
    expect([created.status, created.text]).toEqual([201, '1']);
    const all = await alice('PUT', contract, { body: { remarks: 1 }, ...prefer(value) });
    const read = await alice('GET', contract);
    expect([all.json, all.headers.get('etag')]).toEqual([read.json, read.headers.get('etag')]);
  });

  test('return=minimal gives no body, or the links of what is new', async () => {
    const { path } = await documentWithFaults();
    const reply = async (there: string, body: string) => {
      const { status, text, headers } = await alice('PUT', there, { body, ...prefer('return=minimal') });
      expect(headers.get('preference-applied')).toBe('return=minimal');
      return [status, text];
    };
    expect(await reply(`${path}/a`, '1')).toEqual([204, '']);
    expect(await reply(`${path}/new`, '1')).toEqual([201, expect.stringContaining('_links')]);
    expect(await reply(path, '{}')).toEqual([204, '']);
  });

  test.each(['return=other', 'return', 'handling=strict', 'x;return=minimal', ''])(
    '%j is ignored',
    async (value) => {
      const { path } = await documentWithFaults();
      const { status, json, headers } = await alice('PUT', `${path}/a`, { body: '1', ...prefer(value) });
      expect([status, Object.keys(json as object), headers.get('preference-applied')]).toEqual([
        200,
        ['_links'],
        null,
      ]);
    },
  );

  test('is not followed where the new state cannot be read', async () => {
    const { path } = await documentWithFaults();
    const put = await alice('PUT', path, { body: { a: 3 }, ...prefer('return=representation') });
    expect([put.status, put.headers.get('preference-applied')]).toEqual([200, null]);
    expect((await alice('GET', `${path}/a`)).text).toBe('3');
  });
});

test('an entity tag says what it is of, and a change of something else is told so', async () => {
  const { document } = await createObjects(alice);
  const path = `/v8.0/documents/${document}/custom-data`;
  await alice('PUT', path, { body: { a: 1 } });
  const etagOf = async (there: string) => (await alice('GET', there)).headers.get('etag') ?? '';
  const put = async (there: string, etag: string) => {
    const { status, json } = await alice('PUT', there, { body: '{"a":1}', headers: { 'If-Match': etag } });
    return [status, (json as { detail?: string }).detail];
  };
  const of = {
    all: await etagOf(path),
    some: await etagOf(`${path}?identifiers=a`),
    one: await etagOf(`${path}/a`),
  };
  const told = (words: string) => [
    412,
    `Cannot store custom data: the entity tag of If-Match ${words} alone.`,
  ];
  expect(await put(path, of.one)).toEqual(told('is of one value, and fits a change of that value'));
  expect(await put(path, of.some)).toEqual(told('is of several values, and fits a read of them'));
  expect(await put(`${path}/a`, of.some)).toEqual(told('is of several values, and fits a read of them'));
  expect(await put(`${path}/a`, of.all)).toEqual([
    412,
    'Cannot store custom data: the entity tag of If-Match is of all custom data, and fits a change of all of it alone.',
  ]);
  expect(await put(path, `${of.one}, ${of.all}`)).toEqual([200, undefined]);
  expect(await put(`${path}/a`, of.one)).toEqual([200, undefined]);
  expect(
    (
      await alice('GET', `${path}?identifiers=a`, {
        headers: { 'If-None-Match': await etagOf(`${path}?identifiers=a`) },
      })
    ).status,
  ).toBe(304);
});

test.each([
  [300, 300],
  [1_000, 99],
])('CSV of %i objects with %i properties of their own is refused, and JSON is not', async (rows, count) => {
  const { document } = await createObjects(alice);
  const value = Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(Array.from({ length: count }, (__, index) => [`r${row}p${index}`, index])),
  );
  const path = `/v8.0/documents/${document}/custom-data/byRoom`;
  expect((await alice('PUT', path, { body: value })).status).toBe(201);
  const table = await alice('GET', path, { headers: { Accept: 'text/csv' } });
  expect(table).toMatchObject({
    status: 422,
    json: { code: 'too-many-cells', detail: expect.stringContaining('more than 2000000 cells') },
  });
  expect((await alice('GET', path)).json).toEqual(value);
});

test.each([55_263, 60_000, 120_000, 400_000])(
  'a text of %i letters of Danish prose is kept',
  async (length) => {
    const { document } = await createObjects(alice);
    const path = `/v8.0/documents/${document}/custom-data/prose`;
    const prose = 'Sagsbehandleren på Ærø får en henvendelse om fjernvarme, sløjfer og é. ';
    const text = prose.repeat(Math.ceil(length / prose.length)).slice(0, length);
    for (const body of [{ text }, { text: `${text}å` }]) {
      expect((await alice('PUT', path, { body })).status).toBeLessThan(300);
      expect((await alice('GET', path)).json).toEqual(body);
    }
  },
);

test('a list of 1,000 rows that is sent back with a column that no parameter takes is stored', async () => {
  const { document } = await createObjects(alice);
  const propID = await propIdOf(app, document);
  const name = `wide${randomUUID().slice(0, 8)}`;
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, note: `Row ${index}` }));
  await customization([
    `CREATE TABLE dbo.[rows_${name}] (id int NOT NULL PRIMARY KEY, note nvarchar(50) NULL)`,
    `INSERT INTO dbo.[rows_${name}] (id, note) VALUES ${rows.map(({ id, note }) => `(${id}, N'${note}')`).join(', ')}`,
    `CREATE VIEW dbo.[CustomData_${name}] AS SELECT ${propID} AS propID, id, note FROM dbo.[rows_${name}]`,
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pnote nvarchar(50) AS RETURN 0`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${name}', 'REF')`,
  ]);
  const path = `/v8.0/documents/${document}/custom-data/${name}`;
  const { text } = await alice('GET', path);
  expect(JSON.parse(text)).toHaveLength(1_000);
  expect((await alice('PUT', path, { body: text })).status).toBe(200);
  const other = text.replace('"id":1000,', '"id":-1,');
  expect(await alice('PUT', path, { body: other })).toMatchObject({
    status: 400,
    json: { errors: [{ pointer: '/999/id' }] },
  });
});

test.each([
  [String.raw`"\ud83d"`, ''],
  [String.raw`"\u0000"`, ''],
  [String.raw`{"a":[1,"x\udE00"]}`, '/a/1'],
  [String.raw`{"\ud83d":1}`, ''],
  [String.raw`{"a":{"b\u0000":1}}`, '/a'],
])('a value %s that no two databases keep alike is refused', async (body, pointer) => {
  const { document } = await createObjects(alice);
  const path = `/v8.0/documents/${document}/custom-data`;
  for (const [target, text, prefix] of [
    [`${path}/x`, body, ''],
    [path, `{"x":${body}}`, '/x'],
  ] as const)
    expect(await alice('PUT', target, { body: text })).toMatchObject({
      status: 400,
      json: { code: 'invalid-body', errors: [{ pointer: prefix + pointer }] },
    });
  const kept = String.raw`["\\u0000","\\ud83d","\ud83d\ude00"]`;
  expect((await alice('PUT', `${path}/x`, { body: kept })).status).toBe(201);
  expect((await alice('GET', `${path}/x`)).text).toBe(kept);
});
