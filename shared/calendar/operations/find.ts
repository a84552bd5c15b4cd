/** Finding the record that a path names, and the refusals where there is none (behaviour section 2). */

import { CodedError } from '../../errors.ts';
import type { PostKind, TermKind, TermRecord } from '../model/records.ts';
import { has, type KnownCaller, mayRead } from '../model/rights.ts';
import { slugOf } from '../model/text/slug.ts';
import { eventParameters } from '../parameters/event-fields.ts';
import { type Faults, readAll, type Sent, type Surroundings, Unfit } from '../parameters/parameter.ts';
import type { Target } from '../parameters/target.ts';
import { invalidParameters, notAllowed, readOnly } from '../problems.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { termFields } from '../writes/term-operations.ts';

/** How a path names a record. */
export type Named = { readonly id: number } | { readonly slug: string };

export type Intent = 'read' | 'update' | 'delete';

/** Finds the event, venue or organizer that a path names. */
export function findPost(kind: PostKind, named: Named, intent: Intent, surroundings: Surroundings): Target {
  const { replica, caller } = surroundings;
  const set = replica.posts[kind];
  const entry: PostEntry | undefined = 'id' in named ? set.get(named.id) : set.withSlug(slugOf(named.slug));
  return {
    kind,
    parameters: 'id' in named && kind === 'event' ? eventParameters : {},
    faults: entry === undefined ? pathFaults(kind, named, intent) : {},
    entry: () => {
      if (entry === undefined) throw unknownEvent(named, intent, replica, caller);
      return entry;
    },
  };
}

/** An unknown id or slug is a bad parameter; that of an event is told after all others, by a code of its own. */
function pathFaults(kind: PostKind, named: Named, intent: Intent): Faults {
  const name = 'id' in named ? 'id' : 'slug';
  if (kind === 'event' && (name === 'id' || intent === 'update')) return {};
  return { [name]: new Unfit(`must be the ${name} of an existing ${kind}`) };
}

/** Gives the category or tag that a path names. An unknown id is told together with what is wrong with the fields sent. */
export function findTerm(
  kind: TermKind,
  named: Named,
  surroundings: Surroundings,
  sent: Sent = {},
): TermRecord {
  const term = 'id' in named ? surroundings.replica.terms.get(named.id, kind) : undefined;
  if (term !== undefined) return term;
  const { faults } = readAll(termFields[kind], sent, surroundings);
  throw invalidParameters({ id: new Unfit(`must be the id of an existing ${kind}`), ...faults });
}

/** Refuses a record that the caller may not read. */
export function mustBeReadable(entry: PostEntry, caller: KnownCaller): void {
  const { kind } = entry.record;
  if (kind === 'event' && entry.status === 'trash')
    throw new CodedError('event-no-longer-available', 'Cannot show the event: it is in the trash.');
  if (!mayRead(caller, entry))
    throw new CodedError(`${kind}-not-accessible`, `Cannot show the ${kind}: it is not published.`, {
      facts: readOnly,
    });
}

/** Refuses an event whose password was not sent. Editors read it with `context=edit`. */
export function mustBeOpen(isOpen: boolean, caller: KnownCaller, context: unknown): void {
  if (isOpen || (context === 'edit' && has('editor', caller))) return;
  throw new CodedError(
    'event-password-protected',
    'Cannot show the event: its password is missing or wrong.',
  );
}

/** For an event that there is not, the right is asked first. */
function unknownEvent(named: Named, intent: Intent, replica: CalendarReplica, caller: KnownCaller) {
  if (intent !== 'read' && !has('contributor', caller)) return notAllowed(caller, `${intent} the event`);
  const isForeign =
    'id' in named && (replica.post(named.id) !== undefined || replica.image(named.id) !== undefined);
  return isForeign
    ? new CodedError('rest-invalid-event-id', 'Cannot answer: the record of this id is not an event.')
    : new CodedError('rest-event-not-found', 'Cannot answer: there is no such event.');
}
