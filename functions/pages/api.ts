/** The pages: APIs of hidden endpoints at the root of the site, and below the base path. */

import * as Type from 'typebox';
import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { Api } from '../../shared/http/api.ts';
import { rootPath } from '../../shared/http/context.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { empty, type Reply } from '../../shared/http/reply.ts';
import { settingOf } from '../base-path.ts';
import { problemApi } from '../service/problem-api.ts';
import type { PageAsset } from './assets.ts';
import type { PageCall, PagesOptions } from './context.ts';

/** Loads what makes the pages with the first that is asked for, so that the app starts without it. */
const load = () => import('./replies.ts');

/** Creates the APIs of the pages, and the page of an event, which shares its path with the event's feed; none where the setting turns them off. */
export function createPages(served: Omit<PagesOptions, 'calendarPath'>, calendar: () => Calendar) {
  const { config, basePath, has } = served;
  // A setting that is unusable leaves them out: no page could say so.
  if (!settingOf(() => config.PAGES, false)) return { apis: [], event: undefined };
  const namespace = settingOf(() => config.CALENDAR_BASE_PATH, 'tribe/events/v1');
  const options: PagesOptions = { ...served, calendarPath: rootPath({ path: namespace }, basePath) };
  const ofCalendar = async () => (await load()).createCalendarPages(options, calendar);
  const event = async (call: PageCall, slug: string) => (await ofCalendar()).event(call, slug);
  const contact = (kind: 'venue' | 'organizer') =>
    page(`/${kind}/{slug}`, `get-${kind}-page`, async ({ path: { slug = '' }, ...call }) =>
      (await ofCalendar()).contact(call, kind, slug),
    );
  const script = (path: string, operationId: string, title: string, file: PageAsset) =>
    page(path, operationId, async (call) => (await load()).scriptPageReply(call, options, title, file));

  const start = page('', 'get-start', async (call) => (await load()).startReply(call, options));
  const atBase = [
    page('/pages/{file}', 'get-page-file', async ({ path: { file = '' }, request }) =>
      (await load()).assetReply(file, request.headers.get('accept-encoding') ?? ''),
    ),
    script('/swagger', 'get-explorer', 'API explorer', 'explorer.js'),
    script('/swagger/oauth2-redirect.html', 'get-signed-in-page', 'Signing in', 'signed-in.js'),
  ];
  const calendarPages = [
    page('/calendar', 'get-calendar-page', async (call) => (await ofCalendar()).calendar(call)),
    contact('venue'),
    contact('organizer'),
    page('/events/category/{*slugs}', 'get-category-page', ({ path: { slugs = '' }, siteLink }) =>
      filtered(siteLink, 'categories', slugs.split('/').findLast(Boolean)),
    ),
    page('/tag/{slug}', 'get-tag-page', ({ path: { slug }, siteLink }) => filtered(siteLink, 'tags', slug)),
  ];
  const recordsPage = script('/records', 'get-records-page', 'Objects and their custom data', 'records.js');
  const atSite = [...(has.calendar ? calendarPages : []), ...(has.records ? [recordsPage] : [])];

  const common = { ...problemApi, description: 'Pages for people.' };
  const apis: Api<undefined>[] = [
    { ...common, name: 'pages', mounts: [{ path: '' }], endpoints: [start, ...atBase] },
    { ...common, name: 'site-pages', mounts: [{ path: '', below: 'site' }], endpoints: [start, ...atSite] },
  ];
  return { apis, event: has.calendar ? event : undefined };
}

function page(
  path: string,
  operationId: string,
  reply: (call: PageCall & { readonly path: Readonly<Record<string, string>> }) => Reply | Promise<Reply>,
): Endpoint<undefined> {
  return endpointsFor<undefined>()({
    ...{
      method: 'GET',
      path,
      operationId,
      summary: 'Show a page',
      tag: 'Pages',
      access: 'public',
      hidden: true,
    },
    replies: { 200: { description: 'The page.', mediaType: 'text/html', schema: Type.String() } },
    handle: ({ path: parameters, request, siteLink }) => reply({ path: parameters, request, siteLink }),
  });
}

/** The pages of terms are the calendar with a filter. */
function filtered(siteLink: PageCall['siteLink'], name: string, slug = ''): Reply {
  return empty(302, { Location: siteLink(`/calendar?${new URLSearchParams({ [name]: slug })}`) });
}
