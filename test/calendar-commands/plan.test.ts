/** The classification of records by the records with their ids and slugs in the calendar. */

import { describe, expect, test } from 'vitest';
import type { CalendarRecord } from '../../functions/calendar/model/records.ts';
import { CalendarReplica } from '../../functions/calendar/replica/replica.ts';
import { type ImportPlan, importDecision, planImport } from '../../scripts/calendar/import/plan.ts';

const source = 'https://old.example.org';
const times = {
  date: '2030-01-01 01:00:00',
  date_utc: '2030-01-01 00:00:00',
  modified: '2030-01-02 01:00:00',
};
const post = {
  author: 3,
  status: 'publish',
  title: 'Title',
  slug: 'slug',
  ...times,
  modified_utc: '2030-01-02 00:00:00',
};
const event = {
  kind: 'event',
  id: 10,
  ...post,
  timezone: 'UTC',
  start_date: '2030-05-01 10:00:00',
  end_date: '2030-05-01 12:00:00',
  utc_start_date: '2030-05-01 10:00:00',
  utc_end_date: '2030-05-01 12:00:00',
} as unknown as CalendarRecord;
const venue = { kind: 'venue', id: 11, ...post } as unknown as CalendarRecord;
const organizer = { kind: 'organizer', id: 12, ...post } as unknown as CalendarRecord;
const image = { kind: 'image', id: 13, url: 'https://old.example.org/2030/a.jpg' } as CalendarRecord;
const category = { kind: 'category', id: 3, name: 'Music', slug: 'music' } as CalendarRecord;
const tag = { kind: 'tag', id: 4, name: 'Loud', slug: 'loud' } as CalendarRecord;
const author = { kind: 'author', id: 3, subject: `import:${source}#3` } as CalendarRecord;
const all = [event, venue, organizer, image, category, tag, author];

const keyOf = ({ kind, id }: CalendarRecord) => `${kind}/${id}`;

function replicaOf(...records: readonly CalendarRecord[]): CalendarReplica {
  const replica = new CalendarReplica();
  replica.apply(
    records.map((record, index) => ({
      key: keyOf(record),
      json: JSON.stringify(record),
      version: index + 1,
    })),
  );
  return replica;
}

/** Returns the classification of a record in a calendar with other records. */
function classify(record: CalendarRecord, ...current: readonly CalendarRecord[]): string {
  const plan = planImport([record], source, replicaOf(...current));
  const groups = Object.entries(plan) as [keyof ImportPlan, ImportPlan[keyof ImportPlan]][];
  return groups
    .flatMap(([name, group]) => ((typeof group === 'number' ? group : group.length) === 0 ? [] : [name]))
    .join();
}

const changed = (record: CalendarRecord, fields: object) => ({ ...record, ...fields }) as CalendarRecord;

describe('an import', () => {
  test.each(all.map((record) => [record.kind, record] as const))('creates a new %s', (_kind, record) => {
    expect(classify(record)).toBe('created');
    expect(classify(record, ...all.filter((item) => item !== record))).toBe('created');
  });

  test.each(all.map((record) => [record.kind, record] as const))('leaves the same %s', (_kind, record) => {
    expect(classify(record, ...all)).toBe('unchanged');
  });

  test.each<[title: string, record: CalendarRecord, current: CalendarRecord, group: string]>([
    ['a post by its publication', changed(event, { title: 'New' }), changed(event, { author: 9 }), 'changed'],
    [
      'a venue by its publication',
      changed(venue, { title: 'New' }),
      changed(venue, { author: 9 }),
      'changed',
    ],
    [
      'a post by its author from there',
      changed(event, { date_utc: '2031-01-01 00:00:00' }),
      event,
      'changed',
    ],
    [
      'a post of another author with another publication',
      changed(event, { date_utc: '2031-01-01 00:00:00' }),
      changed(event, { author: 9 }),
      'conflicts',
    ],
    ['another kind of post under its id', changed(venue, { id: 10 }), event, 'conflicts'],
    ['a post under the id of an image', changed(venue, { id: 13 }), image, 'conflicts'],
    ['a tag under the id of a category', changed(tag, { id: 3 }), category, 'conflicts'],
    ['an image by its file', changed(image, { url: 'https://new.example.org/x/a.jpg' }), image, 'changed'],
    [
      'an image of another file of its site',
      changed(image, { url: 'https://old.example.org/2030/b.jpg' }),
      image,
      'changed',
    ],
    [
      'an image of another file of another site',
      changed(image, { url: 'https://other.example.org/2030/b.jpg' }),
      image,
      'conflicts',
    ],
    ['a term by its slug', changed(category, { name: 'Tunes' }), category, 'changed'],
    ['a term by its name', changed(tag, { slug: 'noisy' }), tag, 'changed'],
    ['another term', changed(tag, { slug: 'noisy', name: 'Noisy' }), tag, 'conflicts'],
    ['another author', changed(author, { subject: 'somebody' }), author, 'conflicts'],
    ['a slug of another event', changed(event, { id: 20 }), event, 'conflicts'],
    ['a slug of another term', changed(category, { id: 20 }), category, 'conflicts'],
    ['a slug of another kind of post', changed(event, { id: 20 }), venue, 'created'],
    ['a slug of another kind of term', changed(tag, { id: 20, slug: 'music' }), category, 'created'],
    [
      'a record with a later change in the calendar',
      changed(event, { title: 'New' }),
      changed(event, { modified_utc: '2030-01-02 00:00:01' }),
      'changedHere',
    ],
    [
      'a record with a later change in the source',
      changed(event, { modified_utc: '2030-01-02 00:00:01' }),
      event,
      'changed',
    ],
  ])('classifies %s', (_title, record, current, group) => {
    expect(classify(record, author, current)).toBe(group);
  });

  test('classifies a changed slug that another event has', () => {
    const taken = changed(event, { id: 20, slug: 'taken' });
    expect(classify(changed(event, { slug: 'taken' }), author, event, taken)).toBe('conflicts');
  });

  test('writes new and changed records, and reserves the ids that the source may give', () => {
    const records = [
      changed(event, { title: 'New' }),
      image,
      changed(category, { id: 30, slug: 'x' }),
      tag,
      author,
    ];
    const { puts, deletes, usedIds, result } = importDecision(records, source, replicaOf(author, event, tag));
    expect({
      puts: puts.map(({ key, json }) => [key, JSON.parse(json ?? '')]),
      deletes,
      usedIds,
      result,
    }).toEqual({
      puts: [records[1], records[2], records[0]].map((record) => [keyOf(record as CalendarRecord), record]),
      deletes: [],
      usedIds: { post: 2_000_000_000, term: 2_000_000_000, user: 2_000_000_000 },
      result: 3,
    });
  });
});

test('records() returns all records, linked records first', () => {
  const replica = replicaOf(event, organizer, venue, category, tag, image, author);
  expect(replica.records()).toEqual([author, image, category, tag, venue, organizer, event]);
});
