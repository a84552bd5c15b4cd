/** Request bodies: bytes within a limit, then text, then JSON. */

import { CodedError } from '../errors.ts';
import { compute } from '../telemetry/trace.ts';
import { checkJsonLimits } from '../text/json-text.ts';
import type { IncomingRequest, RequestHeaders } from './request.ts';

/** Largest body, in bytes. */
export const bodyLimit = 4 * 1024 * 1024;

/** Bytes up to which a request body does not count in the byte budget: no more than a URL could hold. */
export const smallBody = 16 * 1024;

interface BodyOfEndpoint {
  readonly method: string;
  readonly body?: unknown;
  readonly streamedBytes?: number;
}

/** Returns the bytes of a request body that count in the byte budget: 0 for one that is small, that is rejected for its length, or that the endpoint does not read. */
export function budgetedBytes(
  { method, body: definition, streamedBytes }: BodyOfEndpoint,
  { body, headers }: IncomingRequest,
): number {
  const limit = streamedBytes ?? (definition === undefined ? 0 : bodyLimit);
  if (body === null || method === 'GET') return 0;
  const contentLength = headers.get('content-length');
  const length = contentLength === null ? limit : Number(contentLength);
  return length > smallBody && length <= limit ? length : 0;
}

/** Returns the media type of a request without its parameters, in lower case; undefined when it has none. */
export function mediaType(headers: RequestHeaders): string | undefined {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/** Checks whether a request has a body. Throws 411 for one that was sent in chunks: the Functions host passes on no body without a Content-Length, and what the caller meant is lost. */
export function hasBody({ body, headers }: IncomingRequest): boolean {
  if (body === null && headers.has('transfer-encoding'))
    throw new CodedError('length-required', 'Cannot read the body: it came without its length.', {
      hint: 'Send it with a Content-Length, not in chunks (Transfer-Encoding). In C#, send new StringContent(json, Encoding.UTF8, "application/json") in place of PutAsJsonAsync, PostAsJsonAsync or JsonContent, or await content.LoadIntoBufferAsync() first.',
    });
  return body !== null;
}

/** Throws 415 unless the body has one of the media types, in UTF-8 and without a content coding. */
export function checkMediaType({ headers }: IncomingRequest, accepted: readonly string[]): void {
  const coding = headers.get('content-encoding');
  if (coding !== null && coding.trim().toLowerCase() !== 'identity') {
    throw unsupported('the Content-Encoding is not accepted', 'Send the body without a content coding.');
  }
  const contentType = mediaType(headers);
  if (contentType === undefined || !accepted.includes(contentType)) {
    throw unsupported(
      contentType === undefined ? 'there is no Content-Type' : 'the Content-Type is not accepted',
      `Send it as ${accepted.join(' or ')}.`,
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw unsupported('the charset is not UTF-8', 'Send it in UTF-8.');
}

/** Reads the whole body as text. A byte order mark is dropped; bytes that are not UTF-8 are refused. */
export async function readText(request: IncomingRequest, limit = bodyLimit): Promise<string> {
  return decode(await readBytes(request, limit));
}

/** Reads the whole body. */
export async function readBytes(
  { body, headers }: IncomingRequest,
  limit = bodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const [first] = chunks;
  // Most bodies come in one piece, which need not be copied.
  return chunks.length === 1 && first?.buffer instanceof ArrayBuffer
    ? (first as Uint8Array<ArrayBuffer>)
    : Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CodedError('invalid-encoding', 'Cannot read the body: it is not UTF-8.', { cause });
  }
}

/** Parses JSON within the limits, or throws `invalid-json`. */
export function parseJson(text: string): unknown {
  checkJsonLimits(text);
  try {
    return compute('input', 'parse JSON', () => JSON.parse(text) as unknown);
  } catch (cause) {
    throw new CodedError('invalid-json', 'Cannot read the body: it is not valid JSON.', { cause });
  }
}

function tooLarge(limit: number): CodedError {
  return new CodedError('body-too-large', `Cannot read the body: it is larger than ${limit} bytes.`, {
    facts: { limit },
  });
}

function unsupported(what: string, hint: string): CodedError {
  return new CodedError('unsupported-media-type', `Cannot read the body: ${what}.`, { hint });
}

/** Throws `form-too-large` where a form has more than `maxNames` names. */
export function mustHaveFewNames(count: number, maxNames: number): void {
  if (count > maxNames)
    throw new CodedError('form-too-large', `Cannot read the body: it has more than ${maxNames} names.`);
}
