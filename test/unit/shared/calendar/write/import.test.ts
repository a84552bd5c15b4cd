/** What an import does with each record, by what is here under its id and its slug. */

import { describe, expect, test } from 'vitest';
import type { CalendarRecord } from '../../../../../shared/calendar/model/records.ts';
import { CalendarReplica } from '../../../../../shared/calendar/replica/replica.ts';
import { type ImportPlan, importDecision, planImport } from '../../../../../shared/calendar/write/import.ts';

const source = 'https://old.example.org';
const times = {
  date: '2030-01-01 01:00:00',
  date_utc: '2030-01-01 00:00:00',
  modified: '2030-01-02 01:00:00',
};
const post = {
  ...{ author: 3, status: 'publish', title: 'Title', slug: 'slug', ...times },
  modified_utc: '2030-01-02 00:00:00',
};
const event = {
  ...{ kind: 'event', id: 10, ...post, timezone: 'UTC' },
  ...{ start_date: '2030-05-01 10:00:00', end_date: '2030-05-01 12:00:00' },
  ...{ utc_start_date: '2030-05-01 10:00:00', utc_end_date: '2030-05-01 12:00:00' },
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

/** Returns the one fate that a record has where others are. */
function fateOf(record: CalendarRecord, ...present: readonly CalendarRecord[]): string {
  const plan = planImport([record], source, replicaOf(...present));
  const fates = Object.entries(plan) as [keyof ImportPlan, ImportPlan[keyof ImportPlan]][];
  return fates
    .flatMap(([name, of]) => ((typeof of === 'number' ? of : of.length) === 0 ? [] : [name]))
    .join();
}

const changed = (record: CalendarRecord, fields: object) => ({ ...record, ...fields }) as CalendarRecord;

describe('an import', () => {
  test.each(all.map((record) => [record.kind, record] as const))('creates a new %s', (_kind, record) => {
    expect(fateOf(record)).toBe('created');
    expect(fateOf(record, ...all.filter((item) => item !== record))).toBe('created');
  });

  test.each(all.map((record) => [record.kind, record] as const))('leaves the same %s', (_kind, record) => {
    expect(fateOf(record, ...all)).toBe('unchanged');
  });

  test.each<[what: string, record: CalendarRecord, present: CalendarRecord, fate: string]>([
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
      'another post, published then, by somebody here',
      changed(event, { date_utc: '2031-01-01 00:00:00' }),
      changed(event, { author: 9 }),
      'taken',
    ],
    ['another kind of post under its id', changed(venue, { id: 10 }), event, 'taken'],
    ['a post under the id of an image', changed(venue, { id: 13 }), image, 'taken'],
    ['a tag under the id of a category', changed(tag, { id: 3 }), category, 'taken'],
    ['an image by its file', changed(image, { url: 'https://new.example.org/x/a.jpg' }), image, 'changed'],
    [
      'an image of another file',
      changed(image, { url: 'https://old.example.org/2030/b.jpg' }),
      image,
      'taken',
    ],
    ['a term by its slug', changed(category, { name: 'Tunes' }), category, 'changed'],
    ['a term by its name', changed(tag, { slug: 'noisy' }), tag, 'changed'],
    ['another term', changed(tag, { slug: 'noisy', name: 'Noisy' }), tag, 'taken'],
    ['another author', changed(author, { subject: 'somebody' }), author, 'taken'],
    ['a slug of another event', changed(event, { id: 20 }), event, 'taken'],
    ['a slug of another term', changed(category, { id: 20 }), category, 'taken'],
    ['a slug of another kind of post', changed(event, { id: 20 }), venue, 'created'],
    ['a slug of another kind of term', changed(tag, { id: 20, slug: 'music' }), category, 'created'],
    [
      'what was changed here later',
      changed(event, { title: 'New' }),
      changed(event, { modified_utc: '2030-01-02 00:00:01' }),
      'changedHere',
    ],
    [
      'what was changed there later',
      changed(event, { modified_utc: '2030-01-02 00:00:01' }),
      event,
      'changed',
    ],
  ])('knows %s', (_what, record, present, fate) => {
    expect(fateOf(record, author, present)).toBe(fate);
  });

  test('writes what is new or changed, and keeps their ids from being given again', () => {
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
      usedIds: { post: 13, term: 30, user: 0 },
      result: 3,
    });
  });
});

test('records() returns everything, what others link to before them', () => {
  const replica = replicaOf(event, organizer, venue, category, tag, image, author);
  expect(replica.records()).toEqual([author, image, category, tag, venue, organizer, event]);
});
