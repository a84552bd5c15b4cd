/** Compressed replies, for callers that read gzip (RFC 9110 8.4). */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { preferencesOf } from './accept.ts';
import type { Reply } from './reply.ts';
import type { RequestHeaders } from './request.ts';

/** Compressed bodies by their bytes, as long as these are cached themselves. */
const compressed = new WeakMap<Uint8Array, Promise<Uint8Array>>();

/** Compresses a body of bytes where the caller reads gzip. The entity tag becomes a weak one: it names either form. */
export async function compressedReply(reply: Reply, requestHeaders: RequestHeaders): Promise<Reply> {
  const { body, headers = {} } = reply;
  if (body === undefined || !('raw' in body) || typeof body.raw === 'string') return reply;
  const withVary = { ...headers, Vary: 'Accept-Encoding' };
  if (preferencesOf(requestHeaders).encoding(['gzip', 'identity']) !== 'gzip')
    return { ...reply, headers: withVary };
  const small = compressed.get(body.raw) ?? promisify(gzip)(body.raw);
  compressed.set(body.raw, small);
  const { ETag: tag, ...others } = withVary as Readonly<Record<string, string>>;
  const weakTag = tag === undefined ? {} : { ETag: tag.replace(/^(?:W\/)?/, 'W/') };
  return {
    ...reply,
    headers: { ...others, ...weakTag, 'Content-Encoding': 'gzip' },
    body: { raw: await small },
  };
}
