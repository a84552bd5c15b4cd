/** The examples of replies in the documents are real ones: `npm test -- reply-examples -u` takes them again, into the files that the documents read, one of each API. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectionString, endpointAt, type Settings } from '../../local/index.ts';
import { exampleName } from '../../shared/http/openapi-examples.ts';
import { type CallOptions, useApp } from '../support/app.ts';
import { executeBatches } from '../support/execute-sql.ts';

const app = useApp();
const calendar = '/tribe/events/v1';
const fileOf = (api: string) =>
  join(import.meta.dirname, '..', '..', 'functions', api, 'reply-examples.json');

interface Media {
  readonly schema?: { readonly $ref?: string };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** An operation of the documents, and how it is called: a path other than the template's, and what is sent. */
type Call = readonly [operation: string, path?: string | undefined, options?: CallOptions];

const csv = { headers: { Accept: 'text/csv' } };
const event = {
  title: 'Open rehearsal',
  description: 'The choir sings.',
  start_date: '2027-06-01 19:00:00',
  end_date: '2027-06-01 21:00:00',
  timezone: 'Europe/Copenhagen',
  venue: [1],
  organizer: [2],
  categories: ['music'],
  tags: ['outdoor'],
};
const series = {
  ...event,
  start_date: '2028-01-04 19:00:00',
  end_date: '2028-01-04 21:00:00',
  rrule: 'FREQ=WEEKLY;COUNT=2',
};
const in2027 = '?start_date=2027-01-01&end_date=2027-12-31';

const sampleObjects = {
  diaries: 'diary-2026',
  'journalized-cases': 'case-road',
  deeds: 'deed-tender',
  documents: 'document-letter',
};

/** In this order, on sample records and an empty calendar. Each gives the example of its reply, unless an earlier one has given it. */
const calls: readonly Call[] = [
  ['GET /v8.0/authorized'],
  ['GET /v8.0/diaries'],
  ['GET /v8.0/diaries/fields'],
  ['GET /v8.0/diaries/{id}', '/v8.0/diaries/diary-2026'],
  ['GET /v8.0/diaries/{id}/journalized-cases', '/v8.0/diaries/diary-2026/journalized-cases?limit=1'],
  ['GET /v8.0/journalized-cases', '/v8.0/journalized-cases?limit=1'],
  ['GET /v8.0/journalized-cases/{id}', '/v8.0/journalized-cases/case-road'],
  ['GET /v8.0/journalized-cases/{id}/deeds', '/v8.0/journalized-cases/case-road/deeds?limit=1'],
  ...['diaries', 'journalized-cases', 'deeds', 'documents'].map(
    (name): Call => [`GET /v8.0/${name}`, `/v8.0/${name}?limit=1`, csv],
  ),
  ['GET /v8.0/deeds', '/v8.0/deeds?limit=1'],
  ['GET /v8.0/deeds/{id}', '/v8.0/deeds/deed-tender'],
  ['GET /v8.0/deeds/{id}/documents', '/v8.0/deeds/deed-tender/documents?limit=1'],
  ['GET /v8.0/documents', '/v8.0/documents?limit=1'],
  ['GET /v8.0/documents/{id}', '/v8.0/documents/document-letter'],
  ['PATCH /v8.0/diaries/{id}', '/v8.0/diaries/diary-2026', { body: {} }],
  ['PATCH /v8.0/journalized-cases/{id}', '/v8.0/journalized-cases/case-road', { body: {} }],
  ['PATCH /v8.0/deeds/{id}', '/v8.0/deeds/deed-tender', { body: {} }],
  ['PATCH /v8.0/documents/{id}', '/v8.0/documents/document-letter', { body: {} }],
  ['GET /v8.0/journalized-cases/{id}/custom-data', '/v8.0/journalized-cases/case-road/custom-data'],
  [
    'GET /v8.0/documents/{id}/custom-data/{identifier}',
    '/v8.0/documents/document-contract/custom-data/invoice',
  ],
  [
    'GET /v8.0/documents/{id}/custom-data/{identifier}',
    '/v8.0/documents/document-contract/custom-data/parcels',
    csv,
  ],
  ['GET /v8.0/documents/custom-data/{identifier}', '/v8.0/documents/custom-data/parcels?sort=title&limit=2'],
  [
    'GET /v8.0/documents/custom-data/{identifier}',
    '/v8.0/documents/custom-data/parcels?sort=title&limit=2',
    csv,
  ],
  [
    'PUT /v8.0/documents/{id}/custom-data/{identifier}',
    '/v8.0/documents/document-letter/custom-data/amounts',
    { body: { net: 1200.1 } },
  ],
  [
    'PUT /v8.0/documents/custom-data/{identifier}',
    '/v8.0/documents/custom-data/amounts',
    {
      headers: { Prefer: 'handling=lenient' },
      body: [
        { id: 'document-letter', value: { net: 1250.0 } },
        { id: 'document-letters', value: { net: 1200.1 } },
      ],
    },
  ],
  ['GET /v8.0/documents/{id}/custom-data/sources', '/v8.0/documents/document-contract/custom-data/sources'],
  ...Object.keys(sampleObjects).map((name): Call => [`GET /v8.0/${name}/openapi.json`]),
  [
    'PUT /v8.0/documents/{id}/custom-data',
    '/v8.0/documents/document-letter/custom-data',
    { body: { remarks: 'Signed by both parties.' } },
  ],
  ['GET /v8.0/changes'],
  ...Object.entries(sampleObjects).map(
    ([name, id]): Call => [`GET /v8.0/${name}/{id}/changes`, `/v8.0/${name}/${id}/changes`],
  ),
  ['GET /v8.0/reference-data'],
  ['GET /v8.0/reference-data/{identifier}', '/v8.0/reference-data/languages'],
  ['GET /v8.0/reference-data/{identifier}', '/v8.0/reference-data/languages', csv],
  ['GET /v8.0/reference-data/custom/{identifier}', '/v8.0/reference-data/custom/priorities', csv],
  [
    `POST ${calendar}/venues`,
    undefined,
    { body: { venue: 'Town hall', city: 'Aarhus', country: 'Denmark' } },
  ],
  [
    `POST ${calendar}/organizers`,
    undefined,
    { body: { organizer: 'The choir', email: 'choir@example.org' } },
  ],
  [`POST ${calendar}/categories`, undefined, { body: { name: 'Music' } }],
  [`POST ${calendar}/tags`, undefined, { body: { name: 'Outdoor' } }],
  [`POST ${calendar}/events`, undefined, { body: event }],
  [`GET ${calendar}/users/me`],
  [`GET ${calendar}/users`],
  [`GET ${calendar}/events`, `${calendar}/events${in2027}`],
  [`GET ${calendar}/events.ics`, `${calendar}/events.ics${in2027}`],
  [`GET ${calendar}/events/{id}`, `${calendar}/events/by-slug/open-rehearsal.ics`],
  [`GET ${calendar}/events/by-slug/{slug}`, `${calendar}/events/by-slug/open-rehearsal.ics`],
  ...['venues', 'organizers', 'categories', 'tags'].map((name): Call => [`GET ${calendar}/${name}`]),
  [`POST ${calendar}/series`, undefined, { body: series }],
  [`POST ${calendar}/series`, undefined, { body: { ...series, dry_run: true } }],
  [`GET ${calendar}/series`],
  [`PATCH ${calendar}/series/{id}`, `${calendar}/series/5`, { body: { event: 4, cost: '50' } }],
  [`GET ${calendar}/changes`],
  [`PATCH ${calendar}/venues/{id}`, `${calendar}/venues/1`, { body: { phone: '12 34 56 78' } }],
  [`GET ${calendar}/venues/{id}/history`, `${calendar}/venues/1/history`],
  [`GET ${calendar}/venues/{id}/history/{version}`, `${calendar}/venues/1/history/2`],
  [`PATCH ${calendar}/venues/{id}/draft`, `${calendar}/venues/1/draft`, { body: { phone: '87 65 43 21' } }],
  ['GET /health'],
  [`GET ${calendar}`],
  [`GET ${calendar}/doc`],
  ['GET /openapi.json'],
  ['GET /swagger/records-v7.json'],
  ['GET /swagger/records.json'],
  ['GET /swagger/calendar.json'],
];

/** Shortens what names every path: to one route of the index (linters take its defaults for those of schemas), and to what documents have before their paths. */
function abridged(value: unknown): unknown {
  const {
    routes,
    paths,
    components: _components,
    tags: _tags,
    ...rest
  } = value as Record<string, object | undefined>;
  const plain = Object.entries(routes ?? {}).filter(
    ([, route]) => !JSON.stringify(route).includes('"default"'),
  );
  if (routes !== undefined) return { ...rest, routes: Object.fromEntries(plain.slice(0, 1)) };
  return paths === undefined ? value : { ...rest, paths: {} };
}

/** A source that is missing, one that refuses every value by a key, and one that refuses every user. */
const sources = [
  "INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (302, N'lost', 'REF'), (402, N'department', 'REF'), (402, N'salary', 'REF')",
  "CREATE PROCEDURE dbo.pCustomData_salary_Get @propID int, @usrPropID int, @langID int AS THROW 50403, N'Salaries are for the personnel office.', 1",
  'CREATE VIEW dbo.CustomData_department AS SELECT 402 AS propID, code FROM dbo.tDepartments',
  "CREATE PROCEDURE dbo.pCustomData_department_Set @propID int, @usrPropID int, @pcode nvarchar(10) AS INSERT INTO dbo.tDepartments (code, name) VALUES (N'FIN', @pcode)",
];

/** Calls that end in errors, each the example of its status. */
const errors: readonly (readonly [status: number, method: string, path: string, options?: CallOptions])[] = [
  [400, 'POST', '/v8.0/diaries', { body: { title: '', year: 'now', size: 1 } }],
  [401, 'GET', '/v8.0/authorized', { headers: { Authorization: '' } }],
  [403, 'GET', '/v8.0/documents/document-letter/custom-data/salary'],
  [404, 'GET', '/v8.0/documents/none'],
  [405, 'DELETE', '/v8.0/documents/document-letter'],
  [409, 'PUT', '/v8.0/documents/document-letter/custom-data', { body: { department: { code: 'NEW' } } }],
  [410, 'GET', '/v8.0/changes?since=900-900'],
  [412, 'PATCH', '/v8.0/documents/document-letter', { body: {}, headers: { 'If-Match': '"old"' } }],
  [
    413,
    'PUT',
    '/v8.0/documents/document-letter/custom-data',
    { body: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, index])) },
  ],
  [422, 'PUT', '/v8.0/documents/document-contract/custom-data', { body: { parcels: [] } }],
  [500, 'GET', '/v8.0/deeds/deed-complaint/custom-data'],
  [400, 'POST', `${calendar}/events`, { body: { title: 'No date' } }],
  [401, 'POST', `${calendar}/events`, { headers: { Authorization: '' }, body: event }],
  [403, 'POST', `${calendar}/events`, { token: 'reader', body: event }],
  [404, 'GET', `${calendar}/events/999`],
  [412, 'PATCH', `${calendar}/events/3`, { body: { title: 'x' }, headers: { 'If-Match': '"old"' } }],
  [200, 'DELETE', `${calendar}/events/3`],
  [410, 'DELETE', `${calendar}/events/3`],
  [201, 'POST', `${calendar}/tags`, { body: { name: 'Markets' }, headers: { 'Idempotency-Key': 'tag-1' } }],
  [422, 'POST', `${calendar}/tags`, { body: { name: 'Fairs' }, headers: { 'Idempotency-Key': 'tag-1' } }],
];

const createTag: Call = [`POST ${calendar}/tags`, undefined, { body: { name: 'Indoor' } }];

/** Settings of apps that fail, by the status of the failure, and calls of them. The database and the tables are down: nothing listens at that port. */
const failing: readonly (readonly [status: number, settings: Settings, calls: readonly Call[]])[] = [
  [
    503,
    { DB_SERVER: '127.0.0.1,1', CALENDAR_TABLE_CONNECTION_STRING: connectionString(endpointAt(1)) },
    [['GET /v8.0/authorized'], createTag, ['GET /health']],
  ],
  [500, { CALENDAR_TIME_ZONE: 'Atlantis' }, [createTag]],
];

async function call(method: string, path: string, options: CallOptions = {}, base = app.base) {
  const token = app.token('alice@example.org', options.token === 'reader' ? [] : ['Calendar.Editor']);
  const headers = { 'X-Request-Id': 'example', ...options.headers };
  const reply = await app.call(method, path, { ...options, token, headers, base });
  const mediaType = reply.headers.get('content-type')?.split(';')[0] ?? '';
  const text = lasting(reply.text, base);
  const value: unknown = mediaType.endsWith('json') ? abridged(JSON.parse(text)) : text;
  return { status: reply.status, mediaType, value };
}

/** Writes a reply without what differs from run to run: where the service is, what time it is, and new identifiers. */
function lasting(text: string, base: string): string {
  const { origin } = new URL(base);
  const { origin: authority } = new URL(app.stack.settings['AppRegistration__Authority'] ?? '');
  return text
    .replaceAll(origin, 'https://records.example.org')
    .replaceAll(authority, 'https://login.example.org')
    .replaceAll(/("(?:createdAt|updatedAt|changedAt|since)":")[^"]+/g, '$12026-11-21T10:00:00.000Z')
    .replaceAll(/(?<=,)\d{4}-\d\d-\d\dT[\d:.]+Z(?=,)/g, '2026-11-21T10:00:00.000Z')
    .replaceAll(/("milliseconds":)\d+/g, (_all, name: string) => `${name}12`)
    .replaceAll(/("(?:date|modified)":")[^"]+/g, '$12026-11-21 11:00:00')
    .replaceAll(/("written":")[^"]+/g, '$12026-11-21 10:00:00')
    .replaceAll(/("(?:date|modified)_utc":")[^"]+/g, '$12026-11-21 10:00:00')
    .replaceAll(/SEQUENCE:\d+/g, 'SEQUENCE:1')
    .replaceAll(/((?:DTSTAMP|CREATED|LAST-MODIFIED):)\d{8}T\d{6}Z/g, '$120261121T100000Z')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '6f9619ff-8b86-d011-b42d-00c04fc964ff');
}

function nameOf(paths: Paths, operation: string, status: number, mediaType: string): string {
  const [method = '', template = ''] = operation.split(' ');
  const { operationId = '', responses = {} } = paths[template]?.[method.toLowerCase()] ?? {};
  const component = (responses[status] ?? responses['default'])?.content?.[mediaType]?.schema?.$ref
    ?.split('/')
    .at(-1);
  return exampleName({ operationId, component }, status, mediaType);
}

/** Returns the API that an example is of, by the path that was called; the problems of records are those of the service. */
function apiOf(path: string, name: string): string {
  if (path.startsWith(calendar)) return 'calendar/endpoints';
  return path.startsWith('/v') && !name.startsWith('Problem-') ? 'records/endpoints' : 'service';
}

test('every reply of the documents has an example, which is a real one', async () => {
  const { paths } = (await app.call('GET', '/openapi.json')).json as { readonly paths: Paths };
  const examples: Readonly<Record<string, Record<string, unknown>>> = {
    'records/endpoints': {},
    'calendar/endpoints': {},
    service: {},
  };
  const put = (path: string, name: string, value: unknown) => {
    const place = examples[apiOf(path, name)] ?? {};
    place[name] ??= value;
  };
  for (const [operation, path, options] of calls) {
    const [method = '', template = ''] = operation.split(' ');
    const { status, mediaType, value } = await call(method, path ?? template, options);
    const isCreation = method === 'POST' && !JSON.stringify(options?.body ?? {}).includes('dry_run');
    expect({ operation, status, value }).toMatchObject({ status: isCreation ? 201 : 200 });
    put(template, nameOf(paths, operation, status, mediaType), value);
  }
  await executeBatches(app.stack.settings, 'customization', sources);
  for (const [expected, method, path, options] of errors) {
    const { status, mediaType, value } = await call(method, path, options);
    expect({ path, status, value }).toMatchObject({ path, status: expected });
    if (status < 400) continue;
    put(path, `${mediaType === 'application/json' ? 'CalendarError' : 'Problem'}-${status}`, value);
  }
  const twins = { body: { name: 'Twins' }, headers: { 'Idempotency-Key': 'tag-2' } };
  const atOnce = await Promise.all(Array.from({ length: 20 }, () => call('POST', `${calendar}/tags`, twins)));
  put(`${calendar}/tags`, 'CalendarError-409', atOnce.find(({ status }) => status === 409)?.value);
  for (const [expected, settings, itsCalls] of failing) {
    await using another = await app.startAnother(settings);
    for (const [operation, path, options] of itsCalls) {
      const [method = '', template = ''] = operation.split(' ');
      const { status, mediaType, value } = await call(method, path ?? template, options, another.base);
      expect({ operation, status, value }).toMatchObject({ status: expected });
      put(template, nameOf(paths, operation, status, mediaType), value);
    }
  }
  for (const [api, itsExamples] of Object.entries(examples))
    await expect(`${JSON.stringify(itsExamples, null, 1)}\n`).toMatchFileSnapshot(fileOf(api));
});
