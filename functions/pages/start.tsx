/** The start page: what the service is, whether it is well, and where to go from here. */

import type { ComponentChildren } from 'preact';
import { json, type Reply } from '../../shared/http/reply.ts';
import {
  contextOf,
  type PageCall,
  type PageContext,
  type PagesOptions,
  usePage,
  wantsJson,
} from './context.ts';
import { pageReply } from './page.tsx';

const name = 'Records and Calendar';
const sentences = {
  records: 'Records: cases, deeds and documents with custom data, for users who sign in.',
  calendar: 'Calendar: events, venues and organizers, readable by anyone.',
};

/** Replies the start page, or its links as JSON. */
export function startReply(call: PageCall, options: PagesOptions): Reply {
  const context = contextOf(call, options, 'en');
  const { records, calendar, origin } = context;
  if (wantsJson(call.request)) {
    const links = Object.fromEntries(linksOf(context).map(([key, path]) => [key, origin + path]));
    return json({ name, links }, { headers: { Vary: 'Accept', 'Cache-Control': 'no-cache' } });
  }
  const served = [records && sentences.records, calendar && sentences.calendar].filter(Boolean);
  const children = <Start sentences={served} hints={options.config.SIGN_IN_HINTS} />;
  const page = { title: name, description: served.join(' '), children, script: 'start.js' } as const;
  return pageReply({ ...page, isEnglish: true }, context);
}

type Link = readonly [key: string, path: string, text: string];

function linksOf({ site, base, calendar, records }: PageContext): Link[] {
  const ofRecords: Link[] = [
    ['records', `${records}`, 'Records API'],
    ['recordsPage', `${site}/records`, 'Objects and their custom data'],
    ['recordsOpenapi', `${base}/swagger/records.json`, 'OpenAPI document of records'],
  ];
  const ofCalendar: Link[] = [
    ['calendar', `${calendar}`, 'Calendar API'],
    ['calendarPage', `${site}/calendar`, 'Calendar'],
    ['calendarOpenapi', `${base}/swagger/calendar.json`, 'OpenAPI document of the calendar'],
    ['feed', `${calendar}/events.ics`, 'Feed of events (iCalendar)'],
  ];
  return [
    ['health', `${base}/health`, 'Health, as JSON'],
    ['explorer', `${base}/swagger`, 'API explorer: every endpoint, to read and to try'],
    ['openapi', `${base}/openapi.json`, 'OpenAPI document of everything'],
    ...(records === undefined ? [] : ofRecords),
    ...(calendar === undefined ? [] : ofCalendar),
  ];
}

interface StartProps {
  readonly sentences: readonly (string | undefined)[];
  readonly hints: readonly string[];
}

function Start({ sentences, hints }: StartProps) {
  const context = usePage();
  const { base, site, calendar, records, origin } = context;
  const feed = `${origin}${calendar}/events.ics`;
  const users = hints.map((one) => [one, `${site}/records?login_hint=${encodeURIComponent(one)}`] as const);
  return (
    <>
      <h1>{name}</h1>
      {sentences.map((one) => (
        <p key={one}>{one}</p>
      ))}
      <Section id="health" title="Health">
        <p id="state" role="status" data-health={`${base}/health`}>
          <a href={`${base}/health`}>Ask for it</a>
        </p>
      </Section>
      {records && hints.length > 0 && (
        <Section id="users" title="Sample users">
          <p>This service runs with sample users, who need no password.</p>
          <Links links={users.map(([email, path]) => [email, path, `Sign in as ${email}`])} />
        </Section>
      )}
      <Section id="links" title="Where to go">
        <Links links={linksOf(context).filter(([key]) => key !== 'records')} />
      </Section>
      {calendar && (
        <Section id="subscribe" title="Subscribe to the calendar">
          <p>
            <a href={feed.replace(/^https?:/, 'webcal:')}>Open it in your calendar program</a>, or paste its
            address where the program asks for a subscription:
          </p>
          <Copied text={feed} />
        </Section>
      )}
      <Section id="calls" title="Sample calls">
        {callsOf(context).map((call) => (
          <Copied key={call} text={call} />
        ))}
      </Section>
    </>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Links({ links }: { readonly links: readonly Link[] }) {
  const items = links.map(([key, path, text]) => (
    <li key={key}>
      <a href={path}>{text}</a>
    </li>
  ));
  return <ul>{items}</ul>;
}

/** A text to copy; the button comes with the script. */
function Copied({ text }: { readonly text: string }) {
  return (
    <pre class="copied">
      <code>{text}</code>
    </pre>
  );
}

function callsOf({ calendar, records, origin }: PageContext): string[] {
  const token = '-H "Authorization: Bearer $TOKEN"';
  const ofCalendar = ['per_page=3', 'search=music&start_date=2026-01-01'].map(
    (query) => `curl "${origin}${calendar}/events?${query}"`,
  );
  const ofRecords = ['authorized', 'journalized-cases?limit=5&sort=title'].map(
    (path) => `curl ${token} "${origin}${records}/${path}"`,
  );
  return [...(calendar === undefined ? [] : ofCalendar), ...(records === undefined ? [] : ofRecords)];
}
