/** Fetches the bytes of a picture from its own site. */

import { fetchWithin } from './fetch-within.ts';
import type { IsOwn } from './source-name.ts';

const maxAttempts = 3;
const timeoutMs = 60_000;
const retryMs = 1_000;

/** Waits for a number of milliseconds. */
export type Wait = (milliseconds: number) => Promise<unknown>;

/** Receives what names the state of the bytes: the `ETag`, or `Last-Modified`. */
type OnValidator = (validator: string | undefined) => void;

/** Yields the bytes of an address. A redirection is followed within the site alone. Throws an Error with the reason. */
export async function* fetchPicture(
  url: string,
  isOwn: IsOwn,
  wait: Wait,
  onValidator: OnValidator = () => {},
): AsyncGenerator<Uint8Array> {
  const response = await request(url, isOwn, wait);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the site answers ${response.status}`);
  }
  onValidator(validatorOf(response));
  if (response.body !== null) yield* response.body;
}

/** Asks what names the state of the bytes of an address; undefined where the site does not say. */
export async function fetchValidator(url: string, isOwn: IsOwn, wait: Wait): Promise<string | undefined> {
  const response = await request(url, isOwn, wait, 'HEAD');
  await response.body?.cancel();
  return response.ok ? validatorOf(response) : undefined;
}

/** Asks what an address answers: the status of a HEAD. */
export async function fetchStatus(url: string, isOwn: IsOwn, wait: Wait): Promise<number> {
  const response = await request(url, isOwn, wait, 'HEAD');
  await response.body?.cancel();
  return response.status;
}

function validatorOf({ headers }: Response): string | undefined {
  return headers.get('last-modified') ?? headers.get('etag') ?? undefined;
}

function request(url: string, isOwn: IsOwn, wait: Wait, method = 'GET'): Promise<Response> {
  return fetchWithin(url, isOwn, (address) => attempt(address, wait, method));
}

/** Sends a request, and again where the site is busy or cannot be reached. */
async function attempt(url: string, wait: Wait, method: string): Promise<Response> {
  for (let attempts = 1; ; attempts += 1) {
    const isLast = attempts === maxAttempts;
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      if (isLast) throw new Error('the site cannot be reached', { cause: error });
      return undefined;
    });
    const isBusy = response === undefined || response.status === 429 || response.status >= 500;
    if (response !== undefined && (!isBusy || isLast)) return response;
    await response?.body?.cancel();
    await wait(retryMs * attempts);
  }
}
