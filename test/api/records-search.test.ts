/** Searches by title, number and bk-fields, on every kind of object. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeBatches } from '../support/execute-sql.ts';
import { createObjects, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

/** Three objects of a kind with a unique text: 1, 2 and 3. */
async function three(collection: string) {
  const mark = randomUUID();
  const { diary, journalizedCase, deed } = await createObjects(alice);
  const places: Record<string, string> = {
    diaries: '/v8.0/diaries',
    'journalized-cases': `/v8.0/diaries/${diary}/journalized-cases`,
    deeds: `/v8.0/journalized-cases/${journalizedCase}/deeds`,
    documents: `/v8.0/deeds/${deed}/documents`,
  };
  for (const number of [1, 2, 3]) {
    const values = {
      bkInt01: number,
      bkFloat01: number / 2,
      bkDate01: `2026-0${number}-01`,
      bkStr02: `50%_[${number}]`,
      bkStr03: `C:\\Files\\${number}`,
    };
    const body = {
      title: `Title ${4 - number}`,
      bkStr01: mark,
      ...values,
      ...(collection === 'diaries' ? { year: 2030 } : {}),
    };
    const { status, text } = await alice('POST', places[collection] ?? '', { body });
    if (status !== 201) throw new Error(text);
  }
  const find = async (query: string, path = `/v8.0/${collection}`) => {
    const { status, text, headers } = await alice('GET', `${path}?bkStr01=${mark}&${query}`);
    if (status !== 200) throw new Error(text);
    const numbers = (JSON.parse(text) as { bkInt01: number }[]).map(({ bkInt01 }) => bkInt01);
    return { numbers, headers };
  };
  return { find };
}

describe.each(['diaries', 'journalized-cases', 'deeds', 'documents'])('GET /%s', (collection) => {
  test('finds by equality, text, and ranges, all of them together', async () => {
    const { find } = await three(collection);
    const cases: readonly [string, number[]][] = [
      ['', [1, 2, 3]],
      ['bkInt1=2', [2]],
      ['bkInt01[from]=2', [2, 3]],
      ['bkInt01[from]=2&bkInt01[to]=2', [2]],
      ['bkFloat01[to]=1', [1, 2]],
      ['bkDate1[from]=2026-02-01', [2, 3]],
      ['bkStr02[contains]=%25_[2', [2]],
      ['bkStr02[contains]=0%25', [1, 2, 3]],
      ['bkStr02[contains]=5_', []],
      ['bkStr02[startsWith]=50%25_[', [1, 2, 3]],
      ['bkStr02[startsWith]=0', []],
      ['bkStr02[contains]=3&bkInt01[to]=2', []],
      ['bkStr03[contains]=s%5C2', [2]],
      ['bkStr03[startsWith]=C:%5C', [1, 2, 3]],
      ['bkStr03[contains]=%5C%5C', []],
      ['bkStr03=C:%5CFiles%5C3', [3]],
      ['title=Title 3', [1]],
      ['title=title 3', []],
      ['title[equals]=Title 3', [1]],
      ['title[contains]=TLE', [1, 2, 3]],
      ['title[contains]=le%202', [2]],
      ['title[contains]=%25', []],
      ['title[startsWith]=title', [1, 2, 3]],
      ['title[startsWith]=itle', []],
      ['title[contains]=title&title[startsWith]=Title 1', [3]],
      ['description[contains]=x', []],
      ['bkStr03[equals]=C:%5CFiles%5C3', [3]],
      ['bkInt01[equals]=2', [2]],
      ['bkDate01[equals]=2026-03-01', [3]],
      ['bkFloat1[equals]=1.5', [3]],
      ['sort=title', [3, 2, 1]],
      ['sort=-bkInt01', [3, 2, 1]],
      ['sort=bkStr01,-bkDate1', [3, 2, 1]],
    ];
    for (const [query, expected] of cases)
      expect([query, (await find(query)).numbers]).toEqual([query, expected]);
  });

  test('compares the last of its fields, and none beyond it', async () => {
    const last = collection === 'diaries' || collection === 'deeds' ? 10 : 30;
    const statusOf = async (number: number) =>
      (await alice('GET', `/v8.0/${collection}?bkStr${number}[contains]=x`)).status;
    expect([await statusOf(last - 1), await statusOf(last), await statusOf(last + 1)]).toEqual([
      200, 200, 400,
    ]);
  });

  test.each(['sort=bkStr01', 'sort=-bkStr01'])('walks through equal values of %s once each', async (sort) => {
    const { find } = await three(collection);
    const pages = [];
    for (const offset of [0, 1, 2]) pages.push((await find(`${sort}&limit=1&offset=${offset}`)).numbers);
    expect(pages.flat().toSorted()).toEqual([1, 2, 3]);
    expect((await find(sort)).numbers).toEqual(pages.flat());
  });

  test('counts all pages on request', async () => {
    const { find } = await three(collection);
    const page = await find('total=true&limit=2&sort=-bkInt01');
    expect([page.numbers, page.headers.get('x-total-count')]).toEqual([[3, 2], '3']);
    expect(page.headers.get('link')).toContain('after=');
    expect((await find('')).headers.get('x-total-count')).toBe(null);
    expect((await find('count=true&bkInt01[from]=2&limit=1')).headers.get('x-total-count')).toBe('2');
    expect((await find('count=false')).headers.get('x-total-count')).toBe(null);
    expect((await find('count=true&offset=9')).headers.get('x-total-count')).toBe('3');
    expect((await find('count=true&bkInt01[from]=99')).headers.get('x-total-count')).toBe('0');
  });

  test.each([
    ['bkInt01[contains]=1', 'query:bkInt01[contains]'],
    ['bkStr01[from]=1', 'query:bkStr01[from]'],
    ['bkStr31[contains]=1', 'query:bkStr31[contains]'],
    ['title[from]=1', 'query:title[from]'],
    ['title[like]=1', 'query:title[like]'],
    ['title[contains]=%00', 'query:title[contains]'],

    ['title[contains]=LONG', 'query:title[contains]'],
    ['title=a&title=b', 'query:title'],
    ['count=maybe', 'query:count'],
    [
      collection === 'journalized-cases' ? 'year=2026' : 'number=2026/1',
      collection === 'journalized-cases' ? 'query:year' : 'query:number',
    ],
    ['bkFloat11[to]=1', collection === 'journalized-cases' ? 'query:bkFloat11[upto]' : 'query:bkFloat11[to]'],
    ['bkDate01[from]=yesterday', 'query:bkDate01[from]'],
    ['sort=colour', 'query:sort'],
    ['sort=title,-title', 'query:sort'],
    ['colour=red', 'query:colour'],
  ])('refuses %s', async (query, pointer) => {
    const executable = query
      .replace('LONG', '😀'.repeat(300))
      .replace(
        'bkFloat11[to]',
        pointer.replace('query:', '').startsWith('bkFloat11') ? pointer.slice(6) : '',
      );
    const { status, text } = await alice('GET', `/v8.0/${collection}?${executable}`);
    expect({ status, json: JSON.parse(text) }).toMatchObject({
      status: 400,
      json: { code: 'invalid-parameters', errors: [{ pointer }] },
    });
  });
});

test('a text is found by all of its 400 characters, also where each is a sign of patterns', async () => {
  const { deed } = await createObjects(alice);
  const path = `/v8.0/deeds/${deed}/documents`;
  for (const sign of ['%', '_', '[', '\\']) {
    const title = sign.repeat(400);
    await alice('POST', path, { body: { title: `${title.slice(1)}.` } });
    await alice('POST', path, { body: { title } });
    for (const operator of ['', '[contains]', '[startsWith]']) {
      const { json } = await alice('GET', `${path}?title${operator}=${encodeURIComponent(title)}`);
      expect([sign, operator, json]).toMatchObject([sign, operator, [{ title }]]);
    }
  }
});

test('objects that are equal by the sort come in the order of their creation, in whatever order the server has their rows', async () => {
  const { find } = await three('documents');
  const key = 'CONSTRAINT PK_tDocuments';
  await executeBatches(app.stack.settings, 'main', [
    `ALTER TABLE dbo.tDocuments DROP ${key}`,
    'SELECT * INTO dbo.documentsBackwards FROM dbo.tDocuments',
    'DELETE FROM dbo.tDocuments',
    'INSERT INTO dbo.tDocuments SELECT * FROM dbo.documentsBackwards ORDER BY propID DESC',
  ]);
  for (const sort of ['bkStr01', '-bkStr01'])
    expect([sort, (await find(`sort=${sort}`)).numbers]).toEqual([sort, [1, 2, 3]]);
  await executeBatches(app.stack.settings, 'main', [
    'DROP TABLE dbo.documentsBackwards',
    `ALTER TABLE dbo.tDocuments ADD ${key} PRIMARY KEY (propID)`,
  ]);
});

describe('own fields', () => {
  const numbersOf = async (query: string) => {
    const { json } = await alice('GET', `/v8.0/journalized-cases?${query}`);
    return (json as { number: string }[]).map(({ number }) => number);
  };

  test('cases are found by their number', async () => {
    const { diary } = await createObjects(alice);
    const path = `/v8.0/diaries/${diary}/journalized-cases`;
    const body = { title: randomUUID() };
    const { json } = await alice('POST', path, { body });
    const { number } = json as { number: string };
    const only = `title=${body.title}`;
    expect(await numbersOf(`number=${number}&${only}`)).toEqual([number]);
    expect(await numbersOf(`number[equals]=${number}&${only}`)).toEqual([number]);
    expect(await numbersOf(`number[startsWith]=2031/&${only}`)).toEqual([number]);
    expect(await numbersOf(`number[contains]=/&${only}`)).toEqual([number]);
    expect(await numbersOf(`number[startsWith]=31&${only}`)).toEqual([]);
  });

  test('blanks at the end of a text count', async () => {
    const title = randomUUID();
    for (const [index, bkStr01] of ['a', 'a ', 'a  '].entries())
      await alice('POST', '/v8.0/diaries', { body: { title, year: 2050 + index, bkStr01 } });
    await alice('POST', '/v8.0/diaries', { body: { title: `${title} `, year: 2060, bkStr01: 'b' } });
    const years = async (query: string) =>
      ((await alice('GET', `/v8.0/diaries?${query}`)).json as { year: number }[]).map(({ year }) => year);
    for (const name of ['bkStr01', 'bkStr01[equals]', 'bkStr1']) {
      expect(await years(`title=${title}&${name}=a`)).toEqual([2050]);
      expect(await years(`title=${title}&${name}=a%20`)).toEqual([2051]);
      expect(await years(`title=${title}&${name}=a%20%20`)).toEqual([2052]);
      expect(await years(`title=${title}&${name}=`)).toEqual([]);
    }
    expect(await years(`title=${title}%20`)).toEqual([2060]);
  });

  test('diaries are found by their year', async () => {
    const title = randomUUID();
    await alice('POST', '/v8.0/diaries', { body: { title, year: 2041 } });
    const years = async (query: string) =>
      ((await alice('GET', `/v8.0/diaries?title=${title}&${query}`)).json as { year: number }[]).map(
        ({ year }) => year,
      );
    expect(await years('year=2041')).toEqual([2041]);
    expect(await years('year[from]=2042')).toEqual([]);
    expect(await years('year[from]=2041&year[to]=2041&sort=-year')).toEqual([2041]);
  });
});

describe('the list below an object', () => {
  test('has conditions, order and count as a search has', async () => {
    const { diary } = await createObjects(alice);
    const path = `/v8.0/diaries/${diary}/journalized-cases`;
    for (const title of ['Mill Street', 'Bridge', 'Mill Lane'])
      await alice('POST', path, { body: { title, bkInt01: title.length } });
    const titles = async (query: string) => {
      const { json, headers } = await alice('GET', `${path}?${query}`);
      return [(json as { title: string }[]).map(({ title }) => title), headers.get('x-total-count')];
    };
    expect(await titles('title[startsWith]=mill&sort=-title&count=true')).toEqual([
      ['Mill Street', 'Mill Lane'],
      '2',
    ]);
    expect(await titles('bkInt01[to]=6')).toEqual([['Bridge'], null]);
    expect((await alice('GET', `${path}?title[like]=x`)).status).toBe(400);
    expect((await alice('GET', `${path}?sort=colour`)).status).toBe(400);
  });
});

describe('Accept: text/csv', () => {
  const csv = { headers: { Accept: 'text/csv' } };

  test.each(['diaries', 'journalized-cases', 'deeds', 'documents'])(
    'gives %s as CSV, with the links and the count of the page',
    async (collection) => {
      const title = `="${randomUUID()}", x`;
      const { diary, journalizedCase, deed } = await createObjects(alice);
      const below: Record<string, string> = {
        diaries: '/v8.0/diaries',
        'journalized-cases': `/v8.0/diaries/${diary}/journalized-cases`,
        deeds: `/v8.0/journalized-cases/${journalizedCase}/deeds`,
        documents: `/v8.0/deeds/${deed}/documents`,
      };
      const body = { title, bkFloat02: 1.5, ...(collection === 'diaries' ? { year: 2030 } : {}) };
      for (let count = 0; count < 2; count++) await alice('POST', below[collection] ?? '', { body });
      const query = `title=${encodeURIComponent(title)}&limit=1&count=true`;
      const places = [`/v8.0/${collection}`, below[collection] ?? ''];
      for (const path of places) {
        const { text, headers } = await alice('GET', `${path}?${query}`, csv);
        const [names = '', row = '', end] = text.split('\r\n');
        expect(end).toBe('');
        expect(row).toContain(`,"'${title.replaceAll('"', '""')}",`);
        const [record] = (await alice('GET', `${path}?${query}`)).json as Record<string, unknown>[];
        expect(names.split(',')).toEqual(Object.keys(record ?? {}));
        expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
        expect([headers.get('x-total-count'), headers.get('vary')]).toEqual(['2', 'Accept']);
        expect(headers.get('link')).toContain('rel="next"');
      }
    },
  );

  test('has a line of names where nothing is found, and an error is JSON', async () => {
    const { text } = await alice('GET', `/v8.0/deeds?title=${randomUUID()}`, csv);
    expect(text).toMatch(/^id,journalizedCaseId,title,[^\r]*\r\n$/);
    const { status, json } = await alice('GET', '/v8.0/deeds?colour=red', csv);
    expect([status, json]).toMatchObject([400, { code: 'invalid-parameters' }]);
  });
});
