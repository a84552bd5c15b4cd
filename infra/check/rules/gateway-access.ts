import type { GatewayRequest, Outcome, Token } from '../gateway/run.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import type { View } from './views.ts';

const clientId = inputs['API_CLIENT_ID']?.[1] ?? '';
export const good: Token = { tenant: tenantId, audience: clientId };
export const calendar = '/api/tribe/events/v1/events';
export const records = '/api/v8.0/authorized';
const other = '99999999-9999-9999-9999-999999999999';
const bad: Readonly<Record<string, Token>> = {
  'of another tenant': { ...good, tenant: other },
  'for another API': { ...good, audience: other },
  'that has expired': { ...good, expired: true },
};
const reads = ['GET', 'HEAD'];
const writes = ['POST', 'PUT', 'PATCH', 'DELETE'];
const methods = [...reads, ...writes];
const basic = { Authorization: 'Basic YTpi' };

/** What everyone may read, and what only callers with a token get. */
const publicReads = [
  ...[calendar, calendar.toUpperCase(), '/api/health', '/api/swagger', '/api/swagger/index.html'],
  ...['/api/openapi.json', '/api/pages/page.css', '/api', '/wp-json/', '/wp-json/tribe/events/v1/events'],
  ...['/', '/events/', '/event/summer-party/', '/calendar', '/records'],
];
const forCallers = [
  ...[records, '/api/v7/journalized-cases/1/custom-data', '/api/v8.0/tribe/events/v1'],
  ...['/api/openapi.json/x', '/api/pages', '/api/tribe/events/v10'],
];

/** A request, whether it must reach the app, and what is said of it. */
type Case = readonly [request: GatewayRequest, passes: boolean, what: string];

function casesOf({ value }: View): Case[] {
  const audiences = [
    clientId,
    `api://${clientId}`,
    ...((value('api_audiences') as Data[]) ?? []).map(textOf),
  ];
  const all = [...publicReads, ...forCallers].flatMap((path) => methods.map((method) => ({ method, path })));
  const passwords = ['GET', ...writes].flatMap((method) => [
    ...[calendar, '/wp-json/tribe/events/v1/events', '/'].map((path) => ({ method, path, passes: true })),
    ...[records, '/api/health', '/records'].map((path) => ({ method, path, passes: false })),
  ]);
  return [
    ...all.map((request): Case => {
      const isPublic = publicReads.includes(request.path) && reads.includes(request.method);
      return [request, isPublic, 'without a token'];
    }),
    ...all.map((request): Case => [{ ...request, token: good }, true, 'with a good token']),
    ...Object.entries(bad).flatMap(([what, token]) =>
      all.map((request): Case => [{ ...request, token }, false, `with a token ${what}`]),
    ),
    ...audiences.map((audience): Case => {
      const token = { ...good, audience };
      return [{ method: 'GET', path: records, token }, true, `with a token for ${audience}`];
    }),
    [{ method: 'OPTIONS', path: records }, true, 'without a token'],
    ...passwords.map(
      ({ passes, ...request }): Case => [{ ...request, headers: basic }, passes, 'with a password'],
    ),
  ];
}

/** Public reads and callers with a right token reach the app; everyone else is refused with 401. */
export function access(view: View, run: (request: GatewayRequest) => Outcome): string[] {
  return casesOf(view).flatMap(([request, passes, what]) => {
    const { reachedApp, status } = run(request);
    if (passes ? reachedApp : !reachedApp && status === 401) return [];
    const ending = reachedApp ? 'reaches the app' : `is answered with ${status}`;
    return [`${request.method} ${request.path} ${what} ${ending}`];
  });
}
