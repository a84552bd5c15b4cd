import type { GatewayRequest, Outcome, Token } from '../gateway/run.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import { mustBe } from './views.ts';

const good: Token = { tenant: tenantId, audience: inputs['API_CLIENT_ID']?.[1] ?? '' };

/** A body without a declared length gets one, once the caller is known; others pass as they came. */
export function lengths(run: (request: GatewayRequest) => Outcome): string[] {
  const write = { method: 'PUT', path: '/api/v8.0/cases/1/custom-data', body: '{"a":"æ"}' };
  const chunked = { 'Transfer-Encoding': 'chunked' };
  const read = (request: Partial<GatewayRequest>) => run({ ...write, ...request }).readBody;
  return [
    ...mustBe('the body read of a chunked PUT', read({ token: good, headers: chunked }), write.body),
    ...mustBe('the body read of a PUT over HTTP/2', read({ token: good }), write.body),
    ...mustBe(
      'the body read of a PUT with a length',
      read({ token: good, headers: { 'Content-Length': '10' } }),
      null,
    ),
    ...mustBe('the body read of a refused caller', read({ headers: chunked }), null),
    ...mustBe(
      'the body read of a GET',
      run({ method: 'GET', path: '/api/v8.0/authorized', token: good }).readBody,
      null,
    ),
  ];
}
