/**
 * Who may read a record, and, by functions/calendar/model/owner.ts, whose a value is: the rules by which an import decides each field of a
 * record, of sites and of files alike. It knows what the source says, what was imported of it last, and what is here now.
 *
 * A value that nobody has changed here follows the source; one that people have changed here stays. One that both have changed stays, and
 * is listed with both values. Times of change are asked only where no earlier import has noted anything.
 */

import { type Note, type Owner, ownerOf, type Sides } from '../../../functions/calendar/model/owner.ts';
import type { PasswordHash, Status } from '../../../functions/calendar/model/values.ts';
import { digestOf, noDigest } from './fields.ts';

/** Who may read a record in its source. */
export interface AccessThere {
  readonly status: Status;
  /** Whether it has a password. */
  readonly isLocked: boolean;
  /** The hash of its password, where that is known. */
  readonly password?: PasswordHash | undefined;
}

/** Who may read a record here. */
export interface AccessHere {
  readonly status: Status;
  readonly access_password?: PasswordHash | undefined;
}

export interface AccessDecision extends AccessHere {
  /** `published`: people have published it here after its source had withdrawn it, so that it stays. */
  readonly owner: Owner | 'published';
  readonly notes: AccessNotes;
}

/** What is noted of the status, and of the password; undefined: nothing. */
export interface AccessNotes {
  readonly status: Note | undefined;
  readonly access_password: Note | undefined;
}

/** Names who may read a record. */
function wordOf(status: Status, isLocked: boolean): string {
  return isLocked ? `${status} locked` : status;
}

/** How many may read a record, by the digest of its word: everybody, those who have its password, or nobody. */
const openness = new Map([
  [digestOf(wordOf('publish', false)), 2],
  [digestOf(wordOf('publish', true)), 1],
]);
const opennessOf = (digest: string) => openness.get(digest) ?? 0;

/**
 * Decides who may read a record. It counts on its own: what the source withdraws is withdrawn here, whatever else was edited; but what people
 * have published here after that was imported. What people have moved to the trash stays there.
 */
export function decideAccess(
  there: AccessThere,
  here: AccessHere,
  { status: note, access_password: passwordNote }: AccessNotes,
  isNewerHere: boolean,
): AccessDecision {
  const stored = storedAccess(there, here);
  const sides = {
    there: digestOf(wordOf(there.status, there.isLocked)),
    stored: digestOf(wordOf(stored.status, stored.access_password !== undefined)),
    here: digestOf(wordAt(here, note)),
  };
  const owner = accessOwner(sides, note, isNewerHere);
  const isAgreed = owner === 'source' || sides.stored === sides.here;
  // Which password somebody has set is not known from its digest: one that was set here stays.
  const isPasswordHere =
    passwordNote?.here !== undefined && digestOf(here.access_password) !== passwordNote.here;
  // What people have withdrawn here does not come back with a source that has withdrawn it, too, for a while.
  const isWithdrawnHere =
    note?.here !== undefined && sides.here !== note.here && opennessOf(sides.here) < opennessOf(note.here);
  const isTaken = isAgreed && !(owner === 'same' && isPasswordHere);
  const access_password = isTaken ? stored.access_password : here.access_password;
  return {
    status: owner === 'source' ? stored.status : here.status,
    access_password,
    owner,
    notes: {
      // What the source says counts as seen, also where it stays as it is here.
      status:
        isAgreed && !(owner === 'same' && isWithdrawnHere)
          ? { there: sides.there, here: sides.stored }
          : note && { ...note, there: sides.there },
      access_password: isTaken ? { there: noDigest, here: digestOf(access_password) } : passwordNote,
    },
  };
}

/** Returns how a record of the source is stored: without its password it is private. */
export function storedAccess(there: AccessThere, here?: AccessHere): AccessHere {
  const { status, isLocked, password } = there;
  if (!isLocked) return { status };
  const access_password = password ?? here?.access_password;
  if (access_password !== undefined) return { status, access_password };
  return { status: status === 'publish' || status === 'future' ? 'private' : status };
}

/** Names who may read a record here. One that the clock has published, as it was imported, is scheduled. */
function wordAt({ status, access_password }: AccessHere, note: Note | undefined): string {
  const isByClock = status === 'publish' && note?.here === digestOf(wordOf('future', false));
  return wordOf(isByClock ? 'future' : status, access_password !== undefined);
}

function accessOwner(sides: Sides, note: Note | undefined, isNewerHere: boolean): AccessDecision['owner'] {
  if (sides.stored === sides.here) return 'same';
  const now = opennessOf(sides.there);
  if (now >= opennessOf(sides.here)) return ownerOf(sides, note, isNewerHere);
  return note === undefined || opennessOf(note.there) > now ? 'source' : 'published';
}
