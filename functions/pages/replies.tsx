/** The reply of each page, by its name. */

import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { PostKind } from '../../shared/calendar/model/values.ts';
import { statusOf } from '../../shared/errors/kinds.ts';
import { isCodedError } from '../../shared/errors.ts';
import { empty, json, type Reply } from '../../shared/http/reply.ts';
import { assetReply } from './assets.ts';
import { calendarPage } from './calendar.tsx';
import { type Reader, readerOf } from './calendar-read.ts';
import { contextOf, type PageCall, type PageContext, type PagesOptions, wantsJson } from './context.ts';
import { type Page, pageReply } from './page.tsx';
import { recordPage } from './record.tsx';
import { linksOf, name, startPage } from './start.tsx';

export type PageReplies = ReturnType<typeof createReplies>;

/** Creates what replies the pages. */
export function createReplies(options: PagesOptions, calendar: () => Calendar) {
  const { config } = options;

  /** The pages that a script makes: objects, the explorer, and the way back from sign-in. */
  const script = (title: string, file: string) => (call: PageCall) => {
    const { AppRegistration__Authority: authority, AppRegistration__ClientId: client } = config;
    const children = (
      <div id="app" data-authority={authority} data-client={client}>
        <noscript>This page needs JavaScript.</noscript>
      </div>
    );
    const connects = new URL(authority).origin;
    return pageReply({ title, script: file, connects, children }, contextOf(call, options, 'en'));
  };

  /** A page of the calendar, or why it is not shown. */
  const ofCalendar = (show: (reader: Reader, slug: string) => Promise<Page>) => async (call: PageCall) => {
    const context = contextOf(call, options);
    const reader = readerOf(calendar, context);
    const page = await show(reader, call.path['slug'] ?? '').catch((error) => failurePage(error, context));
    return pageReply(page, context);
  };
  const record = (kind: PostKind) => ofCalendar((reader, slug) => recordPage(reader, kind, slug));

  return {
    start(call: PageCall): Reply {
      const context = contextOf(call, options, 'en');
      if (!wantsJson(call.request)) return pageReply(startPage(context, config.SIGN_IN_HINTS), context);
      const links = Object.fromEntries(linksOf(context).map(([path, , key]) => [key, context.origin + path]));
      return json({ name, links }, { headers: { Vary: 'Accept', 'Cache-Control': 'no-cache' } });
    },
    file: ({ path, request }: PageCall) => assetReply(path['file'] ?? '', request.headers),
    explorer: script('API explorer', 'explorer.js'),
    'signed-in': script('Signing in', 'signed-in.js'),
    records: script('Objects and their custom data', 'records.js'),
    calendar: ofCalendar(calendarPage),
    event: record('event'),
    venue: record('venue'),
    organizer: record('organizer'),
    category: (call: PageCall) =>
      filtered(call, 'categories', call.path['slugs']?.split('/').findLast(Boolean)),
    tag: (call: PageCall) => filtered(call, 'tags', call.path['slug']),
  };
}

/** The pages of terms are the calendar with a filter. */
function filtered({ siteLink }: PageCall, name: string, slug = ''): Reply {
  return empty(302, { Location: siteLink(`/calendar?${new URLSearchParams({ [name]: slug })}`) });
}

/** Returns the page of an error; rethrows those of the service itself. What is not public is not there. */
function failurePage(error: unknown, { word }: PageContext): Page {
  const failed = isCodedError(error) ? statusOf(error.kind) : 500;
  if (!isCodedError(error) || (failed >= 500 && failed !== 503)) throw error;
  const status = error.code === 'event-password-protected' ? 403 : failed === 503 ? failed : 404;
  return { status, title: word(`title${status}`), children: <p>{word(`why${status}`)}</p> };
}
