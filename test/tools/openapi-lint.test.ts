/** The documents as linters see them: redocly (recommended) and spectral (oas) report nothing. */

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { createCache, loadThrough } from '../../shared/cache.ts';
import { useApp } from '../support/app.ts';

const app = useApp();

interface OpenApi {
  readonly components: { readonly examples?: Record<string, unknown> };
  readonly info: { readonly version: string; readonly license: object };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly description?: string; readonly responses: object }>>>
  >;
}

const documents = [
  ...['/openapi.json', '/swagger/records.json', '/swagger/records-v7.json', '/swagger/calendar.json'],
];

/** Creates what keeps a text of each document. */
const textsOfDocuments = () => createCache<string, Promise<string>>({ maxEntries: documents.length });

const sources = textsOfDocuments();

/** Reads a document once, as a service with a public domain would publish it: linters reject this machine's name. */
function read(path: string): Promise<string> {
  return loadThrough(sources, path, async () => {
    const { text } = await app.call('GET', path);
    return text.replaceAll(app.base, 'https://records.example.net/api');
  });
}

/** What has a schema and examples of it: contents of a type, parameters, headers. */
type WithExamples = Record<string, unknown>;

/** Lists what has a schema and examples of it, below a part of a document. */
function allWithExamples(part: unknown): WithExamples[] {
  if (typeof part !== 'object' || part === null) return [];
  const isOne = 'schema' in part && ('example' in part || 'examples' in part);
  return [...(isOne ? [part as WithExamples] : []), ...Object.values(part).flatMap(allWithExamples)];
}

/**
 * Returns a document in which examples stand once: linters read a schema anew for each of its examples, and most replies
 * are those of many operations. A part of the whole document has no example that the whole has, as long as what they refer
 * to is the same in both.
 */
function withExamplesOnce(source: string, whole: OpenApi): string {
  const document = JSON.parse(source) as OpenApi;
  const isWhole = JSON.stringify(document) === JSON.stringify(whole);
  expect(whole.components).toMatchObject(document.components);
  const linted = new Set(isWhole ? [] : allWithExamples(whole.paths).map((item) => JSON.stringify(item)));
  for (const item of allWithExamples(document.paths)) {
    const text = JSON.stringify(item);
    if (linted.has(text)) {
      delete item['example'];
      delete item['examples'];
    }
    linted.add(text);
  }
  const without = JSON.stringify(document);
  for (const name of Object.keys(document.components.examples ?? {})) {
    const reference = JSON.stringify(`#/components/examples/${name}`);
    if (source.includes(reference) && !without.includes(reference))
      delete document.components.examples?.[name];
  }
  return JSON.stringify(document);
}

const sourcesToLint = textsOfDocuments();

function readToLint(path: string): Promise<string> {
  return loadThrough(sourcesToLint, path, async () =>
    withExamplesOnce(await read(path), JSON.parse(await read('/openapi.json')) as OpenApi),
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

describe.each(documents)('%s', (path) => {
  test('satisfies redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = await readToLint(path);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(
      problems.map(({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer}: ${message}`),
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
  const item = Object.fromEntries(Object.entries(paths).slice(0, 1));
  const source = JSON.stringify({ ...rest, paths: item, info: { title: 'Without a version' } });
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).not.toEqual([]);
  expect(await runSpectral(source)).not.toEqual([]);
});
