/** The reply of each page, by its name. */

import { statusOf } from '../../shared/errors/kinds.ts';
import { isCodedError } from '../../shared/errors.ts';
import { empty, json, type Reply } from '../../shared/http/reply.ts';
import { anonymous } from '../calendar/model/rights.ts';
import type { PostKind } from '../calendar/model/values.ts';
import type { Calendar } from '../calendar/operations/calendar.ts';
import { assetReply } from './common/assets.ts';
import { type Page, pageReply } from './common/page.tsx';
import {
  contextOf,
  isSite,
  type PageCall,
  type PageContext,
  type PagesOptions,
  wantsJson,
} from './common/page-context.ts';
import { PageViews } from './common/page-views.ts';
import type { Word } from './common/views/words.ts';
import { explorerPage } from './developers/explorer.tsx';
import { linksOf, name, startPage } from './developers/start.tsx';
import { editPage } from './edit/edit.tsx';
import { calendarPage } from './site/calendar.tsx';
import { robotsReply, siteMapReply } from './site/crawlers.ts';
import { embedPage } from './site/embed.tsx';
import { type Reader, readerOf } from './site/reader.ts';
import { recordPage } from './site/record.tsx';

export type PageReplies = ReturnType<typeof createReplies>;

/** Creates what replies the pages. */
export function createReplies(options: PagesOptions, calendar: () => Calendar) {
  const { config } = options;
  const views = new PageViews();

  /** The pages that a script makes: objects, and the way back from sign-in. */
  const script = (title: Word, file: string) => (call: PageCall) => {
    const context = contextOf(call, options);
    const { AppRegistration__Authority: authority, AppRegistration__ClientId: client } = config;
    const children = (
      <div id="app" data-authority={authority} data-client={client}>
        <noscript>{context.word('pageNeedsScript')}</noscript>
      </div>
    );
    const connects = new URL(authority).origin;
    return pageReply(
      { title: context.word(title), script: file, connects, children, frame: 'work' },
      context,
    );
  };

  /** A page of the calendar, or why it is not shown. */
  const ofCalendar = (show: (reader: Reader, slug: string) => Promise<Page>) => async (call: PageCall) => {
    const context = contextOf(call, options);
    const make = async () => {
      const reader = readerOf(calendar, context);
      const page = await show(reader, call.path['slug'] ?? '').catch((error) => failurePage(error, context));
      return pageReply(page, context);
    };
    const state = await calendar()
      .freshness({ caller: anonymous })
      .catch(() => undefined);
    // Without the calendar the page says why it is not shown.
    if (state === undefined) return make();
    const { history, version } = state;
    const { url, siteUrl, language } = context;
    const key = [history, version, siteUrl, language, url.pathname, url.search];
    return views.of(JSON.stringify(key), make);
  };
  const record = (kind: PostKind) => ofCalendar((reader, slug) => recordPage(reader, kind, slug));

  function start(call: PageCall): Reply {
    const context = contextOf(call, options, 'en');
    if (!wantsJson(call.request)) return pageReply(startPage(context, config.SIGN_IN_HINTS), context);
    const links = Object.fromEntries(linksOf(context).map(([path, , key]) => [key, context.origin + path]));
    return json({ name, links }, { headers: { Vary: 'Accept', 'Cache-Control': 'no-cache' } });
  }

  return {
    start,
    /** The front door: of the site for citizens where there is one. */
    home: (call: PageCall) =>
      isSite(options) && !wantsJson(call.request)
        ? empty(302, { Location: call.siteLink('/calendar'), Vary: 'Accept' })
        : start(call),
    missing: (call: PageCall) => {
      const context = contextOf(call, options, isSite(options) ? undefined : 'en');
      return pageReply(statusPage(call.status === 410 ? 410 : 404, context), context);
    },
    /** What people see of a fault of the service; its log has the reason. */
    failed: (call: PageCall) => {
      const context = contextOf(call, options, isSite(options) ? undefined : 'en');
      return pageReply({ ...statusPage(503, context), status: call.status ?? 500 }, context);
    },
    file: ({ path, request }: PageCall) => assetReply(path['file'] ?? '', request.url, request.headers),
    explorer: (call: PageCall) => {
      const context = contextOf(call, options, 'en');
      return pageReply(explorerPage(context, options.documents), context);
    },
    'signed-in': script('signIn', 'signed-in.js'),
    records: script('recordsTitle', 'records.js'),
    calendar: ofCalendar((reader) => calendarPage(reader)),
    edit: ofCalendar(editPage),
    embed: ofCalendar(embedPage),
    embedded: ofCalendar((reader) => calendarPage(reader, true)),
    /** The script of other sites, whose address never changes; as a module browsers fetch it only where any site may. */
    'embed-script': async ({ request, siteLink }: PageCall) => {
      const own = JSON.stringify(siteLink('/embed.js')).slice(1, -1);
      const reply = await assetReply('embed.js', request.url, request.headers, (script) =>
        script.replace('__ADDRESS_OF_THIS_SCRIPT__', () => own),
      );
      const headers = { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' };
      return { ...reply, headers: { ...reply.headers, ...headers } };
    },
    robots: (call: PageCall) => robotsReply(contextOf(call, options)),
    'site-map': (call: PageCall) => siteMapReply(readerOf(calendar, contextOf(call, options, 'en'))),
    event: record('event'),
    venue: record('venue'),
    organizer: record('organizer'),
    /** The page of a tag is the calendar with a filter. */
    tag: ({ siteLink, path: { slug = '' } }: PageCall) =>
      empty(302, { Location: siteLink(`/calendar?${new URLSearchParams({ tags: slug })}`) }),
  };
}

/** Returns the page of an error; rethrows those of the service itself. What is not public is not there. */
function failurePage(error: unknown, context: PageContext): Page {
  const failed = isCodedError(error) ? statusOf(error.kind) : 500;
  if (!isCodedError(error) || (failed >= 500 && failed !== 503)) throw error;
  const isLocked = error.code === 'event-password-protected';
  return statusPage(isLocked ? 403 : failed === 503 ? failed : 404, context);
}

function statusPage(status: 403 | 404 | 410 | 503, { word, site, query }: PageContext): Page {
  const children = (
    <>
      <p>{word(`why${status}`)}</p>
      <p>
        <a href={`${site}/calendar${query}`}>{word('upcoming')}</a>
      </p>
    </>
  );
  return { status, title: word(`title${status}`), children };
}
