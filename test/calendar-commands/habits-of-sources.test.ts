/**
 * Files of two sources that are imported again and again, while the sources change, and an editor works here. The model says whose each field
 * is; the habits of the sources change nothing of it: stamps that are frozen, late or absent, numbers as UIDs, new UIDs each time, names of the
 * calendar in the file or in the command.
 */

import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../functions/calendar/model/records.ts';
import { plainText } from '../../functions/calendar/model/text/plain-text.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { fc, numRuns } from '../support/properties.ts';
import { save } from './support/as-editor.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

type Calendar = ReturnType<typeof calendarWithFiles>;

const sourceNames = ['Town', 'Club'] as const;
/** Single events of each source, and occurrences of its series. */
const singles = 3;
const occurrences = 3;
const week = 7 * 86_400_000;
const firstDay = Date.UTC(2027, 5, 1, 10);

const stamps = {
  frozen: () => ['LAST-MODIFIED:20200101T000000Z'],
  late: () => ['LAST-MODIFIED:20991231T000000Z'],
  absent: () => [],
  honest: (night: number) => [`LAST-MODIFIED:202611${String(night + 10)}T000000Z`],
} as const;

const habits = fc.record({
  stamp: fc.constantFrom(...(Object.keys(stamps) as (keyof typeof stamps)[])),
  hasNewUids: fc.boolean(),
  isNamedByCommand: fc.boolean(),
});
type Habits = typeof habits extends fc.Arbitrary<infer T> ? T : never;

const fields = ['title', 'description', 'venue', 'start'] as const;
type Field = (typeof fields)[number];

const which = { source: fc.nat(1), event: fc.nat(singles + occurrences - 1) };
const step = fc.oneof(
  fc.record({ what: fc.constant('source' as const), ...which, field: fc.constantFrom(...fields) }),
  fc.record({
    what: fc.constant('editor' as const),
    ...which,
    field: fc.constantFrom('title', 'description'),
  }),
  fc.record({ what: fc.constant('both' as const), ...which, field: fc.constantFrom('title', 'description') }),
  fc.record({ what: fc.constantFrom('removes' as const, 'brings' as const, 'moves' as const), ...which }),
  fc.record({ what: fc.constant('deletes' as const), ...which }),
  fc.record({ what: fc.constant('prunes' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A field of which both sides have a value, and what the last import has noted of it. */
class Value {
  there: string;
  here: string;
  note: { readonly there: string; readonly here: string };

  constructor(there: string) {
    this.there = there;
    this.here = there;
    this.note = { there, here: there };
  }

  /** Decides whose it is, by what the source says, what it said last, and what is here. */
  import(): void {
    const { there, here, note } = this;
    if (there === note.there) return;
    if (here !== note.here && here !== there) return;
    this.here = there;
    this.note = { there, here: there };
  }
}

/** One event of a source, or one occurrence of its series. */
class ModelEvent {
  readonly values: Record<Field, Value>;
  isInFile = true;
  state: 'new' | 'live' | 'pruned' | 'deleted' = 'new';
  id = 0;

  constructor(values: Readonly<Record<Field, string>>) {
    this.values = Object.fromEntries(
      fields.map((name) => [name, new Value(values[name])]),
    ) as unknown as Record<Field, Value>;
  }

  there = (name: Field) => this.values[name].there;
}

class ModelSource {
  readonly name: string;
  readonly habits: Habits;
  readonly events: ModelEvent[] = [];
  readonly series: ModelEvent[] = [];
  shiftHours = 0;
  night = 0;

  constructor(name: string, sourceHabits: Habits) {
    this.name = name;
    this.habits = sourceHabits;
    const values = (title: string, start: number) => ({
      title: `${title} of ${name}`,
      description: 'At first',
      venue: 'Hall',
      start: new Date(start).toISOString(),
    });
    for (let index = 0; index < singles; index += 1)
      this.events.push(new ModelEvent(values(`Single ${index}`, firstDay + index * 86_400_000)));
    for (let index = 0; index < occurrences; index += 1)
      this.series.push(new ModelEvent(values('Course', firstDay + index * week)));
  }

  get all(): ModelEvent[] {
    return [...this.events, ...this.series];
  }

  /** Changes a field of an event; that of an occurrence is a field of all. */
  change(event: ModelEvent, field: Field, text: string): void {
    const isOfSeries = this.series.includes(event);
    // What has neither its UID nor its looks is another event.
    if (field !== 'description' && (this.habits.hasNewUids || (isOfSeries && field === 'start'))) return;
    for (const one of isOfSeries ? this.series : [event]) one.values[field].there = text;
  }

  move(): void {
    if (this.habits.hasNewUids) return;
    this.shiftHours = (this.shiftHours + 1) % 5;
    for (const [index, { values }] of this.series.entries())
      values.start.there = new Date(firstDay + index * week + this.shiftHours * 3_600_000).toISOString();
  }

  file(): string {
    const { stamp, hasNewUids, isNamedByCommand } = this.habits;
    const uid = (index: number) => (hasNewUids ? `${this.night}-${index}@${this.name}` : String(index));
    const lines = (event: ModelEvent, index: number, ...more: string[]) =>
      vevent(
        uid(index),
        `SUMMARY:${event.there('title')}`,
        `DESCRIPTION:${event.there('description')}`,
        `LOCATION:${event.there('venue')}\\, Aarhus`,
        `DTSTART:${event.there('start').replaceAll(/[-:]|\.000/g, '')}`,
        ...stamps[stamp](this.night),
        ...more,
      );
    const present = this.events.flatMap((event, index) => (event.isInFile ? lines(event, index) : []));
    const [first] = this.series;
    const series =
      first === undefined || !first.isInFile
        ? []
        : lines(first, singles, `RRULE:FREQ=WEEKLY;COUNT=${occurrences}`);
    return iCalendar(...(isNamedByCommand ? [] : [`X-WR-CALNAME:${this.name}`]), ...present, ...series);
  }

  async import(calendar: Calendar, prunesMissing: boolean): Promise<void> {
    this.night += 1;
    const { isNamedByCommand } = this.habits;
    const before = await eventsIn(calendar);
    const path = calendar.path(`${this.name}.ics`);
    await writeFile(path, this.file());
    const output: string[] = [];
    await importCommand(path, await calendar.open(), {
      isDryRun: false,
      say: (line) => output.push(line),
      prunesMissing,
      ...(isNamedByCommand ? { source: this.name } : {}),
    });
    const report = output.join('\n');
    const isNew = this.all.filter(({ isInFile, state }) => isInFile && state === 'new');
    const vanished = this.all.filter(({ isInFile, state }) => !isInFile && state === 'live');
    expect(report).toContain(` read: ${isNew.length} new +`);
    for (const { values } of vanished) expect(report).toContain(`"${values.title.here} `);
    expect(report.includes('Vanished'), report).toBe(vanished.length > 0);
    this.#decide(prunesMissing);
    const after = await eventsIn(calendar);
    this.#adopt(
      isNew,
      after.filter(({ id }) => !before.some((event) => event.id === id)),
    );
  }

  #decide(prunesMissing: boolean): void {
    for (const event of this.all) {
      if (!event.isInFile && event.state === 'live' && prunesMissing) event.state = 'pruned';
      if (!event.isInFile || event.state === 'deleted') continue;
      for (const value of Object.values(event.values))
        if (event.state === 'new') Object.assign(value, new Value(value.there));
        else value.import();
      event.state = 'live';
    }
  }

  /** Notes the ids of new events. */
  #adopt(isNew: readonly ModelEvent[], records: readonly EventRecord[]): void {
    const key = (title: string, start: string) => `${title} ${start.slice(0, 16).replace('T', ' ')}`;
    for (const event of isNew) {
      const { title, start } = event.values;
      const found = records.find(
        (item) => key(item.title, item.utc_start_date) === key(title.here, start.here),
      );
      expect(found, `a record of ${title.here}`).toBeDefined();
      event.id = found?.id ?? 0;
    }
    expect(records).toHaveLength(isNew.length);
  }
}

async function eventsIn(calendar: Calendar): Promise<EventRecord[]> {
  return (await calendar.stored()).filter((record): record is EventRecord => record.kind === 'event');
}

/** Compares what is stored with the model: one record for each event, with the values of whose they are. */
async function compare(calendar: Calendar, sources: readonly ModelSource[]): Promise<void> {
  const stored = await calendar.stored();
  const venues = new Map(stored.flatMap((item) => (item.kind === 'venue' ? [[item.id, item.title]] : [])));
  const shown = (await eventsIn(calendar)).map(
    ({ id, status, title, description, venue, utc_start_date }) => ({
      id,
      isTrashed: status === 'trash',
      title,
      description: plainText(description ?? ''),
      venue: venues.get(Number(venue?.[0])),
      start: `${utc_start_date.replace(' ', 'T')}.000Z`,
    }),
  );
  const expected = sources.flatMap(({ all }) =>
    all
      .filter(({ state }) => state !== 'new')
      .map(({ id, state, values: { title, description, venue, start } }) => ({
        id,
        isTrashed: state !== 'live',
        title: title.here,
        description: description.here,
        venue: venue.here,
        start: start.here,
      })),
  );
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  expect(shown.sort(byId)).toEqual(expected.sort(byId));
}

/** Does a step, which is the one of a number. Returns whether the next import prunes. */
async function take(
  one: Step,
  sources: readonly ModelSource[],
  calendar: Calendar,
  number: number,
): Promise<boolean> {
  if (one.what === 'prunes') return true;
  const source = sources[one.source];
  const event = source?.all[one.event];
  if (source === undefined || event === undefined) throw new TypeError('There is no such event.');
  const group = source.series.includes(event) ? source.series : [event];
  switch (one.what) {
    case 'removes':
    case 'brings':
      for (const item of group) item.isInFile = one.what === 'brings';
      break;
    case 'moves':
      source.move();
      break;
    case 'deletes':
      if (event.state !== 'live') break;
      await edit(calendar, event, { status: 'trash' });
      event.state = 'deleted';
      break;
    default: {
      const { field } = one;
      const start = new Date(firstDay + one.event * 86_400_000 + number * 3_600_000).toISOString();
      if (one.what !== 'editor') source.change(event, field, field === 'start' ? start : `Change ${number}`);
      if (one.what === 'source' || event.state !== 'live') break;
      const written = one.what === 'both' ? event.there(field) : `Change ${number} here`;
      await edit(calendar, event, { [field]: written });
      event.values[field].here = written;
    }
  }
  return false;
}

async function edit(calendar: Calendar, { id }: ModelEvent, changes: Record<string, string>): Promise<void> {
  const target = await calendar.open();
  await target.records();
  await save(target, id, changes);
  target.close();
}

test('whose a field is depends on no habit of its source, and nothing is there twice, lost or left public', async () => {
  await fc.assert(
    fc.asyncProperty(
      habits,
      habits,
      fc.array(fc.array(step, { maxLength: 4 }), { minLength: 2, maxLength: 4 }),
      async (first, second, nights) => {
        const calendar = calendarWithFiles();
        const sources = [first, second].map((item, index) => new ModelSource(sourceNames[index] ?? '', item));
        for (const [night, steps] of [[], ...nights].entries()) {
          let prunesMissing = false;
          for (const [index, one] of steps.entries())
            prunesMissing = (await take(one, sources, calendar, 10 * night + index + 1)) || prunesMissing;
          for (const source of sources) {
            await source.import(calendar, prunesMissing);
            await compare(calendar, sources);
          }
        }
      },
    ),
    numRuns(10),
  );
});
