/** The APIs that no published document shows: where they are, and who may call their endpoints. */

import { expect, test } from 'vitest';
import { calendarApi } from '../../../functions/calendar/endpoints/calendar-api.ts';
import { picturesApi } from '../../../functions/calendar/endpoints/pictures.ts';
import { createPages } from '../../../functions/pages/create-pages.ts';
import { notServedApi, siteApi } from '../../../functions/service/catch-all-apis.ts';
import { wordpressApis } from '../../../functions/wordpress/wordpress-apis.ts';
import { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import { readConfig } from '../../../shared/config.ts';

const notAsked = () => {
  throw new TypeError('Nobody asks for it here.');
};

function hiddenApis() {
  const config = readConfig({});
  const calendar = calendarApi(config, new TokenVerifier(config), notAsked);
  const pages = createPages(
    { config, basePath: 'api', servedApis: { calendar: true, records: true }, documents: [] },
    notAsked,
  );
  return [
    picturesApi(calendar),
    ...(wordpressApis(config, calendar, notAsked, pages.shared, notAsked)?.apis ?? []),
    ...pages.apis,
    notServedApi('records', [calendar]),
    siteApi(),
  ];
}

/** What callers notice of an API: its addresses, the role of anonymous callers, and its endpoints with their access. */
const outline = ({ name, mounts, anonymous, endpoints }: ReturnType<typeof hiddenApis>[number]) => ({
  name,
  mounts: JSON.parse(JSON.stringify(mounts)),
  role: anonymous?.role,
  endpoints: endpoints.map(({ method, path, access, replies }) =>
    [method, path, access, ...Object.keys(replies)].join(' '),
  ),
});

test('the hidden endpoints, and who may call them', () => {
  const site = (path: string) => [{ path, below: 'site' }];
  const terms = (path: string) => [
    `GET ${path} optional 200`,
    `POST ${path} bearer 201`,
    `GET ${path}/{id} optional 200`,
  ];
  const pages = (...paths: string[]) => paths.map((path) => `GET ${path} public 200`);
  expect(hiddenApis().map(outline)).toEqual([
    {
      name: 'pictures',
      role: 'reader',
      endpoints: [
        'GET  optional 200 304',
        'POST  bearer 201',
        'GET /{id} optional 200 304',
        ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /{id} bearer 200`),
        'GET /{id}/{key}/{file} public 200 206',
        'GET /{id}/{file} public 200 206',
      ],
      mounts: [{ path: 'tribe/events/v1/pictures' }, ...site('wp-json/tribe/events/v1/pictures')],
    },
    {
      name: 'wp-v2',
      mounts: site('wp-json/wp/v2'),
      role: 'reader',
      endpoints: [
        'GET /users/me optional 200',
        'GET /users/{id} optional 200',
        ...terms('/tags'),
        ...terms('/tribe_events_cat'),
        'GET /tribe_events optional 200',
        'GET /tribe_events/{id} optional 200',
        'POST /tribe_events/{id} bearer 200',
        'GET /media optional 200',
        'POST /media bearer 201',
        'GET /media/{id} optional 200 304',
        ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /media/{id} bearer 200`),
        ...['posts', 'pages'].flatMap((list) => [
          `GET /${list} optional 200`,
          `GET /${list}/{id} optional 200`,
        ]),
      ],
    },
    {
      name: 'tec',
      mounts: site('wp-json/tec/v1'),
      role: 'reader',
      endpoints: [
        ...['events', 'venues', 'organizers'].flatMap((list) => [
          `GET /${list} optional 200`,
          `GET /${list}/{id} optional 200`,
        ]),
        'GET /docs optional 200',
      ],
    },
    { name: 'site-index', mounts: site('wp-json'), role: 'reader', endpoints: pages('') },
    {
      name: 'uploads',
      mounts: site('wp-content/uploads'),
      role: 'reader',
      endpoints: ['GET /{*path} public 301'],
    },
    {
      name: 'event-list-page',
      mounts: site('events'),
      role: 'reader',
      endpoints: ['GET  optional 200', 'GET /{*path} optional 200'],
    },
    {
      name: 'site-feed',
      mounts: site('feed'),
      role: 'reader',
      endpoints: ['GET  optional 200', 'GET /{*path} optional 200'],
    },
    {
      name: 'event-page',
      mounts: site('event'),
      role: 'reader',
      endpoints: ['GET /{slug} optional 200', 'GET /{slug}/feed optional 200'],
    },
    ...['venue', 'organizer'].map((kind) => ({
      name: `${kind}-page`,
      mounts: site(kind),
      role: 'reader',
      endpoints: ['GET /{slug} optional 200'],
    })),
    {
      name: 'pages',
      mounts: [{ path: '' }],
      role: undefined,
      endpoints: pages('', '/pages/{file}', '/swagger', '/swagger/oauth2-redirect.html'),
    },
    {
      name: 'site-pages',
      mounts: site(''),
      role: undefined,
      endpoints: pages(
        '',
        '/developers',
        '/robots.txt',
        '/calendar',
        '/event/{slug}',
        '/venue/{slug}',
        '/organizer/{slug}',
        '/tag/{slug}',
        '/edit',
        '/embed',
        '/embed/calendar',
        '/embed.js',
        '/sitemap.xml',
        '/records',
      ),
    },
    {
      name: 'records-elsewhere',
      role: undefined,
      endpoints: [],
      mounts: [
        { path: 'tribe/events/v1', notServed: 'records' },
        { path: 'wp-json/tribe/events/v1', below: 'site', notServed: 'records' },
      ],
    },
    { name: 'site', mounts: site(''), role: undefined, endpoints: [] },
  ]);
});
