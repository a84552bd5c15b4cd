/** What callers do to events, venues and organizers: rights and values are checked here (behaviour sections 12 to 14). */

import { CodedError } from '../../errors.ts';
import { contactParameters } from '../model/fields/contact.ts';
import { eventParameters } from '../model/fields/event.ts';
import { type ParameterTable, parseFields } from '../model/fields/parameter.ts';
import { notAllowed, readOnly } from '../model/problems.ts';
import type { AnyPost } from '../model/records.ts';
import { has, type KnownCaller, mayEdit } from '../model/rights.ts';
import type { PasswordHash, PostKind } from '../model/values.ts';
import type { PostEntry } from '../replica/entries.ts';
import { findPost, type PostLookup, type RecordRef } from '../replica/find.ts';
import { type PostValues, putPost } from './post-record.ts';
import { mustMatch, type Write } from './write.ts';

const postParameters = { event: eventParameters, ...contactParameters };

/** Creates an event, venue or organizer; returns its record. `passwordHash` is that of the event password that was sent. */
export function createPost(write: Write, kind: PostKind, passwordHash?: PasswordHash): AnyPost {
  const { caller, parameters } = write.context;
  const action = `create the ${kind}`;
  mustBeSignedIn(caller, action);
  const values = parseFields(postParameters[kind], parameters, write.context, { isCreate: true });
  if (!has('contributor', caller)) throw notAllowed(caller, action);
  return putPost(write, kind, undefined, values, passwordHash);
}

/** Updates an event, venue or organizer: what is not sent stays as it was. */
export function updatePost(
  write: Write,
  kind: PostKind,
  ref: RecordRef,
  passwordHash?: PasswordHash,
): AnyPost {
  const lookup = findPost(kind, ref, 'update', write.context);
  const table = { ...lookup.parameters, ...postParameters[kind] };
  const [entry, values] = writable(write, lookup, `update the ${kind}`, table);
  const record = putPost(write, kind, entry, values, passwordHash);
  mustMatch(entry.version, write.context);
  return record;
}

/** Moves an event, venue or organizer to the trash; what is there already is gone (410). */
export function trashPost(write: Write, kind: PostKind, ref: RecordRef): AnyPost {
  const lookup = findPost(kind, ref, 'delete', write.context);
  const [entry] = writable(write, lookup, `delete the ${kind}`, lookup.parameters);
  if (entry.status === 'trash')
    throw new CodedError(`${kind}-is-in-trash`, `Cannot delete the ${kind}: it is in the trash already.`);
  const record = putPost(write, kind, entry, { status: 'trash' });
  mustMatch(entry.version, write.context);
  return record;
}

/** Returns a record that the caller may write to, with the values sent. A bad path is told before the caller is asked for; bad values before an unknown event. */
function writable(
  write: Write,
  lookup: PostLookup,
  action: string,
  table: ParameterTable,
): readonly [PostEntry, PostValues] {
  const { caller, parameters } = write.context;
  if (Object.keys(lookup.errors).length === 0) mustBeSignedIn(caller, action);
  const values = parseFields(table, parameters, write.context, lookup);
  const entry = lookup.entry();
  if (!mayEdit(caller, entry)) throw notAllowed(caller, action, readOnly);
  return [entry, values];
}

function mustBeSignedIn(caller: KnownCaller, action: string): void {
  if (caller.subject === undefined) throw notAllowed(caller, action);
}
