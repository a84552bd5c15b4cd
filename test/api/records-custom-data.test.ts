/** Custom data: composed from its registrations, replaced as a whole. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { awkwardValues } from '../support/awkward-json.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { hostMode } from '../support/host-mode.ts';
import { fc, numRuns } from '../support/properties.ts';
import { createObjects, recordsAs } from '../support/records.ts';
import { sendChunked } from '../support/send-chunked.ts';
import { untilServed } from '../support/until-served.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const bjorn = recordsAs(app, 'bjorn@example.org');

const contract = '/v7/documents/document-contract/custom-data';
const letter = '/v7/documents/document-letter/custom-data';

async function newDocument(): Promise<string> {
  return `/v7/documents/${(await createObjects(alice)).document}/custom-data`;
}

describe('GET custom-data', () => {
  test('composes one object from every mechanism', async () => {
    const { status, json } = await bjorn('GET', contract);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      remarks: 'Signed by both parties on 2026-03-02.',
      tags: ['contract', 'road'],
      approved: true,
      archivedBy: null,
      invoice: { number: '2026-0815', amount: 1500.1, dueDate: '2026-04-30', paid: false },
      invoiceHistory: [
        { number: '2026-0815', amount: 1400, changedBy: 2 },
        { number: '2026-0815', amount: 1500.1, changedBy: 3 },
      ],
      parcels: [
        { parcel: '12/1', area: 350, registeredOn: '2020-05-04T10:00:00' },
        { parcel: '12/2', area: 80.5, registeredOn: '2021-06-01T08:30:00' },
      ],
      deadline: [{ deadline: '2026-12-31', readBy: 3, langID: 1053 }],
    });
  });

  test('keeps every digit of stored values and of decimals', async () => {
    const { text } = await alice('GET', contract);
    expect(text).toContain(
      '"amounts":{"net": 1200.10, "gross": 1500.125, "reference": 12345678901234567890}',
    );
    expect(text).toContain('"amount":1500.10');
  });

  test('gives an array for a REF with several rows, and an empty object where there is nothing', async () => {
    expect((await alice('GET', '/v7/journalized-cases/case-road/custom-data')).json).toMatchObject({
      participants: [
        { name: 'Harbour Office', role: 'owner' },
        { name: 'Stone & Sons', role: 'builder' },
      ],
    });
    expect((await alice('GET', '/v7/deeds/deed-complaint/custom-data')).text).toBe('{}');
  });

  test('gives 200 values of one document', async () => {
    expect(
      Object.keys((await alice('GET', '/v8.0/documents/document-large/custom-data')).json as object),
    ).toHaveLength(200);
  });

  test.each([
    '/v7/documents/nothing/custom-data',
    '/v7/deeds/document-contract/custom-data',
    '/v7/documents/DOCUMENT-CONTRACT/custom-data',
    '/v7/documents/document-contract%20/custom-data',
    `/v7/documents/${'x'.repeat(100)}/custom-data`,
  ])('answers 404 to %s', async (path) => {
    const reply = await alice('GET', path);
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ code: 'object-not-found' });
  });

  test('names a registration whose source is missing', async () => {
    const { deed } = await createObjects(alice);
    const [object] = await main(`SELECT propID FROM dbo.tObjProperties WHERE objectID = N'${deed}'`);
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${object?.['propID']}, N'ghost', 'REF')`,
    );
    expect(await alice('GET', `/v7/deeds/${deed}/custom-data`)).toMatchObject({
      status: 500,
      json: { code: 'custom-data-source-missing', detail: expect.stringContaining('pCustomData_ghost_Get') },
    });
  });
});

describe('PUT custom-data', () => {
  test.each(['documents', 'deeds', 'journalized-cases', 'diaries'] as const)(
    'stores what GET gives back, for %s',
    async (collection) => {
      const ids = await createObjects(alice);
      const id = {
        documents: ids.document,
        deeds: ids.deed,
        'journalized-cases': ids.journalizedCase,
        diaries: ids.diary,
      }[collection];
      const path = `/v8.0/${collection}/${id}/custom-data`;
      const put = await alice('PUT', path, { body: { a: 1, b: { c: [] } } });
      expect({ status: put.status, json: put.json }).toEqual({
        status: 200,
        json: { _links: [{ href: `${app.base}${path}`, rel: 'custom-data', method: 'GET' }] },
      });
      expect((await alice('GET', path)).json).toEqual({ a: 1, b: { c: [] } });
    },
  );

  test('removes values that are not sent', async () => {
    const path = await newDocument();
    await alice('PUT', path, { body: { a: 1, b: 2 } });
    await alice('PUT', path, { body: { b: 3 } });
    expect((await alice('GET', path)).json).toEqual({ b: 3 });
    await alice('PUT', path, { body: {} });
    expect((await alice('GET', path)).text).toBe('{}');
  });

  test('keeps awkward values digit for digit', async () => {
    const path = await newDocument();
    const members = Object.entries(awkwardValues).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
    const body = `{${[...members, '"__proto__":{"x":1}', '"a b/~":1', '"\\u00e5":2'].join(' , ')}}`;
    expect((await alice('PUT', path, { body })).status).toBe(200);
    const { text } = await alice('GET', path);
    for (const member of members) expect(text).toContain(member);
    expect(text).toContain('"__proto__":{"x":1}');
    expect(text).toContain('"å":2');
  });

  test('keeps whatever JSON is sent', async () => {
    const path = await newDocument();
    const identifier = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((name) => !name.endsWith(' ') && !name.includes('\0') && name.isWellFormed());
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(identifier, fc.json()), { selector: ([name]) => name, maxLength: 5 }),
        async (members) => {
          const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
          expect((await alice('PUT', path, { body: `{${texts.join(',')}}` })).status).toBe(200);
          const { text } = await alice('GET', path);
          for (const member of texts) expect(text).toContain(member);
          expect(Object.keys(JSON.parse(text) as object)).toHaveLength(members.length);
        },
      ),
      numRuns(40),
    );
  });

  test('takes 10,000 properties', async () => {
    const path = await newDocument();
    const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, index]));
    expect((await alice('PUT', path, { body })).status).toBe(200);
    expect((await alice('GET', path)).json).toEqual(body);
  });

  test.each([
    ['an array', '[]', 400, 'invalid-body'],
    ['no JSON', '{"a":', 400, 'invalid-json'],
    ['a property twice', '{"a":1,"a":2}', 400, 'invalid-body'],
    ['an empty identifier', '{"":1}', 400, 'invalid-body'],
    ['129 characters', `{"${'x'.repeat(129)}":1}`, 400, 'invalid-body'],
    ['more than 100 levels', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 400, 'json-too-deep'],
    [
      'more than 10,000 properties',
      `{${Array.from({ length: 10_001 }, (_, index) => `"p${index}":1`).join(',')}}`,
      413,
      'too-many-properties',
    ],
    ['more than 4 MiB', `{"a":"${'x'.repeat(4 * 1024 * 1024)}"}`, 413, 'body-too-large'],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await alice('PUT', letter, { body })).toMatchObject({ status, json: { code } });
  });
});

describe('a body in chunks', () => {
  test('is refused, since the Functions host loses it but for HTTP streams', async () => {
    const path = await newDocument();
    expect(
      await sendChunked(`${app.base}${path}`, 'PUT', '{"a":1}', {
        Authorization: `Bearer ${app.token('alice@example.org')}`,
      }),
    ).toMatchObject(hostMode.streams ? { status: 200 } : { status: 411, json: { code: 'length-required' } });
  });
});

describe('conditional requests', () => {
  test('GET answers 304 to the tag that it gave', async () => {
    const { headers } = await alice('GET', contract);
    expect(
      (await alice('GET', contract, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })).status,
    ).toBe(304);
  });

  test('PUT with the current tag succeeds, and with an old one answers 412', async () => {
    const path = await newDocument();
    const first = (await alice('GET', path)).headers.get('etag') ?? '';
    expect((await alice('PUT', path, { body: { a: 1 }, headers: { 'If-Match': first } })).status).toBe(200);
    expect(await alice('PUT', path, { body: { a: 2 }, headers: { 'If-Match': first } })).toMatchObject({
      status: 412,
      json: { code: 'precondition-failed' },
    });
    expect((await alice('GET', path)).json).toEqual({ a: 1 });
  });

  test('of 10 writers with the same tag exactly one succeeds', async () => {
    const path = await newDocument();
    const etag = (await alice('GET', path)).headers.get('etag') ?? '';
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, a) =>
        alice('PUT', path, { body: { a }, headers: { 'If-Match': etag } }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    expect((await alice('GET', path)).json).toEqual({ a: replies.findIndex(({ status }) => status === 200) });
  });
});

test('50 writers at once end as exactly one of them', async () => {
  const path = await newDocument();
  const bodies = Array.from({ length: 50 }, (_, writer) =>
    Object.fromEntries(Array.from({ length: 5 + (writer % 3) }, (_, index) => [`p${index}`, `${writer}`])),
  );
  const replies = await Promise.all(bodies.map((body) => untilServed(() => alice('PUT', path, { body }))));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(bodies).toContainEqual((await alice('GET', path)).json);
});
