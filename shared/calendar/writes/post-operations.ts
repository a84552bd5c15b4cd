/** What callers do to events, venues and organizers: the rights are asked here (behaviour sections 12 to 14). */

import { has, mayEdit } from '../caller.ts';
import { organizerFields, venueFields } from '../parameters/contact-fields.ts';
import { eventFields } from '../parameters/event-fields.ts';
import { readParameters, type Sent } from '../parameters/parameter.ts';
import { notAllowed, problem, readOnly } from '../problems.ts';
import type { AnyPost, PasswordHash, PostKind, Status } from '../records.ts';
import type { EventEntry, OrganizerEntry, PostEntry, VenueEntry } from '../replica/entries.ts';
import { saveOrganizer, saveVenue } from './save-contact.ts';
import { saveEvent } from './save-event.ts';
import type { Write } from './write.ts';

/** The fields of each kind, in the order of the specification. */
export const postFields = { event: eventFields, venue: venueFields, organizer: organizerFields } as const;

interface Saving {
  readonly sent: Sent;
  /** Hash of the event password that was sent, when it is not empty. */
  readonly password?: PasswordHash | undefined;
}

/** Creates an event, venue or organizer; gives its record. */
export function createPost(write: Write, kind: PostKind, saving: Saving): AnyPost {
  const { caller } = write.surroundings;
  const action = `create the ${kind}`;
  if (caller.subject === undefined) throw notAllowed(caller, action);
  const save = prepare(write, kind, undefined, saving);
  if (!has('contributor', caller)) throw notAllowed(caller, action);
  return save();
}

/** Updates an event, venue or organizer: what is not sent stays as it was. */
export function updatePost(write: Write, entry: PostEntry, saving: Saving): AnyPost {
  const { caller } = write.surroundings;
  const action = `update the ${entry.record.kind}`;
  if (caller.subject === undefined) throw notAllowed(caller, action);
  const save = prepare(write, entry.record.kind, entry, saving);
  if (!mayEdit(caller, entry)) throw notAllowed(caller, action, readOnly);
  return save();
}

/** Moves an event, venue or organizer to the trash; what is there already is gone (410). */
export function trashPost(write: Write, entry: PostEntry): AnyPost {
  const { kind } = entry.record;
  const { caller } = write.surroundings;
  if (!mayEdit(caller, entry)) throw notAllowed(caller, `delete the ${kind}`, readOnly);
  if (entry.status === 'trash')
    throw problem('gone', `${kind}-is-in-trash`, `Cannot delete the ${kind}: it is in the trash already.`);
  return saver(write, kind, entry, { status: 'trash' })();
}

/** Reads the values for a save, which is done afterwards, once the caller is known to have the right. */
function prepare(
  write: Write,
  kind: PostKind,
  before: PostEntry | undefined,
  { sent, password }: Saving,
): () => AnyPost {
  const values = readParameters(postFields[kind], sent, write.surroundings, {
    isCreate: before === undefined,
  });
  return saver(write, kind, before, values, password);
}

function saver(
  write: Write,
  kind: PostKind,
  before: PostEntry | undefined,
  values: { readonly status?: Status },
  password?: PasswordHash,
): () => AnyPost {
  switch (kind) {
    case 'event':
      return () => saveEvent(write, before as EventEntry | undefined, values, password);
    case 'venue':
      return () => saveVenue(write, before as VenueEntry | undefined, values);
    case 'organizer':
      return () => saveOrganizer(write, before as OrganizerEntry | undefined, values);
  }
}
