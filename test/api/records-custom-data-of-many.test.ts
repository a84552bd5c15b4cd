/** One identifier of the custom data of many objects: what the reads of each alone give, in pages, as JSON and CSV. */

import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TestReply, useApp } from '../support/app.ts';
import { awkwardValues } from '../support/awkward-json.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { numRuns } from '../support/properties.ts';
import { propIdOf, recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const collection = '/v8.0/journalized-cases';
const csv = { headers: { Accept: 'text/csv' } };

/** Creates cases of one diary that a mark finds. */
async function createCases(count: number) {
  const mark = randomUUID();
  const diary = await alice('POST', '/v8.0/diaries', { body: { title: 'Many', year: 2031 } });
  const list = `/v8.0/diaries/${(diary.json as { id: string }).id}/journalized-cases`;
  const cases: { readonly id: string; readonly propID: number }[] = [];
  for (let index = 0; index < count; index++) {
    const created = await alice('POST', list, { body: { title: `Case ${index}`, bkStr30: mark } });
    const { id } = created.json as { id: string };
    cases.push({ id, propID: await propIdOf(app, id) });
  }
  const identifier = `m${randomUUID().slice(0, 8)}`;
  return { mark, cases, identifier, path: `${collection}/custom-data/${identifier}?bkStr30=${mark}` };
}

type Cases = Awaited<ReturnType<typeof createCases>>;

/** Registers the identifier for some of the cases. */
async function register({ cases, identifier }: Cases, kinds: readonly (string | undefined)[]) {
  const rows = cases.flatMap(({ propID }, index) =>
    kinds[index] === undefined ? [] : [`(${propID}, N'${identifier}', '${kinds[index]}')`],
  );
  if (rows.length > 0)
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES ${rows.join(', ')}`,
    );
}

/** Registers the identifier for all cases, and takes that back. */
async function withType(identifier: string, kind: string, shape: string | null, work: () => Promise<void>) {
  const typeID = typeNumber(app, 'journalized-cases');
  const value = shape === null ? 'NULL' : `'${shape}'`;
  await customization(
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (${typeID}, N'${identifier}', '${kind}', ${value})`,
  );
  try {
    await work();
  } finally {
    await customization(`DELETE FROM dbo.tCustomDataTypes WHERE customDataIdentifier = N'${identifier}'`);
  }
}

/** What the reads of each object alone give, as the text of a list. */
async function oneByOne({ cases, identifier }: Cases): Promise<string> {
  const items: string[] = [];
  for (const { id } of cases) {
    const { status, text, headers } = await alice('GET', `${collection}/${id}/custom-data/${identifier}`);
    const etag = JSON.stringify(headers.get('etag'));
    if (status === 200) items.push(`{"id":"${id}","etag":${etag},"value":${text}}`);
    else expect([403, 404]).toContain(status);
  }
  return `[${items.join(',')}]`;
}

const view = (identifier: string) => [
  `CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, id int NOT NULL, amount decimal(38, 20) NULL, note nvarchar(50) NULL, at datetime2(7) NULL)`,
  `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT id, propID, amount, note, at FROM dbo.[rows_${identifier}]`,
];

const procedure = (identifier: string, body = '') => [
  `CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, id int NOT NULL, amount decimal(9, 2) NULL, note nvarchar(50) NULL)`,
  `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS
BEGIN
${body}
SELECT id, amount, note, @usrPropID AS reader, @langID AS language FROM dbo.[rows_${identifier}] WHERE propID = @propID ORDER BY id;
END`,
];

async function run(batches: readonly string[]) {
  for (const batch of batches) await customization(batch);
}

async function fill({ cases, identifier }: Cases, counts: readonly number[]) {
  const rows = cases.flatMap(({ propID }, index) =>
    Array.from(
      { length: counts[index] ?? 0 },
      (_, row) => `(${propID}, ${row}, ${index}.${row}5, N'"${row}", x')`,
    ),
  );
  if (rows.length > 0)
    await customization(
      `INSERT INTO dbo.[rows_${identifier}] (propID, id, amount, note) VALUES ${rows.join(', ')}`,
    );
}

describe('GET {collection}/custom-data/{identifier} gives what single reads give', () => {
  test('of JSON values, digit for digit', async () => {
    const many = await createCases(4);
    const values = fc.array(
      fc.option(fc.constantFrom(...Object.values(awkwardValues)), { nil: undefined, freq: 3 }),
      {
        minLength: 4,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(values, async (texts) => {
        for (const [index, { id }] of many.cases.entries()) {
          const text = texts[index];
          const path = `${collection}/${id}/custom-data`;
          const reply =
            text === undefined
              ? await alice('PUT', path, { body: '{}' })
              : await alice('PUT', `${path}/${many.identifier}`, { body: text });
          expect(reply.status).toBeLessThan(300);
        }
        const { status, text } = await alice('GET', many.path);
        expect([status, text]).toEqual([200, await oneByOne(many)]);
      }),
      numRuns(10),
    );
  });

  test.each([
    ['a view', view],
    ['a procedure', procedure],
  ] as const)('of %s, by registrations of objects and of the type, in every shape', async (_, source) => {
    const many = await createCases(7);
    await run(source(many.identifier));
    await fill(many, [0, 1, 3, 0, 1, 3, 2]);
    await register(many, ['REF', 'REF', 'REF', 'REF_RO', 'REF_RO', 'REF_RO']);
    const compare = async () => {
      const { status, text } = await alice('GET', many.path);
      expect([status, text]).toEqual([200, await oneByOne(many)]);
      return (JSON.parse(text) as unknown[]).length;
    };
    expect(await compare()).toBe(6);
    const [first] = many.cases;
    await alice('PUT', `${collection}/${first?.id}/custom-data`, { body: {} });
    for (const kind of ['REF', 'REF_RO'])
      for (const shape of [null, 'one', 'many'])
        await withType(many.identifier, kind, shape, async () => expect(await compare()).toBe(7));
  });

  test('of stored values beside those of a source', async () => {
    const many = await createCases(3);
    await run(view(many.identifier));
    await fill(many, [1, 1, 1]);
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, customData) VALUES (${many.cases[1]?.propID}, N'${many.identifier}', N'{"a": 1.10}')`,
    );
    await withType(many.identifier, 'REF_RO', null, async () => {
      const { text } = await alice('GET', many.path);
      expect(text).toBe(await oneByOne(many));
      expect(text).toContain('{"a": 1.10}');
    });
  });

  test('of what FOR JSON gives', async () => {
    const many = await createCases(2);
    await run([
      `CREATE PROCEDURE dbo.[pCustomData_${many.identifier}_Get] @propID int, @usrPropID int, @langID int AS SELECT @propID AS object, 1.10 AS a FOR JSON PATH`,
    ]);
    await register(many, ['REF', 'REF_RO']);
    expect((await alice('GET', many.path)).text).toBe(await oneByOne(many));
  });

  test('without the object that a procedure refuses, and as the caller', async () => {
    const many = await createCases(3);
    const secret = many.cases[1]?.propID;
    await run(procedure(many.identifier, `IF @propID = ${secret} THROW 50403, N'Not for you.', 1;`));
    await fill(many, [1, 1, 1]);
    await register(many, ['REF', 'REF', 'REF']);
    const { text } = await alice('GET', many.path);
    expect(text).toBe(await oneByOne(many));
    expect(JSON.parse(text)).toMatchObject([{ value: { reader: 2 } }, { id: many.cases[2]?.id }]);
  });

  test('without an object that pStructureObjectInfoGet hides', async () => {
    const many = await createCases(2);
    for (const { id } of many.cases)
      await alice('PUT', `${collection}/${id}/custom-data/${many.identifier}`, { body: '1' });
    const show = (condition: string) =>
      main(`CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS
SELECT propID, objectID, moduleID, typeID FROM dbo.tObjProperties WHERE propID = @propID ${condition}`);
    await show(`AND propID <> ${many.cases[0]?.propID}`);
    try {
      // What was found out counts for five seconds.
      await using another = await app.startAnother();
      const { json } = await alice('GET', many.path, { base: another.base });
      expect(json).toMatchObject([{ id: many.cases[1]?.id, value: 1 }]);
    } finally {
      await show('');
    }
  });

  test.each([
    [
      'behind',
      200,
      '',
      "SELECT N'x' AS more; SELECT propID, objectID, typeID + 1 AS typeID FROM dbo.tObjProperties",
    ],
    ['before', 500, "SELECT N'x' AS other;", ''],
  ])(
    'where pStructureObjectInfoGet has further results %s that of the object',
    async (_, status, before, behind) => {
      const many = await createCases(2);
      for (const { id } of many.cases)
        await alice('PUT', `${collection}/${id}/custom-data/${many.identifier}`, { body: '1' });
      const shown =
        'SELECT propID, objectID, moduleID, typeID FROM dbo.tObjProperties WHERE propID = @propID';
      const show = (batch: string) =>
        main(`CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS ${batch}`);
      await show(`${before} ${shown}; ${behind}`);
      try {
        await using another = await app.startAnother();
        await using third = await app.startAnother();
        const one = `${collection}/${many.cases[0]?.id}/custom-data/${many.identifier}`;
        const replies = [
          await alice('GET', one, { base: third.base }),
          await alice('GET', many.path, { base: another.base }),
        ];
        expect(replies.map((reply) => reply.status)).toEqual([status, status]);
        if (status === 200) expect(replies[1]?.json).toHaveLength(2);
        else
          for (const { json } of replies)
            expect(json).toMatchObject({
              code: 'database-contract',
              detail: expect.stringContaining('pStructureObjectInfoGet'),
            });
      } finally {
        await show(shown);
      }
    },
  );

  test('and an identifier is exact', async () => {
    const many = await createCases(1);
    await alice('PUT', `${collection}/${many.cases[0]?.id}/custom-data/${many.identifier}`, { body: '1' });
    for (const name of [`${many.identifier}%20`, many.identifier.toUpperCase(), 'x'.repeat(300)])
      expect(await alice('GET', many.path.replace(many.identifier, name))).toMatchObject({
        status: 404,
        json: { code: 'custom-data-not-found' },
      });
    expect((await alice('GET', `${many.path}&title=none`)).json).toEqual([]);
  });
});

describe('errors', () => {
  test('a source that fails for one object fails the page, and says how to find out', async () => {
    const many = await createCases(2);
    await run([
      `CREATE VIEW dbo.[CustomData_${many.identifier}] AS SELECT propID, 1 / (propID - ${many.cases[1]?.propID}) AS share FROM dbo.tCustomData WHERE customDataIdentifier = N'${many.identifier}'`,
    ]);
    await register(many, ['REF', 'REF']);
    const { status, json } = await alice('GET', many.path);
    expect({ status, json }).toMatchObject({
      status: 500,
      json: {
        code: 'custom-data-source-failed',
        detail: expect.stringContaining(`"${many.identifier}"`),
        hint: expect.stringContaining('smaller pages'),
      },
    });
    expect((await alice('GET', `${many.path}&limit=1`)).status).toBe(200);
  });

  test('a procedure that fails names itself', async () => {
    const many = await createCases(2);
    await run(
      procedure(many.identifier, `IF @propID = ${many.cases[1]?.propID} THROW 50001, N'Broken.', 1;`),
    );
    await register(many, ['REF', 'REF']);
    expect(await alice('GET', many.path)).toMatchObject({
      status: 500,
      json: {
        code: 'custom-data-source-failed',
        detail: expect.stringContaining(`pCustomData_${many.identifier}_Get`),
      },
    });
  });

  test('a source that is missing, and a value that is no JSON', async () => {
    const many = await createCases(1);
    await register(many, ['REF']);
    expect(await alice('GET', many.path)).toMatchObject({
      status: 500,
      json: { code: 'custom-data-source-missing' },
    });
    await customization(
      `UPDATE dbo.tCustomData SET kind = 'JSON', customData = N'{' WHERE customDataIdentifier = N'${many.identifier}'`,
    );
    expect(await alice('GET', many.path)).toMatchObject({
      status: 500,
      json: { code: 'custom-data-not-json', detail: expect.stringContaining(`of "${many.cases[0]?.id}"`) },
    });
  });

  test('a procedure is called for 100 objects of a page, and for no more', async () => {
    const mark = randomUUID();
    const identifier = `m${mark.slice(0, 8)}`;
    const typeID = typeNumber(app, 'journalized-cases');
    await main(`DECLARE @i int = 0;
WHILE @i < 101
BEGIN
  INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (CONCAT(N'${mark}-', @i), 2, ${typeID});
  INSERT INTO dbo.tJournalizedCases (propID, parentPropID, number, title, bkStr30)
  SELECT TOP (1) SCOPE_IDENTITY(), propID, CONCAT(N'${identifier}/', @i), N'Many', N'${mark}' FROM dbo.tDiaries;
  SET @i = @i + 1;
END`);
    await run(procedure(identifier));
    await withType(identifier, 'REF_RO', 'many', async () => {
      const path = `${collection}/custom-data/${identifier}?bkStr30=${mark}`;
      expect((await alice('GET', path)).json).toHaveLength(100);
      expect(await alice('GET', `${path}&limit=101`)).toMatchObject({
        status: 400,
        json: { code: 'custom-data-many-calls', errors: [{ pointer: 'query:limit' }] },
      });
    });
  });

  test.each(['fields=id', 'colour=red', 'bkStr30[like]=x', 'limit=1001', 'sort=title,colour'])(
    '%s is refused',
    async (query) => {
      expect(await alice('GET', `${collection}/custom-data/amounts?${query}`)).toMatchObject({
        status: 400,
        json: { code: 'invalid-parameters' },
      });
    },
  );

  test('a token is needed', async () => {
    expect((await app.call('GET', `${collection}/custom-data/amounts`)).status).toBe(401);
  });
});

describe.each(['v7', 'v8.0'])('pages in %s', (version) => {
  test('follow each other in the order of the objects, with conditions and count', async () => {
    const many = await createCases(5);
    for (const { id } of many.cases)
      await alice('PUT', `${collection}/${id}/custom-data/${many.identifier}`, { body: JSON.stringify(id) });
    const ids: unknown[] = [];
    let next: string | undefined = `${many.path.replace('v8.0', version)}&limit=2&count=true`;
    while (next !== undefined) {
      const { json, headers }: TestReply = await alice('GET', next);
      ids.push(
        ...(json as { id: string; value: string }[]).map(({ id, value }) => (id === value ? id : undefined)),
      );
      expect(headers.get('x-total-count')).toBe('5');
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.slice(app.base.length);
    }
    expect(ids).toEqual(many.cases.map(({ id }) => id));
    const filtered = await alice('GET', `${many.path}&title[contains]=case%203`);
    expect(filtered.json).toMatchObject([{ id: many.cases[3]?.id, value: many.cases[3]?.id }]);
    const reversed = (await alice('GET', `${many.path}&sort=-title`)).json as { id: string }[];
    expect(reversed.map(({ id }) => id)).toEqual(ids.toReversed());
  });
});

describe('CSV', () => {
  test('has a line for each row of each object, behind its identifier', async () => {
    const many = await createCases(3);
    await run(view(many.identifier));
    await fill(many, [2, 0, 1]);
    await withType(many.identifier, 'REF_RO', 'many', async () => {
      const { text, headers } = await alice('GET', many.path, csv);
      const [a, b, c] = many.cases.map(({ id }) => id);
      expect(text).toBe(
        [
          `id,${many.identifier}.id,amount,note,at`,
          `${a},0,0.05000000000000000000,"""0"", x",`,
          `${a},1,0.15000000000000000000,"""1"", x",`,
          `${b},,,,`,
          `${c},0,2.05000000000000000000,"""0"", x",`,
          '',
        ].join('\r\n'),
      );
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([
        'text/csv; charset=utf-8; header=present',
        'Accept',
      ]);
      const one = await alice('GET', `${collection}/${a}/custom-data/${many.identifier}`, csv);
      expect(one.text).toBe(
        'id,amount,note,at\r\n0,0.05000000000000000000,"""0"", x",\r\n1,0.15000000000000000000,"""1"", x",\r\n',
      );
      const none = await alice('GET', `${collection}/${b}/custom-data/${many.identifier}`, csv);
      expect(none.text).toBe('id,amount,note,at\r\n');
    });
  });

  test('has the same heads on each page, with objects or without', async () => {
    const many = await createCases(3);
    const headsOf = async () => {
      const heads = new Set<string>();
      for (const page of ['', '&limit=1', '&limit=1&offset=1', '&limit=1&offset=2', '&bkStr01=none'])
        heads.add(String((await alice('GET', many.path + page, csv)).text.split('\r\n')[0]));
      return [...heads];
    };
    for (const [index, { id }] of many.cases.entries())
      await alice('PUT', `${collection}/${id}/custom-data/${many.identifier}`, {
        body: { [`p${index}`]: 1 },
      });
    expect(await headsOf()).toEqual(['id,value']);
    for (const { id } of many.cases) await alice('PUT', `${collection}/${id}/custom-data`, { body: '{}' });
    await run(view(many.identifier));
    await fill(many, [0, 1, 2]);
    await withType(many.identifier, 'REF', null, async () =>
      expect(await headsOf()).toEqual([`id,${many.identifier}.id,amount,note,at`]),
    );
    const other = await createCases(2);
    await run(procedure(other.identifier));
    many.path = other.path;
    await withType(other.identifier, 'REF_RO', null, async () =>
      expect(await headsOf()).toEqual([`id,${other.identifier}.id,amount,note,reader,language`]),
    );
  });

  test('has the columns that the caller names', async () => {
    const many = await createCases(2);
    const values = ['[{"a":1.10,"b":{"c":[1]},"id":7},{"a":2}]', '"text"'];
    for (const [index, { id }] of many.cases.entries())
      await alice('PUT', `${collection}/${id}/custom-data/${many.identifier}`, { body: values[index] });
    const [first, second] = many.cases.map(({ id }) => id);
    const { text } = await alice('GET', `${many.path}&columns=b,a,id,none,value`, csv);
    expect(text.split('\r\n')).toEqual([
      `id,b,a,${many.identifier}.id,none,value`,
      `${first},"{""c"":[1]}",1.10,7,,`,
      `${first},,2,,,`,
      `${second},,,,,text`,
      '',
    ]);
    for (const columns of ['a,a', 'a,,b', ''])
      expect(await alice('GET', `${many.path}&columns=${columns}`, csv)).toMatchObject({
        status: 400,
        json: { errors: [{ pointer: 'query:columns' }] },
      });
  });

  test('has values that are not of a source as JSON', async () => {
    const many = await createCases(6);
    const values = ['{"a":1.10,"b":{"c":[1]}}', '[{"d":"=x"},7]', 'null', '"text"', '[]', 'true'];
    for (const [index, { id }] of many.cases.entries())
      await alice('PUT', `${collection}/${id}/custom-data/${many.identifier}`, { body: values[index] });
    const { text } = await alice('GET', many.path, csv);
    expect(parse(text, { bom: true }).map(([, ...cells]) => cells)).toEqual([
      ['value'],
      ['{"a":1.10,"b":{"c":[1]}}'],
      ['{"d":"=x"}'],
      ['7'],
      [''],
      ['text'],
      [''],
      ['true'],
    ]);
    const single = await alice(
      'GET',
      `${collection}/${many.cases[1]?.id}/custom-data/${many.identifier}`,
      csv,
    );
    expect(single.text).toBe("d,value\r\n'=x,\r\n,7\r\n");
  });

  test('of one value has an entity tag of its own', async () => {
    const path = '/v8.0/documents/document-contract/custom-data/parcels';
    const table = await alice('GET', path, csv);
    const etag = table.headers.get('etag') ?? '';
    expect((await alice('GET', path)).headers.get('etag')).not.toBe(etag);
    const again = { headers: { ...csv.headers, 'If-None-Match': etag } };
    expect((await alice('GET', path, again)).status).toBe(304);
    expect((await alice('GET', path, { headers: { 'If-None-Match': etag } })).status).toBe(200);
  });
});
