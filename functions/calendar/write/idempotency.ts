/**
 * Creations that are sent again (draft-ietf-httpapi-idempotency-key-header): a record keeps the key that it was created with, so that the
 * same caller with the same key gets that record, and no second one.
 */

import { hash } from 'node:crypto';
import type { CalendarContext } from '../model/calendar-context.ts';

/** Returns what a record stores of the key of a request, and of its caller; undefined for a request without one. */
export function creationKeyOf({ idempotencyKey, caller }: CalendarContext): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return hash('sha256', `${caller.subject}\n${idempotencyKey}`, 'base64url').slice(0, 22);
}

/** Returns what an earlier request with a key has created; undefined for nothing. */
export function createdWith<Item>(
  key: string | undefined,
  items: Iterable<Item>,
  keyOf: (item: Item) => string | undefined,
): Item | undefined {
  if (key === undefined) return undefined;
  for (const item of items) if (keyOf(item) === key) return item;
  return undefined;
}
