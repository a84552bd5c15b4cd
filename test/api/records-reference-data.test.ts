/** Reference data: the standard lists of the main database, the custom ones of the customization database. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { recordsAs } from '../support/records.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const bjorn = recordsAs(app, 'bjorn@example.org');

describe.each(['v7', 'v8.0'])('GET /%s/reference-data', (version) => {
  test('links every standard list', async () => {
    const { status, json } = await alice('GET', `/${version}/reference-data`);
    const link = (rel: string) => ({
      href: `${app.base}/${version}/reference-data/${rel}`,
      rel,
      method: 'GET',
    });
    expect({ status, json }).toEqual({
      status: 200,
      json: { _links: [link('countries'), link('documentTypes'), link('languages')] },
    });
  });
});

describe('GET /v7/reference-data/custom', () => {
  test('links every custom list', async () => {
    const { json } = await alice('GET', '/v7/reference-data/custom');
    const link = (rel: string) => ({
      href: `${app.base}/v7/reference-data/custom/${rel}`,
      rel,
      method: 'GET',
    });
    expect(json).toEqual({ _links: [link('departments'), link('priorities')] });
  });

  test('shows a new view at once, and its rows', async () => {
    await customization(
      "CREATE VIEW dbo.RefData_colours AS SELECT 1 AS id, CAST(12345678901234567890.10 AS decimal(38, 2)) AS weight, N'red' AS name",
    );
    const { json } = await alice('GET', '/v7/reference-data/custom');
    expect((json as { _links: { rel: string }[] })._links.map(({ rel }) => rel)).toContain('colours');
    expect((await alice('GET', '/v7/reference-data/custom/colours')).text).toBe(
      '[{"id":1,"weight":12345678901234567890.10,"name":"red"}]',
    );
    await customization('DROP VIEW dbo.RefData_colours');
    expect((await alice('GET', '/v7/reference-data/custom/colours')).status).toBe(404);
  });
});

describe('GET /v7/reference-data/{identifier}', () => {
  test('gives one row per key, without langID', async () => {
    const { status, json } = await alice('GET', '/v7/reference-data/languages');
    expect(status).toBe(200);
    expect(json).toHaveLength(3);
    expect(json).toEqual(
      expect.arrayContaining([
        { code: 'en', name: 'English' },
        { code: 'da', name: 'Danish' },
        { code: 'sv', name: 'Swedish' },
      ]),
    );
  });

  test('gives every country', async () => {
    const { json } = await alice('GET', '/v7/reference-data/countries');
    expect(json).toHaveLength(249);
    expect(json).toContainEqual({ code: 'SE', name: 'Sweden' });
  });

  test("is in the language of the service's own user, whoever asks", async () => {
    expect((await bjorn('GET', '/v7/reference-data/custom/priorities')).json).toEqual(
      (await alice('GET', '/v7/reference-data/custom/priorities')).json,
    );
  });

  test('gives all rows of a view without langID', async () => {
    const { json } = await alice('GET', '/v7/reference-data/custom/departments');
    expect(json).toHaveLength(3);
    expect(json).toContainEqual({ code: 'FIN', name: 'Finance' });
  });

  test('answers 304 to the tag that it gave', async () => {
    const { headers } = await alice('GET', '/v7/reference-data/languages');
    const again = await alice('GET', '/v7/reference-data/languages', {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('has a link that leads to it, whatever its name', async () => {
    const names = ['a/b', 'a b', 'å', 'a%b', "o'x", 'a]b', 'a?b#c', 'a+b', '😀'];
    for (const name of names)
      await customization(
        `CREATE VIEW dbo.[RefData_${name.replaceAll(']', ']]')}] AS SELECT N'${name.replaceAll("'", "''")}' AS name`,
      );
    const { json } = await alice('GET', '/v7/reference-data/custom');
    const links = (json as { _links: { rel: string; href: string }[] })._links;
    for (const name of names) {
      const url = links.find(({ rel }) => rel === name)?.href.slice(app.base.length) ?? '';
      // Azure decodes a path once more before it looks for the route, so a slash is encoded twice.
      const segment = encodeURIComponent(name).replaceAll('%2F', '%252F');
      expect(url).toBe(`/v7/reference-data/custom/${segment}`);
      expect((await alice('GET', url)).json).toEqual([{ name }]);
      const simple = `/v7/reference-data/custom/${encodeURIComponent(name)}`;
      expect((await alice('GET', simple)).json).toEqual([{ name }]);
      await customization(`DROP VIEW dbo.[RefData_${name.replaceAll(']', ']]')}]`);
    }
  });

  test('is of views whose names begin with RefData_, and none that merely look alike', async () => {
    await customization('CREATE VIEW dbo.RefDataXlike AS SELECT 1 AS id');
    const { json } = await alice('GET', '/v7/reference-data/custom');
    await customization('DROP VIEW dbo.RefDataXlike');
    expect((json as { _links: { rel: string }[] })._links.map(({ rel }) => rel)).not.toContain('like');
  });

  test('names the view that fails, and its SQL error', async () => {
    await customization('CREATE VIEW dbo.RefData_broken AS SELECT 1 / 0 AS id');
    const { status, json } = await alice('GET', '/v7/reference-data/custom/broken');
    await customization('DROP VIEW dbo.RefData_broken');
    expect({ status, json }).toMatchObject({
      status: 500,
      json: {
        code: 'reference-data-source-failed',
        detail: 'Cannot read reference data: the view RefData_broken failed with SQL error 8134.',
      },
    });
  });

  test('knows names as long as a view may have, and none that merely begin so', async () => {
    const name = 'x'.repeat(120);
    await main(`CREATE VIEW dbo.RefData_${name} AS SELECT 1 AS id`);
    const replies = [];
    for (const identifier of [name, `${name}x`])
      replies.push((await alice('GET', `/v7/reference-data/${identifier}`)).status);
    await main(`DROP VIEW dbo.RefData_${name}`);
    expect(replies).toEqual([200, 404]);
  });

  test.each(['nothing', 'x'.repeat(200), "'; DROP VIEW RefData_languages; --", 'a]b', '%25'])(
    'answers 404 to %s',
    async (identifier) => {
      const reply = await alice('GET', `/v7/reference-data/${encodeURIComponent(identifier)}`);
      expect(reply.status).toBe(404);
      expect(reply.json).toMatchObject({ code: 'reference-data-not-found' });
    },
  );
});

describe('Accept: text/csv', () => {
  test.each([
    '=',
    '+',
    '-',
    '@',
    '\uFF1D',
    '\uFF0B',
    '\uFF0D',
    '\uFF20',
    '\u2212',
    '\u0085=',
    '\u200B=',
    '\uFEFF=',
    ' \u00AD+',
    '\u0001@',
    '\t-',
    '\t',
    '\r',
  ])('puts an apostrophe before a text that begins with %j', async (start) => {
    const characters = Array.from(`${start}1`, (character) => `NCHAR(${character.charCodeAt(0)})`);
    await customization(
      `CREATE OR ALTER VIEW dbo.RefData_formula AS SELECT CONCAT(${characters.join(', ')}, N'') AS text, N'a=1' AS other`,
    );
    const headers = { Accept: 'text/csv' };
    const { text } = await alice('GET', '/v8.0/reference-data/custom/formula', { headers });
    expect(text.split('\r\n')[1]?.replace(/^"/, '').startsWith(`'${start}`)).toBe(true);
    expect(text).toContain(',a=1');
  });

  test('gives a list for spreadsheets, under a tag of its own', async () => {
    await customization(
      `CREATE VIEW dbo.RefData_sheet AS SELECT -1 AS id, CAST(1.10 AS decimal(9, 2)) AS weight, N'=1+1' AS formula, N'Ærø, "by"' AS name, CAST(NULL AS int) AS nothing`,
    );
    const path = '/v8.0/reference-data/custom/sheet';
    const reply = await alice('GET', path, { headers: { Accept: 'text/csv' } });
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('vary')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      expect.stringContaining('Accept'),
    ]);
    // fetch drops the byte order mark while it decodes.
    expect(reply.text).toBe(`id,weight,formula,name,nothing\r\n-1,1.10,'=1+1,"Ærø, ""by""",\r\n`);
    const asJson = await alice('GET', path);
    expect(asJson.text).toBe(
      String.raw`[{"id":-1,"weight":1.10,"formula":"=1+1","name":"Ærø, \"by\"","nothing":null}]`,
    );
    expect(asJson.headers.get('etag')).not.toBe(reply.headers.get('etag'));
    const again = await alice('GET', path, {
      headers: { Accept: 'text/csv', 'If-None-Match': reply.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    await customization('DROP VIEW dbo.RefData_sheet');
  });

  test('begins with a byte order mark', async () => {
    const reply = await fetch(`${app.base}/v7/reference-data/languages?language=1030`, {
      headers: { Authorization: `Bearer ${app.token('alice@example.org')}`, Accept: 'text/csv' },
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const lines = bytes.subarray(3).toString().split('\r\n');
    expect(lines).toEqual(expect.arrayContaining(['code,name', 'da,dansk', '']));
  });

  test('an error is a problem all the same', async () => {
    const { status, headers } = await alice('GET', '/v7/reference-data/none', {
      headers: { Accept: 'text/csv' },
    });
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });
});

describe('?language=', () => {
  test.each([
    ['/v8.0/reference-data/languages?language=1053', { code: 'da', name: 'danska' }],
    ['/v7/reference-data/custom/priorities?language=1030', { code: 1, name: 'lav' }],
    ['/v7/reference-data/custom/departments?language=1030', { code: 'FIN', name: 'Finance' }],
  ])('GET %s chooses the language', async (path, row) => {
    expect((await alice('GET', path)).json).toContainEqual(row);
  });

  test('without rows in a language the list is empty', async () => {
    expect((await alice('GET', '/v7/reference-data/languages?language=7')).json).toEqual([]);
  });

  test.each(['language=da', 'language=', 'language=-1', 'language=1&language=2', 'lang=1030'])(
    'refuses %s',
    async (query) => {
      expect(await alice('GET', `/v7/reference-data/languages?${query}`)).toMatchObject({
        status: 400,
        json: { code: 'invalid-parameters' },
      });
    },
  );
});

describe('the language of the caller', () => {
  test('is given on request, and by default that of the account of the service', async () => {
    const dorte = recordsAs(app, 'dorte@example.org');
    await customization(
      "CREATE VIEW dbo.RefData_moods AS SELECT 1033 AS langID, N'glad' AS name UNION ALL SELECT 1030, N'munter'",
    );
    try {
      const names = async (caller: typeof alice, query = '') =>
        ((await caller('GET', `/v8.0/reference-data/custom/moods${query}`)).json as { name: string }[]).map(
          ({ name }) => name,
        );
      expect(await names(dorte)).toEqual(await names(alice));
      expect(await names(alice, '?language=caller')).toEqual(['glad']);
      expect(await names(dorte, '?language=caller')).toEqual(['munter']);
      expect(await names(alice, '?language=1030')).toEqual(['munter']);
      expect(await alice('GET', '/v8.0/reference-data/custom/moods?language=da')).toMatchObject({
        status: 400,
        json: { errors: expect.arrayContaining([{ pointer: 'query:language', detail: 'must be "caller"' }]) },
      });
    } finally {
      await customization('DROP VIEW dbo.RefData_moods');
    }
  });
});

test('a list that is at the other address says so', async () => {
  for (const [path, place] of [
    ['/v8.0/reference-data/priorities', 'a custom list: /reference-data/custom/priorities'],
    ['/v7/reference-data/custom/countries', 'a standard list: /reference-data/countries'],
  ] as const)
    expect(await alice('GET', path)).toMatchObject({
      status: 404,
      json: { code: 'reference-data-not-found', hint: `It is ${place} has it.` },
    });
  expect((await alice('GET', '/v8.0/reference-data/nothing')).json).toMatchObject({
    hint: 'The lists that exist are linked from the reference-data endpoints.',
  });
});
