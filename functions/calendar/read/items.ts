/** Reads of a single record. */

import { CodedError } from '../../../shared/errors.ts';
import { parseFields } from '../model/fields/parameter.ts';
import { readOnly } from '../model/refusals.ts';
import { has, type KnownCaller, mayEdit, mayRead } from '../model/rights.ts';
import type { PostKind, TermKind } from '../model/values.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import { findPost, findTerm, type PostLookup, type RecordRef } from '../replica/find.ts';
import type { Item, ReadContext } from './read-context.ts';

/** Reads an event, venue or organizer. */
export function readPost(kind: PostKind, ref: RecordRef, context: ReadContext): Item {
  const { caller, renderer } = context;
  const entry = readableEntry(kind, findPost(kind, ref, 'read', context), context);
  const item = renderer.item(entry.record, { caller, jsonLd: true, isUnlocked: () => true });
  return { ...item, readOnly: !mayEdit(caller, entry) };
}

/** Returns the record that a path names, or throws where the caller may not read it. */
export function readableEntry(
  kind: PostKind,
  lookup: PostLookup,
  { caller, parameters, isUnlocked, ...context }: ReadContext,
): PostEntry {
  parseFields(lookup.parameters, parameters, { caller, parameters, ...context }, lookup);
  const entry = lookup.entry();
  mustBeReadable(entry, caller);
  if (kind === 'event') mustBeUnlocked(isUnlocked(entry as EventEntry), caller, parameters['context']);
  return entry;
}

/** Reads a category or tag. */
export function readTerm(kind: TermKind, ref: RecordRef, context: ReadContext): Item {
  const { caller, renderer, isUnlocked } = context;
  return renderer.item(findTerm(kind, ref, context), { caller, isUnlocked });
}

/** Throws where the caller may not read a record. */
function mustBeReadable(entry: PostEntry, caller: KnownCaller): void {
  const { kind } = entry.record;
  if (kind === 'event' && entry.status === 'trash')
    throw new CodedError('event-no-longer-available', 'Cannot show the event: it is in the trash.');
  if (!mayRead(caller, entry))
    throw new CodedError(`${kind}-not-accessible`, `Cannot show the ${kind}: it is not published.`, {
      facts: readOnly,
    });
}

/** Throws where the password of an event was not sent. Editors read it with `context=edit`. */
function mustBeUnlocked(isUnlocked: boolean, caller: KnownCaller, context: unknown): void {
  if (isUnlocked || (context === 'edit' && has('editor', caller))) return;
  throw new CodedError(
    'event-password-protected',
    'Cannot show the event: its password is missing or wrong.',
  );
}
