/** The documents as linters see them: redocly (recommended) and spectral (oas) report nothing. */

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { beforeAll, describe, expect, test } from 'vitest';

import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';

const app = useApp();

beforeAll(() =>
  executeSql(
    app.stack.settings,
    'customization',
    "INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (5, N'invoice', 'REF', 'one'), (5, N'parcels', 'REF_RO', NULL)",
  ),
);

interface OpenApi {
  readonly info: { readonly version: string; readonly license: object };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly description?: string; readonly responses: object }>>>
  >;
}

const documents = [
  '/openapi.json',
  '/swagger/records.json',
  '/swagger/records-v7.json',
  '/swagger/calendar.json',
  '/v8.0/documents/openapi.json',
];

/** Reads a document as a service with a public domain would publish it: linters reject this machine's name. */
async function read(path: string): Promise<string> {
  const { text } = await app.call('GET', path, { token: app.token('alice@example.org') });
  return text.replaceAll(app.base, 'https://records.example.net/api');
}

/** Reads a document without the examples of replies, which are replies of the app: linters read a schema anew for each. */
async function readToLint(path: string): Promise<string> {
  const isExample = (key: string, value: unknown) =>
    key === 'examples' && typeof value === 'object' && !Array.isArray(value);
  return JSON.stringify(JSON.parse(await read(path)), (key, value) =>
    isExample(key, value) ? undefined : value,
  );
}

const ruleset = new Ruleset({ extends: [[oas as never, 'recommended']] });

/** Runs spectral on a document that is parsed already: it would read it as YAML, only to say in which lines problems are. */
function runSpectral(source: string): ReturnType<Spectral['run']> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const parsed = { data: JSON.parse(source), ast: undefined, lineMap: [], diagnostics: [] };
  return spectral.run({ parsed, getLocationForJsonPath: () => undefined });
}

/** A path with a word where another has an id is found first (`custom-data/{identifier}` of a whole collection); no id is that word. */
function isUnexpected({ ruleId, message }: { readonly ruleId: string; readonly message: string }): boolean {
  return ruleId !== 'no-ambiguous-paths' || !message.includes('/custom-data/{identifier}`');
}

describe.each(documents)('%s', (path) => {
  test('satisfies redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = await readToLint(path);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(
      problems
        .filter(isUnexpected)
        .map(({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer}: ${message}`),
    ).toEqual([]);
  });

  test('describes every operation, and names the errors of each', async () => {
    const { paths, info } = JSON.parse(await read(path)) as OpenApi;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.filter(({ description }) => !description)).toEqual([]);
    expect(
      Object.keys(paths).filter((item) => item.startsWith('/swagger/') && !item.endsWith('.json')),
    ).toEqual([]);
    expect(info).toMatchObject({ license: { identifier: 'MIT' } });
  });
});

test('the whole document satisfies spectral', async () => {
  const problems = await runSpectral(await readToLint('/openapi.json'));
  expect(problems.map(({ code, message, path: place }) => `${code} ${place.join('/')}: ${message}`)).toEqual(
    [],
  );
});

test('the document names what a method is answered that a path lacks', async () => {
  const { paths } = JSON.parse(await read('/openapi.json')) as OpenApi;
  const token = app.token('alice@example.org');
  const undocumented: string[] = [];
  for (const [template, operations] of Object.entries(paths)) {
    const method = ['DELETE', 'PUT', 'POST'].find((item) => !(item.toLowerCase() in operations));
    if (method === undefined) continue;
    const { status } = await app.call(method, template.replaceAll(/\{\w+\}/g, '1'), { token });
    const isDocumented = Object.values(operations).every(({ responses }) => String(status) in responses);
    if (!isDocumented || ![404, 405].includes(status)) undocumented.push(`${method} ${template}: ${status}`);
  }
  expect(undocumented).toEqual([]);
});

test('the linters find what is missing', async () => {
  const { info: _, paths, ...rest } = JSON.parse(await read('/openapi.json')) as OpenApi;
  const firstPath = Object.fromEntries(Object.entries(paths).slice(0, 1));
  const source = JSON.stringify({ ...rest, paths: firstPath, info: { title: 'Without a version' } });
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).not.toEqual([]);
  expect(await runSpectral(source)).not.toEqual([]);
});
