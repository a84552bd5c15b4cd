/** Compares the whole published document with the one stored beside this test; `npm test -- openapi -u` rewrites that. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { compactJson } from '../support/compact-json.ts';

const app = useApp();

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Media {
  readonly examples?: object;
}

/** Replaces what differs from run to run. */
function withoutPorts(text: string): string {
  const authority = String(app.stack.settings['AppRegistration__Authority']).replace('/v2.0', '');
  return text
    .replaceAll(app.base, 'https://example.org/api')
    .replaceAll(authority, 'https://login.example.org/tenant');
}

test('GET /openapi.json gives the stored document', async () => {
  const { status, text, headers } = await app.call('GET', '/openapi.json');
  const document = compactJson(JSON.parse(withoutPorts(text)));
  await expect(`${document}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'openapi.json'));
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/json',
    'no-cache',
  ]);
});

test.each([
  ['calendar', '/tribe/events/v1/'],
  ['records', '/v8.0/'],
])(
  'GET /swagger/%s.json has the operations of that API as the whole document has them',
  async (name, root) => {
    const whole = (await app.call('GET', '/openapi.json')).json as Document;
    const { status, json } = await app.call('GET', `/swagger/${name}.json`);
    const { paths } = json as Document;
    const operations = (all: Document['paths']) =>
      Object.entries(all).flatMap(([path, methods]) =>
        path.startsWith(root) ? [[path, Object.keys(methods)]] : [],
      );
    expect([status, operations(paths)]).toEqual([200, operations(whole.paths)]);
    expect(operations(paths).length).toBeGreaterThan(5);
  },
);

test('every reply of the document has an example', async () => {
  const { paths } = (await app.call('GET', '/openapi.json')).json as Document;
  const bare = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content)
          .filter(([, { examples = {} }]) => Object.keys(examples).length === 0)
          .map(([type]) => `${method} ${path} ${status} ${type}`),
      ),
    ),
  );
  expect(bare).toEqual([]);
});

test('the text that is kept of a document is that of the address by which it is asked for', async () => {
  const serverOf = async (host: string) => {
    const call = request(`${app.base}/openapi.json`, { headers: { Host: host } }).end();
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    const { servers } = JSON.parse(await textOf(reply)) as { servers: readonly { url: string }[] };
    return servers[0]?.url;
  };
  const hosts = ['a.example', 'b.example', 'a.example', 'b.example'];
  const found: (string | undefined)[] = [];
  for (const host of hosts) found.push(await serverOf(host));
  expect(found).toEqual(hosts.map((host) => expect.stringMatching(`^http://${host}/`)));
});
