/** What a site answers about a record that its lists do not have. */

import { idIn } from './record.ts';
import type { View } from './records-of-view.ts';
import type { SiteResponse } from './site.ts';

/** Keys of records of an earlier import that the site no longer shows, such as `event/12`. */
export interface Withdrawn {
  /** Trashed or deleted in the site. */
  readonly gone: readonly string[];
  /** There, and not for this reader: a draft, private, or behind a password. */
  readonly hidden: readonly string[];
  /** Of which the site does not say whether it is there. */
  readonly unread: readonly string[];
}

export type Standing = 'shown' | 'gone' | 'hidden' | 'unread';

/** Reads from the answer about one record whether the site shows it. */
export function standingOf({ status, body }: SiteResponse, id: number): Standing {
  const code = String(body['code'] ?? '');
  if (status === 200 && idIn(body['id']) === id) return body['status'] === 'trash' ? 'gone' : 'shown';
  if (status === 404 || status === 410 || code === 'event-no-longer-available') return 'gone';
  // The id of a venue, organizer or term that was deleted, and that of an event whose number another record has.
  if (status === 400 && (isAboutId(body) || code === 'rest-invalid-event-id')) return 'gone';
  if (status === 403 && (code.endsWith('-not-accessible') || code === 'event-password-protected'))
    return 'hidden';
  return 'unread';
}

function isAboutId({ code, data }: View): boolean {
  const { params } = (data ?? {}) as { readonly params?: unknown };
  return code === 'rest_invalid_param' && typeof params === 'object' && params !== null && 'id' in params;
}
