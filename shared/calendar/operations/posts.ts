/** Reading and writing one event, venue or organizer. */

import type { Answered, Calendar, CalendarRequest, Desk } from '../calendar.ts';
import type { AnyPost, PasswordHash, PostKind } from '../model/records.ts';
import { mayEdit } from '../model/rights.ts';
import { readParameters } from '../parameters/parameter.ts';
import type { Target } from '../parameters/target.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import { createPost, trashPost, updatePost } from '../writes/post-operations.ts';
import type { Write } from '../writes/write.ts';
import { findPost, type Intent, mustBeOpen, mustBeReadable, type Named } from './find.ts';
import type { Item } from './item.ts';
import { mustMatch } from './match.ts';

/** Reads a record. */
export function readPost(
  kind: PostKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Answered<Item>> {
  return calendar.read(request, ({ surroundings, renderer, isOpen }) => {
    const target = findPost(kind, named, 'read', surroundings);
    readParameters(target.parameters, request.sent, surroundings, target);
    const entry = target.entry();
    mustBeReadable(entry, surroundings.caller);
    if (kind === 'event')
      mustBeOpen(isOpen(entry as EventEntry), surroundings.caller, request.sent['context']);
    const text = renderer.post(entry, { caller: surroundings.caller, jsonLd: true, isOpen: () => true });
    return { ...itemOf(entry, text), readOnly: !mayEdit(surroundings.caller, entry) };
  });
}

/** Creates a record. */
export async function addPost(kind: PostKind, calendar: Calendar, request: CalendarRequest): Promise<Item> {
  const password = await passwordOf(calendar, request);
  const { sent } = request;
  return calendar.write(request, (write) => createPost(write, kind, { sent, password }), writtenItem);
}

/** Updates a record. */
export async function changePost(
  kind: PostKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Item> {
  const saving = { sent: request.sent, password: await passwordOf(calendar, request) };
  return writeTo(kind, named, 'update', calendar, request, (write, target) =>
    updatePost(write, target, saving),
  );
}

/** Moves a record to the trash. */
export function removePost(
  kind: PostKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Item> {
  return writeTo(kind, named, 'delete', calendar, request, (write, target) =>
    trashPost(write, target, request.sent),
  );
}

/** Writes to a record that exists, and answers the record that the write gives. */
function writeTo(
  kind: PostKind,
  named: Named,
  intent: Intent,
  calendar: Calendar,
  request: CalendarRequest,
  change: (write: Write, target: Target) => AnyPost,
): Promise<Item> {
  return calendar.write(
    request,
    (write) => {
      const target = findPost(kind, named, intent, write.surroundings);
      const changed = change(write, target);
      mustMatch(target.entry().version, request.ifMatch);
      return changed;
    },
    writtenItem,
  );
}

function writtenItem({ kind, id }: AnyPost, { surroundings, renderer, isOpen }: Desk): Item {
  const entry: PostEntry | undefined = surroundings.replica.posts[kind].get(id);
  if (entry === undefined) throw new TypeError(`The ${kind} ${id} was written and is not there.`);
  return itemOf(entry, renderer.post(entry, { caller: surroundings.caller, isOpen }));
}

function itemOf({ record, version }: PostEntry, text: string): Item {
  return { id: record.id, text, version, modified: record.modified_utc };
}

/** Only signed-in callers may set a password, so only for them the work of hashing is done. */
async function passwordOf(
  calendar: Calendar,
  { sent, caller }: CalendarRequest,
): Promise<PasswordHash | undefined> {
  const password = sent['access_password'];
  const isSet = caller.subject !== undefined && typeof password === 'string' && password !== '';
  return isSet ? calendar.hashPassword(password) : undefined;
}
