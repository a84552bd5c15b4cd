/**
 * A site with a calendar of the same API, which answers as The Events Calendar 6.17.2 does: recorded views with paging, the statuses of
 * records that are withdrawn, passwords, WordPress's lists of events and media, files, and faults.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kinds } from '../../support/calendar-in-memory.ts';

type Json = Record<string, unknown>;

/** A file of the site, and when it was changed. */
export interface OldFile {
  readonly bytes: Buffer;
  readonly changed: Date;
}

export interface OldSite {
  readonly url: string;
  /** Path and query of each request, in order. */
  readonly requests: readonly string[];
  /** Views of events. One with `post_password` has its password there, and one with the status `trash` is withdrawn. */
  readonly events: Json[];
  readonly venues: Json[];
  readonly organizers: Json[];
  readonly categories: Json[];
  readonly tags: Json[];
  /** Items of the list of media (`wp/v2/media`). */
  readonly media: Json[];
  /** Files by their paths. */
  readonly files: Map<string, OldFile>;
  /** Paths of pages that lead to others: those of earlier slugs (`_wp_old_slug`). */
  readonly renamed: Map<string, string>;
  /** Path of the list of events, to which the page of each leads back. */
  listPath: string;
  /** Answers requests instead of the API where it returns true. */
  interfere: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** Whether PHP writes a warning before each reply. */
  warns: boolean;
  stop(): Promise<void>;
}

/** Name and application password, with blanks, of a user who may read drafts. */
export const oldUser = { user: 'ann', password: 'abcd EFGH 1234' };

/** Starts a site that listens on a port of the system's choice. `perPage` is its largest page. */
export async function startOldSite({ perPage = 2 } = {}): Promise<OldSite> {
  const requests: string[] = [];
  const lists = {
    events: [] as Json[],
    venues: [] as Json[],
    organizers: [] as Json[],
    categories: [] as Json[],
    tags: [] as Json[],
  };
  const site: OldSite = {
    url: '',
    requests,
    ...lists,
    media: [],
    files: new Map(),
    renamed: new Map(),
    listPath: '/events/',
    interfere: undefined,
    warns: false,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  function handle({ url = '', headers, method }: IncomingMessage, response: ServerResponse) {
    requests.push(url);
    if (site.interfere?.(url, response) === true) return undefined;
    if (site.warns) response.setHeader('X-Powered-By', 'PHP');
    const { pathname: path, searchParams } = new URL(url, 'http://localhost');
    const file = site.files.get(path);
    if (file !== undefined) return replyFile(file, method, response);
    const place = site.renamed.get(path);
    if (place !== undefined) return response.writeHead(301, { Location: place }).end();
    const pages = [...lists.events, ...lists.venues, ...lists.organizers].map((view) => view['url']);
    if (pages.includes(`${site.url}${path}`)) return response.end(pageOf(site.listPath));
    const route = path === '/' ? searchParams.get('rest_route') : null;
    const pathname = route === null ? path : `/wp-json${route}`;
    const credentials = Buffer.from(`${oldUser.user}:${oldUser.password}`).toString('base64');
    const isSignedIn = headers.authorization === `Basic ${credentials}`;
    if (headers.authorization !== undefined && !isSignedIn)
      return refuse(response, 401, 'incorrect_password');
    const [, platform = '', platformId] = /^\/wp-json\/wp\/v2\/(\w+)(?:\/(\d+))?$/.exec(pathname) ?? [];
    const mayRead = isSignedIn || searchParams.get('context') !== 'edit';
    if (platform !== '' && !mayRead) return refuse(response, 401, 'rest_forbidden_context');
    if (platform === 'tribe_events' && platformId !== undefined)
      return replyPlatformEvent(Number(platformId), searchParams, response);
    if (platform === 'tribe_events') {
      // WordPress's list leaves out past events that are hidden from lists.
      const published = lists.events.filter(
        ({ status, hide_from_listings, start_date = '' }) =>
          status === 'publish' && !(hide_from_listings === true && String(start_date) < '2026'),
      );
      return replyPlatformList(
        published.map(({ id, modified_utc, guid }) => ({
          id,
          guid: { rendered: String(guid ?? guidByNumber(id)).replaceAll('&', '&#038;') },
          modified_gmt: String(modified_utc).replace(' ', 'T'),
        })),
        searchParams,
        response,
      );
    }
    if (pathname === '/wp-json/tec/v1/events') {
      if (headers['x-tec-eea'] === undefined)
        return refuse(response, 400, 'missing_experimental_endpoint_acknowledgement');
      const published = lists.events.filter(({ status }) => status === 'publish');
      return replyPlatformList(published, searchParams, response);
    }
    if (platform === 'media') return replyPlatformList(site.media, searchParams, response);
    const [, name, id] = (/^\/wp-json\/tribe\/events\/v1\/(\w+)(?:\/(\d+))?$/.exec(pathname) ?? []) as [
      string?,
      (keyof typeof lists)?,
      string?,
    ];
    if (name === undefined || !(name in lists)) return refuse(response, 404, 'rest_no_route');
    if (id !== undefined) return replyItem(name, Number(id), isSignedIn, searchParams, response);
    const earliest = searchParams.get('start_date') ?? '';
    const hidesEmpty = searchParams.get('hide_empty') !== '0';
    const visible = lists[name].filter(
      ({ status = 'publish', hide_from_listings, count, start_date = '9' }) =>
        status !== 'trash' &&
        (isSignedIn || status === 'publish') &&
        hide_from_listings !== true &&
        !(hidesEmpty && count === 0) &&
        String(start_date) >= earliest,
    );
    const size = Math.min(perPage, Number(searchParams.get('per_page') ?? 10));
    const page = Number(searchParams.get('page') ?? 1);
    const items = visible.slice((page - 1) * size, page * size);
    if (items.length === 0) return refuse(response, 404, 'event-archive-page-not-found');
    const total_pages = Math.ceil(visible.length / size);
    return reply(response, 200, { [name]: items.map(listed), total: visible.length, total_pages });
  }

  function replyItem(
    name: keyof typeof lists,
    id: number,
    isSignedIn: boolean,
    query: URLSearchParams,
    response: ServerResponse,
  ): ServerResponse {
    const record = lists[name].find((item) => item['id'] === id);
    if (record === undefined)
      return name === 'events'
        ? refuse(response, 404, 'rest-event-not-found')
        : refuse(response, 400, 'rest_invalid_param', { params: { id: 'Invalid parameter.' } });
    const { status = 'publish', post_password } = record;
    if (name === 'events' && status === 'trash') return refuse(response, 403, 'event-no-longer-available');
    if (status !== 'publish' && !isSignedIn) return refuse(response, 403, `${kinds[name]}-not-accessible`);
    if (name === 'events' && post_password !== undefined && !(isSignedIn && query.get('context') === 'edit'))
      return refuse(response, 403, 'event-password-protected');
    return reply(response, 200, withoutPassword(record));
  }

  function replyPlatformEvent(id: number, query: URLSearchParams, response: ServerResponse): ServerResponse {
    const event = lists.events.find((item) => item['id'] === id);
    if (event === undefined) return refuse(response, 404, 'rest_post_invalid_id');
    const { post_password = '', description } = event;
    const edit = { password: post_password, content: { raw: description } };
    return reply(response, 200, { id, ...(query.get('context') === 'edit' ? edit : {}) });
  }

  function replyPlatformList(
    items: readonly Json[],
    query: URLSearchParams,
    response: ServerResponse,
  ): ServerResponse {
    const size = Math.min(perPage, Number(query.get('per_page') ?? 10));
    const start = (Number(query.get('page') ?? 1) - 1) * size;
    if (start > 0 && start >= items.length) return refuse(response, 400, 'rest_post_invalid_page_number');
    response.writeHead(200, { 'Content-Type': 'application/json; charset=UTF-8' });
    return response.end(JSON.stringify(items.slice(start, start + size)));
  }

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(site, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function pageOf(listPath: string): string {
  return `<!DOCTYPE html><title>Page</title><p class="tribe-events-back">\n<a href="${listPath}">All</a></p>`;
}

/** The name that WordPress gives a post of its editor in feeds: the address by its number, which no rename changes. */
const guidByNumber = (id: unknown) => `https://old.example.org/?post_type=tribe_events&p=${id}`;

/** Returns a view without the member that has its password. */
function withoutPassword({ post_password: _password, ...view }: Json): Json {
  return view;
}

/** Returns a view as lists have it: the values of one with a password are blank, for every role. */
function listed(view: Json): Json {
  if (view['post_password'] === undefined) return view;
  const texts = { description: '', excerpt: '', cost: '', website: '', image: false };
  const lists = { categories: [], tags: [], venue: [], organizer: [], custom_fields: [] };
  const flags = {
    all_day: null,
    show_map: null,
    show_map_link: null,
    hide_from_listings: null,
    sticky: null,
    featured: null,
  };
  return { ...withoutPassword(view), ...texts, ...lists, ...flags };
}

function replyFile({ bytes, changed }: OldFile, method = '', response: ServerResponse): ServerResponse {
  const headers = { 'Content-Length': bytes.length, 'Last-Modified': changed.toUTCString() };
  response.writeHead(200, { 'Content-Type': 'image/png', ...headers });
  return response.end(method === 'HEAD' ? undefined : bytes);
}

function reply(response: ServerResponse, status: number, body: Json): ServerResponse {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' });
  if (response.hasHeader('X-Powered-By'))
    response.write('<br />\n<b>Warning</b>: Undefined array key in <b>/x.php</b> on line <b>3</b><br />\n');
  // Some plugins write a byte order mark.
  else response.write('\uFEFF');
  return response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, data: Json = {}): ServerResponse {
  return reply(response, status, { code, message: 'Refused.', data: { status, ...data } });
}

const dates = {
  date: '2025-03-01 09:00:00',
  date_utc: '2025-03-01 08:00:00',
  modified: '2025-04-01 10:00:00',
  modified_utc: '2025-04-01 08:00:00',
};

/** Returns the view of a category or tag. */
export function oldTerm(id: number, name: string, slug: string, fields: Json = {}): Json {
  return { id, name, slug, description: '', taxonomy: 'tribe_events_cat', parent: 0, count: 1, ...fields };
}

/** Returns the view of a venue or organizer. */
export function oldContact(kind: 'venue' | 'organizer', id: number, name: string, fields: Json = {}): Json {
  const slug = name.toLowerCase().replace(/\W+/g, '-');
  return { id, author: '3', status: 'publish', ...dates, [kind]: name, slug, ...fields };
}

/** Returns the view of an event. */
export function oldEvent(id: number, title: string, slug: string, fields: Json = {}): Json {
  return {
    id,
    author: '3',
    status: 'publish',
    ...dates,
    title,
    slug,
    description: `<p>About ${id}.</p>`,
    excerpt: '',
    url: `https://old.example.org/event/${slug}/`,
    rest_url: `https://old.example.org/wp-json/tribe/events/v1/events/${id}`,
    image: false,
    all_day: false,
    timezone: 'Europe/Copenhagen',
    timezone_abbr: 'CEST',
    start_date: '2027-06-01 19:00:00',
    end_date: '2027-06-01 21:00:00',
    utc_start_date: '2027-06-01 17:00:00',
    utc_end_date: '2027-06-01 19:00:00',
    cost: '',
    cost_details: { currency_symbol: '', currency_position: 'prefix', values: [] },
    website: '',
    show_map: true,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    ...fields,
  };
}

/**
 * Returns the views of the occurrences of a recurring event, as Events Calendar Pro lists them: with ids above those of posts, the slug of them
 * all, and addresses that end with their days. Each begins at 19:00 in Copenhagen, in winter and summer.
 */
export function oldOccurrences(
  firstId: number,
  title: string,
  slug: string,
  days: readonly string[],
  fields: Json = {},
): Json[] {
  return days.map((day, index) => {
    const utc = new Date(`${day}T19:00Z`).getTime() - 3_600_000 * (/-(?:0[4-9]|10)-/.test(day) ? 2 : 1);
    const utcWall = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
    return oldEvent(firstId + index, title, slug, {
      url: `https://old.example.org/event/${slug}/${day}/`,
      description: `<p>About ${title}.</p>`,
      start_date: `${day} 19:00:00`,
      end_date: `${day} 21:00:00`,
      utc_start_date: utcWall(utc),
      utc_end_date: utcWall(utc + 7_200_000),
      ...fields,
    });
  });
}
