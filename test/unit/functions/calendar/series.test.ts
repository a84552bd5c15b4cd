/** Series of events, as a calendar in memory keeps them: random edits against a model, two editors, and processes that end in the middle. */

import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../../functions/calendar/model/rights.ts';
import { calendarInMemory, editor, type MemoryCalendar } from '../../../support/calendar-in-memory.ts';
import { fc, numRuns } from '../../../support/properties.ts';

type Json = ReturnType<typeof JSON.parse>;

const yoga = {
  title: 'Yoga',
  cost: '10',
  start_date: '2027-01-05 19:00:00',
  end_date: '2027-01-05 20:30:00',
  timezone: 'Europe/Copenhagen',
};
const tuesdays = (count: number) => ({ ...yoga, rrule: `FREQ=WEEKLY;COUNT=${count}` });

function open(): MemoryCalendar {
  return calendarInMemory('2026-12-01 12:00:00', 'Europe/Copenhagen');
}

/** The events of a calendar that are not in the trash, by their ids. */
async function eventsOf(calendar: MemoryCalendar): Promise<Map<number, Json>> {
  const found = new Map<number, Json>();
  for (let page = 1; ; page++) {
    const query = { per_page: 50, page, start_date: '2000-01-01', end_date: '2099-01-01' };
    const { events, total_pages: pages } = await calendar.list('events', query, editor);
    for (const event of events) found.set(event.id, event);
    if (page >= pages) return found;
  }
}

const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const dayOf = (number: number) => addDays('2027-01-05', 7 * number);

/** Day and time of a date are one value: who has moved it, or made it begin later, has said when it is. */
interface When {
  readonly time: string;
  readonly day: number;
}
interface Fields {
  title: string;
  cost: string;
  when: When;
}
interface ModelDate {
  state: 'live' | 'cancelled' | 'removed' | 'cancelled and removed';
  /** What it has, and what the series gave it last. */
  now: Fields;
  given: Fields;
  /** Fields that were its own when it was removed. */
  own: readonly (keyof Fields)[];
}

type Scope = 'this' | 'later' | 'all';
type Change =
  | { readonly title: string }
  | { readonly cost: string }
  | { readonly time: string }
  | { readonly days: number };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A series as its editors understand it. */
class Model {
  readonly dates: ModelDate[] = [];
  /** What a date that is added at the end gets. */
  #tail: Fields = { title: 'Yoga', cost: '10', when: { time: '19:00', day: 0 } };

  live(): number[] {
    return this.dates.flatMap(({ state }, number) => (state === 'live' ? [number] : []));
  }

  count(count: number): void {
    while (this.dates.length < count)
      this.dates.push({ state: 'live', now: { ...this.#tail }, given: { ...this.#tail }, own: [] });
    for (const [number, date] of this.dates.entries()) number < count ? restore(date) : remove(date);
  }

  end(at: number): void {
    for (const date of this.dates.slice(at)) remove(date);
  }

  change(at: number, scope: Scope, change: Change): void {
    const edited = this.dates[at];
    const field = 'title' in change ? 'title' : 'cost' in change ? 'cost' : 'when';
    if (edited === undefined || isSame(edited.now[field], changed(edited.now, change)[field])) return;
    for (const [number, date] of this.dates.entries()) {
      if (scope === 'this' || (scope === 'later' && number < at)) continue;
      const isGiven = isSame(date.now[field], date.given[field]);
      date.given = changed(date.given, change);
      if (isGiven && date.state === 'live' && date !== edited)
        date.now = { ...date.now, [field]: date.given[field] };
    }
    if (scope !== 'this') this.#tail = changed(this.#tail, change);
    edited.now = changed(edited.now, change);
  }
}

function changed(fields: Fields, change: Change): Fields {
  if ('time' in change) return { ...fields, when: { ...fields.when, time: change.time } };
  if ('days' in change) return { ...fields, when: { ...fields.when, day: fields.when.day + change.days } };
  return { ...fields, ...change };
}

function remove(date: ModelDate): void {
  if (date.state === 'cancelled') date.state = 'cancelled and removed';
  if (date.state !== 'live') return;
  date.state = 'removed';
  date.own = (['title', 'cost', 'when'] as const).filter((name) => !isSame(date.now[name], date.given[name]));
}

function restore(date: ModelDate): void {
  if (date.state === 'cancelled and removed') date.state = 'cancelled';
  if (date.state !== 'removed') return;
  date.state = 'live';
  date.now = { ...date.given, ...Object.fromEntries(date.own.map((name) => [name, date.now[name]])) };
}

type Edit =
  | { readonly at: number; readonly scope: Scope; readonly change: Change }
  | { readonly at: number; readonly action: 'cancel' | 'end' }
  | { readonly count: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ title: fc.constantFrom('Yoga', 'Pilates', 'Dance') }),
  fc.record({ cost: fc.constantFrom('10', '20', '30') }),
  fc.record({ time: fc.constantFrom('19:00', '18:00', '09:15') }),
  fc.record({ days: fc.constantFrom(-1, 1, 2) }),
);
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({ at: fc.nat(9), scope: fc.constantFrom<Scope>('this', 'later', 'all'), change }),
      weight: 5,
    },
    fc.record({ at: fc.nat(9), action: fc.constantFrom<'cancel' | 'end'>('cancel', 'end') }),
    fc.record({ count: fc.integer({ min: 1, max: 9 }) }),
  ),
  { maxLength: 10 },
);

/** Makes an edit through the calendar, of the date with a number; returns what was refused. */
async function makeEdit(calendar: MemoryCalendar, id: number, edit: Edit, at: number): Promise<Json> {
  if ('count' in edit) return calendar.series.update(id, { rrule: `FREQ=WEEKLY;COUNT=${edit.count}` });
  const { dates } = await calendar.series.read(id);
  const { event } = dates.find((date: Json) => date.recurrence_id === dayOf(at));
  if ('action' in edit)
    return edit.action === 'cancel'
      ? calendar.remove('events', event)
      : calendar.series.remove(id, { event, scope: 'later' });
  const fields = fieldsOf(edit.change, await calendar.read('events', event));
  return edit.scope === 'this'
    ? calendar.update('events', event, fields)
    : calendar.series.update(id, { ...fields, event, scope: edit.scope });
}

/** The fields that a form sends for a change of an event. */
function fieldsOf(
  change: Change,
  { start_date: start, end_date: end }: Json,
): Readonly<Record<string, string>> {
  if (!('time' in change || 'days' in change)) return change;
  const length = Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`);
  const day = addDays(start.slice(0, 10), 'days' in change ? change.days : 0);
  const from = `${day} ${'time' in change ? `${change.time}:00` : start.slice(11)}`;
  const to = new Date(Date.parse(`${from.replace(' ', 'T')}Z`) + length).toISOString();
  return { start_date: from, end_date: to.slice(0, 19).replace('T', ' ') };
}

async function shown(calendar: MemoryCalendar, id: number) {
  const { dates } = await calendar.series.read(id);
  const events = await eventsOf(calendar);
  return dates.flatMap(({ recurrence_id: day, event }: Json) => {
    const { title, cost, start_date } = events.get(event) ?? {};
    return title === undefined ? [] : [`${day}: ${title} ${cost} ${start_date}`];
  });
}

function expected({ dates }: Model): string[] {
  return dates.flatMap(({ state, now: { title, cost, when } }, number) =>
    state === 'live'
      ? [`${dayOf(number)}: ${title} $${cost} ${addDays(dayOf(number), when.day)} ${when.time}:00`]
      : [],
  );
}

test('random edits of this date, later ones and all are what their editors mean', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 6 }), edits, async (count, all) => {
      const calendar = open();
      const { id } = await calendar.series.create(tuesdays(count));
      const model = new Model();
      model.count(count);
      for (const edit of all) {
        const live = model.live();
        const at = 'at' in edit ? live[edit.at % Math.max(1, live.length)] : 0;
        const endsAll = 'action' in edit && (edit.action === 'end' ? at === 0 : live.length === 1);
        if (at === undefined || endsAll) continue;
        await makeEdit(calendar, id, edit, at);
        const date = model.dates[at];
        if ('count' in edit) model.count(edit.count);
        else if ('change' in edit) model.change(at, edit.scope, edit.change);
        else if (edit.action === 'end') model.end(at);
        else if (date !== undefined) date.state = 'cancelled';
        const found = await shown(calendar, id);
        expect(found.sort()).toEqual(expected(model));
      }
      const ids = [...(await eventsOf(calendar)).keys()];
      expect(ids).toHaveLength(model.live().length);
    }),
    numRuns(60),
  );
}, 60_000);

const daily = (count: number) => ({ ...yoga, rrule: `FREQ=DAILY;COUNT=${count}` });
const contributor: Caller = { role: 'contributor', subject: 'dorte' };
const otherContributor: Caller = { role: 'contributor', subject: 'erik' };

/** Reads until a series is complete: any read has what was abandoned gone on with. */
async function untilComplete(calendar: MemoryCalendar, id: number): Promise<Json> {
  for (let turn = 0; turn < 1_000; turn++) {
    const series = await calendar.series.read(id);
    if (series.is_complete) return series;
    await setImmediate();
  }
  throw new Error('The series does not become complete.');
}

describe('a process that ends in the midst of a change', () => {
  test.each([1, 2, 4])('is followed by one that creates the other dates (%i steps)', async (steps) => {
    const calendar = open();
    calendar.writesLeft = steps;
    expect(await calendar.series.create(daily(400), 'key')).toBe('calendar-unavailable');
    calendar.isDown = false;
    calendar.writesLeft = undefined;
    const begun = await eventsOf(calendar);
    expect(begun.size).toBeGreaterThan(50);
    expect(begun.size).toBeLessThan(400);
    const { id } = [...begun.values()][0].series;
    // The process may be at it still.
    expect((await calendar.series.read(id)).is_complete).toBe(false);
    calendar.now = '2026-12-01 12:01:00';
    const { total } = await untilComplete(calendar, id);
    expect(total).toBe(400);
    expect(new Set([...(await eventsOf(calendar)).values()].map(({ start_date }) => start_date)).size).toBe(
      400,
    );
  });

  test('is followed by the same request, which answers once all dates are there', async () => {
    const calendar = open();
    calendar.writesLeft = 2;
    expect(await calendar.series.create(daily(300), 'key')).toBe('calendar-unavailable');
    calendar.isDown = false;
    calendar.writesLeft = undefined;
    expect(await calendar.series.create(daily(300), 'key')).toMatchObject({ total: 300, is_complete: true });
    expect((await eventsOf(calendar)).size).toBe(300);
    expect(await calendar.series.create(daily(301), 'key')).toBe('idempotency-key-reused');
  });

  test('is followed by the next change, which waits for it', async () => {
    const calendar = open();
    const { id, dates } = await calendar.series.create(daily(300));
    const [first, , third] = dates.map(({ event }: Json) => event);
    await calendar.update('events', third, { title: 'Own' });
    calendar.writesLeft = 2;
    expect(await calendar.series.update(id, { event: first, title: 'Pilates' })).toBe('calendar-unavailable');
    calendar.isDown = false;
    calendar.writesLeft = undefined;
    expect(await calendar.series.update(id, { event: first, cost: '99' })).toMatchObject({
      is_complete: true,
    });
    const events = [...(await eventsOf(calendar)).values()];
    expect(events.filter(({ title, cost }) => title === 'Pilates' && cost === '$99')).toHaveLength(299);
    expect(events.filter(({ title, cost }) => title === 'Own' && cost === '$99')).toHaveLength(1);
  });
});

test('two editors at once change all dates, each their own field', async () => {
  const calendar = open();
  const { id, dates } = await calendar.series.create(daily(250));
  const [one, two] = dates.map(({ event }: Json) => event);
  const answers = await Promise.all([
    calendar.series.update(id, { event: one, title: 'Pilates' }),
    calendar.series.update(id, { event: two, cost: '99' }),
    calendar.series.update(id, { rrule: 'FREQ=DAILY;COUNT=260' }),
  ]);
  expect(answers.map((answer) => answer.id)).toEqual([id, id, id]);
  expect((await calendar.series.read(id)).is_complete).toBe(true);
  const events = [...(await eventsOf(calendar)).values()];
  expect(events).toHaveLength(260);
  expect(events.filter(({ title, cost }) => title !== 'Pilates' || cost !== '$99')).toEqual([]);
});

describe('a date', () => {
  test('that clocks skip or show twice is told before it is stored, and is no change of a person', async () => {
    const calendar = open();
    const night = {
      ...yoga,
      start_date: '2027-03-26 02:30:00',
      end_date: '2027-03-26 03:30:00',
      rrule: 'FREQ=DAILY;COUNT=4',
    };
    const { dates } = await calendar.series.plan(night);
    expect(dates.map(({ odd }: Json) => odd)).toEqual([undefined, undefined, 'skipped-time', undefined]);
    const series = await calendar.series.create(night);
    expect(series.dates.map(({ start_date, changed }: Json) => [start_date, changed])).toEqual([
      ['2027-03-26 02:30:00', []],
      ['2027-03-27 02:30:00', []],
      ['2027-03-28 03:30:00', []],
      ['2027-03-29 02:30:00', []],
    ]);
    const [, , skipped] = series.dates;
    const after = await calendar.series.update(series.id, { event: skipped.event, title: 'Night' });
    expect(after.dates.map(({ start_date }: Json) => start_date)).toEqual(
      series.dates.map((date: Json) => date.start_date),
    );
    const autumn = {
      ...night,
      start_date: '2027-10-30 02:30:00',
      end_date: '2027-10-30 02:45:00',
      rrule: 'FREQ=DAILY;COUNT=2',
    };
    expect((await calendar.series.plan(autumn)).dates.map(({ odd }: Json) => odd)).toEqual([
      undefined,
      'repeated-time',
    ]);
  });

  test('is chosen beside a rule, or left out of it', async () => {
    const calendar = open();
    const { id } = await calendar.series.create({
      ...tuesdays(4),
      exdate: ['2027-01-12'],
      rdate: '2027-01-14, 20270116',
    });
    const days = async () => (await calendar.series.read(id)).dates.map((date: Json) => date.recurrence_id);
    expect(await days()).toEqual(['2027-01-05', '2027-01-14', '2027-01-16', '2027-01-19', '2027-01-26']);
    await calendar.series.update(id, { rrule: '', rdate: ['2027-01-14', '2027-02-01'], exdate: [] });
    expect(await days()).toEqual(['2027-01-14', '2027-02-01']);
  });

  test('of an event that is there becomes the first of a series, with its address', async () => {
    const calendar = open();
    const event = await calendar.create('events', {
      ...yoga,
      start_date: '2027-01-01 19:00',
      end_date: '2027-01-01 20:00',
    });
    const { dates } = await calendar.series.create({
      event: event.id,
      rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3',
    });
    expect(dates[0]).toMatchObject({ event: event.id, url: event.url, start_date: '2027-01-05 19:00:00' });
    expect(await calendar.series.create({ event: event.id, rrule: 'FREQ=DAILY;COUNT=3' })).toBe(
      'rest_invalid_param',
    );
  });

  test('that people brought back from the trash is one of its series again', async () => {
    const calendar = open();
    const { id, dates } = await calendar.series.create(tuesdays(3));
    const last = dates[2].event;
    await calendar.series.remove(id, { event: last, scope: 'later' });
    await calendar.update('events', last, { status: 'publish' });
    expect((await calendar.series.read(id)).total).toBe(3);
    await calendar.series.update(id, { event: dates[0].event, title: 'Pilates' });
    expect((await eventsOf(calendar)).get(last).title).toBe('Pilates');
  });
});

test('a rule from a date on keeps the dates before it', async () => {
  const calendar = open();
  const { id, dates } = await calendar.series.create(tuesdays(4));
  await calendar.series.update(id, {
    event: dates[2].event,
    scope: 'later',
    rrule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=2',
  });
  const after = await calendar.series.read(id);
  expect(after.dates.map((date: Json) => date.recurrence_id)).toEqual([
    '2027-01-05',
    '2027-01-12',
    '2027-01-20',
    '2027-01-27',
  ]);
  const plan = await calendar.series.plan({ rrule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=3' }, id);
  expect(plan.dates.map((date: Json) => date.change)).toEqual(['kept', 'kept', 'kept', 'kept', 'added']);
});

test('texts in another language are a field of their own', async () => {
  const calendar = open();
  const { id, dates } = await calendar.series.create(tuesdays(3));
  const [first, second] = dates.map(({ event }: Json) => event);
  await calendar.update('events', second, { title: 'Egen', translation_language: 'da' });
  await calendar.series.update(id, { event: first, title: 'Yoga for alle', translation_language: 'da' });
  await calendar.series.update(id, { event: first, title: 'Yoga for all' });
  const danish = await calendar.list('events', { translation_language: 'da', start_date: '2027-01-01' });
  expect(danish.events.map(({ title }: Json) => title)).toEqual(['Yoga for alle', 'Egen', 'Yoga for alle']);
  const english = await calendar.list('events', { start_date: '2027-01-01' });
  expect(english.events.map(({ title }: Json) => title)).toEqual([
    'Yoga for all',
    'Yoga for all',
    'Yoga for all',
  ]);
});

test('its author is one of the values that an editor changes of all dates; a copy has its own', async () => {
  const calendar = open();
  const { id, dates } = await calendar.series.create(tuesdays(3), undefined, {
    role: 'author',
    subject: 'bo',
  });
  const [first] = dates.map(({ event }: Json) => event);
  const copy = await calendar.create('events', { ...yoga, copy_of: first });
  const authors = async () => [...(await eventsOf(calendar)).values()].map(({ author }) => author);
  const [own] = await authors();
  expect(copy.author).not.toBe(own);
  await calendar.series.update(id, { event: first, author: Number(copy.author) });
  expect(new Set(await authors())).toEqual(new Set([copy.author]));
  await calendar.series.update(id, { rrule: 'FREQ=WEEKLY;COUNT=4' });
  expect(new Set(await authors())).toEqual(new Set([copy.author]));
});

test('dates are scheduled and published together, and those that the clock has published are no other ones', async () => {
  const calendar = open();
  const { id, dates } = await calendar.series.create({ ...tuesdays(3), date: '2026-12-10 10:00:00' });
  const statuses = async () => [...(await eventsOf(calendar)).values()].map(({ status }) => status);
  expect(await statuses()).toEqual(['future', 'future', 'future']);
  const [first, second] = dates.map(({ event }: Json) => event);
  await calendar.update('events', second, { date: '2026-12-24 10:00:00' });
  calendar.now = '2026-12-11 12:00:00';
  await calendar.changes();
  expect((await statuses()).sort()).toEqual(['future', 'publish', 'publish']);
  const changed = (await calendar.series.read(id)).dates.map((date: Json) => date.changed);
  expect(changed).toEqual([[], ['date'], []]);
  await calendar.series.update(id, { event: first, status: 'draft' });
  expect(new Set(await statuses())).toEqual(new Set(['draft']));
  await calendar.series.update(id, { event: first, status: 'publish' });
  expect((await statuses()).sort()).toEqual(['future', 'publish', 'publish']);
  await calendar.series.update(id, { rrule: 'FREQ=WEEKLY;COUNT=4' });
  expect((await statuses()).sort()).toEqual(['future', 'publish', 'publish', 'publish']);
});

describe('rights', () => {
  test('are those of the events: contributors change what is not decided yet', async () => {
    const calendar = open();
    const { id, dates } = await calendar.series.create(
      { ...tuesdays(3), status: 'publish' },
      undefined,
      contributor,
    );
    expect(dates.map(({ status }: Json) => status)).toEqual(['pending', 'pending', 'pending']);
    expect(await calendar.series.read(id, otherContributor)).toBe('series-not-found');
    expect(await calendar.series.update(id, { event: dates[0].event, title: 'Mine' }, otherContributor)).toBe(
      'rest_forbidden',
    );
    await calendar.series.update(id, { event: dates[0].event, title: 'Mine' }, contributor);
    await calendar.update('events', dates[1].event, { status: 'publish' });
    // One of them is decided.
    expect(await calendar.series.update(id, { event: dates[0].event, title: 'Again' }, contributor)).toBe(
      'rest_forbidden',
    );
    expect((await calendar.series.read(id, { role: 'reader' })).dates).toHaveLength(1);
    await calendar.series.update(id, { event: dates[0].event, status: 'publish' });
    expect(await calendar.series.update(id, { rrule: 'FREQ=WEEKLY;COUNT=5' }, contributor)).toBe(
      'rest_forbidden',
    );
    expect(await calendar.series.remove(id, {}, contributor)).toBe('rest_forbidden');
    expect(await calendar.series.remove(id, {}, { role: 'reader' })).toBe('not-signed-in');
  });
});

test('a copy of an event has its texts in all languages, and all that is not sent but for its dates', async () => {
  const calendar = open();
  const full = {
    ...yoga,
    description: 'Bring a mat.',
    featured: true,
    tags: ['sport'],
    venue: { venue: 'Hall' },
  };
  const { id, venue } = await calendar.create('events', { ...full, access_password: '' });
  await calendar.update('events', id, {
    title: 'Yoga på dansk',
    description: 'Tag en måtte med.',
    translation_language: 'da',
  });
  const dates = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 11:00:00', status: 'draft' };
  const copy = await calendar.create('events', {
    ...dates,
    title: 'Yoga again',
    description: '',
    copy_of: id,
  });
  expect(copy).toMatchObject({
    ...dates,
    title: 'Yoga again',
    description: '',
    cost: '$10',
    featured: true,
    venue: { id: venue.id },
  });
  expect(copy.slug).toBe('yoga-again');
  const inDanish = await calendar.create('events', {
    ...dates,
    title: 'Ny',
    copy_of: id,
    translation_language: 'da',
  });
  expect((await calendar.read('events', inDanish.id, editor)).title).toBe('Yoga');
  expect(inDanish).toMatchObject({ title: 'Ny', description: '<p>Tag en måtte med.</p>' });
});
