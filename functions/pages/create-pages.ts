/** The pages: APIs at the root of the site, and below the base path. */

import * as Type from 'typebox';
import type { Api } from '../../shared/http/api.ts';
import { endpointsFor } from '../../shared/http/endpoint.ts';
import { errorHeaders } from '../../shared/http/problem.ts';
import { rootPath } from '../../shared/http/urls.ts';
import { readCalendarAddress } from '../calendar/address.ts';
import type { Calendar } from '../calendar/calendar.ts';
import { problemApi } from '../service/problem-api.ts';
import type { PageCall, PagesOptions } from './page-context.ts';
import type { PageReplies } from './replies.tsx';

/** Creates the APIs of the pages, and the pages that share their paths with feeds. */
export function createPages(service: Omit<PagesOptions, 'calendarPath'>, calendar: () => Calendar) {
  const { config, basePath, servedApis } = service;
  const { namespace } = readCalendarAddress(config);
  const options: PagesOptions = { ...service, calendarPath: rootPath({ path: namespace }, basePath) };
  // What makes the pages is loaded with the first that is asked for, so that the app starts without it.
  const reply = async (name: keyof PageReplies, call: PageCall) =>
    (await import('./replies.tsx')).createReplies(options, calendar)[name](call);

  const page = (path: string, name: keyof PageReplies, mediaType = 'text/html') =>
    endpointsFor<undefined>()({
      method: 'GET',
      path,
      operationId: `get-${name}-page`,
      summary: 'Show a page',
      tag: 'Pages',
      access: 'public',
      replies: { 200: { description: 'The page.', mediaType, schema: Type.String() } },
      handle: (call) => reply(name, call),
    });
  const atBase = [
    page('', 'start'),
    page('/pages/{file}', 'file'),
    page('/swagger', 'explorer'),
    page('/swagger/oauth2-redirect.html', 'signed-in'),
  ];
  const calendarPages = [
    page('/calendar', 'calendar'),
    page('/venue/{slug}', 'venue'),
    page('/organizer/{slug}', 'organizer'),
    page('/tag/{slug}', 'tag'),
    page('/edit', 'edit'),
    page('/embed', 'embed'),
    page('/embed/calendar', 'embedded'),
    page('/embed.js', 'embed-script', 'text/javascript'),
    page('/sitemap.xml', 'site-map', 'application/xml'),
  ];
  const recordsPages = [page('/records', 'records')];
  const atSite = [
    page('', 'home'),
    page('/developers', 'start'),
    page('/robots.txt', 'robots', 'text/plain'),
    ...(servedApis.calendar ? calendarPages : []),
    ...(servedApis.records ? recordsPages : []),
  ];

  const common = { ...problemApi, description: 'Pages for people.' };
  const apis: Api<undefined>[] = [
    { ...common, name: 'pages', mounts: [{ path: '' }], endpoints: atBase },
    {
      ...common,
      name: 'site-pages',
      mounts: [{ path: '', below: 'site' }],
      endpoints: atSite,
      // Every address at the root of the site that is none's comes here.
      async errorReply(error, status, context) {
        const name = error.code === 'no-such-path' ? 'missing' : 'failed';
        if (!asksForPage(context.request) || (name === 'failed' && status < 500))
          return problemApi.errorReply(error, status, context);
        const page = await reply(name, { ...context, path: {}, status });
        return { ...page, headers: { ...page.headers, ...errorHeaders(error, status, context) } };
      },
    },
  ];
  const shared = {
    event: (call: PageCall) => reply('event', call),
    category: (call: PageCall) => reply('category', call),
  };
  return { apis, shared: servedApis.calendar ? shared : {} };
}

/** Checks whether a request names HTML among the types that it takes, as browsers do. */
function asksForPage({ method, headers }: PageCall['request']): boolean {
  return method === 'GET' && (headers.get('accept') ?? '').includes('text/html');
}
