/** Creations that are sent again (draft-ietf-httpapi-idempotency-key-header): what is kept of a request, and how it is refused. */

import { createHmac, hash } from 'node:crypto';
import { CodedError } from './errors.ts';

export const idempotencyKeyHeader = 'Idempotency-Key';

/** Seconds for which a key names its creation. */
export const keyLifetime = 24 * 60 * 60;

/** Characters of a key, at most. */
const maxKey = 255;

/** Characters of a hash that are stored. */
export const keptLength = 22;

/** Returns the key of a request by its header; undefined for none. `tooLong` creates the error of the API, from what is wrong with the header. */
export function idempotencyKeyOf(
  sent: string | null,
  tooLong: (header: string, detail: string) => CodedError,
): string | undefined {
  const key = sent?.trim() ?? '';
  if (key.length > maxKey) throw tooLong(idempotencyKeyHeader, `must have ${maxKey} characters at most`);
  return key === '' ? undefined : key;
}

/** What is stored of the request that creates something. */
export interface KeptRequest {
  /** Hash of its key and its caller. */
  readonly key: string;
  /** Fingerprint of its body. */
  readonly body: string;
}

/**
 * Returns what is stored of a request; `secret` is its key with its caller. The fingerprint of the body is keyed: the body may hold what is
 * secret, which nobody can guess from it without the key.
 */
export function keptRequest(secret: string, body: unknown): KeptRequest {
  const text = JSON.stringify(body, inOrder);
  return {
    key: keptKey(secret),
    body: createHmac('sha256', secret).update(text).digest('base64url').slice(0, keptLength),
  };
}

/** Returns what is stored of a key with its caller. */
export function keptKey(secret: string): string {
  return hash('sha256', secret, 'base64url').slice(0, keptLength);
}

/** Two bodies are the same in whatever order their members stand. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The error for a key that came with another body before. */
export function keyReused(what: string): CodedError {
  return new CodedError(
    'idempotency-key-reused',
    `Cannot create the ${what}: its Idempotency-Key was sent with another body.`,
    { hint: 'Send a new key with each new record.' },
  );
}

/** The error for a key whose creation has not ended. */
export function keyInUse(what: string): CodedError {
  return new CodedError(
    'idempotency-key-in-use',
    `Cannot create the ${what}: an earlier request with this Idempotency-Key is still under way.`,
    { retryAfter: 1 },
  );
}

/** The error for a key whose creation is not there any more. */
export function createdIsGone(what: string): CodedError {
  return new CodedError(
    'idempotency-record-gone',
    `Cannot create the ${what} again: the one that this Idempotency-Key has created was deleted.`,
    { hint: 'Send another key to create another one.' },
  );
}
