import { parsePolicy } from '../gateway/elements.ts';
import { caller, type GatewayRequest, type Outcome, runPolicy, secret } from '../gateway/run.ts';
import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { access, calendar, good, records } from './gateway-access.ts';
import { bodyAt, hasCalendarApp, mustBe, ofType, overPlans, type View } from './views.ts';

/** The gateway's policy, run as a program on a table of requests. */
export function gateway(project: Project): Finding[] {
  return overPlans(project, (view) =>
    ofType(view, 'Microsoft.ApiManagement/service/apis/policies').flatMap((policy) => {
      const text = textOf(bodyAt(policy, 'properties.value'));
      const key = `${view.set} ${text}`;
      const found = checked.get(key) ?? check(view, text);
      checked.set(key, found);
      return found.map((message) => `the policy: ${message}`);
    }),
  ).map((finding) => ({ ...finding, file: `${finding.file}, infra/gateway/policy.xml` }));
}

/** What was found before, by set and policy: a policy takes a tenth of a second. */
const checked = new Map<string, string[]>();

function check(view: View, text: string): string[] {
  const place = /\$\{\w+\}/.exec(text)?.[0];
  if (place !== undefined) return [`nothing gives a value for ${place}`];
  try {
    const policy = parsePolicy(text);
    const run = (request: GatewayRequest) => runPolicy(policy, request);
    const facts = [limits, caching, apps, lengths, refusals, origins].flatMap((part) => part(view, run));
    return [
      ...access(view, run),
      ...facts.flatMap(([what, found, wanted]) => mustBe(what, found, wanted)),
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

type Run = (request: GatewayRequest) => Outcome;
/** What is looked at, what it is, and what it must be. */
type Fact = readonly [what: string, found: Data, wanted: Data];

const chunked = { 'Transfer-Encoding': 'chunked' };
const basic = { Authorization: 'Basic YTpi' };
const get = (path: string): GatewayRequest => ({ method: 'GET', path });

function limits({ value }: View, run: Run): Fact[] {
  const calls = Number(value('gateway_rate_limit_calls'));
  const address = { key: `address ${caller.address}`, calls: 10 * calls, period: 60 };
  const each = (key: string) => [address, { key, calls, period: 60 }];
  const large = (length: number) =>
    run({ method: 'POST', path: calendar, token: good, headers: { 'Content-Length': String(length) } })
      .status;
  const { checked } = run({ ...get(records), token: good });
  return [
    [
      'the rates of a caller with a token',
      run({ ...get(calendar), token: good }).rates,
      each(caller.objectId),
    ],
    ['the rates of a caller without a token', run(get(calendar)).rates, each(caller.address)],
    ['the rates of a refused caller', run({ method: 'DELETE', path: calendar }).rates, [address]],
    ['the answer to a body of 4 MiB', large(4 * 2 ** 20), 200],
    ['the answer to a body above 4 MiB', large(4 * 2 ** 20 + 1), 413],
    [
      'what tokens are checked for',
      checked.map(({ audiences: _, ...rest }) => rest),
      [{ tenant: tenantId, header: 'Authorization', code: '401' }],
    ],
  ];
}

function caching({ value }: View, run: Run): Fact[] {
  const yes = [true, Number(value('gateway_cache_seconds'))];
  const no = [false, 0];
  const cases: readonly (readonly [what: string, request: GatewayRequest, wanted: Data])[] = [
    ['GET of the calendar', get(calendar), yes],
    ['HEAD of the calendar', { method: 'HEAD', path: calendar }, yes],
    ['the calendar at the root', get('/wp-json/tribe/events/v1/events'), yes],
    ['callers with a token', { ...get(calendar), token: good }, no],
    ['a caller with a password', { ...get(calendar), headers: basic }, no],
    ['writes', { method: 'POST', path: calendar, token: good }, no],
    ['preflights', { method: 'OPTIONS', path: calendar }, no],
    ['changes', get('/api/tribe/events/v1/changes'), no],
    ['a page', get('/events/'), no],
    ['the health address', get('/api/health'), no],
  ];
  return [
    ...cases.map(([what, request, wanted]): Fact => {
      const { cached, stored } = run(request);
      return [`the cache for ${what}`, [cached, stored], wanted];
    }),
    [
      'what the cache is split by',
      run(get(calendar)).vary,
      ['Accept', 'Accept-Encoding', 'Accept-Language', 'Origin'].map((name) => `vary-by-header ${name}`),
    ],
    ...[304, 400, 404, 500, 503].map(
      (status): Fact => [`the cache for an answer ${status}`, run({ ...get(calendar), status }).stored, 0],
    ),
  ];
}

const ofCalendar = [
  ...[calendar, '/api/tribe/events/v1', '/wp-json/tribe/events/v1/events'],
  ...['/', '/events/', '/event/a/', '/calendar'],
];
const ofRecords = [records, '/api/health', '/api/openapi.json', '/api/swagger', '/records'];

/** The app that gets a call, and the address of the caller that it is given. */
function apps(view: View, run: Run): Fact[] {
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-for': '198.51.100.7',
  };
  return [
    ...[...ofCalendar, ...ofRecords].map((path): Fact => {
      const wanted = hasCalendarApp(view) && ofCalendar.includes(path);
      return [`a call of ${path} at the calendar's app`, run(get(path)).backend === 'calendar', wanted];
    }),
    [
      'what the app is told of the address',
      run({ ...get(calendar), headers: forged }).forwarded,
      {
        'x-forwarded-host': 'api.example.org',
        'x-forwarded-proto': 'https',
        'x-forwarded-prefix': '',
        'x-forwarded-for': caller.address,
      },
    ],
  ];
}

/** The share of calls that goes to the green app. */
function shares({ value }: View, run: Run): string[] {
  const share = value('green_app') === true ? Number(value('green_share')) : 0;
  const backends = Array.from(
    { length: 400 },
    (_, at) => run({ ...get('/api/health'), id: `request ${at * 37}` }).backend,
  );
  const count = (name: string) => backends.filter((backend) => backend === name).length;
  const green = count('green') / 4;
  return [
    ...mustBe('calls that go to an app', count('green') + count('blue'), 400),
    ...(Math.abs(green - share) > 6
      ? [`${green} % of calls go to the green app; it must be ${share} %`]
      : []),
  ];
}

/** A body without a declared length gets one, once the caller is known; others pass as they came. */
function lengths(_: View, run: Run): Fact[] {
  const write = { method: 'PUT', path: '/api/v8.0/cases/1/custom-data', body: '{"a":"æ"}' };
  const read = (request: Partial<GatewayRequest>) => run({ ...write, ...request }).readBody;
  return [
    ['the body read of a chunked PUT', read({ token: good, headers: chunked }), write.body],
    ['the body read of a PUT over HTTP/2', read({ token: good }), write.body],
    [
      'the body read of a PUT with a length',
      read({ token: good, headers: { 'Content-Length': '10' } }),
      null,
    ],
    ['the body read of a refused caller', read({ headers: chunked }), null],
    ['the body read of a GET', run({ ...get(records), token: good }).readBody, null],
  ];
}

const refused: readonly [
  what: string,
  request: GatewayRequest,
  status: number,
  code: string,
  header?: string,
][] = [
  [
    'a body that is too large',
    { method: 'POST', path: calendar, headers: { 'Content-Length': '9000000' } },
    413,
    'gateway-body-too-large',
  ],
  ['a missing token', get(records), 401, 'gateway-token-refused', 'www-authenticate'],
  [
    'too many calls',
    { ...get(calendar), fails: 'rate-limit-by-key' },
    429,
    'gateway-too-many-requests',
    'retry-after',
  ],
  [
    'an unknown address',
    { ...get('/api'), token: good, fails: 'configuration' },
    404,
    'gateway-no-such-path',
  ],
  ['an app that does not answer', { ...get(calendar), fails: 'forward-request' }, 502, 'gateway-no-reply'],
];

/** Every refusal is a problem, with its code, and without what the caller sent. */
function refusals(_: View, run: Run): Fact[] {
  return refused.map(([what, request, status, code, header = 'content-type']): Fact => {
    const outcome = run(request);
    const body = JSON.parse(outcome.body || '{}') as Record<string, Data>;
    const found = [
      outcome.status,
      outcome.headers['content-type'] ?? '',
      body['status'] ?? null,
      body['code'] ?? null,
    ];
    const wanted = [status, 'application/problem+json', status, code];
    const isSilent = !outcome.body.includes(secret);
    return [
      `the answer to ${what}`,
      [...found, header in outcome.headers, isSilent],
      [...wanted, true, true],
    ];
  });
}

/** Browsers of the origins that the app lets in can read the gateway's own answers; those of others cannot. */
function origins(view: View, run: Run): Fact[] {
  const allowed = ((view.value('cors_origins') as Data[]) ?? []).map(textOf);
  const stranger = 'https://stranger.example';
  const responseTo = (Origin: string, request = get(records)) =>
    run({ ...request, headers: { Origin } }).headers['access-control-allow-origin'] ?? '';
  const wanted = (origin: string) =>
    allowed.includes('*') ? '*' : allowed.includes(origin) ? origin : 'null';
  return [
    ...[stranger, ...allowed.filter((item) => item !== '*')].map(
      (origin): Fact => [`the origin allowed to ${origin}`, responseTo(origin), wanted(origin)],
    ),
    [
      'the origin allowed to a stranger by the calendar',
      responseTo(stranger, { method: 'POST', path: calendar }),
      hasCalendarApp(view) ? '*' : wanted(stranger),
    ],
  ];
}
