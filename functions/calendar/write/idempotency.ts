/**
 * Creations that are sent again: a record keeps for a day what request has created it, so that the same caller with the same key and body
 * gets that record, and no second one.
 */

import { keptKey, keptRequest, keyInUse, keyLifetime, keyReused } from '../../../shared/idempotency-key.ts';
import type { CalendarContext, CalendarRequest } from '../model/calendar-context.ts';
import type { Creation } from '../model/values.ts';

/** Returns what a record stores of the request that creates it; undefined for a request without a key. `files` name the bytes that come with it. */
export function creationOf(context: CalendarContext, files: readonly string[] = []): Creation | undefined {
  const secret = secretOf(context);
  if (secret === undefined) return undefined;
  return { ...keptRequest(secret, [context.parameters, files]), at: context.now };
}

/** Names a creation among those that are under way; undefined for a request without a key. */
export function creationKeyOf(request: CalendarRequest): string | undefined {
  const secret = secretOf(request);
  return secret && keptKey(secret);
}

function secretOf({ idempotencyKey, caller }: CalendarRequest): string | undefined {
  return idempotencyKey === undefined ? undefined : `${caller.subject}\n${idempotencyKey}`;
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
    throw keyReused('record');
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
    if (this.#names.has(name)) throw keyInUse(kind);
    this.#names.add(name);
    try {
      return await create();
    } finally {
      this.#names.delete(name);
    }
  }
}
