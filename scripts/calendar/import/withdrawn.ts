/** What an import does about records that the site has withdrawn. */

import { isTermKind, type ListedKind } from '../../../functions/calendar/model/values.ts';
import { PartlyDoneError } from './outcome.ts';
import { section } from './report.ts';
import type { Withdrawn } from './standing.ts';
import type { Target } from './target.ts';

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
