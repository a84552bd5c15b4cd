/** Lists are found by an index that each change updates. Here every one equals what a plain look at all events finds. */

import { describe, expect, test } from 'vitest';
import { formatWall, readWall } from '../../../../functions/calendar/model/dates/wall.ts';
import type { CalendarRecord, EventRecord } from '../../../../functions/calendar/model/records.ts';
import type { Caller, KnownCaller } from '../../../../functions/calendar/model/rights.ts';
import { siteOf } from '../../../../functions/calendar/model/site.ts';
import { languages, statuses } from '../../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../../functions/calendar/replica/entries.ts';
import { CalendarReplica } from '../../../../functions/calendar/replica/replica.ts';
import { calendarInMemory } from '../../../support/calendar-in-memory.ts';
import { plainList } from '../../../support/plain-list.ts';
import { fc, numRuns } from '../../../support/properties.ts';

const now = '2030-06-01 12:00:00';
const published = { date: '2030-01-01 00:00:00', modified: now, modified_utc: now };
const site = siteOf('https://calendar.example.org', 'UTC');

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const someOf = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 });
const mostly = <T>(frequent: T, ...others: T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(frequent) }, fc.constantFrom(...others));
const texts = fc
  .array(
    fc.constantFrom(
      'jazz',
      'Jazz,',
      'night',
      'all-night',
      'ÅRHUS',
      'Straße',
      'İstanbul',
      'fox&amp;hounds',
      "don't",
      '<b>ja</b>zz',
      '<p>',
      'brown fox',
      'brown',
      'fox',
      '12',
      '123',
      '\u{1f3b7}',
      'a',
      '\n',
      '  ',
    ),
    { maxLength: 6 },
  )
  .map((words) => words.join(' '));

/** Venues 1 to 3 and organizers 4 and 5; categories 2 below 1, and 3; tags 4 and 5; authors 1 and 2. */
const terms: CalendarRecord[] = [
  { kind: 'category', id: 1, name: 'One', slug: 'one' },
  { kind: 'category', id: 2, name: 'Two', slug: 'two', parent: 1 },
  { kind: 'category', id: 3, name: 'Three', slug: 'three' },
  { kind: 'tag', id: 4, name: 'Four', slug: 'four' },
  { kind: 'tag', id: 5, name: 'Five', slug: 'five' },
  { kind: 'author', id: 1, subject: 'ann' },
  { kind: 'author', id: 2, subject: 'ben' },
];

const contacts = fc
  .record({
    id: fc.integer({ min: 1, max: 5 }),
    status: mostly('publish' as const, 'draft', 'trash'),
    generation: mostly(0, 1),
    place: maybe(fc.constantFrom([55, 12], [55, 12.1], [56, 12])),
  })
  .map(({ id, status, generation, place }) => {
    const kind = id > 3 ? ('organizer' as const) : ('venue' as const);
    const [geo_lat = undefined, geo_lng = undefined] = place ?? [];
    const where = kind === 'organizer' || place === undefined ? {} : { geo_lat, geo_lng };
    const name = { title: `Contact ${id}`, slug: `contact-${id}` };
    const record = { kind, id, author: 1, status, generation, ...published, date_utc: published.date };
    return { ...record, ...name, ...where } as CalendarRecord;
  });

const links = (...ids: number[]) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...ids), mostly(0, 1))
      .map(([id, generation]) => (generation === 0 ? id : [id, generation])),
    { maxLength: 2 },
  );

const events = fc
  .record({
    id: fc.integer({ min: 11, max: 110 }),
    author: fc.constantFrom(1, 2),
    status: mostly('publish' as const, ...statuses),
    trashed_from: maybe(fc.constant('publish' as const)),
    published: fc.integer({ min: -3, max: 3 }),
    modified: fc.integer({ min: -3, max: 3 }),
    start: fc.integer({ min: -60, max: 60 }),
    hours: fc.integer({ min: 0, max: 80 }),
    title: texts,
    description: texts,
    excerpt: maybe(texts),
    da: maybe(fc.record({ title: texts }, { requiredKeys: [] })),
    categories: someOf(1, 2, 3),
    tags: someOf(4, 5),
    venue: links(1, 2, 3),
    organizer: links(4, 5),
    featured: fc.boolean(),
    ticketed: maybe(fc.boolean()),
    hide_from_listings: mostly(false, true),
    post_parent: maybe(fc.integer({ min: 11, max: 14 })),
    isProtected: mostly(false, true),
  })
  .map(({ published: at, modified, start, hours, da, isProtected, ...fields }): CalendarRecord => {
    const begin = readWall(now) + start * 6 * 3600;
    const start_date = formatWall(begin);
    const end_date = formatWall(begin + hours * 3600);
    const changed = formatWall(readWall(now) + modified * 3600);
    return {
      ...fields,
      kind: 'event',
      slug: `event-${fields.id}`,
      date: formatWall(readWall(now) + at * 3600),
      date_utc: formatWall(readWall(now) + at * 3600),
      modified: changed,
      modified_utc: changed,
      start_date,
      end_date,
      utc_start_date: start_date,
      utc_end_date: end_date,
      timezone: 'UTC',
      ...(da === undefined ? {} : { translations: { da } }),
      ...(isProtected ? { access_password: { shared_salt: '0', salt: '0', hash: '0' } } : {}),
    } as unknown as EventRecord;
  });

interface Change {
  readonly record: CalendarRecord;
  readonly isThere: boolean;
}

const changes = (max: number): fc.Arbitrary<Change[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: events.map((record) => ({ record, isThere: true })) },
      { weight: 1, arbitrary: contacts.map((record) => ({ record, isThere: true })) },
      { weight: 1, arbitrary: events.map((record) => ({ record, isThere: false })) },
    ),
    { minLength: max / 2, maxLength: max, size: 'max' },
  );

const day = fc.integer({ min: -16, max: 16 }).map((days) => formatWall(readWall(now) + days * 86_400));
/** What may be asked beside a page. */
const filters = {
  end_date: day,
  starts_before: day,
  starts_after: day,
  ends_before: day,
  ends_after: day,
  strict_dates: fc.constantFrom('0', '1'),
  search: fc.oneof(
    texts.filter((text) => text.trim() !== ''),
    fc.constantFrom(
      'azz',
      'ja',
      '1',
      '23',
      'å',
      'rhus',
      'ss',
      'i̇',
      '-jazz',
      'jazz -night',
      '"brown fox"',
      'n',
      '-"brown fox"',
      'fox&',
      '"fox jazz" -a12',
      'a b c d e f g h i j k',
      '"x b"',
      "n't",
      '"own fo"',
      '"n f"',
      '" fox"',
      '"fox "',
      '"brown  fox"',
      '"fox\nbrown"',
      '"x\n\nb"',
      '"jazz\n"',
      '"brown fox brown"',
      '"a brown f"',
      '"2 12"',
      '"x brown fox b"',
      '"12 123"',
      '"t å"',
      '%',
      '_',
      '"a %"',
    ),
  ),
  categories: fc.constantFrom('1', 'two', '2,3'),
  tags: fc.constantFrom('4', '4,5'),
  venue: fc.constantFrom('1', '1,2'),
  organizer: fc.constantFrom('4', '5'),
  featured: fc.constantFrom('0', '1'),
  ticketed: fc.constantFrom('0', '1'),
  geoloc: fc.constantFrom('0', '1'),
  include: fc.constantFrom('11,12,13,14', '99'),
  status: fc.constantFrom('publish', 'draft,pending,trash', 'future,private', ''),
  orderby: fc.constantFrom('title', 'modified', 'featured', 'date', 'Title', 'toString'),
  order: fc.constantFrom('asc', 'desc', 'DESC', 'x'),
  around: fc.constantFrom('5', '150'),
  translation_language: fc.constantFrom(...languages),
  as: fc.constantFrom<Caller>(
    { role: 'editor', subject: 'ann' },
    { role: 'author', subject: 'ben' },
    { role: 'contributor', subject: 'ann' },
    { role: 'contributor', subject: 'new' },
  ),
} as const;
type Filter = keyof typeof filters;
type Filters = {
  readonly [Name in Filter]?: (typeof filters)[Name] extends fc.Arbitrary<infer V> ? V : never;
};

const questions = fc
  .record({
    page: mostly('1', '2', '3'),
    per_page: fc.constantFrom('1', '3', '50'),
    start_date: mostly('2000-01-01', formatWall(readWall(now))),
    filters: fc
      .uniqueArray(fc.constantFrom(...(Object.keys(filters) as Filter[])), { maxLength: 4 })
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, filters[name]])))),
  })
  .map(({ filters, ...paging }) => ({ ...paging, ...(filters as Filters) }));
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

/** A calendar that takes in changes as they come, beside the records as they are now. */
function calendars() {
  const calendar = calendarInMemory(now);
  const records = new Map<string, CalendarRecord>();
  return {
    calendar,
    async change(list: readonly Change[]) {
      for (const { record, isThere } of list) {
        if (isThere) records.set(keyOf(record), record);
        else records.delete(keyOf(record));
      }
      const last = new Map(list.map((change) => [keyOf(change.record), change]));
      await calendar.put(
        [...last].map(([key, { record, isThere }]) => ({
          key,
          json: isThere ? JSON.stringify(record) : null,
        })),
      );
    },
    /** Returns the records of now as a replica that took them in all at once. */
    replica(): CalendarReplica {
      const replica = new CalendarReplica(() => readWall(calendar.now));
      replica.apply(
        [...records].map(([key, record], index) => ({
          key,
          json: JSON.stringify(record),
          version: index + 1,
        })),
      );
      return replica;
    },
  };
}

/** Returns what a plain look at the records of a replica finds. */
function plain(replica: CalendarReplica, now: string, question: Question): number[] {
  const { as = { role: 'reader' }, around, ...parameters } = question;
  const author = as.subject === undefined ? undefined : replica.authorOf(as.subject);
  const caller: KnownCaller = { ...as, ...(author === undefined ? {} : { author }) };
  const query = { ...parameters, ...placeOf(around) };
  const context = { caller, parameters: query, replica, site, now: readWall(now) };
  return plainList(replica, { ...context, root: '', language: parameters.translation_language });
}

function placeOf(around: string | undefined) {
  return around === undefined ? {} : { geoloc_lat: '55', geoloc_lng: '12', geoloc_distance: around };
}

/** What a list says of its events; the code of its refusal. */
async function listed(calendar: ReturnType<typeof calendarInMemory>, question: Question) {
  const { as = { role: 'reader' }, around, ...parameters } = question;
  const text = await calendar.text('events', { ...parameters, ...placeOf(around) }, as);
  if (!text.startsWith('{')) return text;
  const { events, total, total_pages } = JSON.parse(text);
  return { ids: events.map(({ id }: { id: number }) => id), total, total_pages };
}

function expected(all: readonly number[], { page, per_page }: Question) {
  const number = Number(page);
  const size = Number(per_page);
  const ids = all.slice((number - 1) * size, number * size);
  return ids.length === 0 && number > 1
    ? 'event-archive-page-not-found'
    : { ids, total: all.length, total_pages: Math.ceil(all.length / size) };
}

describe('the indexed list equals a plain look at all events', () => {
  const steps = fc.array(
    fc.record({
      changes: fc.oneof({ weight: 5, arbitrary: changes(8) }, { weight: 1, arbitrary: changes(120) }),
      hours: mostly(0, 1),
      questions: fc.array(questions, { minLength: 1, maxLength: 12, size: 'max' }),
    }),
    { minLength: 1, maxLength: 4 },
  );

  test('whatever is asked, while the calendar changes and time passes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(contacts), steps, async (people, all) => {
        const { calendar, change, replica } = calendars();
        await change([...terms, ...people].map((record) => ({ record, isThere: true })));
        for (const { changes, hours, questions } of all) {
          await change(changes);
          calendar.now = formatWall(readWall(calendar.now) + hours * 3600);
          const same = replica();
          for (const question of questions) {
            const outcome = await listed(calendar, question);
            if (outcome !== 'rest_invalid_param')
              expect(outcome).toEqual(expected(plain(same, calendar.now, question), question));
          }
        }
      }),
      numRuns(30),
    );
  });

  test('for more events than are sorted at once, in every order, before and after changes', async () => {
    const { calendar, change, replica } = calendars();
    const random = fc.sample(events, { numRuns: 2_700, seed: 1 });
    const numbered = (list: readonly CalendarRecord[]) =>
      list.map(
        (record, index) => ({ ...record, id: 11 + index * 7, slug: `event-${index}` }) as CalendarRecord,
      );
    const there = (isThere: boolean) => (record: CalendarRecord) => ({ record, isThere });
    const all = numbered(random.slice(0, 2_500));
    // The others stand in the place of some, a hundred are gone, then a few come back.
    const changed = numbered(random.slice(2_500));
    const steps = [
      [...terms, ...all].map(there(true)),
      [...changed.slice(0, 120).map(there(true)), ...all.slice(300, 400).map(there(false))],
      [...changed.slice(120, 130).map(there(true)), ...all.slice(395, 400).map(there(true))],
    ];
    const base = {
      status: 'publish,draft,pending,future,private,trash',
      start_date: '2000-01-01',
      as: { role: 'editor', subject: 'ann' } as const,
    };
    const orders = ['title', 'modified', 'featured', 'date'].flatMap((orderby) =>
      ['asc', 'desc'].map((order) => ({ ...base, orderby, order })),
    );
    const otherLanguages = languages.flatMap((translation_language) =>
      orders.slice(0, 2).map((order) => ({ ...order, translation_language })),
    );
    const window = orders.map((order) => ({ ...order, start_date: '2030-05-28', end_date: '2030-06-04' }));
    for (const step of steps) {
      await change(step);
      const same = replica();
      for (const question of [...orders, ...otherLanguages, ...window] as Question[]) {
        const sorted = plain(same, calendar.now, question);
        expect(sorted.length).toBeGreaterThan(300);
        for (const [page, per_page] of [
          ['1', '50'],
          ['7', '50'],
          ['101', '3'],
        ] as const) {
          const asked = { ...question, page, per_page };
          expect({ asked, ...Object(await listed(calendar, asked)) }).toEqual({
            asked,
            ...Object(expected(sorted, asked)),
          });
        }
      }
    }
  });
});
