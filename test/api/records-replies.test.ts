/** The parts that all replies of the records API have. */

import { expect, test } from 'vitest';
import { type CallOptions, useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { createObjects, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const { customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

test.each([
  ['200', 'GET', '/v7/authorized', {}],
  ['200', 'PUT', '/v7/documents/document-letter/custom-data', { body: { a: 1 } }],
  ['200', 'PATCH', '/v7/documents/document-letter', { body: { title: 'Letter' } }],
  ['400 missing-body', 'POST', '/v8.0/diaries', {}],
  ['400 invalid-json', 'POST', '/v8.0/diaries', { body: '{' }],
  ['400 invalid-body', 'POST', '/v8.0/diaries', { body: {} }],
  ['400 invalid-encoding', 'POST', '/v8.0/diaries', { body: Uint8Array.of(0xff) }],
  ['401 credentials-missing', 'GET', '/v7/authorized', { headers: { Authorization: '' } }],
  ['401 credentials-malformed', 'GET', '/v7/authorized', { headers: { Authorization: 'Bearer a b' } }],
  ['404 no-such-path', 'GET', '/v8.0/nothing', {}],
  ['404 reference-data-not-found', 'GET', '/v8.0/reference-data/nothing', {}],
  [
    '412 precondition-failed',
    'PATCH',
    '/v7/deeds/deed-complaint',
    { body: {}, headers: { 'If-Match': '"x"' } },
  ],
  ['413 body-too-large', 'POST', '/v8.0/diaries', { body: ' '.repeat(4 * 1024 * 1024 + 1) }],
  [
    '415 unsupported-media-type',
    'POST',
    '/v8.0/diaries',
    { body: '{}', headers: { 'Content-Type': 'text/plain' } },
  ],
] as const)('%s to %s %s is private, and not used again unasked', async (outcome, method, path, options) => {
  const { status, headers, text } = await alice(method, path, options);
  const code = status < 400 ? '' : ` ${(JSON.parse(text) as { code: string }).code}`;
  expect([`${status}${code}`, headers.get('cache-control')]).toEqual([outcome, 'private, no-cache']);
});

const etag = { etag: expect.stringMatching(/^"[\w-]{27}"$/) };
const letter = '/v7/documents/document-letter';

test.each<[method: string, path: string, options: CallOptions, headers: Readonly<Record<string, unknown>>]>([
  ['GET', '/v7/authorized', {}, {}],
  [
    'GET',
    '/v8.0/documents?limit=1',
    {},
    { link: expect.stringMatching(/; rel="next", <.*; rel="first"$/), vary: 'Accept' },
  ],
  ['GET', letter, {}, etag],
  ['GET', `${letter}/custom-data`, {}, etag],
  ['GET', '/v7/reference-data/countries', {}, { ...etag, vary: 'Accept' }],
  [
    ...(['POST', '/v8.0/diaries', { body: { title: 'Diary', year: 2031 } }] as const),
    { ...etag, location: expect.stringMatching(/\/v8\.0\/diaries\/[\da-f-]{36}$/) },
  ],
  ['OPTIONS', '/v8.0/diaries', {}, { allow: 'GET, POST, HEAD, OPTIONS' }],
  ['DELETE', '/v8.0/diaries', {}, { allow: 'GET, POST, HEAD, OPTIONS' }],
  ['GET', '/v8.0/diaries/nothing', {}, {}],
  ['GET', letter, { headers: { 'If-None-Match': '*' } }, etag],
  [
    ...(['GET', '/v7/authorized', { headers: { Authorization: 'Bearer a.b.c' } }] as const),
    {
      'www-authenticate': expect.stringContaining(
        'Bearer realm="records", error="invalid_token", error_description="the signature of the token is not valid", authorization_uri="http',
      ),
    },
  ],
])(
  'the headers of the reply to %s %s %j are these, and no others of ours',
  async (method, path, options, expected) => {
    const { status, headers } = await alice(method, path, options);
    const ofHost = ['date', 'server', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
    const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
    expect(Object.fromEntries([...headers].filter(([name]) => !ofHost.includes(name)))).toEqual({
      'cache-control': 'private, no-cache',
      ...([204, 304].includes(status) ? {} : { 'content-type': type }),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      ...expected,
    });
  },
);

test('500 is private, too, and names what is stored and is no JSON', async () => {
  const { document } = await createObjects(alice);
  await customization(
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (${await propIdOf(app, document)}, N'broken', 'JSON', N'{secret')`,
  );
  const path = `/v8.0/documents/${document}/custom-data`;
  const { status, headers, json, text } = await alice('GET', path);
  expect({ status, json, cache: headers.get('cache-control') }).toMatchObject({
    status: 500,
    json: { code: 'custom-data-not-json', detail: expect.stringContaining('"broken"') },
    cache: 'private, no-cache',
  });
  expect(text).not.toContain('secret');
  const conditional = { body: { broken: 1 }, headers: { 'If-Match': '"x"' } };
  expect((await alice('PUT', path, conditional)).json).toMatchObject({ code: 'custom-data-not-json' });
  expect((await alice('PUT', path, { body: { broken: 1 } })).status).toBe(200);
  expect((await alice('GET', path)).json).toEqual({ broken: 1 });
});
