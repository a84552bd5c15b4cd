/** `fields=`: the fields of objects that a caller names, in lists, in CSV and of one object. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { numRuns } from '../support/properties.ts';
import { createObjects, recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const csv = { headers: { Accept: 'text/csv' } };

/** A case with values, the path of the list that has it alone, and its own. */
async function caseWithValues() {
  const { journalizedCase, diary } = await createObjects(alice);
  const path = `/v8.0/journalized-cases/${journalizedCase}`;
  const body = {
    title: 'Mill Street',
    description: 'Two; lanes',
    bkStr01: '=north',
    bkInt30: 7,
    bkFloat02: 1.5,
  };
  await alice('PATCH', path, { body });
  return { path, list: `/v8.0/diaries/${diary}/journalized-cases`, diary, id: journalizedCase };
}

describe.each(['v7', 'v8.0'])('fields= in %s', (version) => {
  test('chooses the fields of lists and of an object, in its order, bk-fields with one digit too', async () => {
    const { path, list, diary, id } = await caseWithValues();
    const query = '?fields=bkStr1,id,updatedAt,diaryId,bkInt30,number';
    const { json } = await alice('GET', path.replace('v8.0', version));
    const { updatedAt, number } = json as Record<string, unknown>;
    const expected = JSON.stringify({ bkStr01: '=north', id, updatedAt, diaryId: diary, bkInt30: 7, number });
    expect((await alice('GET', `${path.replace('v8.0', version)}${query}`)).text).toBe(expected);
    for (const place of [list, '/v8.0/journalized-cases'])
      expect(
        (await alice('GET', `${place.replace('v8.0', version)}${query}&bkInt30=7&sort=-updatedAt&limit=1`))
          .text,
      ).toBe(`[${expected}]`);
  });

  test('chooses the columns of CSV', async () => {
    const { list, id } = await caseWithValues();
    const { text } = await alice(
      'GET',
      `${list.replace('v8.0', version)}?fields=description,bkStr01,id`,
      csv,
    );
    expect(text).toBe(`description,bkStr01,id\r\n"Two; lanes",'=north,${id}\r\n`);
  });
});

test('any choice of fields gives what the whole object has', async () => {
  const { path, list } = await caseWithValues();
  const record = (await alice('GET', path)).json as Record<string, unknown>;
  const choices = fc.uniqueArray(fc.constantFrom(...Object.keys(record)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(choices, async (names) => {
      const chosen = JSON.stringify(Object.fromEntries(names.map((name) => [name, record[name]])));
      expect((await alice('GET', `${path}?fields=${names}`)).text).toBe(chosen);
      expect((await alice('GET', `${list}?fields=${names}`)).text).toBe(`[${chosen}]`);
    }),
    numRuns(10),
  );
});

test('the entity tag is that of the object, whichever fields are read, and fits a change', async () => {
  const { path } = await caseWithValues();
  const { headers } = await alice('GET', `${path}?fields=title`);
  const etag = headers.get('etag') ?? '';
  expect((await alice('GET', path)).headers.get('etag')).toBe(etag);
  const same = { headers: { 'If-None-Match': etag } };
  expect((await alice('GET', `${path}?fields=id`, same)).status).toBe(304);
  const condition = { headers: { 'If-Match': etag } };
  expect((await alice('PATCH', path, { body: { bkStr02: 'x' }, ...condition })).status).toBe(200);
  expect((await alice('GET', `${path}?fields=title`, same)).status).toBe(200);
  expect((await alice('PATCH', path, { body: { bkStr02: 'y' }, ...condition })).status).toBe(412);
});

test('the links of a list keep its fields', async () => {
  const { list } = await caseWithValues();
  await alice('POST', list, { body: { title: 'Another' } });
  const { headers } = await alice('GET', `${list}?fields=title,id&limit=1`);
  const next = /^<([^>]*)>/.exec(headers.get('link') ?? '')?.[1]?.slice(app.base.length) ?? '';
  expect((await alice('GET', next)).text).toMatch(/^\[\{"title":"Another","id":"[^"]+"\}\]$/);
});

test.each([
  ['fields=colour', ['"colour" is no field']],
  ['fields=id,Title,bkStr31', ['"Title" is no field', '"bkStr31" is no field']],
  ['fields=', ['"" is no field']],
  ['fields=id,,title', ['"" is no field']],
  ['fields=id,bkStr1,bkStr01', ['names bkStr01 twice']],
  ['fields=year', ['"year" is no field']],
  ['fields=version', ['"version" is no field']],
  ['fields=id&fields=title', ['is given more than once']],
])('%s is refused, with the fields that there are', async (query, details) => {
  for (const path of ['/v8.0/journalized-cases', '/v8.0/journalized-cases/case-road']) {
    const { status, json } = await alice('GET', `${path}?${query}`);
    const errors = details.map((detail) => ({ pointer: 'query:fields', detail }));
    expect({ status, json }).toMatchObject({ status: 400, json: { code: 'invalid-parameters', errors } });
    if (details[0] === 'is given more than once') continue;
    expect(json).toHaveProperty(
      'hint',
      'The fields are id, diaryId, title, description, number, createdAt, updatedAt, bkStr01 to bkStr30, bkInt01 to bkInt30, bkDate01 to bkDate30, bkFloat01 to bkFloat30.',
    );
  }
});

test('a parameter that is unknown is told with those that are known', async () => {
  const { json } = await alice('GET', '/v8.0/diaries?colour=red');
  expect(json).toMatchObject({
    errors: [
      {
        pointer: 'query:colour',
        detail: expect.stringMatching(
          /^is unknown; known are limit, offset, after, fields, labels, sort, count, .*year, bkStr01 to bkStr10, .*bkFloat10$/,
        ),
      },
    ],
  });
  const reply = await alice('PATCH', '/v8.0/documents/document-letter', { body: { size: 1 } });
  expect(reply.json).toMatchObject({
    errors: [
      {
        pointer: '/size',
        detail: expect.stringMatching(/^is unknown; known are title, description, bkStr01/),
      },
    ],
  });
});

describe('labels=true', () => {
  test('leaves out the columns that no object of the list has anything in, on each page alike', async () => {
    const { id: diary } = (await alice('POST', '/v8.0/diaries', { body: { title: 'Filled', year: 2033 } }))
      .json as {
      id: string;
    };
    const list = `/v8.0/diaries/${diary}/journalized-cases`;
    const bodies = [
      { title: 'a', bkInt03: 0, bkStr04: '' },
      { title: 'b', bkDate05: '2026-11-21', bkStr06: ' ' },
      { title: 'c', description: 'x', bkFloat07: 0 },
    ];
    for (const body of bodies) await alice('POST', list, { body });
    const heads = async (query: string) =>
      (await alice('GET', `${list}?${query}`, csv)).text.split('\r\n')[0];
    const all = 'id,diaryId,title,description,number,createdAt,updatedAt,bkStr06,bkInt03,bkDate05,bkFloat07';
    for (const query of ['', '&limit=1', '&limit=1&offset=2', '&limit=1&sort=-title'])
      expect(await heads(`labels=true${query}`)).toBe(all);
    expect(await heads('labels=true&title=a')).toBe('id,diaryId,title,number,createdAt,updatedAt,bkInt03');
    expect(await heads('labels=true&title=none')).toBe('id,diaryId');
    expect((await heads('labels=false'))?.split(',')).toHaveLength(127);
    expect(await heads('labels=true&fields=id,bkStr09')).toBe('id,bkStr09');
  });

  test('heads the columns of CSV with the labels of the caller, and those without one with their names', async () => {
    const { list, path } = await caseWithValues();
    const typeID = typeNumber(app, 'journalized-cases');
    const word = randomUUID();
    await customization(`INSERT INTO dbo.tFieldLabels (typeID, field, langID, label) VALUES
(${typeID}, N'bkStr20', 1033, N'Ward ${word}'), (${typeID}, N'bkStr21', 1033, N'Twice'), (${typeID}, N'bkStr22', 1033, N'Twice'),
(${typeID}, N'bkStr23', 1033, N'id'), (${typeID}, N'bkStr24', 1030, N'Dansk')`);
    try {
      const query = 'fields=id,bkStr20,bkStr21,bkStr22,bkStr23,bkStr24&labels=true';
      const { text } = await alice('GET', `${list}?${query}`, csv);
      expect(text.split('\r\n')[0]).toBe(
        `id,Ward ${word},Twice (bkStr21),Twice (bkStr22),id (bkStr23),bkStr24`,
      );
      expect((await alice('GET', `${list}?fields=bkStr20&labels=true`)).text).toBe('[{"bkStr20":null}]');
      expect((await alice('GET', `${list}?fields=bkStr20&labels=maybe`)).status).toBe(400);
      expect((await alice('GET', `${path}?labels=true`)).status).toBe(400);
    } finally {
      await customization(`DELETE FROM dbo.tFieldLabels WHERE field BETWEEN N'bkStr20' AND N'bkStr24'`);
    }
  });
});
