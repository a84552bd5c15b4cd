/** Reads a token before its signature is verified: only what is needed to find the key (RFC 7515 section 4.1). */

import { refuse } from './refusal.ts';

/** Versions of Entra ID access tokens; each has a separate metadata document. */
export type TokenVersion = '1.0' | '2.0';

/** What finds the key of a token. Nothing in it is trusted yet. */
export interface KeyReference {
  readonly version: TokenVersion;
  readonly keyId: string;
}

// Extensions that change how a token is to be read; a library that overlooks them would read it wrongly.
const refusedMembers = ['crit', 'b64', 'zip', 'enc'];
const types: readonly unknown[] = [undefined, 'JWT', 'at+jwt'];
const visibleAscii = /^[\x21-\x7e]{1,256}$/;

/** Returns the version and key id that a token in compact serialization names; refuses with `token-invalid`. */
export function keyReference(token: string): KeyReference {
  const [header = '', payload = '', signature = ''] = token.split('.');
  // Its last character may hold bits that count for nothing: one signature has one text.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature)
    refuse('token-invalid', 'the signature of the token is not valid');
  return { keyId: checkedKeyId(jsonObject(header)), version: checkedVersion(jsonObject(payload)) };
}

function checkedKeyId(header: Record<string, unknown>): string {
  const { alg, typ, kid } = header;
  if (alg !== 'RS256') refuse('token-invalid', 'the signature algorithm of the token is not accepted');
  if (!types.includes(typ)) refuse('token-invalid', 'the type of the token is not accepted');
  if (refusedMembers.some((name) => Object.hasOwn(header, name)))
    refuse('token-invalid', 'the token header has an extension that is not accepted');
  if (typeof kid !== 'string' || !visibleAscii.test(kid))
    refuse('token-invalid', 'the token does not name its key');
  return kid;
}

function checkedVersion({ ver }: Record<string, unknown>): TokenVersion {
  if (ver === '1.0' || ver === '2.0') return ver;
  return refuse('token-invalid', 'the version of the token is not accepted');
}

// Fatal, and keeping a byte order mark, so that only exact JSON text passes.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function jsonObject(segment: string): Record<string, unknown> {
  const value = parseSegment(segment);
  if (isPlainObject(value)) return value;
  return refuse('token-invalid', 'the token is not made of JSON objects');
}

function parseSegment(segment: string): unknown {
  try {
    return JSON.parse(utf8.decode(Buffer.from(segment, 'base64url')));
  } catch (cause) {
    return refuse('token-invalid', 'the token is not made of JSON objects', { cause });
  }
}

/** Checks whether a parsed JSON value is an object, not an array or null. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
