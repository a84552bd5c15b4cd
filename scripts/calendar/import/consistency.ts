/** Checks the records of an import together: ids and slugs are unique, links lead to records, and categories have no cycles. */

import type { IdSpace } from '../../../functions/calendar/log/log.ts';
import type { CalendarRecord, EventRecord } from '../../../functions/calendar/model/records.ts';
import { type Kind, type Link, linkedId } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';

/** Levels of categories that a write accepts. */
const maxDepth = 50;

/** Where the ids of each kind are counted. */
export const idSpaces: Readonly<Record<Kind, IdSpace>> = {
  event: 'post',
  venue: 'post',
  organizer: 'post',
  image: 'post',
  series: 'post',
  category: 'term',
  tag: 'term',
  author: 'user',
};

/** Checks whether a record exists, here or in the import. */
export type Exists = (kind: CalendarRecord['kind'], id: number) => boolean;

/** The facts about all records of an import. */
export interface Survey {
  /** Keys of records that must not be imported. */
  readonly rejected: ReadonlySet<string>;
  readonly exists: Exists;
  /** Keys of the records that are imported. */
  readonly keys: ReadonlySet<string>;
}

/** Reads all records once. Calls `reject` for a record that repeats an id or a slug, and for a category in a cycle. */
export function surveyOf(
  records: Iterable<{ readonly record: CalendarRecord }>,
  replica: CalendarReplica,
  reject: (key: string, reason: string) => void,
): Survey {
  const holders = new Map<string, string>();
  const keys = new Set<string>();
  const rejected = new Set<string>();
  const parents = new Map<number, number>();
  for (const { record } of records) {
    const key = keyOf(record);
    const names = namesOf(record);
    const taken = names.find((name) => holders.has(name));
    if (taken !== undefined) {
      reject(key, `its ${taken.split(' ', 1)[0]} is that of ${holders.get(taken)}`);
      // A second record of the same key must not reject the first.
      if (!keys.has(key)) rejected.add(key);
      continue;
    }
    for (const name of names) holders.set(name, key);
    keys.add(key);
    if (record.kind === 'category') parents.set(record.id, record.parent ?? 0);
  }
  for (const id of cyclicCategories(parents, replica)) {
    reject(`category/${id}`, `its parents are in a circle, or more than ${maxDepth}`);
    rejected.add(`category/${id}`);
    keys.delete(`category/${id}`);
  }
  return { rejected, exists: existenceIn(keys, replica), keys };
}

function namesOf(record: CalendarRecord): string[] {
  const names = [`id ${idSpaces[record.kind]}/${record.id}`];
  return 'slug' in record ? [...names, `slug ${record.kind} ${record.slug}`] : names;
}

/** Returns the ids of categories whose parents are in a circle, or deeper than a write accepts. */
function cyclicCategories(parents: ReadonlyMap<number, number>, { terms }: CalendarReplica): number[] {
  const parentOf = (id: number): number => parents.get(id) ?? terms.get(id)?.parent ?? 0;
  return [...parents.keys()].filter((category) => {
    let depth = 1;
    for (let id = parentOf(category); id !== 0 && depth <= maxDepth; id = parentOf(id)) depth += 1;
    return depth > maxDepth;
  });
}

/** Returns the check whether a record exists, here or among keys. A term that people have deleted here is not imported again. */
function existenceIn(keys: ReadonlySet<string>, replica: CalendarReplica): Exists {
  return (kind, id) => {
    const isTerm = kind === 'category' || kind === 'tag';
    if (isTerm && replica.terms.signpost(id)?.follows !== undefined) return false;
    if (keys.has(`${kind}/${id}`)) return true;
    if (kind === 'author') return replica.author(id) !== undefined;
    if (kind === 'image') return replica.image(id) !== undefined;
    if (isTerm) return replica.terms.get(id, kind) !== undefined;
    if (kind === 'series') return replica.series.get(id) !== undefined;
    return replica.posts[kind].get(id) !== undefined;
  };
}

/** Returns a record without links that lead nowhere: a record that is created later may get such an id. */
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

function eventLinks(
  { categories, tags, venue, organizer, post_parent, series }: EventRecord,
  exists: Exists,
) {
  const live = (kind: 'venue' | 'organizer', links: readonly Link[] = []) =>
    links.filter((link) => exists(kind, linkedId(link)));
  return {
    categories: categories?.filter((id) => exists('category', id)),
    tags: tags?.filter((id) => exists('tag', id)),
    venue: live('venue', venue),
    organizer: live('organizer', organizer),
    post_parent: post_parent !== undefined && exists('event', post_parent) ? post_parent : undefined,
    series: series !== undefined && exists('series', series.id) ? series : undefined,
  };
}
