import { unknownElements } from '../gateway/elements.ts';
import { caller, type GatewayRequest, type Outcome, runPolicy, type Token } from '../gateway/run.ts';
import { type Element, parsePolicy } from '../gateway/xml.ts';
import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import { lengths } from './gateway-lengths.ts';
import { refusals } from './gateway-refusals.ts';
import { bodyAt, hasCalendarApp, mustBe, ofType, overPlans, type View } from './views.ts';

const clientId = inputs['API_CLIENT_ID']?.[1] ?? '';
const good: Token = { tenant: tenantId, audience: clientId };
const bad: Readonly<Record<string, Token>> = {
  'of another tenant': { ...good, tenant: '99999999-9999-9999-9999-999999999999' },
  'for another API': { ...good, audience: '99999999-9999-9999-9999-999999999999' },
  'that has expired': { ...good, expired: true },
};
const calendar = '/api/tribe/events/v1/events';
const writes = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** What everyone may read, and what only callers with a token get. */
const publicReads = [
  calendar,
  calendar.toUpperCase(),
  '/api/health',
  '/api/swagger',
  '/api/swagger/index.html',
  '/api/openapi.json',
  '/api/pages/page.css',
  '/api',
  '/wp-json/',
  '/wp-json/tribe/events/v1/events',
  '/',
  '/events/',
  '/event/summer-party/',
  '/calendar',
  '/records',
];
const forCallers = [
  '/api/v8.0/authorized',
  '/api/v7/journalized-cases/1/custom-data',
  '/api/v8.0/tribe/events/v1',
  '/api/openapi.json/x',
  '/api/pages',
  '/api/tribe/events/v10',
];
/** Whose app answers: the calendar's where it has one. */
const ofCalendar = [
  calendar,
  '/api/tribe/events/v1',
  '/wp-json/tribe/events/v1/events',
  '/',
  '/events/',
  '/event/a/',
  '/calendar',
];
const ofRecords = ['/api/v8.0/authorized', '/api/health', '/api/openapi.json', '/api/swagger', '/records'];

/** The gateway's policy, run as a program on a table of requests. */
export function gatewayRequests(project: Project): Finding[] {
  return overPlans(project, (view) => {
    const [policy] = ofType(view, 'Microsoft.ApiManagement/service/apis/policies');
    if (!policy) return [];
    try {
      const text = textOf(bodyAt(policy, 'properties.value'));
      const key = `${view.set} ${text}`;
      const found = checked.get(key) ?? check(view, parsePolicy(text));
      checked.set(key, found);
      return found;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError) return [`the policy: ${error.message}`];
      throw error;
    }
  }).map((finding) => ({ ...finding, file: `${finding.file}, infra/gateway/policy.xml` }));
}

/** What was found before, by set and policy: a policy takes a tenth of a second. */
const checked = new Map<string, string[]>();

function check(view: View, policy: Element): string[] {
  const run = (request: GatewayRequest) => runPolicy(policy, request);
  const unknown = unknownElements(policy);
  if (unknown.length > 0) return unknown.map((message) => `the policy: ${message}`);
  return [
    ...['inbound', 'backend', 'outbound', 'on-error']
      .filter((name) => !hasBase(policy, name))
      .map((name) => `<${name}> lacks <base />`),
    ...access(view, run),
    ...limits(view, run),
    ...caching(view, run),
    ...apps(view, run),
    ...shares(view, run),
    ...lengths(run),
    ...refusals(run),
    ...origins(view, run),
  ].map((message) => `the policy: ${message}`);
}

type Run = (request: GatewayRequest) => Outcome;

const hasBase = (policy: Element, section: string) =>
  policy.children.find(({ name }) => name === section)?.children[0]?.name === 'base';

function access(view: View, run: Run): string[] {
  const passes = (request: GatewayRequest, wanted: boolean, what: string): string[] => {
    const { reachedApp, status } = run(request);
    const refused = !reachedApp && status === 401;
    if (wanted ? reachedApp : refused) return [];
    return [
      `${request.method} ${request.path} ${what} ${reachedApp ? 'reaches the app' : `is answered with ${status}`}`,
    ];
  };
  const reads = ['GET', 'HEAD'];
  const audiences = [
    clientId,
    `api://${clientId}`,
    ...((view.value('api_audiences') as Data[]) ?? []).map(textOf),
  ];
  const { checked } = run({ method: 'GET', path: '/api/v8.0/authorized', token: good });
  return [
    ...publicReads.flatMap((path) =>
      reads.flatMap((method) => passes({ method, path }, true, 'without a token')),
    ),
    ...publicReads.flatMap((path) =>
      writes.flatMap((method) => passes({ method, path }, false, 'without a token')),
    ),
    ...forCallers.flatMap((path) =>
      [...reads, ...writes].flatMap((method) => passes({ method, path }, false, 'without a token')),
    ),
    ...[...publicReads, ...forCallers].flatMap((path) =>
      [...reads, ...writes].flatMap((method) => [
        ...passes({ method, path, token: good }, true, 'with a good token'),
        ...Object.entries(bad).flatMap(([what, token]) =>
          passes({ method, path, token }, false, `with a token ${what}`),
        ),
      ]),
    ),
    ...audiences.flatMap((audience) =>
      passes(
        { method: 'GET', path: '/api/v8.0/authorized', token: { ...good, audience } },
        true,
        `with a token for ${audience}`,
      ),
    ),
    ...mustBe('what tokens are checked for', checked as never, [
      { tenant: tenantId, audiences, header: 'Authorization', code: '401' },
    ]),
    ...passes({ method: 'OPTIONS', path: '/api/v8.0/authorized' }, true, 'without a token'),
    ...passwords(passes),
  ];
}

/** The calendar's app checks passwords; nothing else knows them. */
function passwords(passes: (request: GatewayRequest, wanted: boolean, what: string) => string[]): string[] {
  const headers = { Authorization: 'Basic YTpi' };
  return ['GET', ...writes].flatMap((method) => [
    ...[calendar, '/wp-json/tribe/events/v1/events', '/'].flatMap((path) =>
      passes({ method, path, headers }, true, 'with a password'),
    ),
    ...['/api/v8.0/authorized', '/api/health', '/records'].flatMap((path) =>
      passes({ method, path, headers }, false, 'with a password'),
    ),
  ]);
}

function limits(view: View, run: Run): string[] {
  const calls = Number(view.value('gateway_rate_limit_calls'));
  const address = { key: `address ${caller.address}`, calls: 10 * calls, period: 60 };
  const large = (length: number) =>
    run({ method: 'POST', path: calendar, token: good, headers: { 'Content-Length': String(length) } })
      .status;
  return [
    ...mustBe(
      'the rates of a caller with a token',
      run({ method: 'GET', path: calendar, token: good }).rates,
      [address, { key: caller.objectId, calls, period: 60 }],
    ),
    ...mustBe('the rates of a caller without a token', run({ method: 'GET', path: calendar }).rates, [
      address,
      { key: caller.address, calls, period: 60 },
    ]),
    ...mustBe('the rates of a refused caller', run({ method: 'DELETE', path: calendar }).rates, [address]),
    ...mustBe('the answer to a body of 4 MiB', large(4 * 2 ** 20), 200),
    ...mustBe('the answer to a body above 4 MiB', large(4 * 2 ** 20 + 1), 413),
  ];
}

function caching(view: View, run: Run): string[] {
  const seconds = Number(view.value('gateway_cache_seconds'));
  const cached = (request: GatewayRequest) => {
    const { cached, stored } = run(request);
    return [cached, stored];
  };
  return [
    ...['GET', 'HEAD'].flatMap((method) =>
      mustBe(`the cache for ${method} of the calendar`, cached({ method, path: calendar }), [true, seconds]),
    ),
    ...mustBe('what the cache is split by', run({ method: 'GET', path: calendar }).vary, [
      'vary-by-header Accept',
      'vary-by-header Accept-Encoding',
      'vary-by-header Accept-Language',
      'vary-by-header Origin',
    ]),
    ...mustBe('the cache for callers with a token', cached({ method: 'GET', path: calendar, token: good }), [
      false,
      0,
    ]),
    ...mustBe('the cache for writes', cached({ method: 'POST', path: calendar, token: good }), [false, 0]),
    ...mustBe('the cache for preflights', cached({ method: 'OPTIONS', path: calendar }), [false, 0]),
    ...mustBe(
      'the cache for the calendar at the root',
      cached({ method: 'GET', path: '/wp-json/tribe/events/v1/events' }),
      [true, seconds],
    ),
    ...mustBe('the cache for a page', cached({ method: 'GET', path: '/events/' }), [false, 0]),
    ...mustBe(
      'the cache for a caller with a password',
      cached({ method: 'GET', path: calendar, headers: { Authorization: 'Basic YTpi' } }),
      [false, 0],
    ),
    ...mustBe('the cache for the health address', cached({ method: 'GET', path: '/api/health' }), [false, 0]),
    ...[304, 400, 404, 500, 503].flatMap((status) =>
      mustBe(`the cache for an answer ${status}`, run({ method: 'GET', path: calendar, status }).stored, 0),
    ),
  ];
}

/** The app that gets a call, and the address of the caller that it is given. */
function apps(view: View, run: Run): string[] {
  const backend = (path: string) => run({ method: 'GET', path }).backend;
  const calendarApp = hasCalendarApp(view);
  const { forwarded } = run({
    method: 'GET',
    path: calendar,
    headers: {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-For': '198.51.100.7',
    },
  });
  return [
    ...ofCalendar.flatMap((path) =>
      mustBe(`a call of ${path} at the calendar's app`, backend(path) === 'calendar', calendarApp),
    ),
    ...ofRecords.flatMap((path) =>
      mustBe(`a call of ${path} at the calendar's app`, backend(path) === 'calendar', false),
    ),
    ...mustBe('what the app is told of the address', forwarded, {
      'x-forwarded-host': 'api.example.org',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '',
      'x-forwarded-for': '192.0.2.1',
    }),
  ];
}

/** The share of calls that goes to the green app. */
function shares(view: View, run: Run): string[] {
  const share = view.value('green_app') === true ? Number(view.value('green_share')) : 0;
  const backends = Array.from(
    { length: 400 },
    (_, index) => run({ method: 'GET', path: '/api/health', id: `request ${index * 37}` }).backend,
  );
  const strange = backends.filter((backend) => backend !== 'blue' && backend !== 'green');
  const green = (100 * backends.filter((backend) => backend === 'green').length) / backends.length;
  return [
    ...mustBe('calls that go to no app', strange.length, 0),
    ...(Math.abs(green - share) > 6
      ? [`${green} % of calls go to the green app; it must be ${share} %`]
      : []),
  ];
}

/** Browsers of the origins that the app lets in can read the gateway's own answers; those of others cannot. */
function origins(view: View, run: Run): string[] {
  const allowed = ((view.value('cors_origins') as Data[]) ?? []).map(textOf);
  const responseTo = (Origin: string) =>
    run({ method: 'GET', path: '/api/v8.0/authorized', headers: { Origin } }).headers[
      'access-control-allow-origin'
    ] ?? '';
  const wanted = (origin: string) =>
    allowed.includes('*') ? '*' : allowed.includes(origin) ? origin : 'null';
  const atCalendar = run({ method: 'POST', path: calendar, headers: { Origin: 'https://stranger.example' } });
  return [
    ...['https://stranger.example', ...allowed.filter((item) => item !== '*')].flatMap((origin) =>
      mustBe(`the origin allowed to ${origin}`, responseTo(origin), wanted(origin)),
    ),
    ...mustBe(
      'the origin allowed to a stranger by the calendar',
      atCalendar.headers['access-control-allow-origin'] ?? '',
      hasCalendarApp(view) ? '*' : wanted('https://stranger.example'),
    ),
  ];
}
