/** Reads of a single record. */

import { CodedError } from '../../../shared/errors.ts';
import { createdIsGone } from '../../../shared/idempotency-key.ts';
import { parseFields } from '../model/fields/parameter.ts';
import type { Views } from '../model/fields/views.ts';
import type { AnyPost, TermRecord } from '../model/records.ts';
import { readOnly } from '../model/refusals.ts';
import { editable, mayEdit, mayWrite, type Readable, readable, written } from '../model/rights.ts';
import { scriptSafeJson } from '../model/text/html.ts';
import type { PostKind, TermKind } from '../model/values.ts';
import { entryOf, type PostEntry } from '../replica/entries.ts';
import { findPost, findTerm, type PostLookup, type RecordRef } from '../replica/find.ts';
import { rawTexts, textsByLanguage } from './raw-texts.ts';
import type { Item, ReadContext } from './read-context.ts';

/** Reads an event, venue or organizer. */
export function readPost(kind: PostKind, ref: RecordRef, context: ReadContext): Item {
  const { caller, renderer } = context;
  const proof = readablePost(findPost(kind, ref, 'read', context), context);
  const item = renderer.item(proof, { jsonLd: true });
  const readOnly = !mayEdit(caller, proof.entry);
  if (readOnly || context.parameters['context'] !== 'edit') return { ...item, readOnly };
  const raw = rawTexts(proof, context);
  return { ...withMembers(item, { raw, ...textsByLanguage(proof.entry.record, context) }), readOnly };
}

function withMembers(item: Item, members: object): Item {
  return { ...item, text: `${item.text.slice(0, -1)},${scriptSafeJson(members).slice(1)}` };
}

/** Returns the record that a path names, or throws where the caller may not read the whole of it. */
export function readablePost(lookup: PostLookup, context: ReadContext): Readable<PostEntry> {
  const { parameters } = context;
  parseFields(lookup.parameters, parameters, context, lookup);
  const entry = lookup.entry();
  return mustBeUnlocked(mustBeReadable(entry, context), parameters['context']);
}

/** Reads an event, venue or organizer as a value: what its reply shows. */
export function viewPost<K extends PostKind>(kind: K, ref: RecordRef, context: ReadContext): Views[K] {
  return JSON.parse(readPost(kind, ref, context).text);
}

/** Reads a category or tag. */
export function readTerm(kind: TermKind, ref: RecordRef, context: ReadContext): Item {
  const term = findTerm(kind, ref, context);
  const item = context.renderer.termItem(term);
  const isToEdit = context.parameters['context'] === 'edit' && mayWrite(context.caller, kind);
  return isToEdit ? withMembers(item, textsByLanguage(term, context)) : item;
}

/** Shows a record to the caller whose write has stored it: as it is now, or as it was written where another has taken it from them since. */
export function writtenItem(record: AnyPost | TermRecord, context: ReadContext): Item {
  const { replica, renderer, caller, now } = context;
  if (isTerm(record)) return renderer.termItem(record);
  const present: PostEntry | undefined = replica.posts[record.kind].get(record.id);
  const proof = present && editable(caller, present);
  return renderer.item(proof ?? written<PostEntry>(caller, entryOf(record, present?.version ?? 0, now)));
}

/** Shows a record that an earlier request has created to a caller who asks for it anew: as far as they may read it now. */
export function replayedItem(record: AnyPost | TermRecord, context: ReadContext): Item {
  const { replica, renderer, caller } = context;
  if (isTerm(record)) return renderer.termItem(record);
  const entry: PostEntry | undefined = replica.posts[record.kind].get(record.id);
  if (entry === undefined || entry.status === 'trash') throw createdIsGone(record.kind);
  return renderer.item(editable(caller, entry) ?? mustBeUnlocked(mustBeReadable(entry, context), undefined));
}

function isTerm(record: AnyPost | TermRecord): record is TermRecord {
  return record.kind === 'category' || record.kind === 'tag';
}

/** Throws where the caller may not read a record. */
function mustBeReadable<E extends PostEntry>(
  entry: E,
  { caller, isUnlocked }: Pick<ReadContext, 'caller' | 'isUnlocked'>,
): Readable<E> {
  const { kind } = entry.record;
  if (kind === 'event' && entry.status === 'trash')
    throw new CodedError('event-no-longer-available', 'Cannot show the event: it is in the trash.');
  const proof = readable(caller, entry, isUnlocked);
  if (proof !== undefined) return proof;
  throw new CodedError(`${kind}-not-accessible`, `Cannot show the ${kind}: it is not published.`, {
    facts: readOnly,
  });
}

/** Throws where the password of an event was not sent. Whoever may edit it reads it with `context=edit`. */
function mustBeUnlocked<E extends PostEntry>(proof: Readable<E>, context: unknown): Readable<E> {
  if (!proof.isHidden) return proof;
  const toEdit = context === 'edit' ? editable(proof.caller, proof.entry) : undefined;
  if (toEdit !== undefined) return toEdit;
  throw new CodedError(
    'event-password-protected',
    'Cannot show the event: its password is missing or wrong.',
  );
}
