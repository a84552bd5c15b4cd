import { parsePolicy } from '../gateway/elements.ts';
import { caller, type GatewayRequest, type Outcome, runPolicy, secret } from '../gateway/run.ts';
import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { accessOf, atRoot, basic, calendar, good, records } from './gateway-access.ts';
import {
  bodyAt,
  hasCalendarApp,
  hasGreenApp,
  listAt,
  mustBe,
  ofType,
  overPlans,
  type View,
} from './views.ts';

/** The gateway's policy, run as a program on a table of requests. */
export function gateway(project: Project): Finding[] {
  return overPlans(project, (view) =>
    ofType(view, 'Microsoft.ApiManagement/service/apis/policies').flatMap((policy) =>
      faultsOf(view, textOf(bodyAt(policy, 'properties.value'))).map((message) => `the policy: ${message}`),
    ),
  ).map((finding) => ({ ...finding, file: `${finding.file}, infra/gateway/policy.xml` }));
}

type Run = (request: GatewayRequest) => Outcome;

function faultsOf(view: View, text: string): string[] {
  const place = /\$\{\w+\}/.exec(text)?.[0];
  if (place !== undefined) return [`nothing gives a value for ${place}`];
  try {
    const policy = parsePolicy(text);
    const run: Run = (request) => runPolicy(policy, request);
    return [
      ...accessOf(view).flatMap(([request, isOpen, what]) => {
        const { reachedApp, status } = run(request);
        const ending = reachedApp ? 'reaches the app' : `is answered with ${status}`;
        const isRight = isOpen ? reachedApp : !reachedApp && status === 401;
        return isRight ? [] : [`${request.method} ${request.path} ${what} ${ending}`];
      }),
      ...casesOf(view).flatMap(([what, request, seen, wanted]) => mustBe(what, seen(run(request)), wanted)),
      ...shares(view, run),
      ...policy.children
        .filter(({ children }) => children[0]?.name !== 'base')
        .map(({ name }) => `<${name}> lacks <base />`),
    ];
  } catch (error) {
    if (error instanceof SyntaxError) return [error.message];
    throw error;
  }
}

/** What is looked at, by which request, what is seen of its outcome, and what it must be. */
type Case = readonly [what: string, request: GatewayRequest, seen: (outcome: Outcome) => Data, wanted: Data];

const get = (path: string, more: Partial<GatewayRequest> = {}): GatewayRequest => ({
  method: 'GET',
  path,
  ...more,
});
const post = (length: number): GatewayRequest => ({
  method: 'POST',
  path: calendar,
  token: good,
  headers: { 'Content-Length': String(length) },
});
const put = (more: Partial<GatewayRequest>): GatewayRequest => ({
  method: 'PUT',
  path: '/api/v8.0/cases/1/custom-data',
  body: '{"a":"æ"}',
  ...more,
});
const failing = (fails: string) => get(calendar, { fails });
const chunked = { 'Transfer-Encoding': 'chunked' };
/** What callers may say of themselves. */
const forged = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-for': '198.51.100.7',
  'x-real-ip': '198.51.100.7',
  'x-client-ip': '198.51.100.7',
  'x-azure-clientip': '198.51.100.7',
  'true-client-ip': '198.51.100.7',
  forwarded: 'for=198.51.100.7',
};

const cache = ({ cached, stored }: Outcome): Data => [cached, stored];
const rates = (outcome: Outcome): Data => outcome.rates;
const bodyRead = (outcome: Outcome): Data => outcome.readBody;
const originAllowed = ({ headers }: Outcome): Data => headers['access-control-allow-origin'] ?? '';
const isCalendars = ({ backend }: Outcome): Data => backend === 'calendar';
/** Every refusal is a problem, with its code, and without what the caller sent. */
const refusal = ({ status, headers, body }: Outcome): Data => {
  const { status: told = null, code = null } = JSON.parse(body || '{}') as Record<string, Data>;
  const more = ['www-authenticate', 'retry-after'].filter((name) => name in headers);
  return [status, headers['content-type'] ?? '', told, code, more, body.includes(secret)];
};
const refused = (status: number, code: string, more: string[] = []): Data => [
  status,
  'application/problem+json',
  status,
  `gateway-${code}`,
  more,
  false,
];

const ofCalendar = [calendar, '/api/tribe/events/v1', atRoot, '/', '/events/', '/event/a/', '/calendar'];
const ofRecords = [records, '/api/health', '/api/openapi.json', '/api/swagger', '/records'];

function casesOf(view: View): Case[] {
  const calls = Number(view.value('gateway_rate_limit_calls'));
  const address = { key: `address ${caller.address}`, calls: 10 * calls, period: 60 };
  const each = (key: string) => [address, { key, calls, period: 60 }];
  const kept = [true, Number(view.value('gateway_cache_seconds'))];
  const notKept = [false, 0];
  const origins = listAt(view.value('cors_origins')).map(textOf);
  const from = (Origin: string) => ({ headers: { Origin } });
  const stranger = 'https://stranger.example';
  const strangers = origins.includes('*') ? '*' : 'null';
  return [
    ['the rates of a caller with a token', get(calendar, { token: good }), rates, each(caller.objectId)],
    ['the rates of a caller without a token', get(calendar), rates, each(caller.address)],
    [
      'the rates of a caller who makes up an address',
      get(calendar, { headers: forged }),
      rates,
      each(caller.address),
    ],
    ['the rates of a refused caller', { method: 'DELETE', path: calendar }, rates, [address]],
    ['the answer to a body of 4 MiB', post(4 * 2 ** 20), ({ status }) => status, 200],
    ['the answer to a body above 4 MiB', post(4 * 2 ** 20 + 1), ({ status }) => status, 413],
    [
      'what tokens are checked for',
      get(records, { token: good }),
      ({ checked }) => checked.map(({ audiences: _, ...rest }) => rest),
      [{ tenant: tenantId, header: 'Authorization', code: '401' }],
    ],
    ['the cache for GET of the calendar', get(calendar), cache, kept],
    ['the cache for HEAD of the calendar', { method: 'HEAD', path: calendar }, cache, kept],
    ['the cache for the calendar at the root', get(atRoot), cache, kept],
    ['the cache for callers with a token', get(calendar, { token: good }), cache, notKept],
    ['the cache for a caller with a password', get(calendar, { headers: basic }), cache, notKept],
    ['the cache for writes', post(10), cache, notKept],
    ['the cache for preflights', { method: 'OPTIONS', path: calendar }, cache, notKept],
    ['the cache for changes', get('/api/tribe/events/v1/changes'), cache, notKept],
    ['the cache for changes with a slash', get('/api/tribe/events/v1/changes/'), cache, notKept],
    ['the cache for a page', get('/events/'), cache, notKept],
    ['the cache for the health address', get('/api/health'), cache, notKept],
    ...[304, 400, 404, 500, 503].map(
      (status): Case => [`the cache for an answer ${status}`, get(calendar, { status }), cache, [true, 0]],
    ),
    // A browser, or a proxy on the way, would show for minutes what was changed here.
    ['where replies are kept', get(calendar), ({ keptBy }) => keptBy, ['internal', 'none']],
    [
      'what the cache is split by',
      get(calendar),
      ({ vary }) => vary,
      ['Accept', 'Accept-Encoding', 'Accept-Language', 'Origin'].map((name) => `vary-by-header ${name}`),
    ],
    ...[...ofCalendar, ...ofRecords].map(
      (path): Case => [
        `a call of ${path} at the calendar's app`,
        get(path),
        isCalendars,
        hasCalendarApp(view) && ofCalendar.includes(path),
      ],
    ),
    [
      'what the app is told of the address',
      get(calendar, { headers: forged }),
      ({ forwarded }) => forwarded,
      {
        'x-forwarded-host': 'api.example.org',
        'x-forwarded-proto': 'https',
        'x-forwarded-prefix': '',
        'x-forwarded-for': caller.address,
      },
    ],
    // A body without a declared length gets one, once the caller is known; others pass as they came.
    ['the body read of a chunked PUT', put({ token: good, headers: chunked }), bodyRead, put({}).body ?? ''],
    ['the body read of a PUT over HTTP/2', put({ token: good }), bodyRead, put({}).body ?? ''],
    ['the body read of a PUT with a length', put({ ...post(10), method: 'PUT' }), bodyRead, null],
    ['the body read of a refused caller', put({ headers: chunked }), bodyRead, null],
    ['the body read of a GET', get(records, { token: good }), bodyRead, null],
    ['the answer to a body that is too large', post(9_000_000), refusal, refused(413, 'body-too-large')],
    [
      'the answer to a missing token',
      get(records),
      refusal,
      refused(401, 'token-refused', ['www-authenticate']),
    ],
    [
      'the answer to too many calls',
      failing('rate-limit-by-key'),
      refusal,
      refused(429, 'too-many-requests', ['retry-after']),
    ],
    [
      'whether a caller with too many calls is told to wait',
      failing('rate-limit-by-key'),
      ({ headers }) => Number(headers['retry-after']) >= 1,
      true,
    ],
    ['the answer to an unknown address', failing('configuration'), refusal, refused(404, 'no-such-path')],
    [
      'the answer to an app that does not answer',
      failing('forward-request'),
      refusal,
      refused(502, 'no-reply'),
    ],
    // Browsers of the origins that the app lets in can read the gateway's own answers; those of others cannot.
    ...origins.map(
      (origin): Case => [
        `the origin allowed to ${origin}`,
        get(records, from(origin)),
        originAllowed,
        origins.includes('*') ? '*' : origin,
      ],
    ),
    [`the origin allowed to ${stranger}`, get(records, from(stranger)), originAllowed, strangers],
    [
      'the origin allowed to a stranger by the calendar',
      { method: 'POST', path: calendar, ...from(stranger) },
      originAllowed,
      hasCalendarApp(view) ? '*' : strangers,
    ],
  ];
}

/** The share of calls that goes to the green app. */
function shares(view: View, run: Run): string[] {
  const share = hasGreenApp(view) ? Number(view.value('green_share')) : 0;
  const backends = Array.from(
    { length: 400 },
    (_, at) => run(get('/api/health', { id: `request ${at * 37}` })).backend,
  );
  const count = (name: string) => backends.filter((backend) => backend === name).length;
  const green = count('green') / 4;
  const isRight = Math.abs(green - share) <= 6;
  return [
    ...mustBe('calls that go to an app', count('green') + count('blue'), 400),
    ...(isRight ? [] : [`${green} % of calls go to the green app; it must be ${share} %`]),
  ];
}
