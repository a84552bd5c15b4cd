/** An earlier version of an event, venue or organizer put back: an ordinary change, decided on the present one (docs/calendar-contract.md, "History"). */

import { postFields } from '../model/fields/posts.ts';
import { translatedOf } from '../model/fields/table.ts';
import type { AnyPost } from '../model/records.ts';
import { mayRead, mayReadImage } from '../model/rights.ts';
import { type Link, type LinkedKind, linkedId, type PostKind } from '../model/values.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';

/** What stays as it is: whose a record is and who sees it, its address, and its password. */
const kept = ['author', 'status', 'date', 'date_utc', 'slug', 'access_password', 'review_note'];

/** A record with the content of an earlier version, and the fields that lack what is not there any more, or not for the caller. */
export interface Restored {
  readonly record: AnyPost;
  readonly leftOut: readonly string[];
}

/** Returns the names under which the content of a kind is stored. */
function contentOf(kind: PostKind): readonly string[] {
  const fields = postFields[kind];
  const sent = Object.entries(fields).flatMap(([name, { parameter, storedAs = name }]) =>
    parameter === undefined || kept.includes(name) ? [] : [storedAs],
  );
  const texts = translatedOf(fields).map(([stored]) => stored);
  const dates = kind === 'event' ? ['utc_start_date', 'utc_end_date'] : [];
  return [...new Set([...sent, ...texts, ...dates, 'translations', 'translated_from'])];
}

/** Returns a record with the content that it had in an earlier version. Links to what is gone are left out: nothing that was deleted comes back with it. */
export function withContentOf(past: AnyPost, present: PostEntry, context: ReplicaContext): Restored {
  const { kind } = present.record;
  const names = contentOf(kind);
  const ofContent = (record: object, isContent: boolean) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name) === isContent));
  const content: Record<string, unknown> = ofContent(past, true);
  const leftOut: string[] = [];
  for (const [name, keep] of Object.entries(referencesOf(present, context))) {
    const before = content[name];
    if (before === undefined) continue;
    const after = keep(before);
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    leftOut.push(name);
    if (after === undefined) delete content[name];
    else content[name] = after;
  }
  const record = { ...ofContent(present.record, false), ...content } as unknown as AnyPost;
  return { record, leftOut };
}

type Keep = (value: unknown) => unknown;

/** Returns, for each field that refers to others, what remains of its value: what is there, and what the caller may refer to. */
function referencesOf({ record }: PostEntry, context: ReplicaContext): Readonly<Record<string, Keep>> {
  const { replica, caller } = context;
  const present = record as Partial<EventEntry['record']>;
  const image: Keep = (id) => {
    const found = replica.image(id as number);
    if (found === undefined) return undefined;
    return found.id === record.image || mayReadImage(caller, found, replica) ? id : undefined;
  };
  if (record.kind !== 'event') return { image };
  const links =
    (kind: LinkedKind): Keep =>
    (value) => {
      const ids = (present[kind] ?? []).map(linkedId);
      const live = (value as readonly Link[]).filter((link) => {
        const [entry] = replica.linked(kind, [link]) as readonly PostEntry[];
        return entry !== undefined && (ids.includes(entry.record.id) || mayRead(caller, entry));
      });
      return live.length === 0 ? undefined : live;
    };
  const terms: Keep = (value) => {
    const live = (value as readonly number[]).filter((id) => replica.terms.get(id) !== undefined);
    return live.length === 0 ? undefined : live;
  };
  const post_parent: Keep = (id) => {
    const entry = replica.posts.event.get(id as number);
    const isThere = entry !== undefined && entry.status !== 'trash';
    return isThere && (id === present.post_parent || mayRead(caller, entry)) ? id : undefined;
  };
  return {
    image,
    venue: links('venue'),
    organizer: links('organizer'),
    categories: terms,
    tags: terms,
    post_parent,
  };
}
