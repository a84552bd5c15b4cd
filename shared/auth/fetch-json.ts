/** Fetches small JSON documents from the issuer, within hard limits. */

const maximumBytes = 1024 * 1024;

/**
 * Returns the parsed JSON document at an address. Redirects are not followed, the status must be 200, the body
 * at most 1 MiB, and `signal` ends it at any point, also in the middle of a body that never ends.
 */
export async function fetchJson(address: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(address, {
    redirect: 'error',
    signal,
    headers: { accept: 'application/json' },
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`Cannot fetch ${address.pathname}: the issuer answered ${response.status}`);
  }
  return JSON.parse(await limitedText(response, address));
}

async function limitedText({ body }: Response, address: URL): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > maximumBytes) throw new Error(`Cannot fetch ${address.pathname}: the document is too large`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
