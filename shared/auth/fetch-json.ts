/** Fetches small JSON documents from the issuer, within hard limits. */

const maxBytes = 1024 * 1024;

/**
 * Returns the parsed JSON document at a URL. Redirects are not followed, the status must be 200, the body
 * at most 1 MiB, and `signal` ends it at any point, also in the middle of a body that never ends.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'error',
    signal,
    headers: { accept: 'application/json' },
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`Cannot fetch ${url.pathname}: the issuer answered ${response.status}`);
  }
  return JSON.parse(await limitedText(response, url));
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
