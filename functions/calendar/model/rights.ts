/** The callers of the calendar, and what they may do and see (docs/calendar-contract.md, "Who may do what"). */

import type { ListedKind, PostKind, Status } from './values.ts';

/** Roles from the least to the most: a reader has the rights of an anonymous caller. */
export const roles = ['reader', 'contributor', 'author', 'editor'] as const;
export type Role = (typeof roles)[number];

/** The least role that writes to records of a kind. */
const writers: Readonly<Record<ListedKind, Role>> = {
  event: 'contributor',
  venue: 'contributor',
  organizer: 'contributor',
  category: 'author',
  tag: 'editor',
};

/** A caller. `subject` is the object id of a signed-in user; without it the caller is anonymous. */
export interface Caller {
  readonly role: Role;
  readonly subject?: string;
  /** What to call them, when they ask who they are. */
  readonly name?: string;
}

/** A caller with the id under which the calendar knows them; none before their first write. */
export interface KnownCaller extends Caller {
  readonly author?: number;
}

/** What rights on a record depend on: the status that counts now, and whose it is. */
export interface Owned {
  readonly status: Status;
  readonly record: { readonly kind: PostKind; readonly author: number };
}

/** A caller without a token. */
export const anonymous: Caller = { role: 'reader' };

/** Checks whether a caller has a role, or one above it. */
export function has(role: Role, caller: Caller): boolean {
  return roles.indexOf(caller.role) >= roles.indexOf(role);
}

/** What rights on an image depend on: whose it is, where it is uploaded. */
export interface OwnedImage {
  readonly id: number;
  readonly stored?: { readonly author: number } | undefined;
}

/** Checks whether a caller may see an image: an editor all of them, an author their own, and everybody those of published records. */
export function mayReadImage(
  caller: KnownCaller,
  { id, stored }: OwnedImage,
  replica: { isPublicImage(id: number): boolean },
): boolean {
  if (has('editor', caller)) return true;
  return (stored !== undefined && owns(caller, stored)) || replica.isPublicImage(id);
}

const proof = Symbol('proof');
const proofOfEditing = Symbol('proof of editing');

/**
 * A record that a caller may read now: the proof that whatever shows a record asks for, be it a reply, a feed, a page or a history. Only the
 * checks of this file make one.
 */
export interface Readable<E extends Owned = Owned> {
  readonly [proof]: true;
  readonly entry: E;
  readonly caller: KnownCaller;
  /** Whether a password hides what it protects. */
  readonly isHidden: boolean;
}

/** A record that a caller may edit now: the proof that whatever shows what only editors see of it asks for, such as its earlier versions. */
export interface Editable<E extends Owned = Owned> extends Readable<E> {
  readonly [proofOfEditing]: true;
}

/** An image that a caller may see now: the proof that whatever shows what is stored of it asks for. */
export interface ReadableImage<I extends OwnedImage = OwnedImage> {
  readonly [proof]: true;
  readonly image: I;
}

/** Returns the proof that a caller may see an image; undefined where they may not. */
export function readableImage<I extends OwnedImage>(
  caller: KnownCaller,
  image: I,
  replica: { isPublicImage(id: number): boolean },
): ReadableImage<I> | undefined {
  return mayReadImage(caller, image, replica) ? { [proof]: true, image } : undefined;
}

/** Returns the proof for the state that a caller's own write has just given an image. */
export function writtenImage<I extends OwnedImage>(image: I): ReadableImage<I> {
  return { [proof]: true, image };
}

/** Checks whether a record has no password, or the one that was sent. */
export type IsUnlocked = (entry: Owned) => boolean;

/** Returns the proof that a caller may read a record; undefined where they may not. */
export function readable<E extends Owned>(
  caller: KnownCaller,
  entry: E,
  isUnlocked: IsUnlocked,
): Readable<E> | undefined {
  return mayRead(caller, entry) ? proven(caller, entry, !isUnlocked(entry)) : undefined;
}

/** Returns the proof that lists show a record to a caller; undefined where they do not. */
export function listed<E extends Owned>(
  caller: KnownCaller,
  entry: E,
  isUnlocked: IsUnlocked,
): Readable<E> | undefined {
  return mayList(caller, entry) ? proven(caller, entry, !isUnlocked(entry)) : undefined;
}

/** Returns the proof that a caller may edit a record, and so reads the whole of it, behind a password and in the trash too; undefined where they may not. */
export function editable<E extends Owned>(caller: KnownCaller, entry: E): Editable<E> | undefined {
  return mayEdit(caller, entry) ? { ...proven(caller, entry, false), [proofOfEditing]: true } : undefined;
}

/** Returns the proof for the state that a caller's own write has just given a record, whatever others have done since. */
export function written<E extends Owned>(caller: KnownCaller, entry: E): Readable<E> {
  return proven(caller, entry, false);
}

/** Returns the proof that everybody may learn that a record does not take place: it was public until it was moved to the trash. Undefined for others. */
export function cancelled<E extends Owned & { readonly record: { readonly trashed_from?: Status } }>(
  caller: KnownCaller,
  entry: E,
  isUnlocked: IsUnlocked,
): Readable<E> | undefined {
  const wasPublic = entry.status === 'trash' && entry.record.trashed_from === 'publish';
  return wasPublic ? proven(caller, entry, !isUnlocked(entry)) : undefined;
}

function proven<E extends Owned>(caller: KnownCaller, entry: E, isHidden: boolean): Readable<E> {
  return { [proof]: true, entry, caller, isHidden };
}

/** Checks whether a caller may see a record. A trashed event is hidden from every caller. */
export function mayRead(caller: KnownCaller, { status, record }: Owned): boolean {
  if (status === 'publish') return true;
  if (status === 'trash') return record.kind !== 'event' && has('editor', caller);
  return has('editor', caller) || owns(caller, record);
}

/** Checks whether lists show a record to a caller: published records and their own, and trashed records to callers who may edit them. */
export function mayList(caller: KnownCaller, owned: Owned): boolean {
  return owned.status === 'trash' ? mayEdit(caller, owned) : mayRead(caller, owned);
}

/** Checks whether a caller may update and delete a record: editors all, authors their own, contributors their own until its publication is decided. */
export function mayEdit(caller: KnownCaller, { status, record }: Owned): boolean {
  if (has('editor', caller)) return true;
  const isDecided = status === 'publish' || status === 'future';
  return owns(caller, record) && (has('author', caller) || !isDecided);
}

/** Checks whether a caller may write to any of the records of a kind: the least rule, which the rules of a record narrow. */
export function mayWrite(caller: Caller, kind: ListedKind): boolean {
  return has(writers[kind], caller);
}

function owns(caller: KnownCaller, { author }: { readonly author: number }): boolean {
  return has('contributor', caller) && caller.author === author;
}

/** Checks whether a list shows a record: of the statuses asked for, or of all but trash, those the caller may see. */
export function isShown(entry: Owned, wanted: readonly Status[] | undefined, caller: KnownCaller): boolean {
  if (!mayShow(entry.status, wanted)) return false;
  return entry.status === 'publish' || mayList(caller, entry);
}

/** Checks whether a list shows records of a status at all: it is among those asked for, or all but trash are. */
function mayShow(status: Status, wanted: readonly Status[] | undefined): boolean {
  return isAny(wanted) ? status !== 'trash' : wanted.includes(status);
}

/** Returns the status in effect, as links write it: `any` for callers who may edit and sent no status. */
export function statusInEffect(wanted: readonly Status[] | undefined, caller: KnownCaller): string {
  if (!isAny(wanted)) return wanted.join(',');
  return has('contributor', caller) ? 'any' : 'publish';
}

/** Callers who may edit may leave the status empty, which filters by none. */
function isAny(wanted: readonly Status[] | undefined): wanted is readonly [] | undefined {
  return wanted === undefined || wanted.length === 0;
}
