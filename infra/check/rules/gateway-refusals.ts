import type { GatewayRequest, Outcome, Token } from '../gateway/run.ts';
import type { Data } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import { mustBe } from './views.ts';

const good: Token = { tenant: tenantId, audience: inputs['API_CLIENT_ID']?.[1] ?? '' };
const calendar = '/api/tribe/events/v1/events';

const expected: readonly [what: string, request: GatewayRequest, status: number, code: string][] = [
  [
    'a body that is too large',
    { method: 'POST', path: calendar, headers: { 'Content-Length': '9000000' } },
    413,
    'gateway-body-too-large',
  ],
  ['a missing token', { method: 'GET', path: '/api/v8.0/authorized' }, 401, 'gateway-token-refused'],
  [
    'too many calls',
    { method: 'GET', path: calendar, fails: 'rate-limit-by-key' },
    429,
    'gateway-too-many-requests',
  ],
  [
    'an unknown address',
    { method: 'GET', path: '/api', token: good, fails: 'configuration' },
    404,
    'gateway-no-such-path',
  ],
  [
    'an app that does not answer',
    { method: 'GET', path: calendar, fails: 'forward-request' },
    502,
    'gateway-no-reply',
  ],
];

/** Every refusal is a problem, with its code, and without what the caller sent. */
export function refusals(run: (request: GatewayRequest) => Outcome): string[] {
  const needed: Readonly<Record<number, string>> = { 401: 'www-authenticate', 429: 'retry-after' };
  return expected.flatMap(([what, request, status, code]) => {
    const outcome = run(request);
    const body = JSON.parse(outcome.body || '{}') as Record<string, Data>;
    const header = needed[status];
    return [
      ...mustBe(
        `the answer to ${what}`,
        [outcome.status, outcome.headers['content-type'] ?? '', body['status'] ?? null, body['code'] ?? null],
        [status, 'application/problem+json', status, code],
      ),
      ...(header !== undefined && !outcome.headers[header] ? [`the answer to ${what} lacks ${header}`] : []),
    ];
  });
}
