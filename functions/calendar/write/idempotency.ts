/**
 * Creations that are sent again (draft-ietf-httpapi-idempotency-key-header): a record keeps for a day what request has created it, so that
 * the same caller with the same key and body gets that record, and no second one.
 */

import { createHmac, hash } from 'node:crypto';
import { CodedError } from '../../../shared/errors.ts';
import type { CalendarContext, CalendarRequest } from '../model/calendar-context.ts';
import type { Creation } from '../model/values.ts';

/** Seconds for which a key names its creation. */
export const keyLifetime = 24 * 60 * 60;

/** Characters of a hash that are stored. */
const length = 22;

/**
 * Returns what a record stores of the request that creates it; undefined for a request without a key. `files` name the bytes that come
 * with it. The fingerprint of the body is keyed: it may hold a password, which nobody can guess from it without the key.
 */
export function creationOf(context: CalendarContext, files: readonly string[] = []): Creation | undefined {
  const secret = secretOf(context);
  if (secret === undefined) return undefined;
  const body = JSON.stringify([context.parameters, files], inOrder);
  return {
    key: creationName(secret),
    body: createHmac('sha256', secret).update(body).digest('base64url').slice(0, length),
    at: context.now,
  };
}

/** Names a creation among those that are under way; undefined for a request without a key. */
export function creationKeyOf(request: CalendarRequest): string | undefined {
  const secret = secretOf(request);
  return secret && creationName(secret);
}

function creationName(secret: string): string {
  return hash('sha256', secret, 'base64url').slice(0, length);
}

function secretOf({ idempotencyKey, caller }: CalendarRequest): string | undefined {
  return idempotencyKey === undefined ? undefined : `${caller.subject}\n${idempotencyKey}`;
}

/** Two bodies are the same in whatever order their members stand. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns what an earlier request with the same key has created, undefined for nothing. Throws `idempotency-key-reused` where that request had another body. */
export function createdBefore<Item>(
  creation: Creation | undefined,
  items: Iterable<Item>,
  creationOfItem: (item: Item) => Creation | undefined,
): Item | undefined {
  if (creation === undefined) return undefined;
  for (const item of items) {
    const earlier = currentCreation(creationOfItem(item), creation.at);
    if (earlier?.key !== creation.key) continue;
    if (earlier.body === creation.body) return item;
    throw new CodedError(
      'idempotency-key-reused',
      'Cannot create the record: its Idempotency-Key was sent with another body.',
      { hint: 'Send a new key with each new record.' },
    );
  }
  return undefined;
}

/** Returns what is kept of a creation at an instant: nothing once its key has ended. */
export function currentCreation(creation: Creation | undefined, now: number): Creation | undefined {
  return creation !== undefined && now < creation.at + keyLifetime ? creation : undefined;
}

/** Creations with a key that this process has begun, and not ended. */
export class CreationsUnderWay {
  readonly #names = new Set<string>();

  /** Runs a creation. Throws `idempotency-key-in-use` while another one with the same key runs. */
  async run<T>(kind: string, request: CalendarRequest, create: () => Promise<T>): Promise<T> {
    const key = creationKeyOf(request);
    if (key === undefined) return create();
    const name = `${kind} ${key}`;
    if (this.#names.has(name))
      throw new CodedError(
        'idempotency-key-in-use',
        `Cannot create the ${kind}: an earlier request with this Idempotency-Key is still under way.`,
        { retryAfter: 1 },
      );
    this.#names.add(name);
    try {
      return await create();
    } finally {
      this.#names.delete(name);
    }
  }
}
