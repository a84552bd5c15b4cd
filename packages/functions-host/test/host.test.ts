/** The functions host with small apps of real `@azure/functions`: what it does as the host of Azure does. */

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import { startSourceApp } from '../../../test/bench/source-app.ts';
import { sendChunked } from '../../../test/support/send-chunked.ts';
import type { FunctionsHost, FunctionsHostOptions } from '../start.ts';

/** Starts an app of the given registrations and stops it after the test. */
async function serve(
  { onTestFinished }: TestContext,
  source: string,
  options: Partial<FunctionsHostOptions> = {},
): Promise<FunctionsHost> {
  const host = await startSourceApp(`import { app } from '@azure/functions';\n${source}`, options);
  onTestFinished(() => host.stop());
  return host;
}

/** Apps that tests leave as they are, by source and options: each is started once. */
const shared = new Map<string, Promise<FunctionsHost>>();
afterAll(() => Promise.all([...shared.values()].map(async (host) => (await host).stop())));

/** Starts an app for all tests that want the same one. */
function share(source: string, options: Partial<FunctionsHostOptions> = {}): Promise<FunctionsHost> {
  const key = JSON.stringify([source, options]);
  const host =
    shared.get(key) ?? startSourceApp(`import { app } from '@azure/functions';\n${source}`, options);
  shared.set(key, host);
  return host;
}

const says = (text: string) => `handler: () => ({ body: '${text}' })`;

/** The functions of tests that want no other host than they all do. */
const plain = `
  app.http('Bravo', { route: 'ordered/{*rest}', ${says('catch-all')} });
  app.http('alpha', { route: 'ordered/x/y', ${says('before it')} });
  app.http('charlie', { route: 'ordered/x/z', ${says('after it')} });
  app.http('a', { route: 'by-method/x', methods: ['GET'], ${says('reads')} });
  app.http('b', { route: 'by-method/{name}', methods: ['PUT'], ${says('writes')} });
  app.http('echo', { route: 'echo', methods: ['PUT'],
    handler: async (request) => ({ jsonBody: {
      body: request.body === null ? null : await request.text(), sent: request.headers.get('transfer-encoding') } }) });
  app.http('sum', { route: 'sum', methods: ['GET', 'PUT'], handler: async (request) => {
    if (request.headers.get('x-ignore')) return { body: 'ignored' };
    const bytes = Buffer.from(await request.arrayBuffer());
    return { headers: { 'X-Size': String(bytes.length) }, body: bytes.reverse() }; } });`;

describe('routing', () => {
  test('takes the first function whose route matches, in the order of their names', async () => {
    const { url } = await share(plain);
    const answers = await Promise.all(
      ['x/y', 'x/z', ''].map(async (path) => (await fetch(`${url}/api/ordered/${path}`)).text()),
    );
    expect(answers).toEqual(['before it', 'catch-all', 'catch-all']);
  });

  test('goes on to the next function when the first has not the method', async () => {
    const { url } = await share(plain);
    const answers = ['GET', 'PUT', 'PATCH'].map((method) => fetch(`${url}/api/by-method/x`, { method }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 404]);
  });
});

describe('a body', () => {
  test('is handed over when it comes with its length', async () => {
    const { url } = await share(plain);
    const reply = await fetch(`${url}/api/echo`, { method: 'PUT', body: 'text' });
    expect(await reply.json()).toEqual({ body: 'text', sent: null });
  });

  test('of any size arrives as it was sent, while others call, whether it is read or not', async () => {
    const { url } = await share(plain);
    const pattern = Buffer.from(Array.from({ length: 251 }, (_, index) => index));
    const sent = [1, 65_536, 131_072, 131_073, 1_000_000, 4_900_000].map((size) =>
      Buffer.alloc(size, pattern),
    );
    const put = (body: Buffer<ArrayBuffer>, headers = {}) =>
      fetch(`${url}/api/sum`, { method: 'PUT', body, headers });
    const all = sent.flatMap((body) => [
      put(body).then(async (reply) => [
        reply.headers.get('x-size'),
        Buffer.from(await reply.arrayBuffer())
          .reverse()
          .equals(body),
      ]),
      put(body, { 'X-Ignore': 'yes' }).then((reply) => reply.text()),
      fetch(`${url}/api/sum`).then((reply) => reply.headers.get('x-size')),
    ]);
    expect(await Promise.all(all)).toEqual(
      sent.flatMap(({ length }) => [[String(length), true], 'ignored', '0']),
    );
  });

  test('is lost when it comes in chunks', async () => {
    const { url } = await share(plain);
    const { json } = await sendChunked(`${url}/api/echo`, 'PUT', '{}');
    expect(json).toEqual({ body: null, sent: 'chunked' });
  });
});

describe('hooks', () => {
  test('of an invocation share data, and may put a result in the place of an error', async (context) => {
    const { url } = await serve(
      context,
      `
      app.hook.preInvocation((context) => { context.hookData.note = 'mended'; });
      app.hook.postInvocation((context) => {
        if (context.error === null) return;
        context.result = { status: 418, body: context.hookData.note + ': ' + context.error.message };
        context.error = null;
      });
      app.http('fails', { route: 'fails', handler: () => { throw new Error('broken'); } });`,
    );
    const reply = await fetch(`${url}/api/fails`);
    expect([reply.status, await reply.text()]).toEqual([418, 'mended: broken']);
  });

  test('that fail make the answer a 500 without a body', async (context) => {
    const { url } = await serve(
      context,
      `
      app.hook.preInvocation(() => { throw new Error('no'); });
      app.http('a', { route: 'a', ${says('never')} });`,
    );
    const reply = await fetch(`${url}/api/a`);
    expect([reply.status, await reply.text()]).toEqual([500, '']);
  });
});

describe.concurrent('stop()', () => {
  const slow = `
    let answer;
    app.http('slow', { route: 'slow', handler: () => {
      console.log('asked'); return new Promise((resolve) => { answer = () => resolve({ body: 'whole' }); }); } });
    app.http('go', { route: 'go', handler: () => { setTimeout(() => answer(), 50); return { body: '' }; } });
    app.hook.appTerminate(() => { console.log('terminated'); });`;

  test('takes no new requests, lets those under way end, and then runs the hooks', async (context) => {
    const said: string[] = [];
    const asked = Promise.withResolvers<void>();
    const host = await serve(context, slow, {
      log: (line) => {
        said.push(line);
        if (line === 'asked') asked.resolve();
      },
    });
    const reply = fetch(`${host.url}/api/slow`);
    await asked.promise;
    await fetch(`${host.url}/api/go`);
    await Promise.all([host.stop(), host.stop()]);
    expect(await (await reply).text()).toBe('whole');
    await context.expect.poll(() => said).toEqual(['asked', 'terminated']);
    await expect(fetch(`${host.url}/api/go`)).rejects.toThrow();
  });

  test('does not wait for ever for a hook that hangs', async (context) => {
    const host = await serve(
      context,
      `
      app.hook.appTerminate(() => new Promise(() => setInterval(() => {}, 1000)));
      app.http('a', { route: 'a', ${says('a')} });`,
    );
    await host.stop();
    expect(host.process.exitCode).toBe(0);
  });
});

describe.concurrent('an app that fails while it loads', () => {
  test('leaves a host that answers every path of functions with 404, and says why', async (context) => {
    const { url, warning } = await serve(context, `throw new Error('boom');`);
    expect(warning).toMatch(/^The app did not load, every path is 404: Error: boom\n {4}at [^\n]*index\.cjs/);
    const paths = ['/api/x', '/api/health', '/admin/host/ping'];
    const replies = await Promise.all(paths.map((path) => fetch(url + path)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  test('has a function that the emulator does not support', async (context) => {
    const start = serve(context, `app.timer('tick', { schedule: '0 * * * * *', handler: () => {} });`);
    await expect(start).rejects.toThrow(
      'Cannot start the functions host: Cannot load the function "tick": the emulator has HTTP triggers only.',
    );
  });
});

describe.concurrent('a worker that ends', () => {
  const mortal = `
    app.http('wait', { route: 'wait', handler: () => { console.log('waits'); return new Promise(() => {}); } });
    app.http('throw', { route: 'throw', handler: () => { setTimeout(() => { throw new Error('uncaught'); }); return new Promise(() => {}); } });
    app.http('id', { route: 'id', handler: () => ({ body: String(process.pid) }) });
    app.http('end', { route: 'end', handler: () => process.exit(3) });`;

  test('fails what is in flight with 500, and starts again', async (context) => {
    const waits = Promise.withResolvers<void>();
    const { url } = await serve(context, mortal, { log: (line) => line === 'waits' && waits.resolve() });
    const [before] = await Promise.all([fetch(`${url}/api/id`).then((reply) => reply.text())]);
    const waiting = fetch(`${url}/api/wait`);
    await waits.promise;
    expect((await fetch(`${url}/api/throw`)).status).toBe(500);
    expect((await waiting).status).toBe(500);
    const after = await fetch(`${url}/api/id`);
    expect([after.status, (await after.text()) === before]).toEqual([200, false]);
  });

  test('fails a request whose body arrives afterwards', async (context) => {
    const failures: string[] = [];
    const { url } = await serve(context, mortal, {
      log: (line) =>
        failures.push(...(/Function\.(\w+) .*: The worker has ended/.exec(line)?.slice(1) ?? [])),
    });
    const headers = { 'Content-Length': 4, Expect: '100-continue' };
    const slow = httpRequest(`${url}/api/wait`, { method: 'POST', headers });
    slow.flushHeaders();
    await once(slow, 'continue');
    expect((await fetch(`${url}/api/throw`)).status).toBe(500);
    slow.end('text');
    const [{ statusCode }] = (await once(slow, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(500);
    await context.expect.poll(() => failures).toEqual(['throw', 'wait']);
  });

  test('three times ends the host', async (context) => {
    const host = await serve(context, mortal);
    for (let times = 0; times < 3; times++) expect((await fetch(`${host.url}/api/end`)).status).toBe(500);
    expect(await host.lost).toBe('the functions host ended with 1');
  });
});

describe.concurrent('the time-out of a function', () => {
  const settings = { AzureFunctionsJobHost__functionTimeout: '00:00:01' };

  test('answers 500, and replaces a worker that goes on', async (context) => {
    const { url } = await serve(
      context,
      `app.http('block', { route: 'block', handler: () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); } });
       app.http('fast', { route: 'fast', ${says('fast')} });`,
      { settings },
    );
    const blocked = fetch(`${url}/api/block`);
    expect((await blocked).status).toBe(500);
    await context.expect.poll(async () => (await fetch(`${url}/api/fast`)).text()).toBe('fast');
  });
});

describe.concurrent('a line of context.log', () => {
  test('is shown with its function and invocation', async (context) => {
    const lines: string[] = [];
    const { url } = await serve(
      context,
      `app.http('logs', { route: 'logs', handler: (request, context) => {
         context.log('hello', { a: 1 }); context.debug('hidden'); context.warn('careful');
         return { body: context.invocationId }; } });`,
      { log: (line) => lines.push(line) },
    );
    const id = await (await fetch(`${url}/api/logs`)).text();
    await context.expect
      .poll(() => lines.toSorted())
      .toEqual([
        `[information] Function.logs.User ${id}: hello { a: 1 }`,
        `[warning] Function.logs.User ${id}: careful`,
      ]);
  });
});

describe.concurrent('more requests than host.json allows', () => {
  test('are answered 429 at once, without its custom headers', async (context) => {
    const waits = Promise.withResolvers<void>();
    const { url } = await serve(
      context,
      `app.http('wait', { route: 'wait', handler: () => { console.log('waits'); return new Promise(() => {}); } });`,
      {
        settings: {
          AzureFunctionsJobHost__extensions__http__maxOutstandingRequests: '1',
          AzureFunctionsJobHost__functionTimeout: '00:00:02',
        },
        log: (line) => line === 'waits' && waits.resolve(),
      },
    );
    const waiting = fetch(`${url}/api/wait`);
    await waits.promise;
    const { status, headers } = await fetch(`${url}/api/wait`);
    expect([status, headers.get('x-function-scaleout'), headers.get('x-content-type-options')]).toEqual([
      429,
      '1',
      null,
    ]);
    expect((await waiting).status).toBe(500);
  });
});

describe('an empty route prefix', () => {
  test('hands every path to the functions, but for those of the host', async (context) => {
    const { url } = await serve(context, `app.http('all', { route: '{*rest}', ${says('all')} });`, {
      settings: { AzureFunctionsJobHost__extensions__http__routePrefix: '' },
    });
    const paths = [
      '/',
      '/favicon.ico',
      '/?x=y',
      '/a/b/?c',
      '/admin/x',
      '/runtime/webhooks/x',
      '/admin/host/ping',
    ];
    const replies = await Promise.all(paths.map((path) => fetch(url + path)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 401, 200]);
  });
});

describe('on Flex Consumption', () => {
  const tells = `app.http('tell', { route: 'tell', methods: ['GET', 'OPTIONS'],
    handler: ({ url }) => ({ headers: { 'Access-Control-Allow-Origin': 'https://app.example' }, body: url }) });`;
  const preflight = {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'authorization',
  };
  const allowed = (headers: Headers) =>
    ['origin', 'methods', 'headers'].map((name) => headers.get(`access-control-allow-${name}`));

  async function request(origins: string | undefined, path = '/api/tell') {
    const cors = origins === undefined ? {} : { settings: { WEBSITE_CORS_ALLOWED_ORIGINS: origins } };
    const { url } = await share(tells, { flex: true, ...cors });
    const [first, simple] = await Promise.all([
      fetch(url + path, { method: 'OPTIONS', headers: preflight }),
      fetch(`${url}/api/tell`, { headers: { Origin: 'https://a.example' } }),
    ]);
    return [first.status, ...allowed(first.headers), simple.headers.get('access-control-allow-origin')];
  }

  test.each([
    ['no origins', undefined, [204, null, null, null, 'https://app.example']],
    ['another origin', '["https://b.example"]', [204, null, null, null, 'https://app.example']],
    [
      'this origin',
      '["https://a.example"]',
      [204, 'https://a.example', 'PUT', 'authorization', 'https://a.example'],
    ],
    ['any origin', '["*"]', [204, '*', 'PUT', 'authorization', '*']],
  ])('the host answers preflights itself: %s', async (_, origins, expected) => {
    expect(await request(origins)).toEqual(expected);
  });

  test('other OPTIONS reach the app, and preflights of any path the host', async () => {
    expect((await request(undefined, '/nope'))[0]).toBe(204);
    const { url } = await share(tells, { flex: true });
    expect((await fetch(`${url}/api/tell`, { method: 'OPTIONS' })).status).toBe(200);
  });

  test('the scheme and the host are those of the front end', async () => {
    const { url } = await share(tells, { flex: true });
    const headers = {
      'X-Forwarded-Proto': 'https',
      'DISGUISED-HOST': 'app.example',
      'X-Forwarded-Host': 'evil.example',
    };
    const reply = await fetch(`${url}/api/tell`, { headers });
    expect(await reply.text()).toBe('https://app.example/api/tell');
    expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });
});

describe('with HTTP streams', () => {
  const streams = `app.setup({ enableHttpStream: true });
    app.http('echo', { route: 'echo/{id}', methods: ['GET', 'PUT', 'HEAD'], handler: async (request) => ({
      headers: { 'X-Id': request.params.id, 'X-Url': request.url },
      body: request.body ?? 'nothing' }) });
    app.http('fails', { route: 'fails', handler: () => { throw new Error('no'); } });`;

  test('bodies pass through, with and without a length', async (context) => {
    const { url } = await serve(context, streams);
    const chunked = await fetch(`${url}/api/echo/7?x=1`, {
      method: 'PUT',
      body: new Blob(['in chunks']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([
      chunked.status,
      chunked.headers.get('x-id'),
      chunked.headers.get('x-url'),
      await chunked.text(),
      chunked.headers.get('x-ms-invocation-id'),
    ]).toEqual([200, '7', `${url}/api/echo/7?x=1`, 'in chunks', expect.stringMatching(/^[\da-f-]{36}$/)]);
    const large = 'a'.repeat(300_000);
    expect(await (await fetch(`${url}/api/echo/7`, { method: 'PUT', body: large })).text()).toBe(large);
    expect(await (await fetch(`${url}/api/echo/7`)).text()).toBe('nothing');
    expect((await fetch(`${url}/api/echo/7`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${url}/api/fails`)).status).toBe(500);
  });

  test('a body that does not begin is answered 500, and the worker stays', async (context) => {
    const { url } = await serve(
      context,
      `${streams}
      app.http('pid', { route: 'pid', handler: () => ({ body: String(process.pid) }) });`,
    );
    const pid = () => fetch(`${url}/api/pid`).then((reply) => reply.text());
    const before = await pid();
    const { host, port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`PUT /api/echo/7 HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n`);
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 500 /);
    socket.destroy();
    expect(await pid()).toBe(before);
  });

  test('a reply that fails in its middle stays open until the time of the function is over', async (context) => {
    const app = `${streams}
      app.http('half', { route: 'half', handler: () => ({ body: new ReadableStream({
        start(controller) { controller.enqueue(Buffer.from('half')); },
        pull() { throw new Error('no more'); } }) }) });`;
    const settings = { AzureFunctionsJobHost__functionTimeout: '00:00:03' };
    const { url } = await serve(context, app, { settings });
    const began = performance.now();
    const reply = await fetch(`${url}/api/half`);
    await expect(reply.text()).rejects.toThrow();
    expect(performance.now() - began).toBeGreaterThan(2_500);
  });
});
