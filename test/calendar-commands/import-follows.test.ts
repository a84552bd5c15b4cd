/** Imports follow their source: after any changes there and any runs here, readers see what the source shows, and nothing else. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
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
import { png } from '../support/pictures.ts';
import { numRuns } from '../support/properties.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, oldUser, startOldSite } from './support/old-site.ts';

const folder = '/wp-content/uploads';

const changes = [
  'edit',
  'trash',
  'delete',
  'draft',
  'private',
  'lock',
  'publish',
  'edit image',
  'replace image',
  'replace silently',
  'describe image',
  'delete image',
  'new event',
  'new event with the slug of another',
  'delete venue',
  'rename category',
  'delete category',
] as const;

interface Change {
  readonly kind: 'change';
  readonly change: (typeof changes)[number];
  /** Which of the events is changed. */
  readonly which: number;
}

interface Run {
  readonly kind: 'run';
  readonly copiesPictures: boolean;
  readonly prunesMissing: boolean;
  readonly isSignedIn: boolean;
  /** Writes after which the process is killed. */
  readonly killedAfter: number | undefined;
}

/** A person writes an event here, under the slug that the site gives its next one. */
interface Creation {
  readonly kind: 'creation';
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constant('change' as const),
  change: fc.constantFrom(...changes),
  which: fc.nat(5),
});

const run: fc.Arbitrary<Run> = fc.record({
  kind: fc.constant('run' as const),
  copiesPictures: fc.boolean(),
  prunesMissing: fc.boolean(),
  isSignedIn: fc.boolean(),
  killedAfter: fc.option(fc.nat(6), { nil: undefined }),
});

type View = Record<string, unknown>;

/** A site whose posts, pictures and users have numbers from counters, as in WordPress. */
class Source {
  readonly site: OldSite;
  #lastId = 0;
  #lastUser = 2;
  #minutes = 0;

  constructor(site: OldSite) {
    this.site = site;
    const hall = oldContact('venue', this.#id(), 'Hall');
    site.venues.push(hall);
    site.categories.push(oldTerm(1, 'Jazz', 'jazz'));
    for (const slug of ['one', 'two']) this.#add(slug);
  }

  /** The slug of the next event. */
  get nextSlug(): string {
    return `new-${this.#lastId}`;
  }

  #id(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #now(): Date {
    this.#minutes += 1;
    return new Date(Date.UTC(2026, 0, 1, 0, this.#minutes));
  }

  #touch(view: View, fields: View): void {
    const modified_utc = this.#now().toISOString().slice(0, 19).replace('T', ' ');
    Object.assign(view, { modified: modified_utc, modified_utc }, fields);
  }

  /** Puts other bytes under a path: their width tells them apart. */
  #putFile(path: string): View {
    const changed = this.#now();
    const bytes = png(10 + this.#minutes, 7);
    this.site.files.set(path, { bytes, changed });
    return { url: this.site.url + path, filesize: bytes.length + this.#minutes };
  }

  #add(slug: string): void {
    const imageId = this.#id();
    const image = { id: imageId, ...this.#putFile(`${folder}/p${imageId}.png`) };
    // The picture of a text that the library does not have.
    const inText = this.#putFile(`${folder}/t${imageId}.png`);
    this.#lastUser += 1;
    const id = this.#id();
    const event = oldEvent(id, `E${id}`, slug, {
      image,
      author: String(this.#lastUser),
      description: `<p>0 <img src="${inText['url']}" alt="" /></p>`,
      venue: this.site.venues[0] ?? [],
      categories: [...this.site.categories],
    });
    this.site.events.push(event);
    this.#describe(event);
  }

  #describe(event: View): void {
    const image = event['image'] as View;
    const { media } = this.site;
    const at = media.findIndex(({ id }) => id === image['id']);
    const modified_gmt = this.#now().toISOString().slice(0, 19);
    const alt_text = `alt ${this.#minutes}`;
    const item = { id: image['id'], source_url: image['url'], author: 3, date_gmt: '2024-01-01T00:00:00' };
    media.splice(at === -1 ? media.length : at, 1, { ...item, modified_gmt, alt_text, media_details: {} });
  }

  apply({ change, which }: Change): void {
    const { events } = this.site;
    const event = events[which % Math.max(1, events.length)];
    if (event === undefined || (event['image'] === false && change.endsWith('image'))) return;
    if (event['image'] === false && change === 'replace silently') return;
    this.#changes[change](event, event['image'] as View);
  }

  /** What is done to an event and its picture, or to the site. */
  readonly #changes: Readonly<Record<Change['change'], (event: View, image: View) => void>> = {
    edit: (event) => {
      const description = String(event['description']).replace(/\d+ /, `${this.#minutes} `);
      this.#touch(event, { description });
    },
    trash: (event) => this.#touch(event, { status: 'trash', slug: `gone-${event['id']}` }),
    delete: (event) => {
      this.site.events.splice(this.site.events.indexOf(event), 1);
    },
    draft: (event) => this.#touch(event, { status: 'draft' }),
    private: (event) => this.#touch(event, { status: 'private' }),
    lock: (event) => this.#touch(event, { post_password: 'sesame' }),
    publish: (event) => {
      delete event['post_password'];
      this.#touch(event, { status: 'publish' });
    },
    'edit image': (event, image) => {
      Object.assign(image, this.#putFile(`${folder}/p${image['id']}-e${this.#minutes}.png`));
      this.#describe(event);
    },
    'replace image': (_event, image) => {
      Object.assign(image, this.#putFile(pathOf(image)));
    },
    // Nothing but the file says so.
    'replace silently': (_event, image) => {
      this.#putFile(pathOf(image));
    },
    'describe image': (event) => this.#describe(event),
    'delete image': (event, image) => {
      const { files, media } = this.site;
      files.delete(pathOf(image));
      const at = media.findIndex(({ id }) => id === image['id']);
      if (at !== -1) media.splice(at, 1);
      // No event that had it is changed by this.
      event['image'] = false;
    },
    'new event': () => this.#add(this.nextSlug),
    'new event with the slug of another': (event) => {
      const slug = String(event['slug']);
      this.#touch(event, { status: 'trash', slug: `gone-${event['id']}` });
      this.#add(slug);
    },
    'delete venue': () => {
      this.site.venues.splice(0);
      for (const event of this.site.events) event['venue'] = [];
    },
    'rename category': () => {
      for (const category of this.site.categories)
        Object.assign(category, { name: `C ${this.#now().getTime()}`, slug: `c${this.#minutes}` });
    },
    'delete category': () => {
      this.site.categories.splice(0);
      for (const event of this.site.events) event['categories'] = [];
    },
  };

  /** Returns what everybody may read of the site: events by their ids. */
  shown(): Map<number, View> {
    const shown = this.site.events.filter(
      (event) => event['status'] === 'publish' && !('post_password' in event),
    );
    return new Map(shown.map((event) => [Number(event['id']), event]));
  }
}

function pathOf(image: View): string {
  return new URL(String(image['url'])).pathname;
}

/** Returns a calendar whose writes end after a number of them, as when the process is killed after a commit. */
function killed(target: Target, writes: number | undefined): Target {
  let left = writes ?? Number.POSITIVE_INFINITY;
  return {
    ...target,
    decide: (decision) => {
      left -= 1;
      return left < 0 ? Promise.reject(new TypeError('killed')) : target.decide(decision);
    },
  };
}

async function newCalendarOf(source: Source) {
  const settings = newCalendar(connectionStringOfTables());
  const config = readConfig({
    CALENDAR_SITE_URL: 'https://new.example.org',
    CALENDAR_BLOB_CONNECTION_STRING: localBlobs(),
    CALENDAR_BLOB_CONTAINER: `pictures-${randomUUID().slice(0, 8)}`,
  });
  const pages = mkdtempSync(join(tmpdir(), 'follows-'));
  return {
    open: () => openTarget(config, settings),
    /** Creates an event here, with a slug or what is free of it. Returns its number and its slug. */
    async create(slug: string): Promise<readonly [number, string]> {
      const app = new Calendar({
        site: siteOf('https://new.example.org', 'UTC'),
        openLog: (replica) => openLog(settings, { replica }),
      });
      const { id, text } = await app.create('event', {
        caller: { role: 'editor', subject: 'person' },
        siteUrl: '',
        root: 'http://localhost',
        language: undefined,
        parameters: { title: 'Here', slug, start_date: '2031-01-01 10:00', end_date: '2031-01-01 11:00' },
      });
      app.close();
      return [id, (JSON.parse(text) as { slug: string }).slug];
    },
    async import({ killedAfter, isSignedIn, ...options }: Omit<Run, 'kind'>): Promise<string> {
      const output: string[] = [];
      await importCommand(source.site.url, killed(await openTarget(config, settings), killedAfter), {
        isDryRun: false,
        say: (line) => output.push(line),
        wait: async () => {},
        folder: pages,
        ...options,
        ...(isSignedIn ? oldUser : {}),
      });
      return output.join('\n');
    },
  };
}

/** Compares what readers see here with what the site shows. */
async function compare(
  source: Source,
  target: Target,
  created: ReadonlyMap<number, string>,
  copiesPictures: boolean,
): Promise<void> {
  const records = await target.records();
  const { replica } = target;
  const isOpen = ({ record, status }: { record: object; status: string }) =>
    status === 'publish' && !('access_password' in record);
  const open = [...replica.posts.event.values()].filter(isOpen);
  const shown = source.shown();
  expect(open.map(({ record }) => record.id).sort()).toEqual([...shown.keys(), ...created.keys()].sort());
  for (const [id, slug] of created) expect(target.view('event', id)).toMatchObject({ title: 'Here', slug });
  const taken = new Set(created.values());
  for (const [id, there] of shown) {
    const here = target.view('event', id) ?? {};
    for (const name of ['title', 'author']) expect(here[name]).toBe(there[name]);
    // What is created here keeps its slug.
    const slug = String(there['slug']);
    expect(here['slug']).toBe(taken.has(slug) ? `${slug}-${id}` : slug);
    const words = (view: View) => /<p>(\d+) /.exec(String(view['description']))?.[1];
    expect(words(here)).toBe(words(there));
    expect((here['categories'] as View[]).map(({ name }) => name)).toEqual(
      (there['categories'] as View[]).map(({ name }) => name),
    );
    expect('id' in (here['venue'] as object)).toBe('id' in (there['venue'] as object));
    if (there['image'] === false) expect(here['image']).toBe(false);
    if (!copiesPictures || there['image'] === false) continue;
    const image = replica.image(Number((there['image'] as View)['id']));
    const url = String((there['image'] as View)['url']);
    const bytes = source.site.files.get(new URL(url).pathname)?.bytes;
    expect(await target.pictures.read(image?.stored?.blob ?? 'none')).toEqual(bytes);
    const item = source.site.media.find((each) => each['id'] === image?.id);
    expect(image?.stored?.alt_text).toBe(item?.['alt_text']);
    expect(JSON.stringify([here['description'], here['image']])).not.toContain(folder);
  }
  // What the source has deleted is in no reply, and at no address.
  const used = new Set([...replica.posts.event.values()].map(({ record }) => record.image));
  const kept = [...replica.images()].filter(({ id }) => !used.has(id));
  const sources = kept.map(({ stored }) => new URL(stored?.source ?? 'http://none/none').pathname);
  expect(sources.filter((path) => path.includes('/p') && !source.site.files.has(path))).toEqual([]);
  const names = records.flatMap((record) => (record.kind === 'category' ? record.name : []));
  expect(names).toEqual(source.site.categories.map(({ name }) => name));
  const venues = [...replica.posts.venue.values()].filter(isOpen).map(({ record }) => record.id);
  expect(venues).toEqual(source.site.venues.map(({ id }) => id));
}

test('after any changes of the source and any runs, readers see what it shows, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: change },
          { weight: 2, arbitrary: run },
          { weight: 1, arbitrary: fc.constant<Creation>({ kind: 'creation' }) },
        ),
        { maxLength: 14 },
      ),
      fc.boolean(),
      fc.boolean(),
      async (steps, copiesPictures, isSignedIn) => {
        const site = await startOldSite({ perPage: 50 });
        try {
          const source = new Source(site);
          const calendar = await newCalendarOf(source);
          const first = { copiesPictures: true, prunesMissing: false, isSignedIn: false };
          await calendar.import({ ...first, killedAfter: undefined });
          const created = new Map<number, string>();
          for (const step of steps) {
            if (step.kind === 'change') source.apply(step);
            else if (step.kind === 'creation') created.set(...(await calendar.create(source.nextSlug)));
            // A run may be killed.
            else
              await calendar.import(step).catch((error: Error) => expect(error.message).toContain('killed'));
          }
          const last = { copiesPictures, prunesMissing: true, isSignedIn, killedAfter: undefined };
          await calendar.import(last);
          const target = await calendar.open();
          await compare(source, target, created, copiesPictures);
          target.close();
          expect(await calendar.import(last)).toContain('import: 0 new, 0 changed');
        } finally {
          await site.stop();
        }
      },
    ),
    numRuns(15),
  );
});
