/** The start page: what the service is, whether it is well, and where to go from here. */

import type { PageContext } from './context.ts';
import type { Page } from './page.tsx';

export const name = 'Records and Calendar';

/** The start page; `hints` names the sample users. */
export function startPage(context: PageContext, hints: readonly string[]): Page {
  const { base, site, calendar, records, origin } = context;
  const sentences = [
    records && 'Records: cases, deeds and documents with custom data, for users who sign in.',
    calendar && 'Calendar: events, venues and organizers, readable by anyone.',
  ].filter((item) => item !== undefined);
  const feed = `${origin}${calendar}/events.ics`;
  const signIn = `${site}/records?login_hint=`;
  const children = (
    <>
      {sentences.map((sentence) => (
        <p>{sentence}</p>
      ))}
      {records && hints.length > 0 && (
        <section aria-labelledby="users">
          <h2 id="users">Sample users</h2>
          <p>This service runs with sample users, who need no password.</p>
          {list(hints.map((email) => [signIn + encodeURIComponent(email), `Sign in as ${email}`]))}
        </section>
      )}
      <section aria-labelledby="links">
        <h2 id="links">Where to go</h2>
        {/* There is nothing to see at the root of the records API. */}
        {list(linksOf(context).filter(([, , key]) => key !== 'records'))}
      </section>
      {calendar && (
        <section aria-labelledby="subscribe">
          <h2 id="subscribe">Subscribe to the calendar</h2>
          <p>
            <a href={feed.replace(/^https?:/, 'webcal:')}>Open it in your calendar program</a>, or paste its
            address where the program asks for a subscription:
          </p>
          {copied([feed])}
        </section>
      )}
      <section aria-labelledby="calls">
        <h2 id="calls">Sample calls</h2>
        {copied(callsOf(context))}
      </section>
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <div id="state" role="status">
          <noscript>
            <a href={`${base}/health`}>Ask for it</a>
          </noscript>
        </div>
      </section>
    </>
  );
  return { title: name, description: sentences.join(' '), children, script: 'start.js', frame: 'developers' };
}

type Link = readonly [path: string, text: string, key?: string, api?: string | undefined];

/** Returns the entries of the start page: path, text, and name in JSON. */
export function linksOf({ site, base, calendar, records }: PageContext) {
  const links: Link[] = [
    [`${base}/swagger`, 'API explorer: every endpoint, to read and to try', 'explorer', base],
    [`${base}/openapi.json`, 'OpenAPI document of everything', 'openapi', base],
    [`${records}`, 'Records API', 'records', records],
    [`${site}/records`, 'Objects and their custom data', 'recordsPage', records],
    [`${base}/swagger/records.json`, 'OpenAPI document of records', 'recordsOpenapi', records],
    [`${calendar}`, 'Calendar API', 'calendar', calendar],
    [`${site}/calendar`, 'Calendar', 'calendarPage', calendar],
    [`${base}/swagger/calendar.json`, 'OpenAPI document of the calendar', 'calendarOpenapi', calendar],
    [`${calendar}/events.ics`, 'Feed of events (iCalendar)', 'feed', calendar],
    [`${base}/health`, 'Health, as JSON', 'health', base],
  ];
  return links.filter(([, , , api]) => api !== undefined);
}

function callsOf({ calendar, records, origin }: PageContext): string[] {
  const token = '-H "Authorization: Bearer $TOKEN"';
  const calls = [
    calendar && `curl "${origin}${calendar}/events?per_page=3"`,
    calendar && `curl "${origin}${calendar}/events?search=music&start_date=2026-01-01"`,
    records && `curl ${token} "${origin}${records}/authorized"`,
    records && `curl ${token} "${origin}${records}/journalized-cases?limit=5&sort=title"`,
  ];
  return calls.filter((call) => call !== undefined);
}

function list(links: readonly Link[]) {
  const items = links.map(([path, text]) => (
    <li>
      <a href={path}>{text}</a>
    </li>
  ));
  return <ul>{items}</ul>;
}

/** Texts to copy; the buttons come with the script. */
function copied(texts: readonly string[]) {
  return texts.map((text) => <pre class="copied">{text}</pre>);
}
