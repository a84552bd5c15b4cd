import type { GatewayRequest, Token } from '../gateway/run.ts';
import { textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import { listAt, type View } from './views.ts';

const clientId = inputs['API_CLIENT_ID']?.[1] ?? '';
export const good: Token = { tenant: tenantId, audience: clientId };
export const calendar = '/api/tribe/events/v1/events';
export const atRoot = '/wp-json/tribe/events/v1/events';
export const records = '/api/v8.0/authorized';
export const basic = { Authorization: 'Basic YTpi' };
const other = '99999999-9999-9999-9999-999999999999';

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
  atRoot,
  '/',
  '/events/',
  '/event/summer-party/',
  '/calendar',
  '/records',
];
const forCallers = [
  records,
  '/api/v7/journalized-cases/1/custom-data',
  '/api/v8.0/tribe/events/v1',
  '/api/openapi.json/x',
  '/api/pages',
  '/api/heal',
  '/api/swag',
  '/api/tribe/events/v10',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What a caller shows, and whether it opens a path. Public reads are open without anything; where something is shown, it must be right. */
const shown: Readonly<
  Record<string, readonly [Partial<GatewayRequest>, isOpen: (method: string, path: string) => boolean]>
> = {
  'without a token': [{}, (method, path) => publicReads.includes(path) && ['GET', 'HEAD'].includes(method)],
  'with a good token': [{ token: good }, () => true],
  'with a token of another tenant': [{ token: { ...good, tenant: other } }, () => false],
  'with a token for another API': [{ token: { ...good, audience: other } }, () => false],
  'with a token that has expired': [{ token: { ...good, expired: true } }, () => false],
  // The calendar's app checks it.
  'with a password': [
    { headers: basic },
    (_, path) =>
      !path.toLowerCase().startsWith('/api')
        ? path !== '/records'
        : /^\/api\/tribe\/events\/v1\//i.test(path),
  ],
};

/** Requests, and whether each must reach the app; all others are refused with 401. */
export function accessOf({ value }: View): (readonly [GatewayRequest, isOpen: boolean, what: string])[] {
  const paths = [...publicReads, ...forCallers];
  const audiences = [clientId, `api://${clientId}`, ...listAt(value('api_audiences')).map(textOf)];
  return [
    ...Object.entries(shown).flatMap(([what, [by, isOpen]]) =>
      paths.flatMap((path) =>
        methods.map((method) => [{ method, path, ...by }, isOpen(method, path), what] as const),
      ),
    ),
    ...audiences.map((audience) => {
      const token = { ...good, audience };
      return [{ method: 'GET', path: records, token }, true, `with a token for ${audience}`] as const;
    }),
    [{ method: 'OPTIONS', path: records }, true, 'without a token'],
  ];
}
