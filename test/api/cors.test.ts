/** Pages of another origin: what CORS_ORIGINS lets them call and read. `pages-in-browser.test.ts` has what a browser makes of it. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';

const allowed = 'http://127.0.0.1:8080';
const other = 'http://localhost:8080';

// The host on Flex Consumption would answer preflights itself.
const app = useApp({ flex: false, settings: { CORS_ORIGINS: `https://app.example.org, ${allowed}` } });
const path = '/v8.0/documents/document-letter/custom-data';
const cors = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

function preflight(origin: string, at = path) {
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
  return app.call('OPTIONS', at, { headers });
}

describe('CORS_ORIGINS', () => {
  test('lets a preflight of its origins through', async () => {
    const { status, headers } = await preflight(allowed);
    expect({ status, ...cors(headers) }).toEqual({
      status: 204,
      vary: 'Origin',
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': 'GET, PUT, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Request-Id, traceparent, tracestate',
      'access-control-expose-headers':
        'Allow, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id, X-Total-Count',
      'access-control-max-age': '600',
    });
  });

  test.each([other, 'null', `${allowed}.example.org`, 'https://app.example.org:444', 'x'])(
    'lets no page of %s read anything',
    async (origin) => {
      expect(cors((await preflight(origin)).headers)).toEqual({ vary: 'Origin' });
      const reply = await app.call('GET', '/health', { headers: { Origin: origin } });
      expect([reply.status, cors(reply.headers)]).toEqual([200, { vary: 'Origin' }]);
    },
  );

  test.each([
    '/health',
    '/openapi.json',
    '/swagger/records.json',
    '/v7/authorized',
    '/v8.0/nothing',
    '/none',
  ])('lets its origins read %s, errors too', async (at) => {
    const { headers } = await app.call('GET', at, { headers: { Origin: allowed } });
    expect(cors(headers)).toMatchObject({ 'access-control-allow-origin': allowed, vary: 'Origin' });
  });

  test('leaves what varies by other headers to vary by them', async () => {
    const reply = await app.call('GET', '/v8.0/reference-data/languages', {
      token: app.token('alice@example.org'),
    });
    expect(reply.headers.get('vary')).toBe('Accept, Origin');
  });

  test('may be any with *, and is named where it is unusable', async () => {
    const replies: unknown[] = [];
    for (const CORS_ORIGINS of ['*', 'https://app.example.org/path']) {
      await using another = await app.startAnother({ APIS: 'records', CORS_ORIGINS });
      const headers = { Origin: other, Authorization: `Bearer ${app.token('alice@example.org')}` };
      const reply = await fetch(`${another.base}/v8.0/authorized`, { headers });
      replies.push([reply.status, cors(reply.headers)['access-control-allow-origin']]);
      if (reply.status === 500)
        expect(await reply.text()).toContain('The setting CORS_ORIGINS is not usable');
    }
    expect(replies).toEqual([
      [200, '*'],
      [500, undefined],
    ]);
  });
});
