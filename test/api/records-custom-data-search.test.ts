/** Conditions and order by custom values in custom data of many: against a reader in plain JavaScript, in pages, as JSON and CSV. */

import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestReply, useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { numRuns } from '../support/properties.ts';
import { recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const collection = '/v8.0/journalized-cases';

interface Item {
  readonly id: string;
  readonly value: unknown;
}

/** Creates cases that a mark finds, and returns their propIDs in the order of creation. */
async function createCases(mark: string, count: number): Promise<number[]> {
  const typeID = typeNumber(app, 'journalized-cases');
  await main(`DECLARE @i int = 0;
WHILE @i < ${count}
BEGIN
  INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (CONCAT(N'${mark}-', @i), 2, ${typeID});
  INSERT INTO dbo.tJournalizedCases (propID, parentPropID, number, title, bkStr30)
  SELECT TOP (1) SCOPE_IDENTITY(), propID, CONCAT(N'${mark.slice(0, 8)}/', @i), CONCAT(N'Case ', @i), N'${mark}' FROM dbo.tDiaries;
  SET @i = @i + 1;
END`);
  const rows = await main(
    `SELECT propID FROM dbo.tJournalizedCases WHERE bkStr30 = N'${mark}' ORDER BY propID`,
  );
  return rows.map((row) => Number(row['propID']));
}

async function registerType(identifier: string, kind = 'REF_RO') {
  await customization(
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind) VALUES (${typeNumber(app, 'journalized-cases')}, N'${identifier}', '${kind}')`,
  );
}

/** Reads all pages below a path. */
async function pagesOf(path: string, between: () => Promise<unknown> = async () => {}) {
  const items: Item[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { status, json, headers, text }: TestReply = await alice('GET', next);
    if (status !== 200) throw new Error(`${next}: ${status} ${text}`);
    items.push(...(json as Item[]));
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.slice(app.base.length);
    if (next !== undefined) await between();
  }
  return items;
}

type Value = string | number | boolean | null;

/** The columns of the view: their SQL types, values that they may have, as JSON gives them, and how two of them compare. */
const columns = {
  status: { type: 'nvarchar(20)', values: ['', 'applied', 'granted', 'refused', 'x%_[y]', null] },
  code: { type: 'char(5)', values: ['ab   ', 'b    ', null] },
  note: { type: 'nvarchar(max)', values: ['a', 'b'.repeat(500), `c${'\u{1F600}'}`, null] },
  amount: {
    type: 'decimal(38, 20)',
    values: [
      '-0.00000000000000000001',
      '0.00000000000000000000',
      '123456789012345678.12345678901234567890',
      null,
    ],
  },
  price: { type: 'money', values: ['-1.5000', '922337203685477.5807', '10.0000', null] },
  count: { type: 'int', values: [-2_147_483_648, 0, 7, null] },
  big: { type: 'bigint', values: ['-9223372036854775808', '9223372036854775807', '9007199254740993', null] },
  share: { type: 'float', values: [-1.5, 0.1 + 0.2, 1e300, null] },
  rate: { type: 'real', values: [0.1, -2.5, null] },
  open: { type: 'bit', values: [true, false, null] },
  day: { type: 'date', values: ['0001-01-01', '2026-11-21', '9999-12-31', null] },
  decided: {
    type: 'datetime2(7)',
    values: [
      '2026-11-21T10:00:00.1234567',
      '2026-11-21T10:00:00.1234568',
      '1999-01-01T00:00:00.0000000',
      null,
    ],
  },
  old: {
    type: 'datetime',
    values: ['1753-01-01T00:00:00.000', '2026-11-21T10:00:00.123', '2026-11-21T10:00:00.127', null],
  },
  at: {
    type: 'datetimeoffset(7)',
    values: ['2026-11-21T09:00:00.0000001Z', '2026-11-21T09:00:00.0000000Z', null],
  },
  opens: { type: 'time(7)', values: ['00:00:00.0000000', '23:59:59.9999999', '10:00:00.0000000', null] },
} as const;

type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];

/** Numbers that doubles cannot hold are compared as whole numbers of the smallest unit. */
function exact(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + decimals.padEnd(20, '0'));
  return text.startsWith('-') ? -units : units;
}

/** Compares two values as their columns do; NULL comes first. */
function compare(name: Column, a: Value, b: Value): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  const key = (value: string | number | boolean) => {
    if (/^(amount|price|big)$/.test(name)) return exact(String(value));
    return name === 'note' ? String(value).slice(0, 400) : value;
  };
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

type Row = Readonly<Record<Column, Value>>;

function meets(row: Row, { column, comparison, value }: Condition): boolean {
  const cell = row[column];
  if (cell === null) return false;
  const text = column === 'code' ? String(cell).trimEnd() : String(cell);
  if (comparison === 'contains') return text.includes(String(value));
  if (comparison === 'startsWith') return text.startsWith(String(value));
  const order = compare(
    column,
    column === 'code' ? text : cell,
    column === 'code' ? String(value).trimEnd() : value,
  );
  if (comparison === 'equals') return order === 0 && (column !== 'note' || cell === value);
  return comparison === 'from' ? order >= 0 : order <= 0;
}

interface Condition {
  readonly column: Column;
  readonly comparison: string;
  readonly value: Value;
}

const literal = (value: Value) =>
  value === null
    ? 'NULL'
    : typeof value === 'boolean'
      ? String(Number(value))
      : typeof value === 'number'
        ? String(value)
        : `N'${value.replaceAll("'", "''")}'`;

const cells = fc.record(
  Object.fromEntries(names.map((name) => [name, fc.constantFrom<Value>(...columns[name].values)])),
) as unknown as fc.Arbitrary<Row>;

const comparisonsOf = (name: Column) =>
  /^(status|code|note)$/.test(name)
    ? ['equals', 'contains', 'startsWith']
    : name === 'open'
      ? ['equals']
      : ['equals', 'from', 'to'];

const condition: fc.Arbitrary<Condition> = fc.constantFrom(...names).chain((column) =>
  fc.record({
    column: fc.constant(column),
    comparison: fc.constantFrom(...comparisonsOf(column)),
    value: fc.constantFrom<Value>(...columns[column].values.filter((value) => value !== null)),
  }),
);

const sorting = fc
  .uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((column) => fc.record({ column: fc.constant(column), isDescending: fc.boolean() })),
    ),
  );

/** The objects of the view that meet conditions, in an order: what the reader in plain JavaScript finds. */
function expected(
  rows: readonly (readonly Row[])[],
  conditions: readonly Condition[],
  order: readonly { readonly column: Column; readonly isDescending: boolean }[],
) {
  const byOrder = (a: Row | undefined, b: Row | undefined) => {
    for (const { column, isDescending } of order) {
      const difference = compare(column, a?.[column] ?? null, b?.[column] ?? null);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  };
  return rows
    .map((itsRows, index) => ({
      index,
      first: itsRows.filter((row) => conditions.every((item) => meets(row, item))).toSorted(byOrder)[0],
    }))
    .filter(({ first }) => conditions.length === 0 || first !== undefined)
    .toSorted((a, b) => byOrder(a.first, b.first) || a.index - b.index)
    .map(({ index }) => index);
}

function queryOf(
  conditions: readonly Condition[],
  order: readonly { readonly column: string; readonly isDescending: boolean }[],
) {
  const query = new URLSearchParams();
  for (const { column, comparison, value } of conditions)
    query.set(`where[${column}]${comparison === 'equals' ? '' : `[${comparison}]`}`, String(value));
  if (order.length > 0)
    query.set(
      'sort',
      order.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`).join(','),
    );
  return query;
}

describe('objects are found by a view', () => {
  const mark = randomUUID();
  const identifier = `s${mark.slice(0, 8)}`;
  const count = 7;
  let propIDs: number[] = [];
  const base = `${collection}/custom-data/${identifier}?bkStr30=${mark}`;

  beforeAll(async () => {
    propIDs = await createCases(mark, count);
    const declared = names.map((name) => `[${name}] ${columns[name].type} NULL`).join(', ');
    await customization(`CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, ${declared})`);
    await customization(
      `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT * FROM dbo.[rows_${identifier}]`,
    );
    await registerType(identifier);
  });

  const fill = async (rows: readonly (readonly Row[])[]) => {
    const values = rows.flatMap((itsRows, index) =>
      itsRows.map(
        (row) =>
          `(${[propIDs[index], ...names.map((name) => `CAST(${literal(row[name])} AS ${columns[name].type})`)].join(', ')})`,
      ),
    );
    await customization(`DELETE FROM dbo.[rows_${identifier}];
${values.length === 0 ? '' : `INSERT INTO dbo.[rows_${identifier}] (propID, ${names.map((name) => `[${name}]`).join(', ')}) VALUES ${values.join(',\n')}`}`);
  };

  const scenario = fc.record({
    rows: fc.array(fc.array(cells, { maxLength: 3 }), { minLength: count, maxLength: count }),
    conditions: fc.uniqueArray(condition, {
      maxLength: 2,
      selector: ({ column, comparison }) => column + comparison,
    }),
    order: sorting,
    limit: fc.integer({ min: 1, max: 4 }),
  });

  test('by conditions of every type, in every order and page', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rows, conditions, order, limit }) => {
        await fill(rows);
        const path = `${base}&${queryOf(conditions, order)}`;
        const indices = expected(rows, conditions, order);
        const items = await pagesOf(`${path}&limit=${limit}&count=true`);
        expect(items.map(({ id }) => Number(id.slice(mark.length + 1)))).toEqual(indices);
        expect((await alice('GET', `${path}&count=true`)).headers.get('x-total-count')).toBe(
          String(indices.length),
        );
        const table = await alice('GET', `${path}&columns=status`, { headers: { Accept: 'text/csv' } });
        const lines = parse(table.text, { bom: true, relax_column_count: true }) as string[][];
        expect([...new Set(lines.slice(1).map(([id]) => id))]).toEqual(
          indices.map((index) => `${mark}-${index}`),
        );
      }),
      numRuns(40),
    );
  });

  test('in pages, whatever happens to other objects meanwhile', { timeout: 120_000 }, async () => {
    const change = fc.record({ target: fc.nat(count - 1), rows: fc.array(cells, { maxLength: 2 }) });
    const changing = fc.record({ start: scenario, changes: fc.array(change, { maxLength: 6 }) });
    await fc.assert(
      fc.asyncProperty(changing, async ({ start: { rows, conditions, order, limit }, changes }) => {
        await fill(rows);
        const current = [...rows];
        const remaining = [...changes];
        const touched = new Set<number>();
        const items = await pagesOf(`${base}&${queryOf(conditions, order)}&limit=${limit}`, async () => {
          const next = remaining.shift();
          if (next === undefined) return;
          touched.add(next.target);
          current[next.target] = next.rows;
          await fill(current);
        });
        const untouched = (indices: readonly number[]) => indices.filter((index) => !touched.has(index));
        const seen = items.map(({ id }) => Number(id.slice(mark.length + 1)));
        expect(untouched(seen)).toEqual(untouched(expected(rows, conditions, order)));
      }),
      numRuns(30),
    );
  });

  test('one row has to meet all conditions, and the value is whole', async () => {
    const row = (fields: Partial<Row>): Row => ({
      ...(Object.fromEntries(names.map((name) => [name, null])) as Row),
      ...fields,
    });
    await fill([
      [row({ status: 'granted', count: 1 }), row({ status: 'refused', count: 9 })],
      [row({ status: 'granted', count: 9 })],
      [],
    ]);
    const { json } = await alice('GET', `${base}&where[status]=granted&where[count][from]=5`);
    expect(json).toMatchObject([{ id: `${mark}-1` }]);
    const sorted = await alice('GET', `${base}&where[status]=granted&sort=-count`);
    expect((sorted.json as Item[]).map(({ id }) => id)).toEqual([`${mark}-1`, `${mark}-0`]);
    expect((sorted.json as Item[])[1]?.value).toHaveLength(2);
  });

  test.each([
    ['where[colour]=red', 'query:where[colour]', '"colour" is not a column'],
    ['where[Status]=granted', 'query:where[Status]', '"Status" is not a column'],
    ['where[]=x', 'query:where[]', '"" is not a column'],
    ['where[count]=many', 'query:where[count]', 'must be a number'],
    ['where[count][from]=1.5', 'query:where[count][from]', 'must be a whole number'],
    ['where[count]=3000000000', 'query:where[count]', 'must be from'],
    ['where[count]=', 'query:where[count]', 'must be a number'],
    ['where[count][contains]=1', 'query:where[count][contains]', 'has equals, from, to'],
    ['where[status][from]=a', 'query:where[status][from]', 'has equals, contains, startsWith'],
    ['where[status][]=a', 'query:where[status][]', 'has the comparison ""'],
    ['where[open][to]=true', 'query:where[open][to]', 'has equals'],
    ['where[open]=1', 'query:where[open]', 'must be true or false'],
    ['where[price]=1,50', 'query:where[price]', 'with a point'],
    ['where[price]=1.23456', 'query:where[price]', '4 after the point'],
    ['where[day]=21.11.2026', 'query:where[day]', 'must be a date'],
    ['where[day]=2026-02-30', 'query:where[day]', 'a day that exists'],
    ['where[at][from]=2026-11-21T10:00:00+01:00', 'query:where[at][from]', 'must be written like'],
    ['where[at][to]=9999-12-31T23:59:59-14:00', 'query:where[at][to]', 'must be from 0001'],
    ['where[at][from]=0001-01-01T00:00:00%2B00:01', 'query:where[at][from]', 'must be from 0001'],
    ['where[status]=%00', 'query:where[status]', 'U+0000'],
    ['where=x', 'query:where', 'object'],
    ['sort=colour', 'query:sort', '"colour" is not a column'],
    ['sort=-count,count', 'query:sort', 'twice'],
    ['sort=count,title', 'query:sort', 'fields of the objects and by others'],
    ['sort=count&after=x', 'query:after', 'not the key'],
    ['sort=count&where[status]=a&where[status]=b', 'query:where[status]', 'more than once'],
  ])('%s is 400 and says where', async (query, pointer, detail) => {
    const { status, json } = await alice('GET', `${base}&${query}`);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { code: 'invalid-parameters', errors: [{ pointer, detail: expect.stringContaining(detail) }] },
    });
  });

  test('a text that no key of a page could hold is 400', async () => {
    expect(await alice('GET', `${base}&where[status]=${'x'.repeat(1_001)}`)).toMatchObject({
      status: 400,
      json: {
        errors: [{ pointer: 'query:where[status]', detail: expect.stringContaining('1000 characters') }],
      },
    });
  });

  test('a key is of the values that its columns have', async () => {
    const written = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const [sort, value] of [
      ['count', 'x'],
      ['count', 7],
      ['amount', "1'; DROP TABLE x"],
      ['amount', '1'.repeat(60)],
      ['big', '9223372036854775808'],
      ['day', '2026-02-30'],
      ['decided', '2026-11-21T99:00:00'],
      ['opens', '24:00:00'],
      ['share', '1'],
      ['open', true],
      ['status', 'x'.repeat(401)],
      ['status', '\0'],
    ])
      expect(
        (await alice('GET', `${base}&sort=${sort}&after=${written([sort, value, 1])}`)).json,
      ).toMatchObject({ status: 400, errors: [{ pointer: 'query:after' }] });
  });
});

describe('where a view is not what values come from', () => {
  test('a procedure is refused, and named', async () => {
    const identifier = `p${randomUUID().slice(0, 8)}`;
    await customization(`CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT 1 AS propID, 2 AS amount`);
    await customization(
      `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS SELECT 1 AS amount`,
    );
    await registerType(identifier);
    for (const [query, pointer] of [
      ['where[amount][from]=1', 'query:where[amount][from]'],
      ['sort=-amount', 'query:sort'],
    ])
      expect(await alice('GET', `${collection}/custom-data/${identifier}?${query}`)).toMatchObject({
        status: 400,
        json: {
          code: 'custom-data-not-searchable',
          detail: expect.stringContaining(`pCustomData_${identifier}_Get`),
          errors: [{ pointer }],
        },
      });
  });

  test('stored values are refused; an identifier that nobody has is 404, a view that is missing 500', async () => {
    const mark = randomUUID();
    const [propID] = await createCases(mark, 1);
    const identifier = `j${mark.slice(0, 8)}`;
    const path = `${collection}/custom-data/${identifier}?where[a]=1`;
    expect(await alice('GET', path)).toMatchObject({ status: 404, json: { code: 'custom-data-not-found' } });
    await alice('PUT', `${collection}/${mark}-0/custom-data/${identifier}`, { body: { a: 1 } });
    expect(await alice('GET', path)).toMatchObject({
      status: 400,
      json: { code: 'custom-data-not-searchable', detail: expect.stringContaining('stored as JSON') },
    });
    const typed = `t${mark.slice(0, 8)}`;
    await registerType(typed);
    expect(await alice('GET', `${collection}/custom-data/${typed}?sort=a`)).toMatchObject({
      status: 500,
      json: { code: 'custom-data-source-missing' },
    });
    expect(propID).toBeGreaterThan(0);
  });

  test('rows of objects whose value is stored, or that have none, do not count', async () => {
    const mark = randomUUID();
    const [stored, registered, none] = await createCases(mark, 3);
    const identifier = `o${mark.slice(0, 8)}`;
    await customization(
      `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT CAST(value AS int) AS propID, CAST(value AS int) AS title, CAST(value AS varbinary(8)) AS bytes FROM GENERATE_SERIES(${stored}, ${none})`,
    );
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (${stored}, N'${identifier}', 'JSON', N'1'), (${registered}, N'${identifier}', 'REF', NULL)`,
    );
    const path = `${collection}/custom-data/${identifier}?bkStr30=${mark}`;
    expect((await alice('GET', `${path}&where[title][from]=1&count=true`)).json).toMatchObject([
      { id: `${mark}-1` },
    ]);
    // A field of the objects comes before a column of its name.
    for (const [sort, ids] of [
      ['-title', [1, 0]],
      [`-${identifier}.title`, [1, 0]],
      [`${identifier}.title`, [0, 1]],
    ] as const)
      expect(((await alice('GET', `${path}&sort=${sort}`)).json as Item[]).map(({ id }) => id)).toEqual(
        ids.map((index) => `${mark}-${index}`),
      );
    for (const query of ['where[bytes]=AA==', 'sort=bytes'])
      expect((await alice('GET', `${path}&${query}`)).json).toMatchObject({
        code: 'invalid-parameters',
        errors: [{ detail: expect.stringContaining('varbinary(8)') }],
      });
  });

  test('a view that fails is named, and one of very many objects has to be narrowed', async () => {
    const failing = `f${randomUUID().slice(0, 8)}`;
    await customization(
      `CREATE VIEW dbo.[CustomData_${failing}] AS SELECT CAST(value AS int) AS propID, 1 / (value - 5) AS share FROM GENERATE_SERIES(1, 9)`,
    );
    await registerType(failing);
    for (const query of ['where[share]=1', 'sort=share'])
      expect(await alice('GET', `${collection}/custom-data/${failing}?${query}`)).toMatchObject({
        status: 500,
        json: { code: 'custom-data-source-failed', detail: expect.stringContaining(`"${failing}"`) },
      });
    const large = `l${randomUUID().slice(0, 8)}`;
    await customization(
      `CREATE VIEW dbo.[CustomData_${large}] AS SELECT CAST(value AS int) AS propID, CAST(value AS int) AS n FROM GENERATE_SERIES(1, 100001)`,
    );
    await registerType(large);
    expect(await alice('GET', `${collection}/custom-data/${large}?where[n][from]=1&limit=1`)).toMatchObject({
      status: 422,
      json: { code: 'too-many-objects' },
    });
    expect((await alice('GET', `${collection}/custom-data/${large}?where[n][from]=2&limit=1`)).status).toBe(
      200,
    );
  });
});
