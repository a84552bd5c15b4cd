/** The start page: what the service is, whether it is well, and where to go from here. */

import type { ComponentChildren } from 'preact';
import type { Page } from '../common/page.tsx';
import type { PageContext } from '../common/page-context.ts';

export const name = 'Records and Calendar';

/** The start page; `hints` names the sample users. */
export function startPage(context: PageContext, hints: readonly string[]): Page {
  const { base, site, calendar, records, origin } = context;
  const sentences = [
    records && 'Records: cases, deeds and documents with custom data, for users who sign in.',
    calendar && 'Calendar: events, venues and organizers, readable by anyone.',
  ].filter((sentence) => sentence !== undefined);
  const feed = `${origin}${calendar}/events.ics`;
  const children = (
    <>
      {sentences.map((sentence) => (
        <p>{sentence}</p>
      ))}
      {records &&
        hints.length > 0 &&
        section('users', 'Sample users', [
          <p>This service runs with sample users, who need no password.</p>,
          list(
            hints.map((hint) => [
              `${site}/records?${new URLSearchParams({ login_hint: hint })}`,
              `Sign in as ${hint}`,
            ]),
          ),
        ])}
      {/* There is nothing to see at the root of the records API. */}
      {section('links', 'Where to go', list(linksOf(context).filter(([, , key]) => key !== 'records')))}
      {calendar &&
        section('subscribe', 'Subscribe to the calendar', [
          <p>
            <a href={feed.replace(/^https?:/, 'webcal:')}>Open it in your calendar program</a>, or paste its
            address where the program asks for a subscription:
          </p>,
          copyable([feed]),
        ])}
      {section('calls', 'Sample calls', copyable(callsOf(context)))}
      {section(
        'health',
        'Health',
        <div id="state" role="status">
          <noscript>
            <a href={`${base}/health`}>Ask for it</a>
          </noscript>
        </div>,
      )}
    </>
  );
  return { title: name, description: sentences.join(' '), children, script: 'start.js', frame: 'developers' };
}

function section(id: string, heading: string, children: ComponentChildren) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}

type Link = readonly [path: string, text: string, key?: string];

/** Returns the entries of the start page: path, text, and name in JSON. */
export function linksOf({ site, base, calendar, records }: PageContext): readonly Link[] {
  const ofRecords: Link[] = [
    [`${records}`, 'Records API', 'records'],
    [`${site}/records`, 'Cases and documents, with their custom data', 'recordsPage'],
    [`${base}/swagger/records.json`, 'OpenAPI document of records', 'recordsOpenapi'],
  ];
  const ofCalendar: Link[] = [
    [`${calendar}`, 'Calendar API', 'calendar'],
    [`${site}/calendar`, 'Calendar', 'calendarPage'],
    [`${base}/swagger/calendar.json`, 'OpenAPI document of the calendar', 'calendarOpenapi'],
    [`${calendar}/events.ics`, 'Feed of events (iCalendar)', 'feed'],
  ];
  return [
    [`${base}/swagger`, 'API explorer: every endpoint, to read and to try', 'explorer'],
    [`${base}/openapi.json`, 'OpenAPI document of everything', 'openapi'],
    ...(records === undefined ? [] : ofRecords),
    ...(calendar === undefined ? [] : ofCalendar),
    [`${base}/health`, 'Health, as JSON', 'health'],
  ];
}

function callsOf({ calendar, records, origin }: PageContext): string[] {
  const ofCalendar = ['?per_page=3', '?search=music&start_date=2026-01-01'];
  const ofRecords = ['/authorized', '/journalized-cases?limit=5&sort=title'];
  const token = '-H "Authorization: Bearer $TOKEN"';
  return [
    ...(calendar ? ofCalendar.map((query) => `curl "${origin}${calendar}/events${query}"`) : []),
    ...(records ? ofRecords.map((path) => `curl ${token} "${origin}${records}${path}"`) : []),
  ];
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
function copyable(texts: readonly string[]) {
  return texts.map((text) => <pre class="copied">{text}</pre>);
}
