/** What a site answers about a record that its lists do not have. */

import { idIn } from './record.ts';
import type { View } from './records-of-view.ts';
import type { SiteResponse } from './site.ts';

/** Keys of records of an earlier import that the site no longer shows, such as `event/12`. */
export interface Withdrawn {
  /** Trashed or deleted in the site. */
  readonly gone: readonly string[];
  /** There, and not for this reader: a draft, or private. */
  readonly hidden: readonly string[];
  /** Behind a password. */
  readonly locked: readonly string[];
  /** Of which the site does not say whether it is there. */
  readonly unread: readonly string[];
}

export type Standing = 'shown' | 'gone' | 'hidden' | 'locked' | 'unread';

/** Codes of the API for what is not there. A page of the web server says nothing about a record. */
const goneCodes = new Set([
  'event-no-longer-available',
  'rest-event-not-found',
  'rest-venue-not-found',
  'rest-organizer-not-found',
  'rest-invalid-event-id',
]);

/** Reads from the answer about one record whether the site shows it. */
export function standingOf({ status, body }: SiteResponse, id: number): Standing {
  const code = String(body['code'] ?? '');
  if (status === 200 && idIn(body['id']) === id) return body['status'] === 'trash' ? 'gone' : 'shown';
  if (goneCodes.has(code)) return 'gone';
  // The id of a venue, organizer or term that was deleted, and that of an event in older versions.
  if (status === 400 && isAboutId(body)) return 'gone';
  if (status === 403 && code.endsWith('-not-accessible')) return 'hidden';
  if (status === 403 && code === 'event-password-protected') return 'locked';
  return 'unread';
}

function isAboutId({ code, data }: View): boolean {
  const { params } = (data ?? {}) as { readonly params?: unknown };
  return code === 'rest_invalid_param' && typeof params === 'object' && params !== null && 'id' in params;
}
