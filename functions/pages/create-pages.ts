/** The pages: APIs at the root of the site, and below the base path. */

import * as Type from 'typebox';
import type { CodedError } from '../../shared/errors.ts';
import type { Api } from '../../shared/http/api.ts';
import { endpointsFor } from '../../shared/http/endpoint.ts';
import { errorHeaders } from '../../shared/http/problem.ts';
import type { Reply } from '../../shared/http/reply.ts';
import type { RequestContext } from '../../shared/http/request-context.ts';
import { rootPath } from '../../shared/http/urls.ts';
import type { Calendar } from '../calendar/operations/calendar.ts';
import { readCalendarAddress } from '../calendar/wire/address.ts';
import { bounds } from '../calendar/wire/bounds.ts';
import { problemApi } from '../service/problem-api.ts';
import type { PageCall, PagesOptions } from './common/page-context.ts';
import type { PageReplies } from './replies.tsx';

/** Creates the APIs of the pages, and the pages that share their paths with feeds. */
export function createPages(
  service: Omit<PagesOptions, 'calendarPath' | 'hasSiteIndex'>,
  calendar: () => Calendar,
) {
  const { config, basePath, servedApis } = service;
  const { namespace, siteMounts } = readCalendarAddress(config);
  const options: PagesOptions = {
    ...service,
    calendarPath: rootPath({ path: namespace }, basePath),
    hasSiteIndex: siteMounts.some(({ path }) => path.startsWith('wp-json/')),
  };
  // What makes the pages is loaded with the first that is asked for, so that the app starts without it.
  let replies: Promise<PageReplies> | undefined;
  const reply = async (name: keyof PageReplies, call: PageCall) => {
    replies ??= import('./replies.tsx').then(({ createReplies }) => createReplies(options, calendar));
    return (await replies)[name](call);
  };

  const page = (path: string, name: keyof PageReplies, mediaType = 'text/html') =>
    endpointsFor<undefined>()({
      method: 'GET',
      path,
      operationId: `get-${name}-page`,
      bound: bounds.page,
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
    // Where feeds share this address, they have it first and show this page.
    page('/event/{slug}', 'event'),
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

  /** Returns the page of an error for browsers; undefined for programs. */
  async function ofError<Caller>(
    error: CodedError,
    status: number,
    context: RequestContext<Caller>,
  ): Promise<Reply | undefined> {
    if (!asksForPage(context.request)) return undefined;
    const page = await reply(status < 500 ? 'missing' : 'failed', { ...context, path: {}, status });
    return { ...page, headers: { ...page.headers, ...errorHeaders(error, status, context) } };
  }

  const common = { ...problemApi, description: 'Pages for people.' };
  const apis: Api<undefined>[] = [
    { ...common, name: 'pages', mounts: [{ path: '' }], endpoints: atBase },
    {
      ...common,
      name: 'site-pages',
      mounts: [{ path: '', below: 'site' }],
      endpoints: atSite,
      // Every address at the root of the site that is none's comes here.
      errorReply: async (error, status, context) =>
        (await ofError(error, status, context)) ?? problemApi.errorReply(error, status, context),
    },
  ];
  const shared = {
    event: (call: PageCall) => reply('event', call),
    venue: (call: PageCall) => reply('venue', call),
    organizer: (call: PageCall) => reply('organizer', call),
    ofError,
  };
  return { apis, shared: servedApis.calendar ? shared : {} };
}

/** Checks whether a request names HTML among the types that it takes, as browsers do. */
function asksForPage({ method, headers }: PageCall['request']): boolean {
  return method === 'GET' && (headers.get('accept') ?? '').includes('text/html');
}
