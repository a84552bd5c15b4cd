/** GET under another name of the host, which `fetch` does not let one choose. */

import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Returns the body of the reply to a GET with this `Host` header. */
export async function getFromHost(host: string, url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request(url, { headers: { Host: host } }, (response) => {
    text(response).then(resolve, reject);
  });
  outgoing.on('error', reject).end();
  return promise;
}
