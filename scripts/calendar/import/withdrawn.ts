/** What a site answers about a record that its lists do not have, and what an import does here about one that the site has withdrawn. */

import { isTermKind, type ListedKind } from '../../../functions/calendar/model/values.ts';
import { PartlyDoneError } from './outcome.ts';
import { idIn } from './record.ts';
import type { View } from './records-of-view.ts';
import { section } from './report.ts';
import type { SiteResponse } from './site.ts';
import type { Target } from './target.ts';

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

/** Returns the lines of a report about records that are withdrawn. */
export function withdrawnLines(
  { gone, hidden, unread }: Withdrawn,
  { isDryRun, prunesMissing }: { readonly isDryRun: boolean; readonly prunesMissing: boolean },
): string[] {
  const lines = [
    ...section('Deleted in the source', gone),
    ...section('No longer public in the source', hidden),
  ];
  if (lines.length > 0 && (isDryRun || !prunesMissing)) {
    const verbs = isDryRun ? ['would move', 'delete', 'make'] : ['moves', 'deletes', 'makes'];
    lines.push(
      `They are unchanged here; --prune-missing ${verbs[0]} them to the trash, ${verbs[1]} categories and tags, and ${verbs[2]} private what is no longer public.`,
    );
  }
  return [...lines, ...section('Not readable in the source, and unchanged here', unread)];
}

/** Moves records that are gone to the trash, deletes such terms, and makes private what is no longer public. Returns their number. */
export async function withdraw({ gone, hidden }: Withdrawn, target: Target): Promise<number> {
  const changes = [
    ...gone.map((key) => ({ key, status: 'trash' as const })),
    ...hidden.map((key) => ({ key, status: 'private' as const })),
  ];
  let done = 0;
  try {
    for (const { key, status } of changes) {
      const [kind, id] = key.split('/') as [ListedKind, string];
      if (isTermKind(kind)) await target.deleteTerm(kind, Number(id));
      else await target.withdraw(kind, Number(id), status);
      done += 1;
    }
  } catch (error) {
    if (done === 0) throw error;
    throw new PartlyDoneError(`${done} of ${changes.length} withdrawn records were changed`, error);
  }
  return done;
}
