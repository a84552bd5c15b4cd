/** The change feed of the calendar: what programs follow that keep a copy. */

import { describe, expect, test } from 'vitest';
import { type CalendarReply, outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';
import { fc, numRuns } from '../support/properties.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const collections = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const;
type Kind = keyof typeof collections;

interface Change {
  readonly kind: Kind;
  readonly id: number;
  readonly version: number;
  readonly removed: boolean;
}

/** A program that keeps a copy: the versions of the records that it can read, by kind and id. */
class Follower {
  readonly as: Person | undefined;
  readonly copy = new Map<string, number>();
  readonly seen: Change[] = [];
  #next = '/changes';

  constructor(as: Person | undefined) {
    this.as = as;
  }

  /** Requests pages until nothing is left, of one process after the other. */
  async catchUp(perPage: number, roots: readonly string[]): Promise<void> {
    for (let page = 0; ; page++) {
      const path = `${this.#next}${this.#next.includes('?') ? '&' : '?'}per_page=${perPage}`;
      const at = roots[page % roots.length] ?? app.root;
      const { body } = await app.call('GET', path, { at, ...(this.as && { as: this.as }) });
      for (const change of body.changes as Change[]) this.#take(change);
      this.#next = body.next.slice(at.length).replace(/&per_page=\d+/, '');
      if (body.version === body.latest) return;
    }
  }

  #take(change: Change): void {
    this.seen.push(change);
    const key = `${change.kind}/${change.id}`;
    if (change.removed) this.copy.delete(key);
    else this.copy.set(key, change.version);
  }
}

function read(path: string, as?: Person, headers = {}): Promise<CalendarReply> {
  return app.call('GET', path, { headers, ...(as === undefined ? {} : { as }) });
}

/** Returns the version of the calendar. */
async function latest(): Promise<number> {
  return (await read('/changes?per_page=1')).body.latest;
}

const statuses = ['publish', 'draft', 'private', 'pending', 'trash'] as const;
const people = ['editor', 'author', 'contributor'] as const;
const posts = fc.constantFrom('event', 'venue', 'organizer');
const write = fc.oneof(
  fc.record({
    is: fc.constant('create'),
    kind: posts,
    as: fc.constantFrom(...people),
    status: fc.constantFrom(...statuses.slice(0, 4)),
    image: fc.constantFrom(undefined, '1.png', '2.png'),
  }),
  fc.record({ is: fc.constant('create term'), kind: fc.constantFrom('category', 'tag') }),
  fc.record({ is: fc.constant('update'), at: fc.nat(), status: fc.constantFrom(...statuses.slice(0, 4)) }),
  fc.record({ is: fc.constant('delete'), at: fc.nat() }),
  fc.record({ is: fc.constant('catch up'), follower: fc.nat(3), perPage: fc.integer({ min: 1, max: 7 }) }),
);

test('whoever follows misses nothing and sees nothing twice, whatever is written and whenever they ask', async () => {
  const roots = [app.root, (await app.another()).calendar];
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 5, maxLength: 25 }), async (writes) => {
      const records: [Kind, number][] = [];
      const pictures = `https://pictures.example.org/${crypto.randomUUID()}/`;
      const followers = [undefined, 'author', 'contributor', 'editor'].map(
        (as) => new Follower(as as Person),
      );
      for (const [index, step] of writes.entries()) {
        if ('perPage' in step) await followers[step.follower]?.catchUp(step.perPage, roots);
        else if ('at' in step) await change(records, step);
        else {
          const kind = step.kind as Kind;
          const name = { event: { title: `Record ${index}`, ...times }, venue: { venue: `Record ${index}` } };
          const fields = name[kind as 'event'] ?? {
            [kind === 'organizer' ? kind : 'name']: `R ${crypto.randomUUID()}`,
          };
          const image =
            'image' in step && step.image && step.as !== 'contributor'
              ? { image: pictures + step.image }
              : {};
          const created =
            'as' in step
              ? await app.create(collections[kind], { ...fields, ...image, status: step.status }, step.as)
              : await app.create(collections[kind], fields);
          records.push([kind, created.id]);
        }
      }
      for (const follower of followers) {
        await follower.catchUp(50, roots);
        await mustBeComplete(follower, records);
      }
    }),
    numRuns(5),
  );
});

async function change(
  records: readonly [Kind, number][],
  step: { at: number; status?: string },
): Promise<void> {
  const [kind, id] = records[step.at % Math.max(1, records.length)] ?? [];
  if (kind === undefined) return;
  const path = `/${collections[kind]}/${id}`;
  // A record in the trash refuses both.
  if (step.status === undefined) await app.call('DELETE', path, { as: 'editor' });
  else
    await app.change(
      path,
      kind === 'category' || kind === 'tag' ? { description: crypto.randomUUID() } : { status: step.status },
    );
}

/** Compares the copy of a follower with what reads of the records say. */
async function mustBeComplete(
  { as, copy, seen }: Follower,
  records: readonly [Kind, number][],
): Promise<void> {
  const versions = seen.map(({ version }) => version);
  expect(versions, 'each change comes once, in order').toEqual(
    [...new Set(versions)].toSorted((a, b) => a - b),
  );
  const images = new Set<number>();
  for (const [kind, id] of records) {
    const { status, headers, body } = await read(`/${collections[kind]}/${id}`, as);
    const isThere = status === 200 && body.status !== 'trash';
    const copiedVersion = copy.get(`${kind}/${id}`);
    expect([kind, id, copiedVersion !== undefined], `as ${as}`).toEqual([kind, id, isThere]);
    const [, version] = /^"(\d+)-/.exec(headers.get('etag') ?? '') ?? [];
    if (isThere) expect(copiedVersion, `the last change of ${kind} ${id}`).toBe(Number(version));
    if (isThere && body.status === 'publish' && body.image) images.add(body.image.id);
  }
  for (const id of images) expect(copy.has(`image/${id}`), `image ${id} as ${as}`).toBe(true);
}

describe('an anonymous follower', () => {
  test('learns that a published event became a draft, and gets the address of what is there', async () => {
    const since = await latest();
    const { id } = await app.create('events', { title: 'Shown', ...times });
    const first = (await read(`/changes?since=${since}`)).body;
    expect(first.changes).toEqual([
      { kind: 'event', id, version: first.version, removed: false, url: `${app.root}/events/${id}` },
    ]);
    await app.change(`/events/${id}`, { status: 'draft' });
    const second = (await read(`/changes?since=${first.version}`)).body;
    expect(second.changes).toEqual([{ kind: 'event', id, version: second.version, removed: true }]);
    expect((await read(`/changes?since=${first.version}`, 'editor')).body.changes).toMatchObject([
      { removed: false },
    ]);
  });

  test('learns that a picture is shown, and when no published record shows it any more', async () => {
    const image = `https://pictures.example.org/${crypto.randomUUID()}.png`;
    let since = await latest();
    const imagesSince = async () => {
      const { changes, version } = (await read(`/changes?since=${since}`)).body;
      since = version;
      return changes.filter(({ kind }: Change) => kind === ('image' as string));
    };
    const { id, image: picture } = await app.create('events', {
      title: 'A',
      image,
      status: 'draft',
      ...times,
    });
    expect(await imagesSince()).toMatchObject([{ id: picture.id, removed: true }]);
    await app.change(`/events/${id}`, { status: 'publish' });
    expect(await imagesSince()).toMatchObject([{ id: picture.id, removed: false }]);
    await app.change(`/events/${id}`, { title: 'Other words' });
    expect(await imagesSince(), 'its readers are the same').toEqual([]);
    const venue = await app.create('venues', { venue: 'B', image });
    await app.change(`/events/${id}`, { access_password: 'secret' });
    expect(await imagesSince(), 'the venue shows it').toEqual([]);
    await app.call('DELETE', `/venues/${venue.id}`, { as: 'editor' });
    expect(await imagesSince()).toMatchObject([{ id: picture.id, removed: true }]);
  });

  test('gets next with the size of the page and the history, and 304 while nothing has changed', async () => {
    const { headers, body } = await read('/changes?per_page=2');
    const { searchParams } = new URL(body.next);
    expect(Object.fromEntries(searchParams)).toEqual({
      since: String(body.version),
      history: body.history,
      per_page: '2',
    });
    const again = await read('/changes?per_page=2', undefined, {
      'If-None-Match': headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
  });
});

describe('a bad request for changes', () => {
  test.each([
    'since=-1',
    'since=1.5',
    'since=',
    'since=abc',
    'since=1e3',
    'since=99999999999999999999',
    'per_page=0',
    'per_page=x',
  ])('is rejected: %s', async (query) => {
    const reply = await read(`/changes?${query}`);
    expect(outcome(reply)).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(reply.body.data.params)).toEqual([query.split('=')[0]]);
  });

  test('of a version that does not exist, or of another history, says to start over', async () => {
    expect(outcome(await read(`/changes?since=${(await latest()) + 1}`))).toEqual([410, 'changes-gone']);
    const other = await read('/changes?since=0&history=00000000-0000-0000-0000-000000000000');
    expect(outcome(other)).toEqual([410, 'changes-gone']);
    expect(other.body.message).toContain('Start over without since and history');
  });

  test('of a calendar that was empty goes on with what happens first', async () => {
    const { calendar: at } = await app.another({ CALENDAR_NAME: 'nothing-yet' });
    const { version, history } = (await app.call('GET', '/changes', { at })).body;
    await app.call('POST', '/tags', { at, as: 'editor', body: { name: 'The first' } });
    const { status, body } = await app.call('GET', `/changes?since=${version}&history=${history}`, { at });
    expect([status, body.changes]).toMatchObject([200, [{ kind: 'tag' }]]);
  });
});

describe('Prefer: wait', () => {
  test('holds an empty reply until something changes, in another process too', async () => {
    const other = await app.another();
    const since = await latest();
    const at = other.url + new URL(app.root).pathname;
    const waiting = app.call('GET', `/changes?since=${since}`, { headers: { Prefer: 'wait=8' }, at });
    const { id } = await app.create('tags', { name: `Tag ${crypto.randomUUID()}` });
    const { status, headers, body } = await waiting;
    expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=8']);
    expect(body.changes).toMatchObject([{ kind: 'tag', id, removed: false }]);
  });

  test('ends without changes after the time asked, and is no longer than a request may take', async () => {
    const since = await latest();
    const short = await read(`/changes?since=${since}`, undefined, { Prefer: 'respond-async, wait=1' });
    expect([short.status, short.headers.get('preference-applied'), short.body.changes]).toEqual([
      200,
      'wait=1',
      [],
    ]);
    const long = await read(`/changes?since=${since - 1}`, undefined, { Prefer: 'wait=86400' });
    expect(long.headers.get('preference-applied')).toBe('wait=8');
    expect(long.headers.get('vary')).toBe('Prefer, Authorization, Origin');
  });

  test.each(['wait=-1', 'wait=x', 'wait', 'wait=0', 'return=minimal'])(
    'that cannot be granted is ignored: %s',
    async (preference) => {
      const reply = await read(`/changes?since=${await latest()}`, undefined, { Prefer: preference });
      expect([
        reply.status,
        reply.headers.has('preference-applied'),
        reply.headers.has('retry-after'),
      ]).toEqual([200, false, false]);
    },
  );
});
