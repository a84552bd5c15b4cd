/** Reads the calendar of a site through its API: one request at a time, with the delays that the site asks for. */

import { setTimeout as sleep } from 'node:timers/promises';
import { fetchWithin, RedirectError } from './fetch-within.ts';
import { defaultLimits, type Limits, mebibytes } from './limits.ts';
import type { View } from './records-of-view.ts';
import type { Wait } from './request.ts';
import { ownAddresses } from './source-name.ts';

export interface SiteOptions {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Waits for a number of milliseconds. */
  readonly wait?: Wait;
  readonly limits?: Limits;
}

/** The reply to a request, such as a page of a list. */
export interface SiteResponse {
  readonly status: number;
  readonly body: View;
  /** What was met in place of a reply of the API, such as an HTML page. */
  readonly met?: string;
}

export interface SourceSite {
  /** URL before the paths of the API. */
  readonly root: string;
  /** Whether requests are signed in. */
  readonly isSignedIn: boolean;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<SiteResponse>;
  /** Requests a path of WordPress's API (`wp/v2`), beside that of the calendar. */
  getFromPlatform(path: string, query?: Readonly<Record<string, string>>): Promise<SiteResponse>;
  /** Requests a path of the newer API of The Events Calendar (`tec/v1`), whose lists have more than those of the older one. */
  getFromNewerApi(path: string, query?: Readonly<Record<string, string>>): Promise<SiteResponse>;
  /** Returns the HTML of a page of the site; undefined where it does not answer with one. */
  page(address: string): Promise<string | undefined>;
  /** Returns the address to which that of a page leads within the site; undefined where it leads nowhere, or does not answer. */
  movedTo(address: string): Promise<string | undefined>;
}

const namespace = '/tribe/events/v1';
const maxAttempts = 6;
const requestTimeoutMs = 60_000;
/** The longest delay that a site may ask for. */
const maxDelayMs = 10 * 60_000;

/** Finds the calendar API at the address of a site, or at its own address. Throws an Error that lists the addresses without an API. */
export async function openSite(url: string, options: SiteOptions = {}): Promise<SourceSite> {
  const base = normalize(url);
  const authorization = authorizationFor(base, options);
  const wait = options.wait ?? ((milliseconds: number) => sleep(milliseconds));
  const roots = base.includes(namespace)
    ? [base]
    : [`${base}/wp-json${namespace}`, `${base}/?rest_route=${namespace}`];
  for (const root of roots) {
    const site = siteAt(root, authorization, wait, options.limits ?? defaultLimits);
    const { status, body } = await site.get('/events', { per_page: '1' });
    if (status === 401 || status === 403)
      throw new Error(`${root} refuses these credentials: ${messageOf(body)}`);
    if (
      Array.isArray(body['events']) ||
      (status === 404 && typeof body['code'] === 'string' && body['code'] !== 'rest_no_route')
    )
      return site;
  }
  throw new Error(`There is no calendar of this API at ${roots.join(', nor at ')}.`);
}

function normalize(url: string): string {
  const text = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  if (!URL.canParse(text)) throw new Error(`"${url}" is no address of a site.`);
  return text.replace(/\/+$/, '');
}

/** Returns the header of a user and a password; undefined without both. Throws where it would be sent in the open. */
export function authorizationFor(base: string, { user, password }: SiteOptions): string | undefined {
  if (user === undefined && password === undefined) return undefined;
  if (user === undefined || password === undefined) throw new Error('--user and --password belong together.');
  if (!mayHavePassword(base)) throw new Error('A password is sent over https only.');
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Checks whether a password may be sent to an address. */
export function mayHavePassword(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Checks whether a host is this computer. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

interface Attempt {
  readonly response: Response;
  /** Undefined for a reply that asks to try again. */
  readonly answer?: SiteResponse;
}

function siteAt(
  root: string,
  authorization: string | undefined,
  wait: (milliseconds: number) => Promise<unknown>,
  limits: Limits,
): SourceSite {
  const deadline = Date.now() + limits.siteMs;
  const headers = {
    Accept: 'application/json',
    // Without it the newer API of The Events Calendar answers nothing.
    'X-TEC-EEA':
      'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.',
  };
  const isOwn = ownAddresses(root);

  function send(address: string, method = 'GET'): Promise<Response> {
    const signedIn = authorization !== undefined && mayHavePassword(address);
    return fetch(address, {
      method,
      headers: { ...headers, ...(signedIn ? { Authorization: authorization } : {}) },
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  }

  async function attempt(url: string): Promise<Attempt | undefined> {
    try {
      const response = await fetchWithin(url, isOwn, (address) => send(address));
      if (!isBusy(response.status)) return { response, answer: await answerOf(response, url, limits) };
      await response.body?.cancel();
      return { response };
    } catch (error) {
      if (error instanceof RedirectError)
        throw new Error(`Cannot read ${url}: ${error.message}. Only the site itself is read.`, {
          cause: error,
        });
      if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError'))
        return undefined;
      throw error;
    }
  }

  async function request(url: string): Promise<SiteResponse> {
    for (let attempts = 1; ; attempts += 1) {
      if (Date.now() > deadline)
        throw new Error(
          `${root} took more than ${limits.siteMs / 60_000} minutes. Run the import again: it resumes here.`,
        );
      const { response, answer } = (await attempt(url)) ?? {};
      if (answer !== undefined) return answer;
      if (attempts === maxAttempts)
        throw new Error(
          `${url} ${response ? `answers ${response.status}` : 'cannot be reached'}, ${attempts} times. Run the import again: it resumes here.`,
        );
      await wait(Math.min(maxDelayMs, retryAfter(response) ?? 500 * 2 ** attempts));
    }
  }
  /** Asks for a page, with the address at which it stands; undefined where there is none. */
  async function open(address: string, method: 'GET' | 'HEAD') {
    let place = address;
    try {
      const response = await fetchWithin(address, isOwn, (next) => {
        place = next;
        return send(next, method);
      });
      if (response.ok) return { response, place };
      await response.body?.cancel();
      return undefined;
    } catch (error) {
      const isAway = error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
      if (error instanceof RedirectError || isAway) return undefined;
      throw error;
    }
  }

  async function movedTo(address: string): Promise<string | undefined> {
    const { place = address } = (await open(address, 'HEAD')) ?? {};
    return place === address ? undefined : place;
  }

  async function page(address: string): Promise<string | undefined> {
    const opened = await open(address, 'GET');
    return opened && (await textOf(opened.response, address, limits));
  }

  return {
    root,
    isSignedIn: authorization !== undefined,
    movedTo,
    page,
    get: (path, query = {}) => request(urlOf(root, path, query)),
    getFromPlatform: (path, query = {}) => request(urlOf(root.replace(namespace, '/wp/v2'), path, query)),
    getFromNewerApi: (path, query = {}) => request(urlOf(root.replace(namespace, '/tec/v1'), path, query)),
  };
}

/** Returns the URL of a request. With `?rest_route=` the path is part of the query. */
function urlOf(root: string, path: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  if (search === '') return root + path;
  return `${root}${path}${root.includes('?') ? '&' : '?'}${search}`;
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Milliseconds that a reply asks to wait for: seconds, or a date. */
function retryAfter(response: Response | undefined): number | undefined {
  const text = response?.headers.get('retry-after');
  if (text === null || text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds * 1000);
}

async function answerOf(response: Response, url: string, limits: Limits): Promise<SiteResponse> {
  const text = (await textOf(response, url, limits)).replace(/^\uFEFF/, '');
  const { status } = response;
  for (const part of [text, withoutNoise(text)]) {
    const body = part === undefined ? undefined : objectIn(part);
    if (body !== undefined) return { status, body };
  }
  return { status, body: {}, met: metIn(text) };
}

function objectIn(text: string): View | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as View) : undefined;
  } catch (error) {
    // Arrays within arrays without end exceed the stack of the parser.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Returns the part of a reply between the warnings that PHP writes around it; undefined without any. */
function withoutNoise(text: string): string | undefined {
  const start = /(?:^|[\r\n>])\s*(?=\{"|\[\{)/.exec(text);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return start === null || end === -1 ? undefined : text.slice(start.index + start[0].length, end + 1);
}

/** Characters of what was met that a message has. */
const maxMet = 80;

/** Says what a reply is that is none of the API. */
export function metIn(text: string): string {
  const [, title] = /<title[^>]*>([^<]*)<\/title>/i.exec(text) ?? [];
  const words = (title ?? text.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
  if (words === '') return text === '' ? 'an empty reply' : 'a reply that is no JSON';
  const kind = /<(?:!doctype|html|head|body|title)\b/i.test(text)
    ? 'an HTML page'
    : 'a reply that is no JSON';
  return `${kind}: "${words.slice(0, maxMet)}"`;
}

/** Reads the text of a reply. Throws an Error for one without end. */
async function textOf({ body }: Response, url: string, { replyBytes }: Limits): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > replyBytes)
      throw new Error(`${url} answers with more than ${mebibytes(replyBytes)}. Nothing was written.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the message of an error reply. */
export function messageOf(body: View): string {
  return typeof body['message'] === 'string' ? body['message'] : 'without a message';
}
