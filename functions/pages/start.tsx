/** The start page: what the service is, whether it is well, and where to go from here. */

import * as Type from 'typebox';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { json } from '../../shared/http/reply.ts';
import { wantsJson } from './negotiate.ts';
import { pageReply } from './page.tsx';
import { type PagesOptions, type Places, placesOf } from './places.ts';

const sentences = {
  records: 'Records: cases, deeds and documents with custom data, for users who sign in.',
  calendar: 'Calendar: events, venues and organizers, readable by anyone.',
};

/** Creates the endpoint of the start page, which stands at the root of the site and at the base path. */
export function startEndpoint(options: PagesOptions): Endpoint<undefined> {
  return endpointsFor<undefined>()({
    method: 'GET',
    path: '',
    operationId: 'get-start',
    summary: 'Show what the service is, and where to go from here',
    tag: 'Pages',
    access: 'public',
    hidden: true,
    replies: {
      200: {
        description: 'The page, or its links as JSON.',
        mediaType: 'text/html',
        schema: Type.String(),
        others: { 'application/json': Type.Object({}, { additionalProperties: true }) },
      },
    },
    handle(call) {
      const places = placesOf(call, options);
      const links = linksOf(places);
      if (wantsJson(call.request)) {
        const absolute = Object.fromEntries(links.map(([name, path]) => [name, origin(places) + path]));
        const headers = { Vary: 'Accept', 'Cache-Control': 'no-cache' };
        return json({ name: 'Records and Calendar', links: absolute }, { headers });
      }
      return pageReply({
        title: 'Records and Calendar',
        description: [places.records && sentences.records, places.calendar && sentences.calendar]
          .filter(Boolean)
          .join(' '),
        places,
        language: 'en',
        script: 'start.js',
        children: <Start places={places} links={links} hints={options.config.SIGN_IN_HINTS} />,
      });
    },
  });
}

type Link = readonly [name: string, path: string, text: string];

function linksOf({ site, base, calendar, records }: Places): Link[] {
  return [
    ['health', `${base}/health`, 'Health, as JSON'],
    ['explorer', `${base}/swagger`, 'API explorer: every endpoint, to read and to try'],
    ['openapi', `${base}/openapi.json`, 'OpenAPI document of everything'],
    ...(records === undefined
      ? []
      : [
          ['records', records, 'Records API'] as const,
          ['recordsPage', `${site}/records`, 'Objects and their custom data'] as const,
          ['recordsOpenapi', `${base}/swagger/records.json`, 'OpenAPI document of records'] as const,
        ]),
    ...(calendar === undefined
      ? []
      : [
          ['calendar', calendar, 'Calendar API'] as const,
          ['calendarPage', `${site}/calendar`, 'Calendar'] as const,
          ['calendarOpenapi', `${base}/swagger/calendar.json`, 'OpenAPI document of the calendar'] as const,
          ['feed', `${calendar}/events.ics`, 'Feed of events (iCalendar)'] as const,
        ]),
  ];
}

function origin({ url }: Places): string {
  return new URL(url).origin;
}

interface StartProps {
  readonly places: Places;
  readonly links: readonly Link[];
  readonly hints: readonly string[];
}

function Start({ places, links, hints }: StartProps) {
  const { base, calendar, records } = places;
  return (
    <>
      <h1>Records and Calendar</h1>
      {records && <p>{sentences.records}</p>}
      {calendar && <p>{sentences.calendar}</p>}
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <p id="state" role="status" data-health={`${base}/health`}>
          <a href={`${base}/health`}>Ask for it</a>
        </p>
      </section>
      {records && hints.length > 0 && <SignIn places={places} hints={hints} />}
      <section aria-labelledby="links">
        <h2 id="links">Where to go</h2>
        <ul>
          {links
            .filter(([name]) => name !== 'records')
            .map(([name, path, text]) => (
              <li key={name}>
                <a href={path}>{text}</a>
              </li>
            ))}
        </ul>
      </section>
      {calendar && <Subscribe feed={`${origin(places)}${calendar}/events.ics`} />}
      <section aria-labelledby="calls">
        <h2 id="calls">Sample calls</h2>
        {callsOf(places).map((call) => (
          <Copied key={call} text={call} />
        ))}
      </section>
    </>
  );
}

function SignIn({ places: { site }, hints }: Pick<StartProps, 'places' | 'hints'>) {
  return (
    <section aria-labelledby="users">
      <h2 id="users">Sample users</h2>
      <p>This service runs with sample users, who need no password.</p>
      <ul>
        {hints.map((email) => (
          <li key={email}>
            <a href={`${site}/records?login_hint=${encodeURIComponent(email)}`}>Sign in as {email}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Subscribe({ feed }: { readonly feed: string }) {
  return (
    <section aria-labelledby="subscribe">
      <h2 id="subscribe">Subscribe to the calendar</h2>
      <p>
        <a href={feed.replace(/^https?:/, 'webcal:')}>Open it in your calendar program</a>, or paste its
        address where the program asks for a subscription:
      </p>
      <Copied text={feed} />
    </section>
  );
}

/** A text to copy; the button comes with the script. */
function Copied({ text }: { readonly text: string }) {
  return (
    <pre class="copied">
      <code>{text}</code>
    </pre>
  );
}

function callsOf(places: Places): string[] {
  const { calendar, records } = places;
  const token = '-H "Authorization: Bearer $TOKEN"';
  const at = origin(places);
  return [
    ...(calendar === undefined
      ? []
      : [
          `curl "${at}${calendar}/events?per_page=3"`,
          `curl "${at}${calendar}/events?search=music&start_date=2026-01-01"`,
        ]),
    ...(records === undefined
      ? []
      : [
          `curl ${token} ${at}${records}/authorized`,
          `curl ${token} "${at}${records}/journalized-cases?limit=5&sort=title"`,
        ]),
  ];
}
