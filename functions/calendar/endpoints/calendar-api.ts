/** The calendar API: its authentication, the form of its replies, and the list of its endpoints. */

import type { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import type { Config } from '../../../shared/config.ts';
import type { Api, Input } from '../../../shared/http/api.ts';
import { bodyLimit, smallBody } from '../../../shared/http/body.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import type { RequestContext } from '../../../shared/http/request-context.ts';
import { managedIdentity } from '../../../shared/managed-identity.ts';
import { type BlobStore, openBlobStore } from '../blobs/blob-store.ts';
import type { SnapshotOptions } from '../log/log.ts';
import { openLog } from '../log/open-log.ts';
import { snapshotFolder } from '../log/snapshots.ts';
import { currencyOf } from '../model/cost.ts';
import { anonymous, type Caller } from '../model/rights.ts';
import { siteOf } from '../model/site.ts';
import { Calendar } from '../operations/calendar.ts';
import { openPictureStore } from '../pictures/picture-store.ts';
import { createAuthentication } from '../sign-in/authenticate.ts';
import { type CalendarAddress, calendarRoot, readCalendarAddress } from '../wire/address.ts';
import { type CalendarServices, readCalendarInput } from '../wire/input.ts';
import { decorateReply, errorReply } from '../wire/replies.ts';
import { errorSchema } from '../wire/schemas.ts';
import { categories } from './categories.ts';
import { changesEndpoint } from './changes.ts';
import { docEndpoint } from './doc.ts';
import { events } from './events.ts';
import { feedEndpoint } from './feed.ts';
import { historyEndpoints } from './history.ts';
import { nextVersionEndpoints } from './next-version.ts';
import { organizers } from './organizers.ts';
import { resourceEndpoints } from './resource.ts';
import { describeRoute, indexEndpoint } from './route-index.ts';
import { seriesEndpoints } from './series.ts';
import { tags } from './tags.ts';
import { userEndpoint, usersEndpoint } from './users.ts';
import { venues } from './venues.ts';

/** Returns the calendar that the settings name, which is opened on first use, so that an unusable setting of the calendar stops only the calendar. `maxWaiting` callers wait for changes, at most. */
export function calendarOf(
  config: Config,
  maxWaiting: number,
): {
  readonly calendar: () => Calendar;
  readonly closeCalendar: () => void;
} {
  let opened: Calendar | undefined;
  return {
    calendar() {
      opened ??= openCalendar(config, maxWaiting);
      return opened;
    },
    closeCalendar: () => opened?.close(),
  };
}

function openCalendar(config: Config, maxWaiting: number): Calendar {
  const settings = {
    connectionString: config.CALENDAR_TABLE_CONNECTION_STRING,
    endpoint: config.CALENDAR_TABLE_ENDPOINT,
    tableName: config.CALENDAR_TABLE_NAME,
    calendar: config.CALENDAR_NAME,
    staleIfError: config.CALENDAR_STALE_IF_ERROR,
  };
  const credential = () => managedIdentity(config.AZURE_CLIENT_ID);
  const blobs = {
    connectionString: config.CALENDAR_BLOB_CONNECTION_STRING,
    endpoint: config.CALENDAR_BLOB_ENDPOINT,
    container: config.CALENDAR_BLOB_CONTAINER,
  };
  const snapshots = snapshotsOf(config, () =>
    openBlobStore(
      { ...blobs, folder: snapshotFolder(config.CALENDAR_NAME), contents: 'snapshots' },
      credential,
    ),
  );
  return new Calendar({
    site: siteOf(
      config.CALENDAR_SITE_URL,
      config.CALENDAR_TIME_ZONE,
      config.SITE_NAME,
      currencyOf(config.CALENDAR_CURRENCY, config.CALENDAR_LANGUAGE),
      config.CALENDAR_LANGUAGE,
    ),
    maxWaiting,
    readStalenessMs: config.CALENDAR_READ_STALENESS_MS,
    authorNameDays: config.CALENDAR_AUTHOR_NAME_DAYS,
    openLog: (replica) =>
      openLog(settings, { replica, credential, snapshots, historyDays: config.CALENDAR_HISTORY_DAYS }),
    pictures: openPictureStore({ ...blobs, calendar: config.CALENDAR_NAME }, credential),
  });
}

/** Returns how snapshots of the log are kept; undefined where there is no blob storage, or they are turned off. */
function snapshotsOf(config: Config, open: () => BlobStore): SnapshotOptions | undefined {
  const after = config.CALENDAR_SNAPSHOT_AFTER;
  const hasBlobs = config.CALENDAR_BLOB_CONNECTION_STRING !== '' || config.CALENDAR_BLOB_ENDPOINT !== '';
  return hasBlobs && after > 0 ? { store: open(), after } : undefined;
}

/** Creates the calendar API. `calendar` is asked for on the first request. */
export function calendarApi(config: Config, verifier: TokenVerifier, calendar: () => Calendar): Api<Caller> {
  const address = readCalendarAddress(config);
  const { namespace } = address;
  const authenticate = createAuthentication(config, verifier);

  return {
    name: 'calendar',
    description: 'Events, venues, organizers, event categories and event tags.',
    notes:
      'The calendar ignores query parameters that the operation does not list, as its clients expect; what a body may hold may stand in the query too.',
    mounts: [{ path: namespace }, ...address.siteMounts],
    endpoints: [
      indexEndpoint(namespace, config),
      docEndpoint(config),
      feedEndpoint,
      changesEndpoint,
      userEndpoint,
      usersEndpoint,
      ...[events, venues, organizers, categories, tags].flatMap(resourceEndpoints),
      ...seriesEndpoints,
      ...[events, venues, organizers].flatMap(historyEndpoints),
      ...[events, venues, organizers].flatMap(nextVersionEndpoints),
    ],
    examples: async () => (await import('./reply-examples.json', { with: { type: 'json' } })).default,
    authenticate: async (context) => {
      if (address.error !== undefined) throw address.error;
      return authenticate(context, isRead(context.request));
    },
    authenticatesFirst: true,
    anonymous,
    async readInput(endpoint, context) {
      const input = await readCalendarInput(context.request, limitOf(endpoint, context));
      return { ...input, calendar } satisfies Input & CalendarServices;
    },
    errorReply,
    errorSchema: { schema: errorSchema, mediaType: 'application/json' },
    wrongMethod: 404,
    decorateReply: (reply, context) => {
      const decorated = decorateReply(reply, context);
      return { ...decorated, headers: { ...apiHeaders(context, address), ...decorated.headers } };
    },
    options: ({ route }) => json(describeRoute(namespace, route.endpoints)),
    methodOf,
  };
}

/**
 * Returns the headers by which clients find the API. The APIs that show other views of the calendar send them too, and all name the first
 * root at the site.
 */
function apiHeaders(
  { link, siteLink, route }: RequestContext<Caller>,
  address: CalendarAddress,
): Record<string, string> {
  const root = route.api.name === 'calendar' ? link('') : calendarRoot(address, siteLink);
  return {
    'X-TEC-API-VERSION': 'v1',
    'X-TEC-API-ROOT': `${root}/`,
    'X-TEC-API-ORIGIN': address.siteUrl || siteLink(''),
  };
}

function isRead(request: IncomingRequest): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(methodOf(request));
}

/**
 * Returns how many bytes of a body are read. A caller without the role is refused anyway, so only a short body is read, for the errors of
 * the path.
 */
function limitOf(
  { access, mayUse, path, streamedBytes }: Endpoint<Caller>,
  { request, caller = anonymous }: RequestContext<Caller>,
): number | undefined {
  if (streamedBytes !== undefined) return undefined;
  if (access !== 'bearer') return smallBody;
  if (mayUse?.(caller) ?? true) return bodyLimit;
  const isLong = Number(request.headers.get('content-length')) > smallBody;
  return isLong || !path.includes('{') ? undefined : smallBody;
}

/** A POST may carry another method in `X-HTTP-Method-Override` or `_method`. */
function methodOf({ method, headers, url }: IncomingRequest): string {
  if (method !== 'POST') return method;
  return (url.searchParams.get('_method') ?? headers.get('x-http-method-override') ?? method).toUpperCase();
}
