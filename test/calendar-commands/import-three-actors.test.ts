/**
 * A source, an editor here and the import as three actors, in any order. The model says whose each value is: after any run nothing that the
 * source has withdrawn is public, and nothing that was written here is lost.
 */

import { mkdtempSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import { siteOf } from '../../functions/calendar/model/site.ts';
import { Calendar } from '../../functions/calendar/operations/calendar.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTarget, type Target } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { numRuns } from '../support/properties.ts';
import { connectionStringOfTables } from '../support/shared-emulators.ts';
import { type OldSite, oldEvent, oldTerm, oldUser, startOldSite } from './support/old-site.ts';

type View = Record<string, unknown>;

const eventIds = [1, 2, 3] as const;
const category = 5;
const accesses = ['publish', 'draft', 'private', 'locked', 'gone'] as const;
const statusesHere = ['publish', 'draft', 'private', 'trash'] as const;
const texts = ['title', 'description'] as const;
const termTexts = ['name', 'description'] as const;

interface Step {
  readonly actor: 'source' | 'editor';
  readonly what: (typeof texts)[number] | 'access' | 'term name' | 'term description' | 'colour' | 'swedish';
  readonly id: (typeof eventIds)[number];
  readonly access: (typeof accesses)[number];
  readonly status: (typeof statusesHere)[number];
}

interface Run {
  readonly actor: 'import';
  readonly prunesMissing: boolean;
  /** Decisions after which the process is killed. */
  readonly killedAfter: number | undefined;
  /** Decision before which an editor writes. */
  readonly writtenBefore: number | undefined;
  readonly write: Step;
  /** How the source is: it answers with pages of HTML, with warnings, its lists end early, or another site stands behind its host. */
  readonly health: 'well' | 'html' | 'first page html' | 'warning' | 'early' | 'another site';
}

const stepOf = (actor: fc.Arbitrary<Step['actor']>): fc.Arbitrary<Step> =>
  fc.record({
    actor,
    what: fc.constantFrom(...texts, 'access', 'access', 'term name', 'term description', 'colour', 'swedish'),
    id: fc.constantFrom(...eventIds),
    access: fc.constantFrom(...accesses),
    status: fc.constantFrom(...statusesHere),
  });

const run: fc.Arbitrary<Run> = fc.record({
  actor: fc.constant('import' as const),
  prunesMissing: fc.boolean(),
  killedAfter: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  writtenBefore: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  write: stepOf(fc.constant('editor')),
  health: fc.constantFrom(
    ...(['well', 'well', 'well', 'html', 'first page html', 'warning', 'early', 'another site'] as const),
  ),
});

/** What an import may have noted of a value: what the source had, and what was stored for it. */
interface Note {
  readonly there: string;
  readonly here: string;
}

/** A value of which both sides have a version, and what an import may have noted of it. */
class Value {
  there: string;
  here: string | undefined;
  notes: Note[] = [];

  constructor(there: string) {
    this.there = there;
  }

  /** Takes in that an import has decided the value, or may have; `stored` is what it stores for what the source has. */
  imported(actual: string | undefined, stored: string, isCertain: boolean, decide = ownerOf): void {
    const { here, there } = this;
    const outcomes = (this.notes.length === 0 ? [undefined] : this.notes).flatMap((note) => {
      const isTheirs = note === undefined || decide({ there, stored, here, note }) === 'source';
      const agrees = isTheirs || stored === here;
      const decided = {
        here: isTheirs ? stored : here,
        note: agrees ? { there, here: stored } : note,
      };
      return isCertain ? [decided] : [decided, { here, note }];
    });
    const possible = outcomes.filter((outcome) => outcome.here === actual);
    expect(possible, JSON.stringify({ here, there, stored, actual, notes: this.notes })).not.toEqual([]);
    this.here = actual;
    this.notes = possible.flatMap(({ note }) => note ?? []);
  }
}

interface Sides {
  readonly there: string;
  readonly stored: string;
  readonly here: string | undefined;
  readonly note: Note;
}

function ownerOf({ here, note }: Sides): 'source' | 'here' {
  return here === note.here ? 'source' : 'here';
}

const openness = (access: string | undefined) =>
  access === 'publish' ? 2 : access === 'locked' || access === 'publish locked' ? 1 : 0;

/** What the source withdraws is withdrawn; but what was published here after that was imported. */
function ownerOfAccess(sides: Sides): 'source' | 'here' {
  const { there, stored, here, note } = sides;
  if (stored === here) return 'source';
  if (openness(there) < openness(here)) return openness(note.there) > openness(there) ? 'source' : 'here';
  return ownerOf(sides);
}

/** The three actors and the model. */
class World {
  readonly site: OldSite;
  readonly isSignedIn: boolean;
  readonly #settings = newCalendar(connectionStringOfTables());
  readonly #config = readConfig({ CALENDAR_SITE_URL: 'https://new.example.org' });
  readonly #folder = mkdtempSync(join(tmpdir(), 'actors-'));
  readonly app: Calendar;
  readonly values = new Map<string, Value>();
  /** What only people here have written: colours and texts in another language. */
  readonly #ownTexts = new Map<string, string>();
  #count = 0;

  constructor(site: OldSite, isSignedIn: boolean) {
    this.site = site;
    this.isSignedIn = isSignedIn;
    site.categories.push(oldTerm(category, 'C0', 'c'));
    for (const id of eventIds) {
      site.events.push(oldEvent(id, `T${id}`, `e${id}`, { categories: [...site.categories] }));
      for (const name of texts) this.values.set(`${id} ${name}`, new Value(String(this.#event(id)?.[name])));
      this.values.set(`${id} access`, new Value('publish'));
    }
    for (const name of termTexts)
      this.values.set(`term ${name}`, new Value(String(site.categories[0]?.[name])));
    this.app = new Calendar({
      site: siteOf('https://new.example.org', 'UTC'),
      openLog: (replica) => openLog(this.#settings, { replica }),
    });
  }

  #event(id: number): View | undefined {
    return this.site.events.find((event) => event['id'] === id);
  }

  #value(name: string): Value {
    const value = this.values.get(name);
    if (value === undefined) throw new TypeError(name);
    return value;
  }

  #next(word: string): string {
    this.#count += 1;
    return `${word}${this.#count}`;
  }

  /** The source changes a value. Its time of change may not move. */
  #changeThere({ what, id, access }: Step): void {
    if (what === 'term name' || what === 'term description') {
      const name = what.slice(5);
      const text = this.#next('There');
      Object.assign(this.site.categories[0] ?? {}, { [name]: text });
      this.#value(`term ${name}`).there = text;
    } else if (what === 'access') this.#withdraw(id, access);
    else if (what === 'title' || what === 'description') {
      const event = this.#event(id);
      if (event === undefined) return;
      const text = what === 'title' ? this.#next('There') : `<p>${this.#next('There')}</p>`;
      event[what] = text;
      this.#value(`${id} ${what}`).there = text;
    }
  }

  #withdraw(id: number, access: Step['access']): void {
    const event = this.#event(id);
    if (event === undefined) return;
    delete event['post_password'];
    event['status'] = access === 'locked' ? 'publish' : access === 'gone' ? 'trash' : access;
    if (access === 'locked') event['post_password'] = 'sesame';
    this.#value(`${id} access`).there = access;
  }

  /** An editor changes what is here, where it is here. */
  async changeHere(step: Step): Promise<void> {
    const { what, id, status } = step;
    if (what === 'colour' || what.startsWith('term')) {
      const name = what === 'colour' ? 'color' : what.slice(5);
      const text = what === 'colour' ? `#00000${this.#count++ % 10}` : this.#next('Here');
      if (!(await this.#update('category', category, { [name]: text }))) return;
      if (what === 'colour') this.#ownTexts.set('color', text);
      else this.#value(`term ${name}`).here = text;
    } else if (what === 'swedish') {
      const text = this.#next('Svenska');
      if (await this.#update('event', id, { title: text }, 'sv')) this.#ownTexts.set(`${id} sv`, text);
    } else if (what === 'access') {
      const isDone =
        status === 'trash'
          ? await this.#delete(id)
          : await this.#update('event', id, {
              status,
              ...(status === 'publish' ? { access_password: '' } : {}),
            });
      if (isDone) this.#value(`${id} access`).here = await this.#accessHere(id);
    } else {
      const text = what === 'title' ? this.#next('Here') : `<p>${this.#next('Here')}</p>`;
      if (await this.#update('event', id, { [what]: text })) this.#value(`${id} ${what}`).here = text;
    }
  }

  #request(parameters: View, language?: 'sv') {
    const caller = { role: 'editor', subject: 'person' } as const;
    return { caller, siteUrl: '', root: 'http://localhost', language, parameters };
  }

  async #update(kind: 'event' | 'category', id: number, parameters: View, language?: 'sv'): Promise<boolean> {
    return await this.app.update(kind, { id }, this.#request(parameters, language)).then(
      () => true,
      () => false,
    );
  }

  async #delete(id: number): Promise<boolean> {
    return await this.app.delete('event', { id }, this.#request({})).then(
      () => true,
      () => false,
    );
  }

  async #accessHere(id: number): Promise<string | undefined> {
    const target = await openTarget(this.#config, this.#settings);
    await target.records();
    const access = accessOf(target, id);
    target.close();
    return access;
  }

  async apply(step: Step): Promise<void> {
    if (step.actor === 'source') this.#changeThere(step);
    else await this.changeHere(step);
  }

  /** Imports, and takes in what may have been decided. Then holds what is true after every run. */
  async import(options: Run): Promise<void> {
    const { prunesMissing, killedAfter, health, writtenBefore, write } = options;
    const output: string[] = [];
    let decisions = 0;
    const opened = await openTarget(this.#config, this.#settings);
    const target: Target = {
      ...opened,
      decide: async (decision) => {
        if (decisions === killedAfter) throw new TypeError('killed');
        if (decisions === writtenBefore) await this.changeHere(write);
        decisions += 1;
        return await opened.decide(decision);
      },
    };
    this.site.interfere = faults[health];
    this.site.warns = health === 'warning';
    const run = (into: Target, isDryRun: boolean, lines: string[]) =>
      importCommand(this.site.url, into, {
        isDryRun,
        say: (line) => lines.push(line),
        wait: async () => {},
        // What an interrupted run has read is for the next one of its kind.
        folder: join(this.#folder, String(isDryRun)),
        prunesMissing,
        ...(this.isSignedIn ? oldUser : {}),
      }).then(
        () => true,
        () => false,
      );
    const isAlone = killedAfter === undefined && writtenBefore === undefined;
    const rehearsed: string[] = [];
    if (isAlone) await run(await openTarget(this.#config, this.#settings), true, rehearsed);
    const isDone = await run(target, false, output);
    // A dry run says what the run does, in the same numbers.
    if (isAlone) expect(numbersIn(output)).toEqual(numbersIn(rehearsed));
    this.site.interfere = undefined;
    this.site.warns = false;
    // What an editor has written during the run may have come before or after a decision.
    const isReadable = health === 'well' || health === 'warning' || health === 'another site';
    const isCertain = isDone && isReadable && decisions <= (writtenBefore ?? 99);
    const accesses = eventIds.map((id) => this.#value(`${id} access`));
    const there = accesses.map((access) => access.there);
    // Another site has none of these events, and says so in the words of the API.
    if (health === 'another site') for (const access of accesses) access.there = 'gone';
    await this.#takeIn(prunesMissing, isCertain, health === 'another site');
    for (const [index, access] of accesses.entries()) access.there = there[index] ?? '';
  }

  async #takeIn(prunesMissing: boolean, isCertain: boolean, isOfAnother: boolean): Promise<void> {
    const target = await openTarget(this.#config, this.#settings);
    await target.records();
    for (const id of eventIds) {
      const record = target.replica.posts.event.get(id)?.record;
      const access = this.#value(`${id} access`);
      const isTrashedHere = access.here === 'trash' && access.notes.every(({ here }) => here !== 'trash');
      const isSeen =
        access.there === 'publish' || (this.isSignedIn ? access.there !== 'gone' : access.there === 'locked');
      const isDecided = isCertain && !isTrashedHere;
      if (record === undefined) continue;
      if (isTrashedHere) expect(record.status).toBe('trash');
      for (const name of texts) {
        // A password hides the texts from who is not signed in.
        const isHidden = name === 'description' && access.there === 'locked' && !this.isSignedIn;
        const value = this.#value(`${id} ${name}`);
        const actual = String(record[name] ?? '');
        if (isSeen && !isHidden && !isTrashedHere) value.imported(actual, value.there, isDecided);
        else if (value.here !== undefined) expect(actual).toBe(value.here);
        else value.here = actual;
      }
      const actual = accessOf(target, id);
      if (isTrashedHere || (access.there === 'gone' && !prunesMissing)) expect(actual).toBe(access.here);
      else access.imported(actual, this.#storedAccess(access), isDecided, ownerOfAccess);
      expect(record.translations?.sv?.['title']).toBe(this.#ownTexts.get(`${id} sv`));
    }
    const term = target.replica.terms.get(category);
    if (term !== undefined && !isOfAnother) {
      for (const name of termTexts) {
        const value = this.#value(`term ${name}`);
        value.imported(term[name] ?? '', value.there, isCertain);
      }
      expect(term.color).toBe(this.#ownTexts.get('color'));
    }
    target.close();
    if (isCertain) await this.#holdForReaders();
  }

  #storedAccess({ there, here }: Value): string {
    if (there === 'locked') return this.isSignedIn || here?.endsWith('locked') ? 'publish locked' : 'private';
    if (there === 'gone') return 'trash';
    return there === 'publish' || this.isSignedIn ? there : 'private';
  }

  /** What the model has as public is what anybody reads, by lists, search, the feed, ids and slugs. */
  async #holdForReaders(): Promise<void> {
    const reader = { ...this.#request({}), caller: { role: 'reader' } as const };
    const dates = { start_date: '2020-01-01', per_page: '50' };
    const list = async (parameters: View) => {
      const { value } = await this.app.list('event', { ...reader, parameters });
      const { events } = JSON.parse(Buffer.from(value.bytes).toString()) as { events: View[] };
      return events.flatMap(({ id }) => eventIds.find((own) => own === id) ?? []).sort();
    };
    const shown = eventIds.filter((id) => openness(this.#value(`${id} access`).here) > 0);
    const open = eventIds.filter((id) => this.#value(`${id} access`).here === 'publish');
    expect(await list(dates)).toEqual(shown);
    for (const id of eventIds) {
      const title = String(this.#value(`${id} title`).here);
      expect((await list({ ...dates, search: title })).includes(id)).toBe(shown.includes(id));
      for (const ref of [{ id }, { slug: `e${id}` }]) {
        const read = await this.app.read('event', ref, { ...reader, parameters: {} }).then(
          ({ value }) => (JSON.parse(value.text) as View)['description'],
          () => undefined,
        );
        expect([id, ref, read !== undefined]).toEqual([id, ref, open.includes(id)]);
      }
    }
    const feed = await this.app.feed({ ...reader, parameters: dates });
    const text = Buffer.from(feed.value.page?.bytes ?? []).toString();
    const inFeed = eventIds.filter((id) =>
      new RegExp(`^UID:new\\.example\\.org\\?id=${id}\r$`, 'm').test(text),
    );
    const cancelled = text.split('BEGIN:VEVENT').filter((event) => event.includes('STATUS:CANCELLED'));
    expect(inFeed.filter((id) => !cancelled.some((event) => event.includes(`?id=${id}\r`)))).toEqual(shown);
  }
}

/** The lines of a report that say how many records it is about, and which. */
function numbersIn(output: readonly string[]): string[] {
  const said = /^(?:import:|Changed|Withdrawn|Deleted here|ATTENTION| {2})/;
  return output
    .flatMap((lines) => lines.split('\n'))
    .filter((line) => said.test(line) && !isComparison(line));
}

/** A dry run compares nothing afterwards. */
const isComparison = (line: string) => / there, .* here$/.test(line) && /^ {2}\w+\./.test(line);

function accessOf(target: Target, id: number): string | undefined {
  const record = target.replica.posts.event.get(id)?.record;
  if (record === undefined) return undefined;
  return record.access_password === undefined ? record.status : `${record.status} locked`;
}

type Interfere = (path: string, response: ServerResponse) => boolean;

const page = '<!DOCTYPE html><html><head><title>Maintenance</title></head></html>';
const isList = (path: string) => /\/v1\/(?:events|categories)\?/.test(path) && path.includes('page=');
const isLater = (path: string) => isList(path) && !/[?&]page=1(?:&|$)/.test(path);

const otherEvent = oldEvent(900, 'Of another site', 'of-another-site');

/** Answers as another site with the same API does: it has one event. */
function anotherSite(path: string, response: ServerResponse): boolean {
  const answer = (status: number, body: unknown) => !!response.writeHead(status).end(JSON.stringify(body));
  if (/\/wp\/v2\/tribe_events\?|\/tec\/v1\/events/.test(path)) return answer(200, [{ id: 900 }]);
  if (/\/v1\/events\?/.test(path)) return answer(200, { events: [otherEvent], total: 1, total_pages: 1 });
  if (/\/v1\/events\/900/.test(path)) return answer(200, otherEvent);
  if (/\/v1\/events\//.test(path)) return answer(404, { code: 'rest-event-not-found' });
  if (/\/v1\/\w+\?/.test(path)) return answer(404, { code: 'event-archive-page-not-found' });
  if (/\/v1\/\w+\//.test(path))
    return answer(400, { code: 'rest_invalid_param', data: { status: 400, params: { id: 'Invalid.' } } });
  return false;
}

const faults: Readonly<Record<Run['health'], Interfere | undefined>> = {
  well: undefined,
  html: (path, response) =>
    isLater(path) && !!response.writeHead(404, { 'Content-Type': 'text/html' }).end(page),
  'first page html': (path, response) =>
    isList(path) && !path.includes('per_page=1') && !!response.writeHead(404).end(page),
  early: (path, response) =>
    isLater(path) && !!response.writeHead(404).end('{"code":"event-archive-page-not-found"}'),
  warning: undefined,
  'another site': anotherSite,
};

test('whatever a source, an editor and imports do in any order, each value is whose it is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: stepOf(fc.constantFrom('source', 'editor')) },
          { weight: 3, arbitrary: run },
        ),
        { maxLength: 14 },
      ),
      fc.boolean(),
      async (steps, isSignedIn) => {
        const site = await startOldSite();
        const world = new World(site, isSignedIn);
        const whole: Run = {
          actor: 'import',
          prunesMissing: true,
          killedAfter: undefined,
          writtenBefore: undefined,
          write: { actor: 'editor', what: 'title', id: 1, access: 'publish', status: 'publish' },
          health: 'well',
        };
        try {
          await world.import(whole);
          for (const step of steps) {
            if (step.actor === 'import') await world.import(step);
            else await world.apply(step);
          }
          await world.import(whole);
          await world.import(whole);
        } finally {
          world.app.close();
          await site.stop();
        }
      },
    ),
    numRuns(25),
  );
});
