/** Clients that generators write from the document, and the client package, compile and can be used. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';
import { createObjects, recordsAs } from '../support/records.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const windows = process.platform === 'win32';
const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

/** A source of all deeds. */
const permits = [
  "INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (4, N'permit', 'REF', 'one')",
  "CREATE PROCEDURE dbo.pCustomData_permit_Get @propID int, @usrPropID int, @langID int AS SELECT N'granted' AS status, CAST(1.50 AS decimal(9, 2)) AS amount",
  'CREATE PROCEDURE dbo.pCustomData_permit_Set @propID int, @usrPropID int, @pamount decimal(9, 2), @pnote nvarchar(50) = NULL AS RETURN',
];
// Where generated files find the packages that they import.
mkdirSync(join(import.meta.dirname, '.local'), { recursive: true });
const folder = mkdtempSync(join(import.meta.dirname, '.local', 'clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line that begins with the command of a package, of a generator by default, in the folder. */
function node(line: string, home = import.meta.dirname) {
  const [command = '', ...options] = line.split(' ');
  return run(process.execPath, [join(home, 'node_modules', '.bin', command), ...options], { cwd: folder });
}

/** A generator, and a program over what it wrote that makes the calls of `expected`. */
interface Generator {
  readonly generate: () => Promise<unknown>;
  readonly program: string;
}

const diary = "{ title: 'By a client', year: 2031, bkStr01: 'north', bkDate01: '2031-01-31' }";
const event =
  "{ title: 'Concert', start_date: '2027-06-01 19:00:00', end_date: '2027-06-01 21:00:00', categories: [category.id] }";

const generators: Readonly<Record<string, Generator>> = {
  oazapfts: {
    generate: () => node('oazapfts openapi.json oazapfts.ts --optimistic'),
    program: `import * as api from './oazapfts.ts';
import type { HttpError } from '@oazapfts/runtime';
export async function calls(baseUrl: string, token: string) {
  Object.assign(api.defaults, { baseUrl, headers: { Authorization: \`Bearer \${token}\` } });
  const diary = await api.postDiaries(${diary});
  const change = api.patchDiaries(diary.id, { title: 'x' }, { ifMatch: '"old"' });
  const refused = await change.then(() => undefined, (error: HttpError) => error.status);
  await api.putCustomDataOfDiaries(diary.id, { tags: ['a'] });
  const data = await api.getCustomDataOfDiaries(diary.id, {});
  const category = await api.createCategory({ name: 'oazapfts' });
  await api.createEvent(${event});
  const found = await api.listEvents({ categories: [category.id, category.slug], startDate: '2027-01-01' });
  return [diary.bkStr01, refused, data, found.events.map(({ title }) => title)];
}`,
  },
  'swagger-typescript-api': {
    generate: () =>
      node('swagger-typescript-api generate --path openapi.json --output . --name swagger.ts --silent'),
    program: `import { Api } from './swagger.ts';
export async function calls(baseUrl: string, token: string) {
  const api = new Api({ baseUrl, baseApiParams: { headers: { Authorization: \`Bearer \${token}\` } } });
  const { data: diary } = await api.v80.postDiaries(${diary});
  const refused = await api.v80
    .patchDiaries(diary.id, { title: 'x' }, { headers: { 'If-Match': '"old"', Authorization: \`Bearer \${token}\` } })
    .catch((reply: Response) => reply);
  await api.v80.putCustomDataOfDiaries(diary.id, { tags: ['a'] });
  const { data } = await api.v80.getCustomDataOfDiaries(diary.id);
  const { data: category } = await api.tribe.createCategory({ name: 'swagger' });
  await api.tribe.createEvent(${event});
  const { data: found } = await api.tribe.listEvents({ categories: [category.id, category.slug], start_date: '2027-01-01' });
  return [diary.bkStr01, refused.status, data, found.events.map(({ title }) => title)];
}`,
  },
  'openapi-typescript-codegen': {
    generate: () => node('openapi --input openapi.json --output codegen --client fetch --useOptions'),
    program: `import { ApiError, CalendarCategoriesService, CalendarEventsService, CustomDataService, DiariesService, OpenAPI } from './codegen/index';
import type { Diary, Event, Term } from './codegen/index';
export async function calls(baseUrl: string, token: string) {
  Object.assign(OpenAPI, { BASE: baseUrl, TOKEN: token });
  const diary = (await DiariesService.postDiaries({ requestBody: ${diary} })) as Diary;
  const change = { id: diary.id, requestBody: { title: 'x' }, ifMatch: '"old"' };
  const refused = await DiariesService.patchDiaries(change).catch((error: ApiError) => error);
  await CustomDataService.putCustomDataOfDiaries({ id: diary.id, requestBody: { tags: ['a'] } });
  const data = await CustomDataService.getCustomDataOfDiaries({ id: diary.id });
  const category = (await CalendarCategoriesService.createCategory({ requestBody: { name: 'codegen' } })) as Term;
  await CalendarEventsService.createEvent({ requestBody: ${event} });
  const list = await CalendarEventsService.listEvents({ categories: [category.id, category.slug], startDate: '2027-01-01' });
  const { events } = list as { events: Event[] };
  return [diary.bkStr01, refused instanceof ApiError && refused.status, data, events.map(({ title }) => title)];
}`,
  },
  'the client package': {
    generate: () => run('npm', ['run', 'build'], { cwd: join(root, 'packages', 'client'), shell: windows }),
    program: `import { createClient } from '@records-and-calendar/client';
export async function calls(baseUrl: string, token: string) {
  const api = createClient({ baseUrl, token: () => token });
  const { data: diary } = await api.POST('/v8.0/diaries', { body: ${diary} });
  const path = { id: diary?.id ?? '' };
  const { response, error } = await api.PATCH('/v8.0/diaries/{id}', {
    params: { path, header: { 'If-Match': '"old"' } },
    body: { title: 'x' },
  });
  if (error?.code !== 'precondition-failed') throw new Error(\`The error is \${error?.code}.\`);
  await api.PUT('/v8.0/diaries/{id}/custom-data', { params: { path }, body: { tags: ['a'] } });
  const { data } = await api.GET('/v8.0/diaries/{id}/custom-data', { params: { path } });
  const { data: category } = await api.POST('/tribe/events/v1/categories', { body: { name: 'client' } });
  if (category === undefined) throw new Error('No category was created.');
  await api.POST('/tribe/events/v1/events', { body: ${event} });
  const { data: found } = await api.GET('/tribe/events/v1/events', {
    params: { query: { categories: [category.id, category.slug], start_date: '2027-01-01' } },
  });
  const image = found?.events[0]?.image;
  const url: string | undefined = image === undefined || image === false ? undefined : image.url;
  if (url !== undefined) throw new Error('The event has no image.');
  const { data: diaries = [] } = await api.GET('/v8.0/diaries', {
    params: { query: { bkStr01: 'north', fields: ['id', 'title'] } },
  });
  const titles: (string | undefined)[] = diaries.map(({ title }) => title);
  if (!titles.includes('By a client') || 'year' in (diaries[0] ?? {})) throw new Error(JSON.stringify(diaries));
  const { data: values = [] } = await api.GET('/v8.0/diaries/custom-data/{identifier}', {
    params: { path: { identifier: 'tags' }, query: { bkStr01: 'north' } },
  });
  if (!values.some(({ id }) => id === diary?.id)) throw new Error(JSON.stringify(values));
  return [diary?.bkStr01, response.status, data, found?.events.map(({ title }) => title)];
}`,
  },
};

/** A program over the types of custom data, which are the client's as well: what does not fit them does not compile. */
const typedProgram = `import { createClient } from '@records-and-calendar/client';
import type { paths } from './deeds.ts';
export async function calls(baseUrl: string, token: string, id: string) {
  const api = createClient<paths>({ baseUrl, token: () => token });
  const params = { path: { id } };
  const { data: permit } = await api.GET('/v8.0/deeds/{id}/custom-data/permit', { params });
  const status: string | null | undefined = permit?.status;
  const amount: number | null | undefined = permit?.amount;
  // @ts-expect-error: a column is no number.
  const wrong: number | undefined = permit?.status;
  // @ts-expect-error: no such column.
  permit?.state;
  const { data: whole } = await api.GET('/v8.0/deeds/{id}/custom-data', { params });
  const same: string | null | undefined = whole?.permit?.status;
  await api.PUT('/v8.0/deeds/{id}/custom-data/permit', { params, body: { amount: 2.5, note: null } });
  // @ts-expect-error: the procedure does not take a text there.
  const refused = await api.PUT('/v8.0/deeds/{id}/custom-data/permit', { params, body: { amount: 'much' } });
  return [status, amount, same, wrong, refused.response.status];
}`;

/** What each program gives: a value that was stored, a condition that does not hold, custom data, and a list by an array. */
const expected = ['north', 412, { tags: ['a'] }, ['Concert']];

const compilerOptions = {
  target: 'es2024',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

beforeAll(async () => {
  writeFileSync(join(folder, 'openapi.json'), (await app.call('GET', '/openapi.json')).text);
  for (const [name, { generate, program }] of Object.entries(generators)) {
    await generate();
    writeFileSync(join(folder, `${name}-calls.ts`), program);
  }
  for (const batch of permits) await executeSql(app.stack.settings, 'customization', batch);
  writeFileSync(join(folder, 'deeds.json'), (await alice('GET', '/v8.0/deeds/openapi.json')).text);
  const generator = join(root, 'packages', 'client', 'generator');
  await node('openapi-typescript deeds.json --output deeds.ts --default-non-nullable=false', generator);
  writeFileSync(join(folder, 'typed-calls.ts'), typedProgram);
});

describe('a client', () => {
  test('compiles, strictly, with the program that uses it', async () => {
    const files = [...Object.keys(generators), 'typed'].map((name) => `${name}-calls.ts`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    await expect(node('tsc --project .', root)).resolves.toEqual({ stdout: '', stderr: '' });
  });

  test.each(Object.keys(generators))('by %s makes calls', async (name) => {
    const { calls } = (await import(join(folder, `${name}-calls.ts`))) as {
      readonly calls: (base: string, token: string) => Promise<unknown>;
    };
    expect(await calls(app.base, app.token('alice@example.org'))).toEqual(expected);
  });

  test('with the types of custom data makes calls', async () => {
    const { calls } = (await import(join(folder, 'typed-calls.ts'))) as {
      readonly calls: (base: string, token: string, id: string) => Promise<unknown>;
    };
    const { deed } = await createObjects(alice);
    const token = app.token('alice@example.org');
    expect(await calls(app.base, token, deed)).toEqual(['granted', 1.5, 'granted', 'granted', 400]);
  });
});
