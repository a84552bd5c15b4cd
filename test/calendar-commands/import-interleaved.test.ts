/**
 * What an editor writes while an import runs: before each of its decisions, at every place. Nothing of it is lost, nothing that was withdrawn
 * is public, and the report says what was decided.
 */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { png } from '../support/pictures.ts';
import { type EditedCalendar, editedCalendar } from './support/edited-calendar.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, startOldSite } from './support/old-site.ts';

const folder = '/wp-content/uploads';

let site: OldSite;
let calendar: EditedCalendar;

beforeEach(async () => {
  site = await startOldSite({ perPage: 50 });
  calendar = editedCalendar(site.url);
});
afterEach(async () => {
  calendar.app.close();
  await site.stop();
});

function putFile(path: string, bytes: Buffer, minute = 0): string {
  site.files.set(path, { bytes, changed: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
  return site.url + path;
}

/** Decisions of an import of one event and a copied picture, and one more. */
const places = [0, 1, 2, 3, 4, 5];

test.each(places)('an event that is trashed before decision %i stays in the trash', async (place) => {
  const url = putFile(`${folder}/a.png`, png(6, 4));
  const text = putFile(`${folder}/t.png`, png(5, 4));
  const description = `<p>1 <img src="${text}" alt="" /></p>`;
  site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url }, description }));
  await calendar.import();
  Object.assign(site.events[0] ?? {}, { title: 'Changed' });
  let isTrashed = false;
  await calendar.import({ copiesPictures: true }, async (decision) => {
    if (decision !== place) return;
    await calendar.trash(1);
    isTrashed = true;
  });
  // There may be fewer decisions.
  if (!isTrashed) await calendar.trash(1);
  expect(await calendar.event(1)).toMatchObject({ status: 'trash' });
  await calendar.import({ copiesPictures: true, prunesMissing: true });
  expect(await calendar.event(1)).toMatchObject({ status: 'trash' });
});

test.each(places)('a text that is written before decision %i is kept', async (place) => {
  const url = putFile(`${folder}/a.png`, png(6, 4));
  const text = putFile(`${folder}/t.png`, png(5, 4));
  const description = `<p>1 <img src="${text}" alt="" /></p>`;
  site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url }, description }));
  await calendar.import();
  let isWritten = false;
  await calendar.import({ copiesPictures: true }, async (decision) => {
    if (decision !== place) return;
    isWritten = true;
    await calendar.update(1, {
      title: 'Here',
      description: `<p>Written here <img src="${text}" alt="" /></p>`,
    });
  });
  if (!isWritten) return;
  await calendar.import({ copiesPictures: true });
  const event = await calendar.event(1);
  expect(event).toMatchObject({ title: 'Here', description: expect.stringContaining('Written here') });
  // The picture in it is copied, too.
  expect(event.description).not.toContain(folder);
});

test('the text of a picture that is written during its download is kept', async () => {
  const url = putFile(`${folder}/a.png`, png(6, 4));
  site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url } }));
  site.media.push({
    id: 77,
    source_url: url,
    author: 3,
    date_gmt: '2024-01-01T00:00:00',
    alt_text: 'Old',
    media_details: {},
  });
  await calendar.import({ copiesPictures: true });
  putFile(`${folder}/a.png`, png(8, 4), 1);
  const describe = async () => {
    const { pictures } = calendar.app;
    const request = {
      caller: { role: 'editor', subject: 'person' } as const,
      siteUrl: '',
      root: 'http://localhost',
      language: undefined,
      parameters: { alt_text: 'Written here' },
    };
    await pictures.update(77, request);
  };
  let isFirst = true;
  site.interfere = (path) => {
    if (path === `${folder}/a.png`) isFirst = false;
    return false;
  };
  await calendar.import({ copiesPictures: true }, async () => {
    if (!isFirst) await describe();
  });
  site.interfere = undefined;
  await calendar.import({ copiesPictures: true });
  const image = await calendar.query(({ replica }) => replica.image(77));
  expect([image?.width, image?.stored?.alt_text]).toEqual([8, 'Written here']);
});

test('a second import of a site keeps the colour and the translations of categories and events', async () => {
  const jazz = oldTerm(5, 'Jazz', 'jazz');
  site.categories.push(jazz);
  site.events.push(oldEvent(1, 'One', 'one', { categories: [jazz] }));
  await calendar.import();
  await calendar.updateCategory(5, { color: '#0b57a4', description: 'Swinging' });
  await calendar.updateCategory(5, { name: 'Jass' }, 'sv');
  await calendar.update(1, { title: 'Ett' }, 'sv');
  const category = () => calendar.query(({ replica }) => replica.terms.get(5));
  const before = await category();
  Object.assign(site.events[0] ?? {}, { title: 'One more', modified_utc: '2040-01-01 00:00:00' });
  expect(await calendar.import()).toContain('import: 0 new, 1 changed');
  expect(await category()).toEqual(before);
  expect(await calendar.event(1)).toMatchObject({
    title: 'One more',
    translations: { sv: { title: 'Ett' } },
  });
  // A name that the source changes is changed, and no more.
  Object.assign(jazz, { name: 'Bebop' });
  await calendar.import();
  expect(await category()).toMatchObject({
    ...before,
    name: 'Bebop',
    follows: expect.anything(),
    shown_since: expect.anything(),
  });
  expect(await calendar.import()).toContain('import: 0 new, 0 changed');
});

test.each(['draft', 'private', 'locked'])(
  'an event that the source makes %s is withdrawn, also where it was edited here since, and stays so',
  async (how) => {
    site.events.push(oldEvent(1, 'One', 'one'), oldEvent(2, 'Two', 'two'));
    for (const user of [{}, { user: 'ann', password: 'abcd EFGH 1234' }]) {
      await calendar.import(user);
      await calendar.update(1, { title: `Edited here` });
      const event = site.events[0] ?? {};
      Object.assign(event, how === 'locked' ? { post_password: 'sesame' } : { status: how });
      const output = await calendar.import(user);
      expect(output).toContain('Withdrawn in the source, and here: event/1');
      const withdrawn = await calendar.event(1);
      expect(withdrawn.status !== 'publish' || 'access_password' in withdrawn).toBe(true);
      expect(withdrawn.title).toBe('Edited here');
      // An act of publishing after that counts, and the report says so each time.
      await calendar.update(1, { status: 'publish', access_password: '' });
      for (const _run of [1, 2])
        expect(await calendar.import(user)).toContain('published here after that, so left public: event/1');
      expect(await calendar.event(1)).toMatchObject({ status: 'publish' });
      // Published and withdrawn there anew, it is withdrawn here anew.
      delete event['post_password'];
      Object.assign(event, { status: 'publish' });
      await calendar.import(user);
      Object.assign(event, how === 'locked' ? { post_password: 'sesame' } : { status: how });
      await calendar.import(user);
      const again = await calendar.event(1);
      expect(again.status !== 'publish' || 'access_password' in again).toBe(true);
      delete event['post_password'];
      Object.assign(event, { status: 'publish' });
      await calendar.import(user);
      expect(await calendar.event(1)).toMatchObject({ status: 'publish' });
    }
  },
);

test('fields that both sides have changed are listed with both values, at each run until they agree', async () => {
  site.events.push(oldEvent(1, 'One', 'one'));
  await calendar.import();
  await calendar.update(1, { title: 'Here', website: 'https://here.example.org/' });
  Object.assign(site.events[0] ?? {}, { title: 'There', cost: '5' });
  for (const _run of [1, 2])
    expect(await calendar.import()).toMatch(
      /Changed on both sides, and left as here \(1\):\n {2}event\/1 title: "There" there, "Here" here/,
    );
  expect(await calendar.event(1)).toMatchObject({
    title: 'Here',
    cost: ['5'],
    website: 'https://here.example.org/',
  });
  await calendar.update(1, { title: 'There' });
  expect(await calendar.import()).not.toContain('both sides');
  Object.assign(site.events[0] ?? {}, { title: 'There again' });
  await calendar.import();
  expect(await calendar.event(1)).toMatchObject({ title: 'There again' });
});

test('pruning keeps a picture that only a text in another language shows', async () => {
  const url = putFile(`${folder}/a.png`, png(6, 4));
  site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url } }));
  await calendar.import({ copiesPictures: true });
  const address = await calendar.query(({ view }) => Object(view('event', 1)?.['image']).url);
  await calendar.update(1, { description: `<p><img src="${address}" alt="" /></p>` }, 'sv');
  Object.assign(site.events[0] ?? {}, { image: false });
  site.files.clear();
  await calendar.import({ prunesMissing: true });
  expect(await calendar.query(({ replica }) => replica.image(77)?.id)).toBe(77);
  await calendar.update(1, { description: '' }, 'sv');
  // Shown again before the decision, it is kept; else it goes.
  await calendar.import({ prunesMissing: true }, async () => {
    await calendar.update(1, { description: `<p><img src="${address}" alt="" /></p>` }, 'da');
  });
  expect(await calendar.query(({ replica }) => replica.image(77)?.id)).toBe(77);
  await calendar.update(1, { description: '' }, 'da');
  expect(await calendar.import({ prunesMissing: true })).toContain('they are deleted here too');
  expect(await calendar.query(({ replica }) => replica.image(77))).toBeUndefined();
});

test('a person who is moved to another number keeps what they write meanwhile, and is the author of it', async () => {
  const start = { start_date: '2031-01-01 10:00', end_date: '2031-01-01 11:00' };
  await calendar.create({ title: 'Mine', slug: 'mine', ...start });
  site.venues.push(oldContact('venue', 90, 'Hall', { author: '1' }));
  const id = 1;
  const output = await calendar.import({}, async (decision) => {
    if (decision < 2) await calendar.update(id, { title: `Mine ${decision}` });
  });
  expect(output).toMatch(/author\/1 is a person who writes here .*: moved to author\/(\d+)/);
  const [, moved] = /moved to author\/(\d+)/.exec(output) ?? [];
  expect(await calendar.event(id)).toMatchObject({ title: 'Mine 1', author: Number(moved) });
});

test('two sites in folders of one host are two sources', async () => {
  site.events.push(oldEvent(1, 'One', 'one'));
  await calendar.import({ source: `${site.url}/kultur/` });
  Object.assign(site.events[0] ?? {}, { title: 'Of sports', date_utc: '2024-01-01 00:00:00' });
  await expect(calendar.import({ source: `${site.url}/sport` })).rejects.toThrow('event/1 (one)');
  await expect(calendar.import()).rejects.toThrow('event/1 (one)');
  expect(await calendar.import({ source: `${site.url}/kultur/wp-json/tribe/events/v1` })).toContain(
    '1 changed',
  );
});

test('a site that is not well empties nothing', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  site.events.push(...ids.map((id) => oldEvent(id, `E${id}`, `e${id}`)));
  const shown = () =>
    calendar.query(
      ({ replica }) => [...replica.posts.event.values()].filter(({ status }) => status === 'publish').length,
    );
  const prune = { prunesMissing: true };
  const page = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Soon</body></html>';
  // The first import meets a page of HTML in place of a later page of the list: the others are imported, and it is named.
  site.interfere = (path, response) =>
    path.includes('/v1/events?') &&
    path.includes('page=2&') &&
    !!response.writeHead(404, { 'Content-Type': 'text/html' }).end(page);
  const first = await calendar.import(prune);
  expect(first).toContain('refused: events, page 2: the site answers 404 with an HTML page: "Maintenance"');
  expect(first).not.toContain('undefined');
  expect(await shown()).toBe(60);
  // In place of the first page nothing is known, and of everything neither.
  for (const isHit of [
    (path: string) => path.includes('/v1/events?') && path.includes('page=1&'),
    (path: string) => !path.includes('per_page=1'),
  ]) {
    site.interfere = (path, response) => isHit(path) && !!response.writeHead(404).end(page);
    await expect(calendar.import(prune)).rejects.toThrow(
      /the site answers 404 with an HTML page: "Maintenance"/,
    );
  }
  // A list that ends early, by the API's own code.
  site.interfere = (path, response) =>
    path.includes('/v1/events?') &&
    path.includes('page=2&') &&
    !!response.writeHead(404).end('{"code":"event-archive-page-not-found"}');
  await expect(calendar.import(prune)).rejects.toThrow(
    'the list ends after 50 of 60 records. Nothing was written.',
  );
  site.interfere = undefined;
  // Warnings of PHP before each reply change nothing.
  site.warns = true;
  expect(await calendar.import(prune)).toContain('import: 0 new, 0 changed, 61 unchanged.');
  site.warns = false;
  expect(await shown()).toBe(60);
  // A site that was set up anew: somebody has to say how many may go.
  const all = site.events.splice(0, 30);
  await expect(calendar.import(prune)).rejects.toThrow(
    'Cannot prune: the source has 30 of 60 records no longer, and 20 may go without asking. Nothing was written.',
  );
  await expect(calendar.import({ ...prune, isDryRun: true })).rejects.toThrow('--prune-at-most 30');
  expect(await shown()).toBe(60);
  await calendar.import({ ...prune, pruneAtMost: 30 });
  expect(await shown()).toBe(30);
  site.events.push(...all);
  await calendar.import(prune);
  expect(await shown()).toBe(60);
});

test('a dry run says what the run does, in the same numbers', async () => {
  const jazz = oldTerm(5, 'Jazz', 'jazz');
  site.categories.push(jazz);
  site.events.push(...[1, 2, 3, 4].map((id) => oldEvent(id, `E${id}`, `e${id}`, { categories: [jazz] })));
  const numbers = (output: string) =>
    output.split('\n').filter((line) => /^(?:import:|Changed|Withdrawn|Deleted here| {2}event\/)/.test(line));
  const both = async () => {
    const dry = await calendar.import({ prunesMissing: true, isDryRun: true });
    expect(numbers(await calendar.import({ prunesMissing: true }))).toEqual(numbers(dry));
  };
  await both();
  await calendar.update(1, { title: 'Here' });
  await calendar.trash(2);
  Object.assign(site.events[0] ?? {}, { title: 'There' });
  Object.assign(site.events[1] ?? {}, { title: 'There' });
  Object.assign(site.events[2] ?? {}, { status: 'draft' });
  site.events.pop();
  site.events.push(oldEvent(9, 'New', 'e4'));
  await both();
  await both();
});

test('a calendar of an earlier version, without notes, keeps what is newer here and follows what is not', async () => {
  site.categories.push(oldTerm(5, 'Jazz', 'jazz'));
  site.events.push(oldEvent(1, 'One', 'one'), oldEvent(2, 'Two', 'two'));
  await calendar.import();
  const target = await calendar.open();
  await target.records();
  await target.decide((draft) => {
    for (const record of [
      ...target.replica.terms.all(),
      ...[...target.replica.posts.event.values()].map((entry) => entry.record),
    ]) {
      const { follows: _follows, ...earlier } = record;
      draft.put(earlier);
    }
  });
  target.close();
  await calendar.update(1, { title: 'Here' });
  await calendar.updateCategory(5, { color: '#0b57a4', description: 'Here' });
  Object.assign(site.events[1] ?? {}, { title: 'There', modified_utc: '2026-06-01 00:00:00' });
  const output = await calendar.import();
  expect(output).toContain('event/1 title: "One" there, "Here" here');
  expect(await calendar.event(1)).toMatchObject({ title: 'Here' });
  expect(await calendar.event(2)).toMatchObject({ title: 'There' });
  expect(await calendar.query(({ replica }) => replica.terms.get(5))).toMatchObject({
    color: '#0b57a4',
    description: 'Here',
  });
  // From then on each field is known.
  Object.assign(site.events[0] ?? {}, { cost: '7' });
  await calendar.import();
  expect(await calendar.event(1)).toMatchObject({ title: 'Here', cost: ['7'] });
});

test('two imports of one site at once, beside an editor, store each record once and lose nothing', async () => {
  const jazz = oldTerm(5, 'Jazz', 'jazz');
  site.categories.push(jazz);
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  site.events.push(...ids.map((id) => oldEvent(id, `E${id}`, `e${id}`, { categories: [jazz] })));
  await Promise.all([calendar.import(), calendar.import()]);
  const edits = async () => {
    for (const id of ids.slice(0, 10)) await calendar.update(id, { title: `Here ${id}` });
  };
  for (const event of site.events) Object.assign(event, { cost: '5' });
  await Promise.all([calendar.import(), calendar.import(), edits()]);
  const events = await calendar.query(({ replica }) =>
    [...replica.posts.event.values()].map(({ record }) => [record.id, record.title, record.cost]),
  );
  const expected = ids.map((id) => [id, id <= 10 ? `Here ${id}` : `E${id}`, ['5']]);
  expect(events.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(expected);
  expect(await calendar.import()).toContain('import: 0 new, 0 changed');
});
