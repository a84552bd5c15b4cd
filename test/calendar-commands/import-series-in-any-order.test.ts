/**
 * A site with recurring events, and an editor here, in any order: each occurrence is one event, what was written here stays, a dry run says in
 * numbers what the run does, and a second run does nothing.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../functions/calendar/model/records.ts';
import { numRuns } from '../support/properties.ts';
import { type EditedCalendar, editedCalendar } from './support/edited-calendar.ts';
import { type OldSite, oldEvent, oldOccurrences, startOldSite } from './support/old-site.ts';

const slugs = ['choir', 'yoga'] as const;
const days = ['2031-03-04', '2031-03-11', '2031-03-18', '2031-04-01', '2031-04-08'];
const scopes = ['this', 'later', 'all'] as const;
const fields = ['title', 'cost', 'website'] as const;

type Slug = (typeof slugs)[number];

interface Change {
  readonly what: 'add' | 'cancel' | 'hour' | 'text' | 'number anew' | 'plugin' | 'here' | 'trash' | 'import';
  readonly slug: Slug;
  readonly day: number;
  readonly scope: (typeof scopes)[number];
  readonly field: (typeof fields)[number];
  readonly killedAfter: number | undefined;
}

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom(
    ...([
      'add',
      'cancel',
      'hour',
      'text',
      'number anew',
      'plugin',
      'here',
      'here',
      'trash',
      'import',
    ] as const),
  ),
  slug: fc.constantFrom(...slugs),
  day: fc.nat(days.length - 1),
  scope: fc.constantFrom(...scopes),
  field: fc.constantFrom(...fields),
  killedAfter: fc.option(fc.nat(4), { nil: undefined, freq: 2 }),
});

class World {
  readonly site: OldSite;
  readonly calendar: EditedCalendar;
  /** The days of each recurring event, with the ids that its occurrences have there. */
  readonly #there = new Map<Slug, Map<string, number>>();
  readonly #texts = new Map<Slug, string>();
  readonly #hours = new Map<Slug, number>();
  /** What people have written in an event here, by its id. */
  readonly #written = new Map<number, Map<string, string>>();
  readonly #trashed = new Set<number>();
  /** The events of the days of each, after the last whole run. */
  readonly #eventIds = new Map<string, number>();
  #hasPlugin = true;
  #nextId = 10_000_001;
  #count = 0;

  constructor(site: OldSite) {
    this.site = site;
    this.calendar = editedCalendar(site.url);
    for (const slug of slugs) {
      this.#there.set(slug, new Map(days.slice(0, 3).map((day) => [day, this.#nextId++])));
      this.#texts.set(slug, 'Text');
      this.#hours.set(slug, 19);
    }
    this.#serve();
  }

  /** Writes what the source has: each occurrence, or, without its plugin, the next one in the place of all. */
  #serve(): void {
    const occurrences = slugs.flatMap((slug, index) => {
      const start = `${this.#hours.get(slug)}:00:00`;
      const views = [...(this.#there.get(slug) ?? [])].toSorted().flatMap(([day, id]) =>
        oldOccurrences(id, slug, slug, [day], {
          start_date: `${day} ${start}`,
          utc_start_date: `${day} ${Number(start.slice(0, 2)) - 2}:00:00`,
          description: `<p>${this.#texts.get(slug)}</p>`,
        }),
      );
      const [first] = views;
      if (this.#hasPlugin || first === undefined) return views;
      return [{ ...first, id: 70 + index, url: `https://old.example.org/event/${slug}/` }];
    });
    this.site.events.splice(0, this.site.events.length, oldEvent(5, 'Alone', 'alone'), ...occurrences);
  }

  async apply({ what, slug, day: index, scope, field, killedAfter }: Change): Promise<void> {
    const day = days[index] ?? '';
    const there = this.#there.get(slug) ?? new Map();
    if (what === 'add' && !there.has(day)) there.set(day, this.#nextId++);
    if (what === 'cancel' && there.size > 1) there.delete(day);
    if (what === 'hour') this.#hours.set(slug, 18 + ((this.#hours.get(slug) ?? 0) % 4));
    if (what === 'text') this.#texts.set(slug, `Text ${this.#count++}`);
    if (what === 'number anew') for (const known of there.keys()) there.set(known, this.#nextId++);
    if (what === 'plugin') this.#hasPlugin = !this.#hasPlugin;
    this.#serve();
    if (what === 'here') await this.#write(slug, day, scope, field);
    if (what === 'trash') await this.#trash(slug, day);
    if (what === 'import') await this.import(killedAfter);
  }

  async #events(slug: Slug): Promise<readonly EventRecord[]> {
    return await this.calendar.query(({ replica }) =>
      [...replica.posts.event.values()].flatMap(({ record }) =>
        record.follows?.occurrence?.path === `event/${slug}` ? [record] : [],
      ),
    );
  }

  async #eventOf(slug: Slug, day: string): Promise<EventRecord | undefined> {
    const events = await this.#events(slug);
    return events.find(({ follows, status }) => follows?.occurrence?.day === day && status !== 'trash');
  }

  /** An editor changes a date, it and later ones, or all. */
  async #write(slug: Slug, day: string, scope: Change['scope'], field: Change['field']): Promise<void> {
    const event = await this.#eventOf(slug, day);
    if (event?.series === undefined) return;
    this.#count += 1;
    const value = field === 'website' ? `https://${this.#count}.example.com/` : `${this.#count}`;
    const request = {
      caller: { role: 'editor', subject: 'person' } as const,
      parameters: { event: event.id, scope, [field]: value },
      root: 'http://localhost',
      language: undefined,
    };
    await this.calendar.app.series.update(event.series.id, request);
    for (const { id, ...record } of await this.#events(slug))
      if (String(record[field]) === value)
        this.#written.set(id, new Map([...(this.#written.get(id) ?? []), [field, value]]));
  }

  async #trash(slug: Slug, day: string): Promise<void> {
    const event = await this.#eventOf(slug, day);
    if (event === undefined) return;
    await this.calendar.trash(event.id);
    this.#trashed.add(event.id);
  }

  /** Imports, after a dry run that says the same; or is killed on the way. */
  async import(killedAfter?: number): Promise<void> {
    if (killedAfter !== undefined) {
      const kill = async (decision: number) => {
        if (decision === killedAfter) throw new TypeError('killed');
      };
      await this.calendar.import({ prunesMissing: true }, kill).catch(() => {});
      return;
    }
    const numbers = (output: string) =>
      output
        .split('\n')
        .filter((line) => /^(?:import:|series:|Withdrawn|Deleted here|Occurrences)/.test(line));
    const dry = await this.calendar.import({ prunesMissing: true, isDryRun: true });
    const run = await this.calendar.import({ prunesMissing: true });
    expect(numbers(run)).toEqual(numbers(dry));
    expect(await this.calendar.import({ prunesMissing: true })).toContain('import: 0 new, 0 changed');
    await this.#hold();
  }

  /** What is true after each whole run. */
  async #hold(): Promise<void> {
    for (const slug of slugs) {
      const events = await this.#events(slug);
      const live = events.filter(({ status }) => status === 'publish');
      const there = [...(this.#there.get(slug) ?? new Map()).keys()].toSorted();
      const expected = this.#hasPlugin ? there : there.slice(0, 1);
      const trashed = events
        .filter(({ id }) => this.#trashed.has(id))
        .map(({ follows }) => follows?.occurrence?.day);
      expect(live.map(({ follows }) => follows?.occurrence?.day).toSorted()).toEqual(
        expected.filter((day) => !trashed.includes(day)),
      );
      for (const { id, ...record } of live) {
        // Whatever number it has there, it is the same event here.
        const name = `${slug} ${record.follows?.occurrence?.day}`;
        expect([name, id]).toEqual([name, this.#eventIds.get(name) ?? id]);
        this.#eventIds.set(name, id);
        for (const [field, value] of this.#written.get(id) ?? [])
          expect([id, field, String(record[field as Change['field']])]).toEqual([id, field, value]);
        expect(record.description).toBe(`<p>${this.#texts.get(slug)}</p>`);
        expect(record.start_date.slice(11, 13)).toBe(String(this.#hours.get(slug)));
      }
      await this.#holdSeries(slug, live);
    }
  }

  /** The dates that are there are one series, and the address of all leads to one of them. */
  async #holdSeries(slug: Slug, live: readonly EventRecord[]): Promise<void> {
    const request = { caller: { role: 'reader' } as const, parameters: {}, root: '', language: undefined };
    const place = await this.calendar.app.pagePlace({ path: `/event/${slug}/` }, request).then(
      ({ value }) => value,
      () => undefined,
    );
    if (live.length === 0) return expect(place).toBeUndefined();
    expect(live.map((record) => `/event/${record.slug}/`)).toContain(place);
    const series = new Set(live.map((record) => record.series?.id));
    expect(series.size).toBe(1);
    const { view } = (await this.calendar.app.series.read([...series][0] ?? 0, request)).value;
    expect(view).toMatchObject({ total: live.length });
    return undefined;
  }
}

test('whatever a site with recurring events and an editor do, each occurrence is one event and keeps what was written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 10 }), async (changes) => {
      const site = await startOldSite({ perPage: 4 });
      const world = new World(site);
      try {
        await world.import();
        for (const each of changes) await world.apply(each);
        await world.import();
      } finally {
        world.calendar.app.close();
        await site.stop();
      }
    }),
    numRuns(12),
  );
});
