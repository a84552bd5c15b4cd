/** Reading and writing one event, venue or organizer. */

import type { Answered, Calendar, CalendarRequest, Desk } from '../calendar.ts';
import { hashPassword } from '../passwords.ts';
import { invalidParameter } from '../problems.ts';
import type { AnyPost, PasswordHash, PostKind } from '../records.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import { createPost, trashPost, updatePost } from '../writes/post-operations.ts';
import { findPost, mustBeOpen, mustBeReadable, type Named } from './find.ts';
import { mustMatch } from './match.ts';

/** A record as JSON text. `version` names its present state. */
export interface Item {
  readonly text: string;
  readonly version: number;
  /** Last change in UTC, `YYYY-MM-DD HH:MM:SS`; absent for terms. */
  readonly modified?: string;
}

/** Reads a record. */
export function readPost(
  kind: PostKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Answered<Item>> {
  return calendar.read(request, ({ surroundings, renderer, isOpen }) => {
    const entry = findPost(kind, named, 'read', surroundings);
    const { password, context } = request.sent;
    if (kind === 'event' && password === '') throw invalidParameter('password', 'must not be empty');
    mustBeReadable(entry, surroundings.caller);
    if (kind === 'event') mustBeOpen(isOpen(entry as EventEntry), surroundings.caller, context);
    const text = renderer.post(entry, { caller: surroundings.caller, jsonLd: true, isOpen: () => true });
    return itemOf(entry, text);
  });
}

/** Creates a record. */
export async function addPost(kind: PostKind, calendar: Calendar, request: CalendarRequest): Promise<Item> {
  const password = await passwordOf(request);
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
  const password = await passwordOf(request);
  const { sent, ifMatch } = request;
  return calendar.write(
    request,
    (write) => {
      const entry = findPost(kind, named, 'update', write.surroundings);
      const record = updatePost(write, entry, { sent, password });
      mustMatch(entry.version, ifMatch);
      return record;
    },
    writtenItem,
  );
}

/** Moves a record to the trash. */
export function removePost(
  kind: PostKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Item> {
  return calendar.write(
    request,
    (write) => {
      const entry = findPost(kind, named, 'delete', write.surroundings);
      const record = trashPost(write, entry);
      mustMatch(entry.version, request.ifMatch);
      return record;
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
  return { text, version, modified: record.modified_utc };
}

/** Only signed-in callers may set a password, so only for them the work of hashing is done. */
async function passwordOf({ sent, caller }: CalendarRequest): Promise<PasswordHash | undefined> {
  const password = sent['access_password'];
  const isSet = caller.subject !== undefined && typeof password === 'string' && password !== '';
  return isSet ? hashPassword(password) : undefined;
}
