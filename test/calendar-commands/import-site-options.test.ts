/** `npm run calendar -- import` of a site: what lists do not show, records that were deleted, addresses that changed, and what is withdrawn. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../functions/calendar/model/records.ts';
import { EventPasswords } from '../../functions/calendar/read/passwords.ts';
import { oldContact, oldEvent, oldTerm, oldUser } from './support/old-site.ts';

import { siteAndCalendar } from './support/site-and-calendar.ts';

/** The files of a folder but for those of the last report. */
function withoutReport(folder: string): string[] {
  return readdirSync(folder).filter((name) => !/^report\.(?:txt|json)$/.test(name));
}

describe('an import from a site', () => {
  test('reads events that are hidden from its lists by their ids', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(
      oldEvent(1, 'Listed', 'listed'),
      oldEvent(2, 'Hidden', 'hidden', { hide_from_listings: true }),
    );
    const { output } = await run();
    expect(output).toContain('Hidden from lists, and read by their ids: event/2 (1).');
    expect(output).not.toMatch(/missing|hide_from|cost_details|website/);
    expect((await events()).get(2)).toMatchObject({ hide_from_listings: true, slug: 'hidden' });
    expect((await run()).output).toContain('read by their ids: event/2 (1).');
  });

  test('computes slugs and dates of drafts, and keeps sizes of images', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    const draft = { status: 'draft', date_utc: '0000-00-00 00:00:00', date: '' };
    const size = {
      width: 150,
      height: 150,
      'mime-type': 'image/jpeg',
      filesize: 900,
      url: 'https://o.org/s.jpg',
    };
    const image = { url: 'https://o.org/a.jpg', id: 77, extension: 'jpg', width: 800, height: 600 };
    site.events.push(
      oldEvent(1, 'Not yet', '', draft),
      oldEvent(2, 'Not yet', '', draft),
      oldEvent(3, 'Not yet', 'not-yet', { image: { ...image, filesize: 5000, sizes: { thumbnail: size } } }),
    );
    expect((await run(oldUser)).output).toContain('import: 5 new');
    const views = await events();
    expect([1, 2, 3].map((id) => views.get(id)?.['slug'])).toEqual(['not-yet-1', 'not-yet-2', 'not-yet']);
    expect(views.get(1)).toMatchObject({ date_utc: '2025-04-01 08:00:00', date: '2025-04-01 10:00:00' });
    expect(views.get(3)).toMatchObject({ image: { ...image, filesize: 5000, sizes: { thumbnail: size } } });
    expect((await run(oldUser)).output).toContain('import: 0 new, 0 changed, 5 unchanged.');
  });

  test('lists records that the site has no longer, and moves them to the trash where it is told to', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(...[1, 2, 3].map((id) => oldEvent(id, `E${id}`, `e${id}`)));
    await run();
    site.events.splice(1);
    site.interfere = (path, response) =>
      path.endsWith('/events/3') && !!response.writeHead(404).end('{"code":"rest-event-not-found"}');
    const listed = await run();
    expect(listed.output).toContain('Deleted in the source: event/2, event/3 (2).');
    expect(listed.output).toContain('--prune-missing moves them to the trash');
    const dryRun = await run({ prunesMissing: true, isDryRun: true });
    expect(dryRun.output).toContain('--prune-missing would move them to the trash');
    expect((await events()).get(2)).toMatchObject({ status: 'publish' });
    await run({ prunesMissing: true });
    expect((await events()).get(2)).toMatchObject({ status: 'trash' });
    for (const user of [{}, oldUser])
      expect((await run({ prunesMissing: true, ...user })).output).not.toContain('Deleted in the source');
  });

  test.each([
    ['not signed in', {}],
    ['signed in', oldUser],
  ])('lists what the site has withdrawn, and withdraws it where it is told to, %s', async (_title, user) => {
    const { site, import: run, events, records } = await siteAndCalendar();
    const hall = oldContact('venue', 31, 'Hall');
    const choir = oldContact('organizer', 41, 'Choir');
    const jazz = oldTerm(5, 'Jazz', 'jazz');
    const links = { venue: hall, organizer: [choir], categories: [jazz] };
    site.venues.push(hall);
    site.organizers.push(choir);
    site.categories.push(jazz);
    site.events.push(...[1, 2, 3, 4, 5].map((id) => oldEvent(id, `E${id}`, `e${id}`, links)));
    await run(user);
    const [trashed = {}, deleted = {}, draft = {}, locked = {}] = site.events;
    Object.assign(trashed, { status: 'trash' });
    Object.assign(draft, { status: 'draft' });
    Object.assign(locked, { post_password: 'sesame' });
    site.events.splice(site.events.indexOf(deleted), 1);
    for (const list of [site.venues, site.organizers, site.categories]) list.splice(0);
    for (const event of site.events) Object.assign(event, { venue: [], organizer: [], categories: [] });
    const { output } = await run(user);
    expect(output).toMatch(
      /Deleted in the source: event\/1, event\/2, venue\/31, organizer\/41, category\/5 \(5\)\./,
    );
    expect(output.includes('No longer public in the source: event/3 (1).')).toBe(!('user' in user));
    expect((await events()).get(1)).toMatchObject({ status: 'publish', venue: { id: 31 } });
    await run({ ...user, prunesMissing: true });
    const after = await events();
    expect([1, 2, 3, 4, 5].map((id) => after.get(id)?.['status'])).toEqual([
      'trash',
      'trash',
      'user' in user ? 'draft' : 'private',
      'user' in user ? 'publish' : 'private',
      'publish',
    ]);
    const left = await records();
    expect(left.filter(({ kind }) => kind === 'category')).toEqual([]);
    expect(left.filter((record) => 'title' in record && /Hall|Choir/.test(record.title))).toMatchObject([
      { status: 'trash' },
      { status: 'trash' },
    ]);
    // What the site shows again is here again.
    for (const event of [trashed, draft]) Object.assign(event, { status: 'publish' });
    delete locked['post_password'];
    site.events.push(deleted);
    await run({ ...user, prunesMissing: true });
    expect([...(await events()).values()].map((event) => event?.['status'])).toEqual(
      Array(5).fill('publish'),
    );
  });

  test('gives the slug of what was trashed, or renamed, to the record that has it in the site', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(...['a', 'b', 'c'].map((slug, index) => oldEvent(index + 1, slug, slug)));
    await run();
    const [a = {}, b = {}, c = {}] = site.events;
    Object.assign(a, { slug: 'b' });
    Object.assign(b, { slug: 'a' });
    Object.assign(c, { status: 'trash', slug: 'c__trashed' });
    site.events.push(oldEvent(4, 'New', 'c'));
    const { output } = await run();
    expect(output).toContain('import: 1 new, 2 changed');
    expect(output).toContain('event/3 gets another slug');
    expect((await events()).get(3)).toMatchObject({ status: 'publish', slug: 'c-3' });
    await run({ prunesMissing: true });
    const slugs = [...(await events())].map(([id, view]) => [id, view?.['slug']]);
    expect(Object.fromEntries(slugs)).toMatchObject({ 1: 'b', 2: 'a', 3: 'c-3__trashed', 4: 'c' });
  });

  test('imports an event with its password when signed in as who may edit it, and private else', async () => {
    const { site, import: run, events, records } = await siteAndCalendar();
    const locked = oldEvent(1, 'Locked', 'locked', { post_password: 'sesame' });
    site.events.push(locked);
    await run();
    expect((await events()).get(1)).toMatchObject({ status: 'private', description: '' });
    await run(oldUser);
    const [event] = (await records()).filter(({ kind }) => kind === 'event');
    expect(event).toMatchObject({ status: 'publish', description: '<p>About 1.</p>' });
    const { access_password: hash } = event as EventRecord;
    const passwords = new EventPasswords();
    const isRight = async (password: string) => {
      await passwords.derive(password, hash?.shared_salt ?? '');
      return hash !== undefined && passwords.verify(password, hash);
    };
    expect([await isRight('sesame'), await isRight('open')]).toEqual([true, false]);
    // The same password is no change, and who may not read it changes nothing.
    for (const user of [oldUser, {}]) expect((await run(user)).output).toContain('import: 0 new, 0 changed');
    Object.assign(locked, { post_password: 'open' });
    expect((await run(oldUser)).output).toContain('import: 0 new, 1 changed');
    // All passwords of a calendar share a salt, so that one that a caller sends is derived once for all events.
    site.events.push(oldEvent(2, 'Also locked', 'also-locked', { post_password: 'other' }));
    await run(oldUser);
    const hashes = (await records()).flatMap((record) =>
      'access_password' in record ? record.access_password : [],
    );
    expect(hashes.map((each) => each?.shared_salt)).toEqual([hash?.shared_salt, hash?.shared_salt]);
    expect(new Set(hashes.map((each) => each?.salt)).size).toBe(2);
    expect(JSON.stringify(await records())).not.toContain('sesame');
  });

  test('has all of an event whose password hid it at first, once somebody signs in who may edit it', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'Locked', 'locked', { post_password: 'sesame', all_day: true }));
    await run();
    const { output } = await run(oldUser);
    expect(output).not.toContain('both sides');
    expect((await events()).get(1)).toMatchObject({ all_day: true, status: 'publish' });
  });

  test('moves no record to the trash that may still be there, nor one of another source', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(oldEvent(4, 'Elsewhere', 'elsewhere', { author: '9' }));
    await run({ source: 'https://old.example.org' });
    const source = 'https://old.example';
    site.events.pop();
    site.events.push(
      oldEvent(1, 'Draft', 'draft', { status: 'draft' }),
      oldEvent(2, 'Locked', 'locked', { hide_from_listings: true }),
    );
    await run({ source, ...oldUser });
    site.interfere = (path, response) => {
      if (!path.endsWith('/events/2')) return false;
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"code":"rest_forbidden"}');
      return true;
    };
    await run({ source, prunesMissing: true });
    const statuses = [...(await events())].map(([id, view]) => [id, view?.['status']]);
    expect(Object.fromEntries(statuses)).toEqual({ 1: 'draft', 2: 'publish', 4: 'publish' });
  });

  test('has the venues, organizers, categories and tags that events alone show', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    const linked = {
      venue: oldContact('venue', 2, 'V'),
      organizer: [oldContact('organizer', 3, 'O')],
      categories: [oldTerm(4, 'C', 'c')],
      tags: [oldTerm(5, 'T', 't')],
    };
    site.events.push(oldEvent(1, 'One', 'one', linked));
    await run();
    expect((await events()).get(1)).toMatchObject({
      venue: { id: 2 },
      organizer: [{ id: 3 }],
      categories: [{ id: 4 }],
      tags: [{ id: 5 }],
    });
  });

  test('knows the records of an earlier import by --source, with http, https and www', async () => {
    const { site, import: run } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'One', 'one'));
    await run({ source: 'http://www.old.example.org/' });
    Object.assign(site.events[0] ?? {}, { date_utc: '2025-03-01 09:00:00', title: 'One more' });
    await expect(run()).rejects.toThrow('event/1 (one)');
    expect((await run({ source: 'https://old.example.org' })).output).toContain('import: 0 new, 1 changed');
    await expect(run({ source: 'https://[x' })).rejects.toThrow('--source must be the address of a site');
  });

  test('forgets the pages of a run that has read all of them', async () => {
    const { site, folder, import: run } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'One', 'one'), oldEvent(2, 'Two', 'two'), oldEvent(3, 'Three', 'three'));
    await run();
    expect(withoutReport(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(true);
    const before = site.requests.length;
    await run();
    expect(site.requests.length).toBeGreaterThan(before + 5);
  });

  test('leaves no records in its folder when it is killed, and removes those of earlier versions', async () => {
    const { site, folder, import: run } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'One', 'one'));
    const old = ['1.records', '0123456789abcdef.jsonl.read'];
    for (const name of old) writeFileSync(join(folder, name), '{"kind":"event"}');
    const during: string[][] = [];
    site.interfere = () => {
      during.push(readdirSync(folder).filter((name) => !name.endsWith('.jsonl')));
      return false;
    };
    await run();
    expect(during.at(-1)).toEqual([]);
    expect(withoutReport(folder)).toEqual([]);
  });

  test('has past events that are hidden from lists, which the newer API alone lists', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    const past = { hide_from_listings: true, start_date: '2020-01-01 10:00:00' };
    site.events.push(
      oldEvent(1, 'Past', 'past', past),
      oldEvent(2, 'Hidden', 'hidden', { hide_from_listings: true }),
    );
    expect((await run()).output).toContain('Hidden from lists, and read by their ids: event/2, event/1 (2).');
    expect((await events()).get(1)).toMatchObject({ title: 'Past' });
  });

  test('has links in place of videos and maps, with their titles and captions', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    const frame = (attributes: string) =>
      `<figure class="wp-block-embed"><div><iframe ${attributes}></iframe></div><figcaption>As seen</figcaption></figure>`;
    site.events.push(
      oldEvent(1, 'Video', 'video', {
        description: [
          frame(
            'title="Choir &#8211; live" width="500" src="https://www.youtube.com/embed/a_b-c?feature=oembed"',
          ),
          frame("src='https://player.vimeo.com/video/123?h=1'"),
          frame('src=https://www.google.com/maps/embed?pb=1 title="<b>"'),
          frame('src="javascript:alert(1)"'),
        ].join(''),
      }),
    );
    const { output } = await run();
    expect(output).toContain('Embedded frames (iframe) are links now in: event/1 (1).');
    const text = String((await events()).get(1)?.['description']);
    expect(
      Array.from(text.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g), ([, href, title]) => [href, title]),
    ).toEqual([
      ['https://www.youtube.com/watch?v=a_b-c', 'Choir \u2013 live'],
      ['https://vimeo.com/123', 'https://vimeo.com/123'],
      ['https://www.google.com/maps/embed?pb=1', '&lt;b&gt;'],
    ]);
    expect(text.match(/As seen/g)).toHaveLength(4);
    expect(text).not.toMatch(/iframe|javascript/);
    expect((await run()).output).toContain('import: 0 new, 0 changed');
  });

  test('lists removed frames, invalid values and events with a password', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(
      oldEvent(1, 'Frame', 'frame', { description: '<p>A</p><iframe src="https://x.org"></iframe>' }),
      oldEvent(2, 'Link', 'link', { website: 'javascript:alert(1)', slug: 'a"><script>', cost: '<b>5</b>' }),
      oldEvent(3, 'Locked', 'locked', { all_day: null, description: '', show_map: null }),
    );
    const { output, outcome } = await run();
    expect(outcome).toBe('done');
    expect(output).toContain('Embedded frames (iframe) are links now in: event/1 (1).');
    expect(output).toContain('Invalid values are left out of: event/2 website must be an absolute URL');
    expect(output).not.toContain('event/3 show_map');
    expect(output).toContain(
      'ATTENTION: imported without their password, so check who may read them: event/3',
    );
    expect(JSON.stringify([...(await events()).values()])).not.toMatch(/<script|javascript:|<iframe/);
    expect((await events()).get(3)).toMatchObject({ title: 'Locked' });
    // A password that comes later hides values, which stay as they were imported.
    Object.assign(site.events[0] ?? {}, {
      all_day: null,
      description: '',
      modified_utc: '2026-01-01 00:00:00',
    });
    await run();
    expect((await events()).get(1)).toMatchObject({ description: expect.stringContaining('<p>A</p>') });
  });

  test('makes no comparison in a dry run, and says so', async () => {
    const { site, import: run } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'One', 'one'));
    const { output } = await run({ isDryRun: true });
    expect(output).toContain('Nothing was written (--dry-run), and no comparison was made.');
    expect(output).not.toContain('Comparison: ');
  });
});
