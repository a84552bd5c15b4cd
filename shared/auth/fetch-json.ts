/** Exchanges small JSON documents with the issuer, within hard limits. */

import { measure } from '../telemetry/trace.ts';

const maxBytes = 1024 * 1024;

/**
 * Returns the parsed JSON document at a URL. Redirects are not followed, the status must be 200, the body
 * at most 1 MiB, and `signal` ends it at any point, also in the middle of a body that never ends.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await send(url, { signal });
  if (response.status === 200) return parsed(await limitedText(response, url), url);
  return mustNotAnswer(response, url);
}

/** Returns the status and the parsed JSON of what the issuer answers to a form. The status must be 200, or one of those given; the limits are those of `fetchJson`. */
export async function postForm(
  url: URL,
  form: Readonly<Record<string, string>>,
  { signal, statuses }: { readonly signal: AbortSignal; readonly statuses: readonly number[] },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await send(url, { method: 'POST', body: new URLSearchParams(form), signal });
  const { status } = response;
  if (status !== 200 && !statuses.includes(status)) return mustNotAnswer(response, url);
  return { status, body: parsed(await limitedText(response, url), url) };
}

function send(url: URL, options: RequestInit): Promise<Response> {
  const { method = 'GET' } = options;
  const facts = { 'http.request.method': method, 'server.address': url.hostname, 'url.path': url.pathname };
  return measure('keys', method, facts, async ({ attributes }) => {
    const response = await fetch(url, {
      ...options,
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    attributes['http.response.status_code'] = response.status;
    return response;
  });
}

async function mustNotAnswer({ status, body }: Response, url: URL): Promise<never> {
  await body?.cancel();
  throw new Error(`Cannot fetch ${url.pathname}: the issuer answered ${status}`);
}

/** The error of the parser quotes the text, which may hold what was sent. */
function parsed(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`Cannot fetch ${url.pathname}: the issuer answered no JSON`);
  }
}

async function limitedText({ body }: Response, url: URL): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) throw new Error(`Cannot fetch ${url.pathname}: the document is too large`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
