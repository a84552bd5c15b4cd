/** A site with a calendar of the same API: recorded replies with paging, and faults. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface OldSite {
  readonly url: string;
  /** Path and query of each request, in order. */
  readonly requests: readonly string[];
  readonly events: Json[];
  readonly venues: Json[];
  readonly organizers: Json[];
  readonly categories: Json[];
  readonly tags: Json[];
  /** Answers requests instead of the API where it returns true. */
  interfere: ((path: string, response: ServerResponse) => boolean) | undefined;
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
  const site: OldSite & { interfere: OldSite['interfere'] } = {
    url: '',
    requests,
    ...lists,
    interfere: undefined,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  function handle({ url = '', headers }: IncomingMessage, response: ServerResponse) {
    requests.push(url);
    if (site.interfere?.(url, response) === true) return undefined;
    const { pathname: path, searchParams } = new URL(url, 'http://localhost');
    const route = path === '/' ? searchParams.get('rest_route') : null;
    const pathname = route === null ? path : `/wp-json${route}`;
    const [, name, id] = (/^\/wp-json\/tribe\/events\/v1\/(\w+)(?:\/(\d+))?$/.exec(pathname) ?? []) as [
      string?,
      (keyof typeof lists)?,
      string?,
    ];
    if (pathname === '/wp-json/wp/v2/tribe_events') return wordpressList(searchParams, response);
    if (name === undefined || !(name in lists)) return refuse(response, 404, 'rest_no_route');
    const credentials = Buffer.from(`${oldUser.user}:${oldUser.password}`).toString('base64');
    const isSignedIn = headers.authorization === `Basic ${credentials}`;
    if (headers.authorization !== undefined && !isSignedIn)
      return refuse(response, 401, 'incorrect_password');
    const all = lists[name].filter(({ status = 'publish' }) => isSignedIn || status === 'publish');
    if (id !== undefined) {
      const record = all.find((item) => item['id'] === Number(id));
      return record ? reply(response, 200, record) : refuse(response, 404, 'rest-event-not-found');
    }
    const earliest = searchParams.get('start_date') ?? '';
    const hidesEmpty = searchParams.get('hide_empty') !== '0';
    const visible = all.filter(
      ({ hide_from_listings, count, start_date = '9' }) =>
        hide_from_listings !== true && !(hidesEmpty && count === 0) && String(start_date) >= earliest,
    );
    const size = Math.min(perPage, Number(searchParams.get('per_page') ?? 10));
    const page = Number(searchParams.get('page') ?? 1);
    const items = visible.slice((page - 1) * size, page * size);
    if (items.length === 0) return refuse(response, 404, 'event-archive-page-not-found');
    const total_pages = Math.ceil(visible.length / size);
    return reply(response, 200, { [name]: items, total: visible.length, total_pages });
  }

  /** Returns the ids of published events, hidden ones too, as WordPress's list has them. */
  function wordpressList(query: URLSearchParams, response: ServerResponse): ServerResponse {
    const ids = lists.events.filter(({ status }) => status === 'publish').map(({ id }) => ({ id }));
    const start = (Number(query.get('page')) - 1) * perPage;
    if (start >= ids.length) return refuse(response, 400, 'rest_post_invalid_page_number');
    response.writeHead(200, { 'Content-Type': 'application/json; charset=UTF-8' });
    return response.end(JSON.stringify(ids.slice(start, start + perPage)));
  }

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(site, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function reply(response: ServerResponse, status: number, body: Json): ServerResponse {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' });
  // Some plugins write a byte order mark.
  return response.end(`\uFEFF${JSON.stringify(body)}`);
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  return reply(response, status, { code, message: 'Refused.', data: { status } });
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
