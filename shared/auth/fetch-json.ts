/** Exchanges small JSON documents with the issuer, within hard limits. */

import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { measure } from '../telemetry/trace.ts';

const maxBytes = 1024 * 1024;

/**
 * Returns the parsed JSON document at a URL. Redirects are not followed, the status must be 200, and the body may have at most 1 MiB.
 * `signal` ends the call at any point, even in the middle of a body that never ends.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await send(url, { signal });
  if (statusOf(response) === 200) return parseJson(await limitedText(response, url), url);
  return mustNotAnswer(response, url);
}

/** Returns the status and the parsed JSON of what the issuer answers to a form. The status must be 200, or one of those given; the limits are those of `fetchJson`. */
export async function postForm(
  url: URL,
  form: Readonly<Record<string, string>>,
  { signal, statuses }: { readonly signal: AbortSignal; readonly statuses: readonly number[] },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await send(url, { form, signal });
  const status = statusOf(response);
  if (status !== 200 && !statuses.includes(status)) return mustNotAnswer(response, url);
  return { status, body: parseJson(await limitedText(response, url), url) };
}

interface Sent {
  readonly form?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and resolves with the reply once it begins. Does not use fetch, which takes longer to load than everything that the app
 * does until its first reply.
 */
function send(url: URL, { form, signal }: Sent): Promise<IncomingMessage> {
  const method = form === undefined ? 'GET' : 'POST';
  const facts = { 'http.request.method': method, 'server.address': url.hostname, 'url.path': url.pathname };
  return measure('keys', method, facts, async ({ attributes }) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const body = form === undefined ? '' : new URLSearchParams(form).toString();
    const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    // Rare enough for a new connection, which the server does not close just as it is used again.
    const headers = { accept: 'application/json', connection: 'close', ...type };
    const request = url.protocol === 'http:' ? requestPlain : requestSecure;
    request(url, { method, signal, headers }, resolve).on('error', reject).end(body);
    const response = await promise;
    attributes['http.response.status_code'] = statusOf(response);
    return response;
  });
}

function statusOf({ statusCode = 0 }: IncomingMessage): number {
  return statusCode;
}

function mustNotAnswer(response: IncomingMessage, url: URL): never {
  response.destroy();
  throw new Error(`Cannot fetch ${url.pathname}: the issuer answered ${statusOf(response)}`);
}

/** The error of the parser quotes the text, which may hold what was sent. */
function parseJson(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`Cannot fetch ${url.pathname}: the issuer answered no JSON`);
  }
}

async function limitedText(response: IncomingMessage, url: URL): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Error(`Cannot fetch ${url.pathname}: the document is too large`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
