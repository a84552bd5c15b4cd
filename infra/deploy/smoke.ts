/** Proves that a deployment works: the calls that a client makes first, with a real token. */

import type { ApiName } from './apps.ts';
import { saidOfMissing } from './health.ts';
import { pause } from './retry.ts';

/** One call and what must come back. */
interface Check {
  readonly what: string;
  readonly path: string;
  readonly withToken: boolean;
  readonly status: number;
  /** A header that must be there, with the values that it may have. */
  readonly header?: string;
  readonly values?: readonly string[];
  readonly method?: 'OPTIONS';
  readonly sends?: Readonly<Record<string, string>>;
}

/** Every check of the APIs that must answer, in order. */
function checks({ calendarPath, origins, apis = ['records', 'calendar'] }: SmokeOptions): readonly Check[] {
  const records = apis.includes('records');
  const [origin] = records ? (origins ?? []) : ['*'];
  return [
    { what: 'the app is up', path: '/health', withToken: false, status: 200 },
    ...(records ? ofRecords : []),
    ...(apis.includes('calendar')
      ? [{ what: 'the calendar answers', path: `/${calendarPath}/events`, withToken: false, status: 200 }]
      : []),
    ...(origin === undefined
      ? []
      : [preflightFor(origin, records ? '/v8.0/authorized' : `/${calendarPath}/events`)]),
  ];
}

const ofRecords: readonly Check[] = [
  {
    what: 'a call without a token is refused',
    path: '/v8.0/authorized',
    withToken: false,
    status: 401,
    header: 'www-authenticate',
  },
  { what: 'a token is accepted', path: '/v8.0/authorized', withToken: true, status: 200 },
  { what: 'the databases answer', path: '/v8.0/reference-data/custom', withToken: true, status: 200 },
];

/** What a browser asks before a page of another origin may send a token. */
function preflightFor(origin: string, path: string): Check {
  const Origin = origin === '*' ? 'https://browser.example' : origin;
  return {
    what: 'browsers may call the app',
    path,
    withToken: false,
    method: 'OPTIONS',
    sends: {
      Origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    },
    status: 204,
    header: 'access-control-allow-origin',
    values: ['*', Origin],
  };
}

/** Answers of an app that is still starting, or of a database that is still waking up. */
const starting = [404, 500, 502, 503, 504];

const never = new AbortController().signal;

export interface SmokeOptions {
  /** Address with the base path. */
  readonly baseUrl: string;
  /** The APIs that must answer there; default: both. */
  readonly apis?: readonly ApiName[];
  /** Path of the calendar below the base path. */
  readonly calendarPath: string;
  readonly token: string;
  /** Origins that browsers may call from; undefined: not known. */
  readonly origins?: readonly string[] | undefined;
  readonly maxAttempts: number;
  /** Seconds between two attempts. */
  readonly wait: number;
  readonly say: (line: string) => void;
  /** Aborted when the test shall end. */
  readonly signal?: AbortSignal;
}

/** Sends every call and prints how long each took. Throws an error that lists the ones that went wrong. */
export async function smokeTest(options: SmokeOptions): Promise<void> {
  const faults: string[] = [];
  for (const check of checks(options)) {
    const { milliseconds, failure } = await patiently(options, check);
    options.say(`${failure ? '✗' : '✓'} ${check.what} (${milliseconds} ms)${failure ? `: ${failure}` : ''}`);
    if (failure) faults.push(`${check.what}: ${failure}`);
  }
  if (faults.length > 0)
    throw new Error(`The smoke test of ${options.baseUrl} failed: ${faults.join('; ')}.`);
}

interface Result {
  readonly milliseconds: number;
  readonly status: number;
  readonly failure: string | undefined;
}

async function patiently(options: SmokeOptions, check: Check): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await call(options, check);
    const mayPass = result.failure !== undefined && (result.status === 0 || starting.includes(result.status));
    if (!mayPass || attempt >= options.maxAttempts) return result;
    options.say(`  ${check.what}: ${result.failure}; again in ${options.wait} s ...`);
    await pause({ signal: options.signal ?? never }, options.wait);
  }
}

async function call({ baseUrl, token, signal = never }: SmokeOptions, check: Check): Promise<Result> {
  const started = performance.now();
  const headers = { ...check.sends, ...(check.withToken ? { authorization: `Bearer ${token}` } : {}) };
  const { method = 'GET' } = check;
  try {
    const response = await fetch(`${baseUrl}${check.path}`, {
      method,
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
    });
    const body = await response.text();
    return { milliseconds: since(started), status: response.status, failure: faultOf(check, response, body) };
  } catch (error) {
    const reason =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    return { milliseconds: since(started), status: 0, failure: `no answer (${reason})` };
  }
}

function faultOf(
  { status, header, values, path }: Check,
  response: Response,
  body: string,
): string | undefined {
  if (response.status === 404 && path === '/health') return saidOfMissing(body);
  const preflight = status === 204 && response.status === 200;
  if (response.status !== status && !preflight)
    return `${response.status} instead of ${status}${body === '' ? '' : `: ${body.slice(0, 300)}`}`;
  const found = header === undefined ? null : response.headers.get(header);
  if (header !== undefined && found === null) return `no header ${header}`;
  return values && !values.includes(found ?? '') ? `${header} is ${found}` : undefined;
}

const since = (started: number) => Math.round(performance.now() - started);
