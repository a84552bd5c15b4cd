/** Who asks something of the calendar, and what that lets them do (behaviour section 3). */

import type { AnyPost, Status, TermKind } from './records.ts';

/** Roles from the least to the most: a reader may do what anybody may. */
export const roles = ['reader', 'contributor', 'author', 'editor'] as const;
export type Role = (typeof roles)[number];

/** A caller. `subject` is the object id of a signed-in user; without it the caller is anonymous. */
export interface Caller {
  readonly role: Role;
  readonly subject?: string;
}

/** A caller with the id under which the calendar knows them; none before their first write. */
export interface KnownCaller extends Caller {
  readonly author?: number;
}

/** What rights on a record depend on: the status that counts now, and whose it is. */
interface Owned {
  readonly status: Status;
  readonly record: Pick<AnyPost, 'author' | 'kind'>;
}

/** The caller whom nobody knows. */
export const anonymous: Caller = { role: 'reader' };

/** Tells whether a caller has a role, or one above it. */
export function has(role: Role, caller: Caller): boolean {
  return roles.indexOf(caller.role) >= roles.indexOf(role);
}

/** Tells whether a caller may see a record. Nobody sees a trashed event. */
export function mayRead(caller: KnownCaller, { status, record }: Owned): boolean {
  if (status === 'publish') return true;
  if (status === 'trash') return record.kind !== 'event' && has('editor', caller);
  return has('editor', caller) || owns(caller, record);
}

/** Tells whether lists show a record to a caller: what they may read, and trashed records to those who may edit them. */
export function mayList(caller: KnownCaller, owned: Owned): boolean {
  return owned.status === 'trash' ? mayEdit(caller, owned) : mayRead(caller, owned);
}

/** Tells whether a caller may update and delete a record: editors all, authors their own, contributors their own until its publication is decided. */
export function mayEdit(caller: KnownCaller, { status, record }: Owned): boolean {
  if (has('editor', caller)) return true;
  const isDecided = status === 'publish' || status === 'future';
  return owns(caller, record) && (has('author', caller) || !isDecided);
}

/** Tells whether a caller may create, update and delete terms of a kind. */
export function mayManageTerms(caller: Caller, kind: TermKind): boolean {
  return has(kind === 'category' ? 'author' : 'editor', caller);
}

function owns(caller: KnownCaller, { author }: Pick<AnyPost, 'author'>): boolean {
  return has('contributor', caller) && caller.author === author;
}
