/** Checks the records of an import together: ids and slugs are unique, links lead to records, and categories have no cycles. */

import type { CalendarRecord, EventRecord, TermRecord } from '../../../../shared/calendar/model/records.ts';
import type { Link } from '../../../../shared/calendar/model/values.ts';
import { keyOf } from '../../../../shared/calendar/replica/entries.ts';
import { type CalendarReplica, linkedId } from '../../../../shared/calendar/replica/replica.ts';

/** Levels of categories that a write accepts. */
const maxDepth = 50;

const idSpaces = {
  ...{ event: 'post', venue: 'post', organizer: 'post', image: 'post' },
  ...{ category: 'term', tag: 'term', author: 'user' },
} as const;

/** Returns the first of each records with one id or slug; calls `reject` with the others and the reason. */
export function uniqueRecords(
  records: readonly CalendarRecord[],
  reject: (key: string, reason: string) => void,
): CalendarRecord[] {
  const holders = new Map<string, string>();
  return records.filter((record) => {
    const key = keyOf(record);
    const names = [`id ${idSpaces[record.kind]}/${record.id}`];
    if ('slug' in record) names.push(`slug ${record.kind} ${record.slug}`);
    const taken = names.find((name) => holders.has(name));
    if (taken !== undefined) {
      reject(key, `its ${taken.split(' ', 1)[0]} is that of ${holders.get(taken)}`);
      return false;
    }
    for (const name of names) holders.set(name, key);
    return true;
  });
}

/** Returns the records without categories whose parents are in a circle, or deeper than a write accepts. */
export function withoutCycles(
  records: readonly CalendarRecord[],
  replica: CalendarReplica,
  reject: (key: string, reason: string) => void,
): CalendarRecord[] {
  const categories = new Map(records.flatMap((item) => (item.kind === 'category' ? [[item.id, item]] : [])));
  const parentOf = (id: number): number =>
    (categories.get(id) as TermRecord | undefined)?.parent ?? replica.terms.get(id)?.parent ?? 0;
  return records.filter((record) => {
    if (record.kind !== 'category') return true;
    let depth = 1;
    for (let id = parentOf(record.id); id !== 0 && depth <= maxDepth; id = parentOf(id)) depth += 1;
    if (depth > maxDepth) reject(keyOf(record), `its parents are in a circle, or more than ${maxDepth}`);
    return depth <= maxDepth;
  });
}

/**
 * Returns the check whether a record of a key exists, here or in the import. A link to another id is dropped: a record that is created
 * later may get that id.
 */
export function existenceIn(records: readonly CalendarRecord[], replica: CalendarReplica) {
  const keys = new Set(records.map(keyOf));
  return (kind: CalendarRecord['kind'], id: number): boolean => {
    if (keys.has(`${kind}/${id}`)) return true;
    if (kind === 'author') return replica.author(id) !== undefined;
    if (kind === 'image') return replica.image(id) !== undefined;
    if (kind === 'category' || kind === 'tag') return replica.terms.get(id, kind) !== undefined;
    return replica.posts[kind].get(id) !== undefined;
  };
}

type Exists = ReturnType<typeof existenceIn>;

/** Returns a record without links that lead nowhere. */
export function withLiveLinks<R extends CalendarRecord>(record: R, exists: Exists): R {
  if (!('image' in record) && record.kind !== 'event') return record;
  const links = record.kind === 'event' ? eventLinks(record, exists) : {};
  const { image } = record as EventRecord;
  const all = { image: image !== undefined && exists('image', image) ? image : undefined, ...links };
  const present = Object.entries({ ...record, ...all }).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(present) as unknown as R;
}

function eventLinks({ categories, tags, venue, organizer, post_parent }: EventRecord, exists: Exists) {
  const live = (kind: 'venue' | 'organizer', links: readonly Link[] = []) =>
    links.filter((link) => exists(kind, linkedId(link)));
  return {
    categories: categories?.filter((id) => exists('category', id)),
    tags: tags?.filter((id) => exists('tag', id)),
    venue: live('venue', venue),
    organizer: live('organizer', organizer),
    post_parent: post_parent !== undefined && exists('event', post_parent) ? post_parent : undefined,
  };
}
