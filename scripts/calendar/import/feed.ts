/** Feeds: the address of an iCalendar file, or of a table, is read as that file is. */

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchWithin } from './fetch-within.ts';
import { type Limits, mebibytes } from './limits.ts';
import { request } from './request.ts';
import { authorizationFor, isLoopback, mayHavePassword, metIn, type SiteOptions } from './site.ts';
import { ownAddresses } from './source-name.ts';

const webcal = /^webcals?:\/\//i;

/** Queries by which programs export a file at an address without an extension, as Nextcloud, Google and WordPress do. */
const exportQuery = /^(?:export|(?:outlook-)?ical=1|format=(?:ics|ical|csv))$/i;

/** Checks whether an address is that of a feed: by its scheme, the extension of its path, or its query. */
export function isFeed(address: string): boolean {
  if (webcal.test(address)) return true;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { pathname, search } = new URL(address);
  return (
    /\.(?:csv|ics)$/i.test(pathname) ||
    search
      .slice(1)
      .split('&')
      .some((part) => exportQuery.test(part))
  );
}

/** A feed that was read into a file. */
export interface FeedFile {
  readonly address: string;
  readonly path: string;
  /** Name of the source where the file has none: the host, and a digest, since an address may be a secret. */
  readonly fallbackName: string;
}

/** Reads a feed into a file, for the time of a use. Throws an Error with the reason why there is no feed. */
export async function withFeed<T>(
  written: string,
  limits: Limits,
  options: SiteOptions,
  use: (feed: FeedFile) => Promise<T>,
): Promise<T> {
  const address = addressOf(written);
  const bytes = await read(address, limits, options);
  const folder = await mkdtemp(join(tmpdir(), 'calendar-feed-'));
  try {
    const path = join(folder, `feed${extensionOf(address, bytes)}`);
    await writeFile(path, bytes);
    const digest = createHash('sha256').update(address).digest('hex').slice(0, 8);
    return await use({ address, path, fallbackName: `${new URL(address).host} ${digest}` });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the address of a feed as one of the Web. `webcal` means https, and http on this computer. */
function addressOf(written: string): string {
  const https = written.replace(webcal, 'https://');
  if (!URL.canParse(https)) throw new Error(`"${written}" is no address of a feed.`);
  const url = new URL(https);
  if (url.username !== '' || url.password !== '')
    throw new Error('An address of a feed has no password: give it with --user and --password.');
  if (webcal.test(written) && isLoopback(url.hostname)) url.protocol = 'http:';
  url.hash = '';
  return url.href;
}

async function read(address: string, limits: Limits, options: SiteOptions): Promise<Buffer> {
  const { wait = sleep, user } = options;
  const authorization = authorizationFor(address, options);
  const refused = (reason: string, cause?: unknown) =>
    new Error(`Cannot read ${address}: ${reason}.`, { cause });
  const headers = { Accept: 'text/calendar, text/csv, */*;q=0.5' };
  const send = (target: string) =>
    request(target, {
      wait,
      timeoutMs: limits.feedMs,
      headers:
        authorization !== undefined && mayHavePassword(target)
          ? { ...headers, Authorization: authorization }
          : headers,
    });
  const response = await fetchWithin(address, ownAddresses(address), send).catch((error: Error) => {
    throw refused(error.message, error);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw refused(reasonOf(response.status, user !== undefined));
  }
  const bytes = await bytesOf(response, limits).catch((error: Error) => {
    const isTimeout = error.name === 'TimeoutError';
    throw refused(
      isTimeout
        ? `it takes more than ${limits.feedMs / 1000} seconds`
        : `its answer ends early, ${error.message}`,
      error,
    );
  });
  const maximum = limits.fileBytes['.ics'] ?? 0;
  if (bytes === undefined)
    throw refused(`it has more than ${mebibytes(maximum)}, and an import reads that much`);
  const beginning = bytes.subarray(0, 4_096).toString();
  if (/^\s*(?:\uFEFF)?\s*<(?:!doctype|html|head|\?xml|!--)/i.test(beginning))
    throw refused(`it is no feed, but ${metIn(beginning)}`);
  if (beginning.trim() === '') throw refused('its answer is empty');
  return bytes;
}

function reasonOf(status: number, isSignedIn: boolean): string {
  if (status === 401 || status === 403)
    return `it answers ${status}: ${isSignedIn ? 'it refuses this user and password' : 'it wants --user and --password, or is not shared'}`;
  if (status === 404 || status === 410) return `it answers ${status}: there is no feed at this address`;
  return `it answers ${status}`;
}

/** Returns the bytes of a reply; undefined for more than a file may have. */
async function bytesOf({ body }: Response, { fileBytes }: Limits): Promise<Buffer | undefined> {
  const maximum = fileBytes['.ics'] ?? 0;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maximum) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the format of a feed: what it begins with, else what its address says. */
function extensionOf(address: string, bytes: Buffer): string {
  if (/BEGIN[ \t]*:[ \t]*VCALENDAR/i.test(bytes.subarray(0, 1_024).toString('latin1').replaceAll('\0', '')))
    return '.ics';
  const { pathname, search } = new URL(address);
  return /\.csv$/i.test(pathname) || /\bformat=csv\b/i.test(search) ? '.csv' : '.ics';
}
