/** What people do here between two imports of a site counts: nothing of it is lost or undone, and nothing that anybody withdrew is public. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyOf } from '../../functions/calendar/model/image-url.ts';
import type { ImageRecord } from '../../functions/calendar/model/records.ts';
import { png } from '../support/pictures.ts';
import { type EditedCalendar, editedCalendar } from './support/edited-calendar.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, oldUser, startOldSite } from './support/old-site.ts';

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

function putFile(path: string, bytes: Buffer): string {
  site.files.set(path, { bytes, changed: new Date(Date.UTC(2026, 0, 1)) });
  return site.url + path;
}

test('a category or tag that was deleted here stays deleted, also where it had children', async () => {
  const [music, jazz, tag] = [
    oldTerm(5, 'Music', 'music'),
    oldTerm(6, 'Jazz', 'jazz', { parent: 5 }),
    oldTerm(7, 'Free', 'free', { taxonomy: 'post_tag' }),
  ];
  site.categories.push(music, jazz);
  site.tags.push(tag);
  site.events.push(oldEvent(1, 'One', 'one', { categories: [music, jazz], tags: [tag] }));
  await calendar.import();
  await calendar.deleteTerm('category', 5);
  await calendar.deleteTerm('tag', 7);
  const output = await calendar.import();
  Object.assign(site.events[0] ?? {}, { title: 'Changed' });
  Object.assign(music, { name: 'Changed' });
  await calendar.import();
  const terms = await calendar.query(({ replica }) => replica.terms.all().map(({ id }) => id));
  expect(terms).toEqual([6]);
  expect(output).toContain('Deleted here, and left so: category/5, tag/7');
});

test('what people made a draft here stays one, also where the source did so for a while', async () => {
  site.events.push(oldEvent(1, 'One', 'one'));
  await calendar.import(oldUser);
  await calendar.update(1, { status: 'draft' });
  Object.assign(site.events[0] ?? {}, { status: 'draft' });
  await calendar.import(oldUser);
  Object.assign(site.events[0] ?? {}, { status: 'publish' });
  await calendar.import(oldUser);
  expect((await calendar.event(1)).status).toBe('draft');
});

test('what people publish here after they have seen it withdrawn in the source stays public', async () => {
  site.events.push(oldEvent(1, 'One', 'one'));
  await calendar.import(oldUser);
  await calendar.update(1, { status: 'draft' });
  Object.assign(site.events[0] ?? {}, { status: 'private' });
  await calendar.import(oldUser);
  await calendar.update(1, { status: 'publish' });
  expect(await calendar.import(oldUser)).toContain('published here after that, so left public: event/1');
  expect((await calendar.event(1)).status).toBe('publish');
});

test('an event whose publication the source has put off is not public', async () => {
  const past = { date: '2026-01-01 00:00:00', date_utc: '2026-01-01 00:00:00' };
  site.events.push(oldEvent(1, 'One', 'one', { status: 'future', ...past }));
  await calendar.import(oldUser);
  // The clock has published it; a write stores that.
  await calendar.create({ title: 'Other', start_date: '2027-01-01', end_date: '2027-01-01' });
  const later = { date: '2096-01-01 00:00:00', date_utc: '2096-01-01 00:00:00' };
  Object.assign(site.events[0] ?? {}, later);
  await calendar.import(oldUser);
  const read = calendar.app.read('event', { id: 1 }, {
    caller: { role: 'reader' },
    siteUrl: '',
    root: 'http://localhost',
    language: undefined,
    parameters: {},
  } as never);
  await expect(read).rejects.toMatchObject({ code: 'event-not-accessible' });
});

test('a text with too many elements is stored as text, without code, and named', async () => {
  const code = '<script>if (a < b) alert(1)</script><style>p { color: red }</style><!-- a > b -->';
  const many = '<b>x</b>'.repeat(4_100);
  site.events.push(
    oldEvent(1, 'One', 'one', { description: `<p>${many}${code}</p>` }),
    oldEvent(2, 'Two', 'two', { description: `${'<div>'.repeat(201)}deep${'</div>'.repeat(201)}` }),
    oldEvent(3, 'Three', 'three', { description: '<font>plain</font>' }),
  );
  const output = await calendar.import();
  for (const id of [1, 2])
    expect(output).toContain(
      `event/${id} description has too many elements, so that its text alone is stored`,
    );
  expect(output).not.toContain('event/3 description');
  expect((await calendar.event(1)).description).toBe('x'.repeat(4_100));
});

test('an event of an unknown zone keeps its instants, and its zone is named', async () => {
  site.events.push(oldEvent(1, 'One', 'one', { timezone: 'Europe/Nowhere' }));
  expect(await calendar.import()).toContain('event/1 timezone "Europe/Nowhere" is not known');
  const utc = { utc_start_date: '2027-06-01 17:00:00', utc_end_date: '2027-06-01 19:00:00' };
  const wall = { start_date: '2027-06-01 17:00:00', end_date: '2027-06-01 19:00:00' };
  expect(await calendar.event(1)).toMatchObject({ timezone: 'UTC', ...utc, ...wall });
});

test.each([{ status: 'draft' }, { status: 'private' }, { post_password: 'x' }, { status: 'trash' }])(
  'pictures of an event that the source withdraws are not read at their old addresses: %j',
  async (withdrawal) => {
    const url = putFile(`${folder}/a.png`, png(6, 4));
    const text = putFile(`${folder}/t.png`, png(5, 4));
    const description = `<p><img src="${text}" alt="" /></p>`;
    site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url }, description }));
    await calendar.import({ copiesPictures: true });
    const images = () => calendar.query(({ replica }) => [...replica.images()]);
    const find = ({ id, stored }: ImageRecord) =>
      calendar.app.pictures.find(id, stored?.file ?? '', stored && keyOf(stored));
    const before = await images();
    expect(await Promise.all(before.map(find))).not.toContain(undefined);
    Object.assign(site.events[0] ?? {}, withdrawal);
    await calendar.import({ copiesPictures: true, prunesMissing: true });
    expect(await Promise.all(before.map(find))).toEqual([undefined, undefined]);
    expect(await Promise.all((await images()).map(find))).not.toContain(undefined);
    Object.assign(site.events[0] ?? {}, { status: 'publish' });
    delete site.events[0]?.['post_password'];
    await calendar.import({ copiesPictures: true });
    expect(await Promise.all(before.map(find))).toEqual([undefined, undefined]);
    expect((await calendar.event(1)).status).toBe('publish');
  },
);

test('pruning keeps a picture whose texts people have written here, and says so', async () => {
  const url = putFile(`${folder}/a.png`, png(6, 4));
  site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url } }));
  site.media.push({
    id: 77,
    source_url: url,
    author: 3,
    date_gmt: '2024-01-01T00:00:00',
    alt_text: '',
    media_details: {},
  });
  await calendar.import({ copiesPictures: true });
  await calendar.describe(77, { alt_text: 'Written here' });
  Object.assign(site.events[0] ?? {}, { image: false });
  site.media.length = 0;
  site.files.clear();
  const output = await calendar.import({ copiesPictures: true, prunesMissing: true });
  const image = await calendar.query(({ replica }) => replica.image(77));
  expect(image?.stored?.alt_text).toBe('Written here');
  expect(output).toContain('image/77');
});

test.each([true, false])(
  'texts of a picture stay where the source edits it, with a library: %s',
  async (hasLibrary) => {
    const url = putFile(`${folder}/a.png`, png(6, 4));
    site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url } }));
    if (hasLibrary)
      site.media.push({
        id: 77,
        source_url: url,
        author: 3,
        date_gmt: '2024-01-01T00:00:00',
        alt_text: '',
        media_details: {},
      });
    await calendar.import({ copiesPictures: true });
    await calendar.describe(77, { alt_text: 'Written here' });
    const edited = putFile(`${folder}/a-e1.png`, png(8, 4));
    Object.assign(site.events[0] ?? {}, { image: { id: 77, url: edited } });
    await calendar.import();
    await calendar.import({ copiesPictures: true });
    const image = await calendar.query(({ replica }) => replica.image(77));
    expect(image?.stored?.alt_text).toBe('Written here');
  },
);

test('a slug that the source takes is given up for one that is free', async () => {
  site.events.push(oldEvent(1, 'One', 'one'));
  await calendar.import();
  const day = { start_date: '2027-01-01', end_date: '2027-01-01' };
  const first = JSON.parse(
    ((await calendar.create({ title: 'A', slug: 'fest', ...day })) as { text: string }).text,
  );
  await calendar.create({ title: 'B', slug: `fest-${first.id}`, ...day });
  site.events.push(oldEvent(2, 'Fest', 'fest'));
  await calendar.import();
  const slugs = await calendar.query(({ replica }) =>
    [...replica.posts.event.values()].map(({ record }) => record.slug),
  );
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(slugs).toContain('fest');
});

test('a long slug that the source takes is given up within its length', async () => {
  const long = 'x'.repeat(200);
  site.events.push(oldEvent(1, 'One', 'one'));
  await calendar.import();
  await calendar.create({ title: 'A', slug: long, start_date: '2027-01-01', end_date: '2027-01-01' });
  site.events.push(oldEvent(2, 'Fest', long));
  await calendar.import();
  const slugs = await calendar.query(({ replica }) =>
    [...replica.posts.event.values()].map(({ record }) => record.slug),
  );
  expect(slugs.filter((slug) => slug.length > 200)).toEqual([]);
  expect(slugs.filter((slug) => slug.startsWith('xxx')).length).toBe(2);
});

test('a venue that was trashed here and renamed there stays in the trash, with its events', async () => {
  const hall = oldContact('venue', 12, 'Hall');
  site.venues.push(hall);
  site.events.push(oldEvent(1, 'One', 'one', { venue: hall }));
  await calendar.import();
  await calendar.app.delete('venue', { id: 12 }, {
    caller: { role: 'editor', subject: 'p' },
    siteUrl: '',
    root: 'http://localhost',
    language: undefined,
    parameters: {},
  } as never);
  Object.assign(hall, {
    venue: 'Great Hall',
    modified_utc: '2099-01-01 00:00:00',
    modified: '2099-01-01 00:00:00',
  });
  Object.assign(site.events[0] ?? {}, { title: 'Changed' });
  await calendar.import();
  await calendar.import({ prunesMissing: true });
  const [venue, event] = await calendar.query((target) => [
    target.replica.posts.venue.get(12)?.record,
    target.view('event', 1),
  ]);
  expect(venue?.status).toBe('trash');
  expect(event?.['venue']).toEqual([]);
  expect(event?.['title']).toBe('Changed');
});
