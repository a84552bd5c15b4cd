/** The documents as linters see them: redocly (recommended) and spectral (oas) report nothing. */

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';

const app = useApp({ sampleData: false, prepareDatabases: false });

interface OpenApi {
  readonly info: { readonly version: string; readonly license: object };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly description?: string; readonly responses: object }>>>
  >;
}

/** Reads a document as a service with a domain of its own would publish it: linters do not like this machine. */
async function read(path: string): Promise<string> {
  return (await app.call('GET', path)).text.replaceAll(app.base, 'https://records.example.net/api');
}

const documents = [
  '/openapi.json',
  '/swagger/records.json',
  '/swagger/records-v7.json',
  '/swagger/calendar.json',
];

describe.each(documents)('%s', (path) => {
  test('satisfies redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: await read(path), absoluteRef: 'openapi.json', config });
    expect(
      problems.map(({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer}: ${message}`),
    ).toEqual([]);
  });

  test('satisfies spectral', async () => {
    const spectral = new Spectral();
    spectral.setRuleset(new Ruleset({ extends: [[oas as never, 'recommended']] }));
    const problems = await spectral.run(JSON.parse(await read(path)));
    expect(
      problems.map(({ code, message, path: place }) => `${code} ${place.join('/')}: ${message}`),
    ).toEqual([]);
  });

  test('describes every operation, and names the errors of each', async () => {
    const { paths, info } = JSON.parse(await read(path)) as OpenApi;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.filter(({ description }) => !description)).toEqual([]);
    expect(Object.keys(paths).filter((one) => one.startsWith('/swagger/') && !one.endsWith('.json'))).toEqual(
      [],
    );
    expect(info).toMatchObject({ license: { identifier: 'MIT' } });
  });
});

test('the document names what a method is answered that a path lacks', async () => {
  const { paths } = JSON.parse(await read('/openapi.json')) as OpenApi;
  const token = app.token('alice@example.org');
  const undocumented: string[] = [];
  for (const [template, operations] of Object.entries(paths)) {
    const method = ['DELETE', 'PUT', 'POST'].find((one) => !(one.toLowerCase() in operations));
    if (method === undefined) continue;
    const { status } = await app.call(method, template.replaceAll(/\{\w+\}/g, '1'), { token });
    const isDocumented = Object.values(operations).every(({ responses }) => String(status) in responses);
    if (!isDocumented || ![404, 405].includes(status)) undocumented.push(`${method} ${template}: ${status}`);
  }
  expect(undocumented).toEqual([]);
});

test('the linters find what is missing', async () => {
  const { info: _, paths, ...rest } = JSON.parse(await read('/openapi.json')) as OpenApi;
  const one = Object.fromEntries(Object.entries(paths).slice(0, 1));
  const source = JSON.stringify({ ...rest, paths: one, info: { title: 'Without a version' } });
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).not.toEqual([]);
  const spectral = new Spectral();
  spectral.setRuleset(new Ruleset({ extends: [[oas as never, 'recommended']] }));
  expect(await spectral.run(JSON.parse(source))).not.toEqual([]);
});
