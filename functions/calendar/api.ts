/** The calendar API: who calls, how its replies look, and the list of its endpoints. */

import { identityOf } from '../../shared/auth/caller.ts';
import type { TokenVerifier } from '../../shared/auth/token-verifier.ts';
import { Calendar } from '../../shared/calendar/calendar.ts';
import { openLog } from '../../shared/calendar/log/open-log.ts';
import { anonymous, type Caller, has, type Role } from '../../shared/calendar/model/rights.ts';
import { siteOf } from '../../shared/calendar/model/site.ts';
import type { Config } from '../../shared/config.ts';
import type { Api, Authenticated, Circumstances, IncomingRequest } from '../../shared/http/api.ts';
import { bodyLimit } from '../../shared/http/body.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { json } from '../../shared/http/reply.ts';
import { managedIdentity } from '../../shared/sql/credential.ts';
import { categories } from './categories.ts';
import { docEndpoint } from './doc.ts';
import { events } from './events.ts';
import { feedEndpoint } from './feed.ts';
import { describeRoute, indexEndpoint } from './index.ts';
import { readCalendarInput, smallBody } from './input.ts';
import { organizers } from './organizers.ts';
import { errorReply, finishReply } from './replies.ts';
import { resourceEndpoints } from './resource.ts';
import { errorSchema } from './schemas.ts';
import { tags } from './tags.ts';
import { venues } from './venues.ts';

/** App roles of Entra ID, from the most to the least. */
const appRoles: readonly (readonly [string, Role])[] = [
  ['Calendar.Editor', 'editor'],
  ['Calendar.Author', 'author'],
  ['Calendar.Contributor', 'contributor'],
];

/** Makes the calendar that the settings name. The tables are reached on first use. */
export function createCalendar(config: Config): Calendar {
  const settings = {
    connectionString: config.CALENDAR_TABLE_CONNECTION_STRING,
    endpoint: config.CALENDAR_TABLE_ENDPOINT,
    tableName: config.CALENDAR_TABLE_NAME,
    calendar: config.CALENDAR_NAME,
    staleIfError: config.CALENDAR_STALE_IF_ERROR,
  };
  return new Calendar({
    site: siteOf(config.CALENDAR_SITE_URL, config.CALENDAR_TIME_ZONE),
    openLog: (replica) =>
      openLog(settings, { replica, credential: () => managedIdentity(config.AZURE_CLIENT_ID) }),
  });
}

/** Makes the calendar API. `calendar` is asked for on the first request. */
export function calendarApi(config: Config, verifier: TokenVerifier, calendar: () => Calendar): Api<Caller> {
  const namespace = config.CALENDAR_BASE_PATH.replace(/^\/+|\/+$/g, '');
  const callers = new WeakMap<IncomingRequest, Caller>();

  async function authenticate(request: IncomingRequest): Promise<Authenticated<Caller>> {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return { caller: anonymous };
    const verified = await verifier.verify(authorization);
    const role = appRoles.find(([name]) => verified.roles.includes(name))?.[1] ?? 'reader';
    const caller: Caller = { role, subject: verified.objectId };
    callers.set(request, caller);
    return { caller, identity: identityOf(verified) };
  }

  const api: Api<Caller> = {
    name: 'calendar',
    description: 'Events, venues, organizers, event categories and event tags.',
    mounts: [namespace],
    endpoints: [
      indexEndpoint(
        namespace,
        () => config.CALENDAR_SITE_URL,
        () => api.endpoints,
      ),
      docEndpoint(
        () => api as unknown as Api<never>,
        () => signInOf(config),
      ),
      feedEndpoint(calendar),
      ...[events, venues, organizers, categories, tags].flatMap((one) => resourceEndpoints(one, calendar)),
    ],
    authenticate,
    learnsCallerFirst: true,
    anonymous,
    readInput: (endpoint, request) =>
      readCalendarInput(request, limitOf(endpoint, request, callers.get(request))),
    errorReply,
    errorSchema: { schema: errorSchema, mediaType: 'application/json' },
    finish: (reply, circumstances) => {
      const caller = callers.get(circumstances.request) ?? anonymous;
      return finishReply(reply, circumstances, allowedMethods(circumstances, caller));
    },
    describe: (endpoints: readonly Endpoint<Caller>[]) => json(describeRoute(namespace, endpoints)),
    methodOf,
  };
  return api;
}

/** Bytes of a body that are worth reading. Those who are not signed in are refused whatever they write, so what is long is not read. */
function limitOf({ access }: Endpoint<Caller>, { headers }: IncomingRequest, caller = anonymous) {
  if (access === 'bearer' && caller.subject !== undefined) return bodyLimit;
  const isIgnored = access === 'bearer' && Number(headers.get('content-length')) > smallBody;
  return isIgnored ? undefined : smallBody;
}

/** A POST may carry another method in `X-HTTP-Method-Override` or `_method`. */
function methodOf({ method, headers, url }: IncomingRequest): string {
  if (method !== 'POST') return method;
  return (url.searchParams.get('_method') ?? headers.get('x-http-method-override') ?? method).toUpperCase();
}

/** The methods that the caller may use at a path: everybody reads, and a resource's least role writes. */
function allowedMethods({ endpoints, request }: Circumstances, caller: Caller): readonly string[] {
  const methods = endpoints.map(({ method }) => method);
  if (has(writerOf(request.url.pathname), caller)) return methods;
  return methods.filter((method) => method === 'GET');
}

function writerOf(path: string): Role {
  if (/\/tags(?:\/|$)/i.test(path)) return 'editor';
  return /\/categories(?:\/|$)/i.test(path) ? 'author' : 'contributor';
}

function signInOf(config: Config) {
  const authority = config.AppRegistration__Authority.replace(/\/v2\.0$/, '');
  return {
    authorizationUrl: `${authority}/oauth2/v2.0/authorize`,
    tokenUrl: `${authority}/oauth2/v2.0/token`,
    scope: `${config.AppRegistration__ClientId}/.default`,
  };
}
