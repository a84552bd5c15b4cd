/** The examples of the document: each can be sent as it stands, with the sample data. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly example?: unknown;
  readonly schema: { readonly default?: unknown };
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
  };
}

interface Call {
  readonly method: string;
  /** With the examples of its parameters, and with the defaults of its query, as the explorer sends them. */
  readonly path: string;
  readonly content: NonNullable<Operation['requestBody']>['content'];
}

const app = useApp({ sampleCalendar: true });
let calls: readonly Call[] = [];
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

beforeAll(async () => {
  const document = (await app.call('GET', '/openapi.json')).json as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: object;
  };
  ajv.addSchema({ $id: 'document', components: document.components });
  const paths = Object.entries(document.paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  calls = paths.flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path: withExamples(template, parameters),
      content: requestBody?.content ?? {},
    })),
  );
});

function withExamples(template: string, parameters: readonly Parameter[]): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(
      parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example ??
        `{${name}}`,
    ),
  );
  const defaults = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.schema.default !== undefined)
    .map(({ name, schema }) => [name, String(schema.default)]);
  return defaults.length === 0 ? path : `${path}?${new URLSearchParams(defaults)}`;
}

/** Sends the calls of some methods and gives those that are not answered with the status. */
async function failures(methods: readonly string[], isGood: (status: number) => boolean): Promise<string[]> {
  const token = app.token('alice@example.org');
  const failed: string[] = [];
  for (const { method, path, content } of calls.filter((call) => methods.includes(call.method))) {
    const body = Object.values(content)[0]?.example;
    const { status, text } = await app.call(method, path, {
      ...(path.startsWith('/swagger') ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    });
    if (!isGood(status)) failed.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  }
  return failed;
}

describe('the examples of the document', () => {
  test('are there for every parameter of a path and for every body', () => {
    const without = calls.filter(
      ({ path, content }) =>
        path.includes('{') || Object.values(content).some(({ example }) => example === undefined),
    );
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('fit their own schemas', () => {
    for (const { content } of calls) {
      for (const { schema, example } of Object.values(content)) {
        const here = JSON.parse(
          JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'),
        );
        expect({ example, faults: ajv.validate(here, example) ? '' : ajv.errorsText() }).toEqual({
          example,
          faults: '',
        });
      }
    }
  });

  test('are found by every GET', async () => {
    expect(await failures(['GET'], (status) => status === 200)).toEqual([]);
  });

  test('are accepted by every write, and by every delete then', async () => {
    const isGood = (status: number) => status === 200 || status === 201;
    expect(await failures(['PUT', 'PATCH', 'POST'], isGood)).toEqual([]);
    // What has been deleted by its slug is found in the trash by its id.
    const isGone = (status: number) => status === 200 || status === 410;
    expect(await failures(['DELETE'], isGone)).toEqual([]);
  });
});
