import { setImmediate as logWritten } from 'node:timers/promises';
import * as Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CodedError } from '../../../../shared/errors.ts';
import type { Api } from '../../../../shared/http/api.ts';
import { type Call, type Endpoint, endpointsFor } from '../../../../shared/http/endpoint.ts';
import { createHandler, type ServiceOptions } from '../../../../shared/http/handle.ts';
import { readInput } from '../../../../shared/http/input.ts';
import { problemReply, problemSchema } from '../../../../shared/http/problem.ts';
import { json, RawJson, type Reply } from '../../../../shared/http/reply.ts';
import type { IncomingRequest } from '../../../../shared/http/request.ts';
import { AdmissionControl } from '../../../../shared/limits/admission.ts';
import { readGauge } from '../../../../shared/telemetry/gauges.ts';
import { useFakeClock } from '../../../support/timers.ts';

const endpoint = endpointsFor<string>();

const common = {
  path: '/things/{id}',
  operationId: 'x',
  bound: { product: 'one thing', beyond: '' },
  summary: 'x',
  tag: 'x',
  access: 'bearer',
  replies: {},
} as const;

function api(endpoints: readonly Endpoint<string>[]): Api<string> {
  return {
    name: 'things',
    description: '',
    mounts: [{ path: 'v1' }],
    endpoints,
    authenticate: async ({ request: { headers } }) => {
      if (headers.get('authorization') === null)
        throw new CodedError('credentials-missing', 'Who are you?', {
          facts: { challenge: {}, reason: 'nothing was sent' },
        });
      return { caller: 'somebody', identity: { objectId: 'oid-1', tenantId: 'tid-1', tokenId: 'uti-1' } };
    },
    anonymous: 'nobody',
    readInput,
    errorReply: problemReply,
    errorSchema: { schema: problemSchema, mediaType: 'application/problem+json' },
  };
}

const options: ServiceOptions = {
  basePath: '/api',
  config: { PUBLIC_BASE_URL: '' },
  noSuchPath: () => new CodedError('no-such-path', 'Nothing is here.'),
  admission: new AdmissionControl({ maxRequests: 100, maxBytes: Number.MAX_SAFE_INTEGER }),
};

function request(overrides: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    method: 'GET',
    url: new URL('http://localhost:7071/api/v1/things/7?q=1'),
    headers: new Headers({ authorization: 'Bearer x', 'x-request-id': 'r-1' }),
    parameters: { id: '7' },
    body: null,
    ...overrides,
  };
}

async function run(
  endpoints: readonly Endpoint<string>[],
  given: IncomingRequest = request(),
  overrides: Partial<ServiceOptions> = {},
) {
  const route = { api: api(endpoints), mount: { path: 'v1' }, path: '/things/{id}', endpoints };
  const reply = asValue(await createHandler(route, { ...options, ...overrides })(given));
  await logWritten();
  return reply;
}

/** A reply with the value of its JSON text. */
function asValue({ body, onHandedOver: _, ...reply }: Reply): Reply {
  if (body === undefined) return reply;
  const isText = 'json' in body && body.json instanceof RawJson;
  return { ...reply, body: isText ? { json: JSON.parse((body.json as RawJson).text) as unknown } : body };
}

type Handler = (
  call: Call<string, Record<string, string>, Record<string, never>, undefined>,
) => Reply | Promise<Reply>;

const read = (handler: Handler) => endpoint({ ...common, method: 'GET', handle: handler });

const budgetUsed = (name: string) =>
  readGauge('budgetUsed').find(([, labels]) => labels?.['app.budget'] === name)?.[0];

let log: string[];
beforeEach(() => {
  log = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    log.push(String(text));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

describe('createHandler()', () => {
  test('gives the handler its input, its caller and links in the version of the request', async () => {
    const reply = await run([
      read((call) => json({ path: call.path, caller: call.caller, link: call.link('/things') })),
    ]);
    expect(reply).toEqual({
      status: 200,
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1' },
      body: { json: { path: { id: '7' }, caller: 'somebody', link: 'http://localhost:7071/api/v1/things' } },
    });
  });

  test('makes links from the configured public address when there is one', async () => {
    const reply = await run([read(({ link }) => json(link('/x')))], request(), {
      config: { PUBLIC_BASE_URL: 'https://api.example.org/api' },
    });
    expect(reply.body).toEqual({ json: 'https://api.example.org/api/v1/x' });
  });

  test('answers 304 to reads alone, since a change is made', async () => {
    const headers = new Headers({ authorization: 'Bearer x', 'if-none-match': '"1"' });
    const tagged = () => json('stored', { headers: { ETag: '"1"' } });
    const change = endpoint({ ...common, method: 'PUT', handle: tagged });
    const replies = [
      await run([read(tagged)], request({ headers })),
      await run([change], request({ method: 'PUT', headers })),
    ];
    expect(replies.map(({ status }) => status)).toEqual([304, 200]);
  });

  test('answers an unknown failure with a plain 500, and logs it whole', async () => {
    const failure = new Error('password=secret at server db-1', { cause: new TypeError('inner') });
    const reply = await run([
      read(() => {
        throw failure;
      }),
    ]);
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.body)).not.toMatch(/secret|db-1|inner/);
    expect(reply.body).toEqual({
      json: expect.objectContaining({ code: 'internal-error', instance: 'urn:request:r-1' }),
    });
    expect(log.join('')).toContain('password=secret at server db-1');
    expect(log.join('')).toContain('inner');
  });

  test('answers 503 with Retry-After while too many requests are in flight, and recovers', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = [read(async () => gate.promise.then(() => json('late')))];
    const admission = new AdmissionControl({ maxRequests: 4, maxBytes: 1_000_000 });
    const waiting = Array.from({ length: 3 }, () => run(slow, request(), { admission }));
    const refused = await run(slow, request(), { admission });
    expect({ status: refused.status, retry: refused.headers?.['Retry-After'], body: refused.body }).toEqual({
      status: 503,
      retry: '1',
      body: { json: expect.objectContaining({ code: 'overloaded' }) },
    });
    gate.resolve();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await run(slow, request(), { admission })).status).toBe(200);
  });

  test('admits the requests of an account as those of one caller, whatever their tokens, and others by their address', async () => {
    const callers: string[] = [];
    const admission: ServiceOptions['admission'] = {
      run: (caller, _bytes, work) => {
        callers.push(caller);
        return work({ add() {}, release() {} });
      },
    };
    const open = endpoint({ ...common, method: 'GET', access: 'public', handle: () => json(1) });
    const forwarded = { 'x-forwarded-for': '192.0.2.9, 192.0.2.1' };
    const runWith = (item: Endpoint<string>, headers: Record<string, string>, trustedProxies = 1) =>
      run([item], request({ headers: new Headers(headers) }), { admission, trustedProxies });
    for (const authorization of ['Bearer x', 'Bearer y'])
      await runWith(
        read(() => json(1)),
        { authorization, ...forwarded },
      );
    await runWith(open, forwarded);
    await runWith(open, forwarded, 0);
    expect(callers).toEqual(['oid-1', 'oid-1', '192.0.2.1', 'unknown address']);
  });

  test('reserves the bytes of a large reply until it is handed over, and none for an error', async () => {
    const admission = new AdmissionControl({ maxRequests: 10, maxBytes: 100_000 });
    const large = [read(() => json('x'.repeat(70_000)))];
    const route = { api: api(large), mount: { path: 'v1' }, path: '/things/{id}', endpoints: large };
    const first = await createHandler(route, { ...options, admission })(request());
    expect([first.status, budgetUsed('bytes of bodies')]).toEqual([200, 70_002]);
    expect(await run(large, request(), { admission })).toMatchObject({ status: 503 });
    expect(budgetUsed('bytes of bodies')).toBe(70_002);
    first.onHandedOver?.();
    expect(budgetUsed('bytes of bodies')).toBe(0);
  });

  test('sends the reply to a change where it is beyond the budget, since the change is made', async () => {
    const admission = new AdmissionControl({ maxRequests: 10, maxBytes: 100_000 });
    const large = read(() => json('x'.repeat(70_000)));
    await run([large], request(), { admission });
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'] as const)
      expect(await run([{ ...large, method }], request({ method }), { admission })).toMatchObject({
        status: 200,
      });
  });

  test('gives the handler ten seconds, less the time of authentication, not less that of the body', async () => {
    const wait = useFakeClock(Date.parse('2026-11-21T10:00:00Z'));
    const started = Date.now();
    const endpoints = [read(({ deadline }) => json(deadline - started))];
    const slow: Api<string> = {
      ...api(endpoints),
      async authenticate() {
        wait(3_000);
        return { caller: 'somebody' };
      },
      async readInput() {
        wait(60_000);
        return { path: {}, query: {}, body: undefined };
      },
    };
    const slowly = () =>
      createHandler(
        { api: slow, mount: { path: 'v1' }, path: '/things/{id}', endpoints },
        options,
      )(request());
    expect(asValue(await slowly()).body).toEqual({ json: 70_000 });
    expect((await run(endpoints)).body).toEqual({ json: 63_000 + 10_000 });
  });

  test('tells the authentication until when the reply must be out', async () => {
    useFakeClock(Date.parse('2026-11-21T10:00:00Z'));
    let budget = 0;
    const asking: Api<string> = {
      ...api([]),
      async authenticate({ deadline }) {
        budget = deadline - Date.now();
        return { caller: 'somebody' };
      },
    };
    const endpoints = [read(() => json(1))];
    await createHandler(
      { api: asking, mount: { path: 'v1' }, path: '/things/{id}', endpoints },
      options,
    )(request());
    expect(budget).toBe(10_000);
  });

  test('names every bad place of path, query and body', async () => {
    const strict = endpoint({
      ...common,
      method: 'GET',
      parameters: Type.Object({ id: Type.String({ maxLength: 0 }) }),
      query: Type.Object({ q: Type.Boolean() }),
      handle: () => json(1),
    });
    expect((await run([strict])).body).toEqual({
      json: expect.objectContaining({
        status: 400,
        code: 'invalid-parameters',
        errors: [
          { pointer: 'path:id', detail: 'must have at most 0 characters' },
          { pointer: 'query:q', detail: 'must be true or false' },
        ],
      }),
    });
  });
});

test('a body may be left out only where the endpoint says so', async () => {
  const asked = (required?: boolean) =>
    endpoint({
      ...common,
      method: 'PUT',
      body: { schema: Type.Object({}), ...(required === undefined ? {} : { required }) },
      handle: ({ body }) => json({ body: body ?? 'none' }),
    });
  const without = request({ method: 'PUT' });
  for (const required of [undefined, true]) {
    expect((await run([asked(required)], without)).body).toEqual({
      json: expect.objectContaining({
        status: 400,
        code: 'missing-body',
        errors: [{ pointer: '', detail: 'is missing' }],
      }),
    });
  }
  expect((await run([asked(false)], without)).body).toEqual({ json: { body: 'none' } });
});
