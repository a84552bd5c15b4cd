/** Changes with `If-None-Match` (RFC 9110 13.1.2): of objects, of all custom data, and of one value. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { createObjects, documentWithSource, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

const refused = { status: 412, json: { code: 'precondition-failed' } };
const unless = (tags: string) => ({ headers: { 'If-None-Match': tags } });

async function etagOf(path: string): Promise<string> {
  return (await alice('GET', path)).headers.get('etag') ?? '';
}

describe('If-None-Match', () => {
  test('of an object of each kind excludes what exists, and the state that it names', async () => {
    const ids = await createObjects(alice);
    const paths = [
      `/v8.0/diaries/${ids.diary}`,
      `/v8.0/journalized-cases/${ids.journalizedCase}`,
      `/v7/deeds/${ids.deed}`,
      `/v7/documents/${ids.document}`,
    ];
    for (const path of paths) {
      const old = await etagOf(path);
      for (const tags of ['*', old, `W/${old}`, `"x", ${old}`])
        expect(await alice('PATCH', path, { body: { title: 'Lost' }, ...unless(tags) })).toMatchObject(
          refused,
        );
      expect(await etagOf(path)).toBe(old);
      expect((await alice('PATCH', path, { body: { title: 'New' }, ...unless('"x"') })).status).toBe(200);
      expect((await alice('PATCH', path, { body: { title: 'Newer' }, ...unless(old) })).status).toBe(200);
      // A proxy that compresses replies makes their tags weak.
      const [stale, weak] = [`W/${old}`, `W/${await etagOf(path)}`].map((tag) => ({
        headers: { 'If-Match': tag },
      }));
      expect(await alice('PATCH', path, { body: { title: 'Lost' }, ...stale })).toMatchObject(refused);
      expect((await alice('PATCH', path, { body: { title: 'Newest' }, ...weak })).status).toBe(200);
    }
  });

  test('of all custom data excludes what exists, also the empty one, and the state that it names', async () => {
    const { document } = await createObjects(alice);
    const path = `/v8.0/documents/${document}/custom-data`;
    const old = await etagOf(path);
    for (const tags of ['*', old, `W/${old}`])
      expect(await alice('PUT', path, { body: { a: 1 }, ...unless(tags) })).toMatchObject(refused);
    expect((await alice('GET', path)).text).toBe('{}');
    expect((await alice('PUT', path, { body: { a: 1 }, ...unless('"x"') })).status).toBe(200);
    expect((await alice('PUT', path, { body: { a: 2 }, ...unless(old) })).status).toBe(200);
    expect((await alice('GET', path)).text).toBe('{"a":2}');
  });

  test('of one value creates it once, of several at a time', async () => {
    const { document } = await createObjects(alice);
    const path = `/v8.0/documents/${document}/custom-data/a`;
    const replies = await Promise.all(
      [1, 2, 3, 4].map((value) => alice('PUT', path, { body: String(value), ...unless('*') })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
    const stored = 1 + replies.findIndex(({ status }) => status === 201);
    expect((await alice('GET', path)).text).toBe(String(stored));
    expect(await alice('PUT', path, { body: '5', ...unless(await etagOf(path)) })).toMatchObject(refused);
    expect((await alice('PUT', path, { body: '6', ...unless('"x"') })).status).toBe(200);
  });

  test('of a value of a source excludes it, and runs no procedure', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS SELECT 1 AS a`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pa int AS THROW 50001, N'was called', 1`,
    ]);
    for (const there of [path, `${path}/${identifier}`]) {
      const body = there === path ? { [identifier]: { a: 2 } } : { a: 2 };
      for (const tags of ['*', await etagOf(there)])
        expect(await alice('PUT', there, { body, ...unless(tags) })).toMatchObject(refused);
      expect(await alice('PUT', there, { body, ...unless('"x"') })).toMatchObject({ status: 422 });
    }
  });
});

test.each(['abc', '', 'W/abc', '"a", b', '"open'])(
  'If-None-Match: %s on a change is refused, and nothing is stored',
  async (tags) => {
    const { document } = await createObjects(alice);
    const path = `/v8.0/documents/${document}`;
    for (const [method, target] of [
      ['PATCH', path],
      ['PUT', `${path}/custom-data`],
      ['PUT', `${path}/custom-data/new`],
    ] as const)
      expect(await alice(method, target, { body: { title: 'Lost' }, ...unless(tags) })).toMatchObject({
        status: 400,
        json: { code: 'invalid-parameters', errors: [{ pointer: 'header:If-None-Match' }] },
      });
    expect((await alice('GET', `${path}/custom-data`)).json).toEqual({});
    expect((await alice('GET', path, unless(tags))).status).toBe(200);
  },
);
