/** The calendar where clients look for it that know only the address of a site: the roots, the index of `/wp-json/`, and `?rest_route=`. */

import * as Type from 'typebox';
import type { Config } from '../../shared/config.ts';
import type { Api } from '../../shared/http/api.ts';
import { smallBody } from '../../shared/http/body.ts';
import type { Mount } from '../../shared/http/description.ts';
import { json } from '../../shared/http/reply.ts';
import { describeRoute, routePattern } from '../calendar/endpoints/route-index.ts';
import { toWall } from '../calendar/model/dates/wall.ts';
import { anonymous, type Caller } from '../calendar/model/rights.ts';
import { siteOf } from '../calendar/model/site.ts';
import type { CalendarAddress } from '../calendar/wire/address.ts';
import { bounds } from '../calendar/wire/bounds.ts';
import { endpoint, readCalendarInput } from '../calendar/wire/input.ts';
import { decorateReply, errorReply } from '../calendar/wire/replies.ts';
import { errorSchema } from '../calendar/wire/schemas.ts';
import { postAsked } from './post-redirect.ts';

const indexPath = 'wp-json';

/** Returns the address that one without a path stands for: the path of a call, the list of events, or a record may be in the query. */
export function queryRoute(from: URL): URL | undefined {
  const url = new URL(from);
  const route = url.searchParams.get('rest_route');
  if (route !== null) {
    url.searchParams.delete('rest_route');
    url.pathname = `/${indexPath}/${route}`.replace(/\/+/g, '/').replace(/\/$/, '');
    return url;
  }
  const isOfEvents = url.searchParams.get('post_type') === 'tribe_events' || url.searchParams.has('feed');
  if (!isOfEvents && postAsked(url) === undefined) return undefined;
  url.pathname = '/events';
  return url;
}

/** Returns the root of another API below `/wp-json`, with the public URL of the calendar's there; none where the calendar has no root there. */
export function siteMount({ siteMounts }: CalendarAddress, path: string): Mount[] {
  const beside = siteMounts.find((mount) => mount.path.startsWith(`${indexPath}/`));
  if (beside === undefined) return [];
  const namespace = beside.path.slice(indexPath.length);
  const publicUrl = () => {
    const url = beside.publicUrl?.() ?? '';
    return url === '' ? '' : url.slice(0, -namespace.length) + (path === '' ? '' : `/${path}`);
  };
  return [{ path: path === '' ? indexPath : `${indexPath}/${path}`, below: 'site', publicUrl }];
}

/** Creates the API of `/wp-json/`: the index of the site, and the refusal of everything below that is not ours. */
export function siteIndexApi(
  config: Config,
  address: CalendarAddress,
  apis: readonly Api<Caller>[],
): Api<Caller> {
  return {
    name: 'site-index',
    description: 'The index of the site, as clients of the calendar look for it.',
    mounts: siteMount(address, ''),
    endpoints: [siteIndexEndpoint(config, apis)],
    authenticate: async () => ({ caller: anonymous }),
    anonymous,
    readInput: (_endpoint, { request }) => readCalendarInput(request, smallBody),
    errorReply,
    errorSchema: { schema: errorSchema, mediaType: 'application/json' },
    decorateReply,
  };
}

function siteIndexEndpoint(config: Config, apis: readonly Api<Caller>[]) {
  const text = Type.String();
  return endpoint({
    method: 'GET',
    path: '',
    operationId: 'get-site-index',
    bound: bounds.index,
    summary: 'Describe the site and its APIs',
    tag: 'Calendar: index',
    access: 'public',
    replies: {
      200: {
        description: 'The site, its namespaces and routes.',
        schema: Type.Object(
          { name: text, description: text, url: text, home: text, namespaces: Type.Array(text) },
          { additionalProperties: true },
        ),
      },
    },
    handle({ link, siteLink }) {
      const { url, zone } = siteOf(config.CALENDAR_SITE_URL || siteLink(''), config.CALENDAR_TIME_ZONE);
      const now = Math.floor(Date.now() / 1000);
      const descriptions = apis.flatMap(describeApi);
      return json(
        {
          name: config.SITE_NAME || new URL(url).hostname,
          description: '',
          url,
          home: url,
          gmt_offset: (toWall(zone, now) - now) / 3600,
          timezone_string: zone.name,
          namespaces: descriptions.map(({ namespace }) => namespace),
          authentication: {},
          routes: Object.fromEntries(descriptions.flatMap(({ routes }) => routes)),
          _links: { self: [{ href: `${link('')}/` }] },
        },
        { headers: { Link: `<${link('')}/>; rel="https://api.w.org/"` } },
      );
    },
  });
}

/** Describes the routes of an API under each of its names below `/wp-json`. */
function describeApi({ mounts, endpoints }: Api<Caller>) {
  const groups = [...Map.groupBy(endpoints, ({ path }) => path)];
  return mounts
    .filter(({ path, below }) => below === 'site' && path.startsWith(`${indexPath}/`))
    .map(({ path }) => path.slice(indexPath.length + 1))
    .map((namespace) => ({
      namespace,
      routes: groups.map(
        ([path, group]) => [routePattern(namespace, path), describeRoute(namespace, group)] as const,
      ),
    }));
}
