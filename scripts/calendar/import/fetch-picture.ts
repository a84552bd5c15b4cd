/** Fetches the bytes of a picture from its own site. */

import { fetchWithin } from './fetch-within.ts';
import { request, type Wait } from './request.ts';
import type { IsOwn } from './source-name.ts';

const timeoutMs = 60_000;

/** Receives what names the state of the bytes: the `ETag`, or `Last-Modified`. */
type OnValidator = (validator: string | undefined) => void;

/** Yields the bytes of an address. A redirection is followed within the site alone. Throws an Error with the reason. */
export async function* fetchPicture(
  url: string,
  isOwn: IsOwn,
  wait: Wait,
  onValidator: OnValidator = () => {},
): AsyncGenerator<Uint8Array> {
  const response = await requestWithin(url, isOwn, wait);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the site answers ${response.status}`);
  }
  onValidator(validatorOf(response));
  if (response.body !== null) yield* response.body;
}

/** Asks what names the state of the bytes of an address; undefined where the site does not say. */
export async function fetchValidator(url: string, isOwn: IsOwn, wait: Wait): Promise<string | undefined> {
  const response = await requestWithin(url, isOwn, wait, 'HEAD');
  await response.body?.cancel();
  return response.ok ? validatorOf(response) : undefined;
}

/** Asks what an address answers: the status of a HEAD. */
export async function fetchStatus(url: string, isOwn: IsOwn, wait: Wait): Promise<number> {
  const response = await requestWithin(url, isOwn, wait, 'HEAD');
  await response.body?.cancel();
  return response.status;
}

function validatorOf({ headers }: Response): string | undefined {
  return headers.get('last-modified') ?? headers.get('etag') ?? undefined;
}

function requestWithin(url: string, isOwn: IsOwn, wait: Wait, method = 'GET'): Promise<Response> {
  return fetchWithin(url, isOwn, (address) => request(address, { wait, timeoutMs, method }));
}
