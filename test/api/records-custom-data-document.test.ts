/** The OpenAPI document of the custom data of a type, whose schemas are those of what is read. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { createObjects, propIdOf, recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = async (collection = 'deeds', version = 'v8.0') =>
  (await alice('GET', `/${version}/${collection}/openapi.json`)).json as Document;

const replySchema = (operation: Operation | undefined) =>
  operation?.responses['200']?.content?.['application/json']?.schema;

/** One value of each type that a source may have. */
const everyType = `CAST(1 AS bit) AS c01, CAST(2 AS tinyint) AS c02, CAST(3 AS smallint) AS c03, CAST(4 AS int) AS c04, CAST(5 AS bigint) AS c05,
CAST(1.50 AS decimal(18, 2)) AS c06, CAST(1.5 AS numeric(9, 1)) AS c07, CAST(2.25 AS money) AS c08, CAST(2.25 AS smallmoney) AS c09,
CAST(0.1 AS float) AS c10, CAST(0.5 AS real) AS c11, CAST(N'a' AS nvarchar(10)) AS c12, CAST('a' AS varchar(10)) AS c13, CAST('a' AS char(3)) AS c14,
CAST(N'a' AS nchar(3)) AS c15, CAST('6f9619ff-8b86-d011-b42d-00c04fc964ff' AS uniqueidentifier) AS c16, CAST('2031-01-02' AS date) AS c17,
CAST('10:00' AS time(0)) AS c18, CAST('2031-01-02T10:00' AS datetime) AS c19, CAST('2031-01-02T10:00' AS smalldatetime) AS c20,
CAST('2031-01-02T10:00' AS datetime2(3)) AS c21, CAST('2031-01-02T10:00:00+01:00' AS datetimeoffset(0)) AS c22, CAST(0x0102 AS varbinary(10)) AS c23,
CAST(NULL AS int) AS c24`;

beforeAll(async () => {
  const type = typeNumber(app, 'deeds');
  const get = (name: string, body: string) =>
    customization(
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS ${body}`,
    );
  await customization(
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES
(${type}, N'everything', 'REF_RO', NULL), (${type}, N'called', 'REF', 'one'), (${type}, N'Øre og å/b', 'REF', 'many'),
(${type}, N'ore-og', 'REF', NULL), (${type}, N'asJson', 'REF_RO', NULL), (${type}, N'lost', 'REF', NULL), (${type}, N'sources', 'REF_RO', 'one')`,
  );
  await customization(
    `CREATE VIEW dbo.CustomData_everything AS SELECT propID, ${everyType} FROM dbo.tCustomDataVersions`,
  );
  await get('called', `SELECT ${everyType}`);
  await get('Øre og å/b', "SELECT N'x' AS [first name], 1 AS [class]");
  await get('ore-og', 'SELECT 1 AS amount WHERE @propID > 0');
  await get('asJson', "SELECT N'x' AS a FOR JSON PATH");
  await customization('CREATE VIEW dbo.CustomData_sources AS SELECT 0 AS propID, 1 AS one');
  await customization(
    `CREATE PROCEDURE dbo.[pCustomData_ore-og_Set] @propID int, @usrPropID int, @pAmount decimal(9, 2), @pnote nvarchar(50) = NULL AS RETURN`,
  );
});

describe('GET /{collection}/openapi.json', () => {
  test('has a schema for each identifier of the type, which what is read fits', async () => {
    const { deed } = await createObjects(alice);
    const propID = await propIdOf(app, deed);
    await customization(`INSERT INTO dbo.tCustomDataVersions (propID, version) VALUES (${propID}, 1)`);
    const found = await document();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: found.components });
    for (const identifier of ['everything', 'called', 'Øre og å/b', 'ore-og', 'asJson']) {
      const path = `/deeds/{id}/custom-data/${encodeURIComponent(identifier).replaceAll('%2F', '%252F')}`;
      const schema = replySchema(found.paths[`/v8.0${path}`]?.['get']);
      const { status, json } = await alice('GET', `/v8.0${path.replace('{id}', deed)}`);
      const isFitting = ajv.compile({ $ref: `document${schema?.$ref}` });
      expect({ identifier, status, json, fits: isFitting(json), errors: isFitting.errors }).toMatchObject({
        status: 200,
        fits: true,
      });
    }
  });

  test('types columns as the table of exact values says, in rows that have all of them and no other', async () => {
    const { schemas } = (await document()).components;
    const words = (row: Schema | undefined) =>
      Object.values(row?.properties ?? {}).map(({ type }) => [type].flat()[0]);
    const expected = ['boolean', ...Array(4).fill('integer'), ...Array(6).fill('number')];
    const all = [...expected, ...Array(12).fill('string'), 'integer'];
    expect([words(schemas['EverythingRow']), words(schemas['CalledRow'])]).toEqual([all, all]);
    const { EverythingRow: row } = schemas;
    expect(row?.required).toEqual(Object.keys(row?.properties ?? {}));
    expect(row).toMatchObject({
      additionalProperties: false,
      properties: { c24: { type: ['integer', 'null'] } },
    });
  });

  test('has the shape of each registration, and names that generators tell apart', async () => {
    const { paths, components, servers, openapi } = await document();
    expect([openapi, servers[0]?.url]).toEqual(['3.1.0', app.base]);
    const { schemas } = components;
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(schemas['CustomDataOfDeed']).toMatchObject({
      required: ['asJson', 'called', 'everything', 'lost', 'ore-og', 'sources', 'Øre og å/b'],
      additionalProperties: true,
      properties: { called: ref('Called'), 'Øre og å/b': ref('OereOgAB') },
    });
    expect(schemas['Everything']).toMatchObject({ type: 'array', items: ref('EverythingRow') });
    expect(schemas['Called']).toMatchObject({ anyOf: [ref('CalledRow'), { type: 'null' }] });
    expect(schemas['OereOgAB']).toMatchObject({ type: 'array', items: ref('OereOgABRow') });
    expect(schemas['AsJson']?.type).toBeUndefined();
    const names = Object.keys(schemas).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => /^[a-z][a-z0-9._-]*$/.test(name))).toBe(true);
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((item) => item.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('lets what is read be sent back, and what the procedure takes, for REF alone', async () => {
    const { paths, components } = await document();
    const at = (identifier: string) => Object.keys(paths[`/v8.0/deeds/{id}/custom-data/${identifier}`] ?? {});
    expect([at('everything'), at('ore-og'), at('sources')]).toEqual([['get'], ['get', 'put'], []]);
    const { OreOgChangeRow: row } = components.schemas;
    expect(row?.required).toBeUndefined();
    expect(row?.properties).toEqual({
      amount: { type: ['number', 'null'] },
      note: { type: ['string', 'null'] },
    });
  });

  test('types the value of many objects, and is in both versions', async () => {
    const { paths } = await document('deeds', 'v7');
    const { items } = replySchema(paths['/v7/deeds/custom-data/everything']?.['get']) ?? {};
    expect(items?.properties).toMatchObject({ value: { $ref: '#/components/schemas/Everything' } });
    expect(Object.keys(paths).every((path) => path.startsWith('/v7/deeds/'))).toBe(true);
  });

  test('of a type without registrations has the custom data as any JSON', async () => {
    const { paths } = await document('diaries');
    expect(Object.keys(paths)).toEqual(['/v8.0/diaries/{id}/custom-data']);
  });

  test('is for those who are signed in, since columns are not for everybody', async () => {
    expect((await app.call('GET', '/v8.0/deeds/openapi.json')).status).toBe(401);
  });
});
