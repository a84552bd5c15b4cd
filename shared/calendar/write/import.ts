/** Putting records of another calendar into this one under the ids that they have there. */

import { isDeepStrictEqual } from 'node:util';
import type { Decision, IdSpace } from '../log/log.ts';
import type { AnyPost, CalendarRecord, TermRecord } from '../model/records.ts';
import type { Kind } from '../model/values.ts';
import { keyOf } from '../replica/entries.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { importedSubject } from './imported.ts';

/** What an import would do with each record. */
export interface ImportPlan {
  readonly created: readonly CalendarRecord[];
  readonly changed: readonly CalendarRecord[];
  readonly unchanged: number;
  /** Records that were changed here after their last change there: they stay as they are. */
  readonly changedHere: readonly CalendarRecord[];
  /** Records whose id or slug another record has here. */
  readonly taken: readonly CalendarRecord[];
}

const spaces: Readonly<Record<Kind, IdSpace>> = {
  ...{ event: 'post', venue: 'post', organizer: 'post', image: 'post' },
  ...{ category: 'term', tag: 'term', author: 'user' },
};

/** Records that one write takes: each that replaces another touches two rows of a hundred. */
export const maxImported = 45;

/** Compares records of a source with those that are here. Changes nothing. */
export function planImport(
  records: readonly CalendarRecord[],
  source: string,
  replica: CalendarReplica,
): ImportPlan {
  const groups = Map.groupBy(records, (record) => fate(record, source, replica));
  const of = (name: Fate) => groups.get(name) ?? [];
  return {
    created: of('created'),
    changed: of('changed'),
    unchanged: of('unchanged').length,
    changedHere: of('changedHere'),
    taken: of('taken'),
  };
}

/** Decides a write of some records, at most `maxImported`: those that are still new or changed. Its result is how many. */
export function importDecision(
  records: readonly CalendarRecord[],
  source: string,
  replica: CalendarReplica,
): Decision<number> {
  const { created, changed } = planImport(records, source, replica);
  const written = [...created, ...changed];
  const largest = (space: IdSpace) =>
    written.reduce((max, { kind, id }) => (spaces[kind] === space ? Math.max(max, id) : max), 0);
  return {
    puts: written.map((record) => ({ key: keyOf(record), json: JSON.stringify(record) })),
    deletes: [],
    usedIds: { post: largest('post'), term: largest('term'), user: largest('user') },
    result: written.length,
  };
}

type Fate = 'created' | 'changed' | 'unchanged' | 'changedHere' | 'taken';

function fate(record: CalendarRecord, source: string, replica: CalendarReplica): Fate {
  const present = presentRecord(record, replica);
  if (isSlugTaken(record, replica)) return 'taken';
  if (present === undefined) return 'created';
  if (!isSame(record, present, source, replica)) return 'taken';
  if (isDeepStrictEqual(stored(record), stored(present))) return 'unchanged';
  return isNewer(present, record) ? 'changedHere' : 'changed';
}

/** Returns what has the id of a record here, in its space of ids. */
function presentRecord({ kind, id }: CalendarRecord, replica: CalendarReplica): CalendarRecord | undefined {
  const space = spaces[kind];
  if (space === 'user') return replica.author(id);
  return space === 'term' ? replica.terms.get(id) : (replica.post(id)?.record ?? replica.image(id));
}

/** Checks whether a record here is the one that came from the source before: a post by its author or its publication, a term by its slug or name, an image by its file. */
function isSame(
  record: CalendarRecord,
  present: CalendarRecord,
  source: string,
  replica: CalendarReplica,
): boolean {
  if (record.kind !== present.kind) return false;
  if (record.kind === 'author') return record.subject === (present as typeof record).subject;
  if (record.kind === 'image') return fileOf(record.url) === fileOf((present as typeof record).url);
  if (isTerm(record)) {
    const { slug, name } = present as TermRecord;
    return slug === record.slug || name === record.name;
  }
  const { author, date_utc } = present as AnyPost;
  const subject = replica.author(author)?.subject ?? '';
  return subject.startsWith(importedSubject(source)) || date_utc === record.date_utc;
}

function isSlugTaken(record: CalendarRecord, replica: CalendarReplica): boolean {
  if (record.kind === 'author' || record.kind === 'image') return false;
  const holder = isTerm(record)
    ? replica.terms.withSlug(record.kind, record.slug)?.id
    : replica.posts[record.kind].withSlug(record.slug)?.record.id;
  return holder !== undefined && holder !== record.id;
}

function isNewer(present: CalendarRecord, record: CalendarRecord): boolean {
  return 'modified_utc' in present && 'modified_utc' in record && present.modified_utc > record.modified_utc;
}

function isTerm(record: CalendarRecord): record is TermRecord {
  return record.kind === 'category' || record.kind === 'tag';
}

function fileOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

/** Returns a record as it reads once it is stored. */
function stored(record: CalendarRecord): object {
  return JSON.parse(JSON.stringify(record));
}
