/** What callers do to events, venues and organizers: the rights are asked here (behaviour sections 12 to 14). */

import { CodedError } from '../../errors.ts';
import type { AnyPost, PasswordHash, PostKind, Status } from '../model/records.ts';
import { has, type KnownCaller, mayEdit } from '../model/rights.ts';
import { organizerFields, venueFields } from '../parameters/contact-fields.ts';
import { eventFields } from '../parameters/event-fields.ts';
import { type ParameterTable, readParameters, type Sent } from '../parameters/parameter.ts';
import type { Target } from '../parameters/target.ts';
import { notAllowed, readOnly } from '../problems.ts';
import type { EventEntry, OrganizerEntry, PostEntry, VenueEntry } from '../replica/entries.ts';
import { saveOrganizer, saveVenue } from './save-contact.ts';
import { saveEvent } from './save-event.ts';
import type { Write } from './write.ts';

/** The fields of each kind, in the order of the specification. */
export const postFields = { event: eventFields, venue: venueFields, organizer: organizerFields } as const;

/** Values of any of the three tables. */
interface PostValues {
  readonly status?: Status;
}

interface Saving {
  readonly sent: Sent;
  /** Hash of the event password that was sent, when it is not empty. */
  readonly password?: PasswordHash | undefined;
}

/** Creates an event, venue or organizer; gives its record. */
export function createPost(write: Write, kind: PostKind, { sent, password }: Saving): AnyPost {
  const { surroundings } = write;
  const action = `create the ${kind}`;
  mustBeSignedIn(surroundings.caller, action);
  const values = readParameters(postFields[kind], sent, surroundings, { isCreate: true });
  if (!has('contributor', surroundings.caller)) throw notAllowed(surroundings.caller, action);
  return save(write, kind, undefined, values, password);
}

/** Updates an event, venue or organizer: what is not sent stays as it was. */
export function updatePost(write: Write, target: Target, { sent, password }: Saving): AnyPost {
  const { kind, parameters } = target;
  const [entry, values] = writable(write, target, `update the ${kind}`, sent, {
    ...parameters,
    ...postFields[kind],
  });
  return save(write, kind, entry, values, password);
}

/** Moves an event, venue or organizer to the trash; what is there already is gone (410). */
export function trashPost(write: Write, target: Target, sent: Sent): AnyPost {
  const { kind, parameters } = target;
  const [entry] = writable(write, target, `delete the ${kind}`, sent, parameters);
  if (entry.status === 'trash')
    throw new CodedError(`${kind}-is-in-trash`, `Cannot delete the ${kind}: it is in the trash already.`);
  return save(write, kind, entry, { status: 'trash' });
}

/** Gives a record that the caller may write to, with the values sent. A bad path is told before the caller is asked for; bad values before an unknown event. */
function writable(
  write: Write,
  target: Target,
  action: string,
  sent: Sent,
  table: ParameterTable,
): readonly [PostEntry, PostValues] {
  const { surroundings } = write;
  if (Object.keys(target.faults).length === 0) mustBeSignedIn(surroundings.caller, action);
  const values: PostValues = readParameters(table, sent, surroundings, target);
  const entry = target.entry();
  if (!mayEdit(surroundings.caller, entry)) throw notAllowed(surroundings.caller, action, readOnly);
  return [entry, values];
}

function mustBeSignedIn(caller: KnownCaller, action: string): void {
  if (caller.subject === undefined) throw notAllowed(caller, action);
}

function save(
  write: Write,
  kind: PostKind,
  before: PostEntry | undefined,
  values: PostValues,
  password?: PasswordHash,
): AnyPost {
  switch (kind) {
    case 'event':
      return saveEvent(write, before as EventEntry | undefined, values, password);
    case 'venue':
      return saveVenue(write, before as VenueEntry | undefined, values);
    case 'organizer':
      return saveOrganizer(write, before as OrganizerEntry | undefined, values);
  }
}
