/** Proves that a deployment works: the calls that a client makes first, with a real token. */

import { setTimeout as sleep } from 'node:timers/promises';

/** One call and what must come back. */
interface Check {
  readonly what: string;
  readonly path: string;
  readonly withToken: boolean;
  readonly status: number;
  /** A header that must be there. */
  readonly header?: string;
}

const checks = (calendarPath: string): readonly Check[] => [
  { what: 'the app is up', path: '/health', withToken: false, status: 200 },
  {
    what: 'a call without a token is refused',
    path: '/v8.0/authorized',
    withToken: false,
    status: 401,
    header: 'www-authenticate',
  },
  { what: 'a token is accepted', path: '/v8.0/authorized', withToken: true, status: 200 },
  { what: 'the databases answer', path: '/v8.0/reference-data/custom', withToken: true, status: 200 },
  { what: 'the calendar answers', path: `/${calendarPath}/events`, withToken: false, status: 200 },
];

/** Answers of an app that is still starting, or of a database that is still waking up. */
const starting = [404, 500, 502, 503, 504];

export interface SmokeOptions {
  /** Address with the base path. */
  readonly baseUrl: string;
  /** Path of the calendar below the base path. */
  readonly calendarPath: string;
  readonly token: string;
  readonly tries: number;
  /** Seconds between two tries. */
  readonly wait: number;
  readonly say: (line: string) => void;
}

/** Makes every call and prints how long each took. Throws an error that lists the ones that went wrong. */
export async function smokeTest(options: SmokeOptions): Promise<void> {
  const faults: string[] = [];
  for (const check of checks(options.calendarPath)) {
    const { milliseconds, fault } = await patiently(options, check);
    options.say(`${fault ? '✗' : '✓'} ${check.what} (${milliseconds} ms)${fault ? `: ${fault}` : ''}`);
    if (fault) faults.push(`${check.what}: ${fault}`);
  }
  if (faults.length > 0)
    throw new Error(`The smoke test of ${options.baseUrl} failed: ${faults.join('; ')}.`);
}

interface Result {
  readonly milliseconds: number;
  readonly status: number;
  readonly fault: string | undefined;
}

async function patiently(options: SmokeOptions, check: Check): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await call(options, check);
    const mayPass = result.fault !== undefined && (result.status === 0 || starting.includes(result.status));
    if (!mayPass || attempt >= options.tries) return result;
    options.say(`  ${check.what}: ${result.fault}; again in ${options.wait} s ...`);
    await sleep(options.wait * 1000);
  }
}

async function call({ baseUrl, token }: SmokeOptions, check: Check): Promise<Result> {
  const started = performance.now();
  const headers: Record<string, string> = check.withToken ? { authorization: `Bearer ${token}` } : {};
  try {
    const response = await fetch(`${baseUrl}${check.path}`, { headers, signal: AbortSignal.timeout(60_000) });
    const body = await response.text();
    return { milliseconds: since(started), status: response.status, fault: faultOf(check, response, body) };
  } catch (error) {
    const reason =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    return { milliseconds: since(started), status: 0, fault: `no answer (${reason})` };
  }
}

function faultOf({ status, header }: Check, response: Response, body: string): string | undefined {
  if (response.status !== status)
    return `${response.status} instead of ${status}${body === '' ? '' : `: ${body.slice(0, 300)}`}`;
  return header !== undefined && !response.headers.has(header) ? `no header ${header}` : undefined;
}

const since = (started: number) => Math.round(performance.now() - started);
