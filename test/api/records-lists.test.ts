/** Lists of objects: how many, in which order, and where the rest is. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { createObjects, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

interface Tables {
  readonly typeID: number;
  readonly table: string;
  readonly columns: string;
  readonly values: string;
}

/** Adds many objects to the main database, past the service, each a row of a kind's table. */
async function addMany(count: number, prefix: string, { typeID, table, columns, values }: Tables) {
  await main(`DECLARE @i int = 0;
WHILE @i < ${count}
BEGIN
  INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (CONCAT(N'${prefix}-', @i), 2, ${typeID});
  INSERT INTO dbo.${table} (propID, title, ${columns}) VALUES (SCOPE_IDENTITY(), N'Many', ${values});
  SET @i = @i + 1;
END`);
}

/** Reads a list. Returns how many items it gave, and the address of the next part below the base path. */
async function part(path: string) {
  const reply = await alice('GET', path);
  const next = /^<([^>]*)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  return {
    ids: (reply.json as { id: string }[]).map(({ id }) => id),
    next: next?.startsWith(app.base) ? next.slice(app.base.length) : next,
    link: reply.headers.get('link'),
  };
}

describe.each(['v7', 'v8.0'])('every list of /%s', (version) => {
  /** Three objects below one parent, in each kind of list. */
  async function lists() {
    const parents = await createObjects(alice);
    const cases = `/v8.0/diaries/${parents.diary}/journalized-cases`;
    const deeds = `/v8.0/journalized-cases/${parents.journalizedCase}/deeds`;
    const documents = `/v8.0/deeds/${parents.deed}/documents`;
    for (const path of [cases, deeds, documents])
      for (let count = 0; count < 2; count++)
        await alice('POST', path, { body: { title: 'More', bkStr01: parents.diary } });
    await alice('PATCH', `/v8.0/journalized-cases/${parents.journalizedCase}`, {
      body: { bkStr01: parents.diary },
    });
    return [
      [cases, ''],
      [deeds, ''],
      [documents, ''],
      ['/v8.0/journalized-cases', `bkStr01=${parents.diary}&`],
    ].map(([path = '', query = '']) => ({ path: path.replace('/v8.0', `/${version}`), query }));
  }

  test('is given in parts, each with the address of the next but the last', async () => {
    for (const { path, query } of await lists()) {
      const all = await part(`${path}?${query}`);
      expect([all.ids.length, all.link]).toEqual([3, null]);
      const first = await part(`${path}?${query}limit=2`);
      expect([first.ids, first.next]).toEqual([
        all.ids.slice(0, 2),
        expect.stringMatching(/limit=2&after=[\w-]+$/),
      ]);
      const behind = await part(first.next ?? '');
      expect([behind.ids, behind.next]).toEqual([all.ids.slice(2), undefined]);
      expect(behind.link).toBe(`<${app.base}${path}?${query}limit=2>; rel="first"`);
      const counted = await part(`${path}?${query}limit=2&offset=0`);
      expect([counted.ids, counted.next]).toEqual([all.ids.slice(0, 2), `${path}?${query}limit=2&offset=2`]);
      const second = await part(counted.next ?? '');
      expect([second.ids, second.next]).toEqual([all.ids.slice(2), undefined]);
      expect(second.link).toBe(
        [0, 0]
          .map(
            (offset, index) =>
              `<${app.base}${path}?${query}limit=2&offset=${offset}>; rel="${['prev', 'first'][index]}"`,
          )
          .join(', '),
      );
      const walked: string[] = [];
      for (
        let next: string | undefined = `${path}?${query}limit=1`;
        next !== undefined && walked.length < 4;
      ) {
        const page = await part(next);
        walked.push(...page.ids);
        next = page.next;
      }
      expect(walked).toEqual(all.ids);
      const exactly = await part(`${path}?${query}limit=3`);
      expect([exactly.ids, exactly.link]).toEqual([all.ids, null]);
      const beyond = await part(`${path}?${query}offset=3`);
      expect([beyond.ids, beyond.next]).toEqual([[], undefined]);
      const overlapping = await part(`${path}?${query}limit=2&offset=1`);
      expect(overlapping.link).toContain(`limit=2&offset=0>; rel="prev"`);
      const middle = await part(`${path}?${query}limit=1&offset=1`);
      expect(middle.link?.split(', ').map((link) => /offset=(\d).*"(.*)"/.exec(link)?.slice(1))).toEqual([
        ['2', 'next'],
        ['0', 'prev'],
        ['0', 'first'],
      ]);
    }
  });
});

describe('without a limit', () => {
  test('a list of diaries has up to 1,000', async () => {
    await addMany(1_001, 'many-diaries', { typeID: 2, table: 'tDiaries', columns: 'year', values: '2000' });
    const { ids, next } = await part('/v8.0/diaries');
    expect([ids.length, next]).toEqual([1_000, expect.stringMatching(/^\/v8.0\/diaries\?limit=1000&after=/)]);
  });

  test('a list of children, and a search, have up to 100', async () => {
    const { diary } = await createObjects(alice);
    await addMany(101, 'many-cases', {
      typeID: 3,
      table: 'tJournalizedCases',
      columns: 'parentPropID, number, bkStr02',
      values: `${await propIdOf(app, diary)}, CONCAT(N'2031/', @i + 10), N'many'`,
    });
    const below = await part(`/v8.0/diaries/${diary}/journalized-cases`);
    expect([below.ids.length, below.next]).toEqual([
      100,
      expect.stringContaining(`/v8.0/diaries/${diary}/journalized-cases?limit=100&after=`),
    ]);
    const found = await part('/v8.0/journalized-cases?bkStr02=many');
    expect([found.ids.length, found.next]).toEqual([
      100,
      expect.stringContaining('/v8.0/journalized-cases?bkStr02=many&limit=100&after='),
    ]);
  });
});

test('lists keep to the order in which objects came to be, whatever the clock of the server said', async () => {
  const { diary } = await createObjects(alice);
  const path = `/v8.0/diaries/${diary}/journalized-cases`;
  for (let count = 0; count < 3; count++) await alice('POST', path, { body: { title: 'More' } });
  const { ids } = await part(path);
  const parent = await propIdOf(app, diary);
  for (const createdAt of ["'2026-01-01'", "DATEADD(day, -propID, '2026-01-01')"]) {
    await main(`UPDATE dbo.tJournalizedCases SET createdAt = ${createdAt} WHERE parentPropID = ${parent}`);
    expect((await part(path)).ids).toEqual(ids);
    expect((await part(`${path}?limit=2&offset=1`)).ids).toEqual(ids.slice(1, 3));
  }
});

describe('the bounds of parameters', () => {
  test.each([
    ['limit', [0, 1_001, -1, '1.5', 'x', '']],
    ['offset', [-1, 2_147_483_648, '0.5', 'x', '']],
  ])('%s', async (name, refused) => {
    for (const path of [
      '/v8.0/diaries',
      '/v8.0/journalized-cases',
      '/v8.0/diaries/diary-2026/journalized-cases',
    ]) {
      for (const value of refused) {
        expect(await alice('GET', `${path}?${name}=${value}`)).toMatchObject({
          status: 400,
          json: { code: 'invalid-parameters', errors: [{ pointer: `query:${name}` }] },
        });
      }
      for (const value of name === 'limit' ? [1, 1_000] : [0, 2_147_483_647])
        expect((await alice('GET', `${path}?${name}=${value}`)).status).toBe(200);
    }
  });
});

test('a list below an object whose identifier holds a slash links to the rest with the slash encoded twice', async () => {
  const { diary } = await createObjects(alice);
  await main(`UPDATE dbo.tObjProperties SET objectID = N'a/b c' WHERE objectID = N'${diary}'`);
  const path = '/v8.0/diaries/a%252Fb%20c/journalized-cases';
  await alice('POST', path, { body: { title: 'Another' } });
  const { next } = await part(`${path}?limit=1`);
  expect(next).toContain(`${path}?limit=1&after=`);
  expect((await part(next ?? '')).ids).toHaveLength(1);
});

describe('GET /{collection}/fields', () => {
  const fieldsOf = async (collection: string, query = '', user = alice) =>
    (await user('GET', `/v8.0/${collection}/fields${query}`)).json as Record<string, unknown>[];

  test('lists the fields with type, limits and comparisons', async () => {
    const fields = await fieldsOf('diaries');
    expect(fields.map(({ name }) => name).slice(0, 5)).toEqual([
      'title',
      'description',
      'year',
      'bkStr01',
      'bkStr02',
    ]);
    expect(fields).toHaveLength(43);
    expect(fields.filter(({ name }) => /^(title|year|bk[A-Z]\w+10)$/.test(String(name)))).toMatchObject([
      {
        name: 'title',
        type: 'text',
        required: true,
        readOnly: false,
        maxLength: 400,
        comparisons: ['equals', 'contains', 'startsWith'],
      },
      { name: 'year', type: 'integer', required: true, minimum: 1900, maximum: 9999 },
      {
        name: 'bkStr10',
        type: 'text',
        maxLength: 255,
        required: false,
        comparisons: ['equals', 'contains', 'startsWith'],
      },
      { name: 'bkInt10', type: 'integer', minimum: -2147483648, comparisons: ['equals', 'from', 'to'] },
      { name: 'bkDate10', type: 'date', comparisons: ['equals', 'from', 'to'] },
      { name: 'bkFloat10', type: 'number' },
    ]);
    const [number] = (await fieldsOf('journalized-cases')).filter(({ name }) => name === 'number');
    expect(number).toEqual({
      name: 'number',
      label: null,
      type: 'text',
      required: false,
      readOnly: true,
      comparisons: ['equals', 'contains', 'startsWith'],
    });
  });

  test.each([
    ['the language of the caller', '', 'alice@example.org', 'District'],
    ['that of another caller', '', 'bjorn@example.org', 'Stadsdel'],
    ['the one of the query', '?language=1030', 'alice@example.org', 'Bydel'],
    ['one without labels', '?language=1', 'alice@example.org', null],
    ['number 0, without labels', '?language=0', 'alice@example.org', null],
  ])('labels them in %s', async (_, query, email, label) => {
    const [field] = (await fieldsOf('journalized-cases', query, recordsAs(app, email))).filter(
      ({ name }) => name === 'bkStr01',
    );
    expect(field).toMatchObject({ label });
  });

  test('labels a field of each type by its own label, one that is written with one digit too', async () => {
    await customization(
      "INSERT INTO dbo.tFieldLabels (typeID, field, langID, label) VALUES (4, N'bkInt2', 1033, N'Pages <b>'), (5, N'bkInt02', 1033, N'Sheets')",
    );
    const labels = ['deeds', 'documents', 'diaries'].map(async (collection) => {
      const [field] = (await fieldsOf(collection)).filter(({ name }) => name === 'bkInt02');
      return field?.['label'];
    });
    expect(await Promise.all(labels)).toEqual(['Pages <b>', 'Sheets', null]);
  });

  test.each(['?language=da', '?language=', '?language=1&language=2', '?lang=1'])(
    'refuses %s',
    async (query) => {
      expect(await fieldsOf('deeds', query)).toMatchObject({ status: 400, code: 'invalid-parameters' });
    },
  );
});
