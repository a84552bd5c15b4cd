/** What a site may do to the calendar that follows it, and what it may not: the table in docs/decisions/calendar-imports.md names these tests. */

import { describe, expect, test } from 'vitest';
import type { Limits } from '../../scripts/calendar/import/limits.ts';
import { type OldSite, oldContact, oldEvent, oldTerm } from './support/old-site.ts';
import { siteAndCalendar } from './support/site-and-calendar.ts';

const dates = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 12:00:00' };

/** Answers each request of the list of events. */
function answer(site: OldSite, reply: (page: number) => string): void {
  site.interfere = (path, response) => {
    if (!path.includes('/v1/events?')) return false;
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(reply(Number(new URL(path, 'http://localhost').searchParams.get('page') ?? 1)));
    return true;
  };
}

const page = (fields: object) => JSON.stringify({ events: [], total: 1, total_pages: 1, ...fields });

describe('a hostile site', () => {
  test.each<[title: string, reply: (page: number) => string, limits: Partial<Limits>, message: string]>([
    [
      'a billion pages',
      () => page({ events: [oldEvent(1, 'A', 'a')], total_pages: 1e9 }),
      {},
      'the list has 1000000000 pages or more, and an import reads 4000. Nothing was written.',
    ],
    [
      'a list without end',
      (number) => page({ events: [oldEvent(number, 'A', `a${number}`)], total_pages: 0, next_rest_url: 'x' }),
      { pages: 20 },
      'the list has 21 pages or more, and an import reads 20. Nothing was written.',
    ],
    [
      'too many records',
      (number) => page({ events: [oldEvent(number, 'A', `a${number}`)], total_pages: 10 }),
      { records: 3 },
      'it has more than 3 records. Nothing was written.',
    ],
    [
      'a reply without end',
      () => page({ filler: 'x'.repeat(100_000) }),
      { replyBytes: 50_000 },
      'answers with more than 0 MiB. Nothing was written.',
    ],
  ])('with %s is refused with a sentence', async (_title, reply, limits, message) => {
    const { site, import: run, events } = await siteAndCalendar();
    answer(site, reply);
    await expect(run({}, limits)).rejects.toThrow(message);
    expect((await events()).size).toBe(0);
  });

  test('that repeats one page has each record imported once', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    answer(site, () => page({ events: [oldEvent(1, 'A', 'a')], total_pages: 3000 }));
    expect((await run()).output).toContain('events: page 2 repeats earlier pages, so the list ends there');
    expect([...(await events()).keys()]).toEqual([1]);
  });

  test.each([
    ['arrays within arrays', '['.repeat(200_000)],
    [
      'a list of something else',
      page({ events: [7, null, 'x', [], { id: 'x' }, { id: -1 }, { id: 2 ** 40 }] }),
    ],
    ['a list that is none', page({ events: { id: 1 } })],
  ])('with %s has nothing imported, and ends', async (_title, text) => {
    const { site, import: run, events } = await siteAndCalendar();
    answer(site, () => text);
    await run().catch((error: Error) => expect(error.message).toMatch(/calendar of this API|Cannot/));
    expect((await events()).size).toBe(0);
  });

  test('with some records that are invalid is imported partly, and one with these alone is refused', async () => {
    const { site, import: run } = await siteAndCalendar();
    site.categories.push(oldTerm(5, 'C', 'c'), oldTerm(2 ** 31, 'D', 'd'));
    site.venues.push(oldContact('venue', 2 ** 40, 'Far'));
    const { outcome, output } = await run();
    expect(outcome).toBe('partlyDone');
    expect(output).toContain(`refused: venue/${2 ** 40}: its id or a required value is not valid`);
    site.categories.shift();
    const other = await siteAndCalendar();
    other.site.venues.push(oldContact('venue', 2 ** 40, 'Far'));
    expect((await other.import()).outcome).toBe('refused');
  });

  test.each([
    ['another host', (other: string) => `${other}/wp-json/tribe/events/v1/events?page=1`],
    ['a private address', () => 'http://169.254.169.254/metadata/instance'],
    ['another port', (_: string, own: string) => `${own.replace(/:\d+$/, ':1')}/x`],
    ['a file', () => 'file:///etc/passwd'],
    ['itself, on and on', (_: string, own: string) => `${own}/wp-json/tribe/events/v1/events?loop=1`],
    ['no address', () => 'http://[x'],
  ])('whose lists, items and pictures lead to %s is read nowhere else', async (_title, addressOf) => {
    const other = await siteAndCalendar();
    for (const place of ['list', 'item', 'library']) {
      const { site, import: run, events } = await siteAndCalendar();
      site.events.push(oldEvent(1, 'A', 'a', { hide_from_listings: place !== 'list' }));
      site.interfere = (path, response) => {
        const isThere =
          place === 'list'
            ? path.includes('/v1/events?') && !path.includes('per_page=1')
            : path.includes(place === 'item' ? '/v1/events/1' : '/wp/v2/media');
        if (!isThere && !path.includes('loop=1')) return false;
        response.writeHead(302, { Location: addressOf(other.site.url, site.url) }).end();
        return true;
      };
      await expect(run({ copiesPictures: place === 'library' })).rejects.toThrow(
        /Cannot read .*: it leads to another site|it leads from one address to the next|it leads to no address/,
      );
      expect((await events()).size).toBe(place === 'library' ? 1 : 0);
    }
    expect(other.site.requests).toEqual([]);
  });

  test('that is at another spelling of its address is read there', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'A', 'a'));
    site.interfere = (path, response) => {
      if (path.includes('moved=1') || !path.includes('/v1/events?')) return false;
      response.writeHead(301, { Location: `${path}&moved=1` }).end();
      return true;
    };
    await run();
    expect((await events()).size).toBe(1);
  });

  test.each<[title: string, pages: (site: OldSite) => void, limits: Partial<Limits>, message: string]>([
    [
      'ids without end beside its lists',
      (site) => {
        site.interfere = (path, response) => {
          if (!path.includes('/wp/v2/tribe_events?')) return false;
          const page = Number(new URL(path, 'http://localhost').searchParams.get('page'));
          const ids = Array.from({ length: 10 }, (_, index) => ({ id: page * 10 + index }));
          response.writeHead(200).end(JSON.stringify(ids));
          return true;
        };
      },
      { records: 50 },
      'it has more than 50 records. Nothing was written.',
    ],
    [
      'thousands of places in one event',
      (site) => {
        const venue = Array.from({ length: 60 }, (_, index) => oldContact('venue', 100 + index, `V${index}`));
        site.events.push(oldEvent(2, 'B', 'b', { venue }));
      },
      { records: 50 },
      'it has more than 50 records. Nothing was written.',
    ],
    [
      'pages that fill the disk',
      (site) => site.events.push(oldEvent(2, 'B', 'b', { filler: 'x'.repeat(60_000) })),
      { siteBytes: 50_000 },
      'its pages have more than 0 MiB. Nothing was written.',
    ],
  ])('with %s is refused with a sentence', async (_title, fill, limits, message) => {
    const { site, import: run, events } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'A', 'a'));
    fill(site);
    await expect(run({}, limits)).rejects.toThrow(message);
    expect((await events()).size).toBe(0);
  });

  test('that gives its last numbers leaves numbers for what is created here', async () => {
    const { site, import: run, save, records } = await siteAndCalendar();
    site.events.push(
      oldEvent(1, 'A', 'a'),
      oldEvent(2 ** 31 - 1, 'B', 'b'),
      oldEvent(2, 'C', 'c', { author: String(2 ** 31 - 1) }),
    );
    const { outcome, output } = await run();
    expect([outcome, output]).toEqual([
      'partlyDone',
      expect.stringContaining(`refused: event/${2 ** 31 - 1}: an id of it is above 2100000000`),
    ]);
    expect(output).toContain('refused: event/2: an id of it is above');
    await save(undefined, { title: 'Ours', ...dates });
    const ids = (await records()).map(({ id }) => id);
    expect(Math.max(...ids)).toBe(2_000_000_001);
  });

  test('cannot take the slug of a record of here, nor its number, date and name', async () => {
    const { site, import: run, save, events } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'A', 'a'));
    await run();
    await save(undefined, { title: 'Mayor', ...dates, description: 'Ours' });
    const ours = [...(await events()).values()].find((event) => event?.['title'] === 'Mayor') ?? {};
    const copied = { date: ours['date'], date_utc: ours['date_utc'], modified_utc: '2999-01-01 00:00:00' };
    site.events.push(oldEvent(2, 'Theirs', 'mayor', copied));
    const { output } = await run();
    expect(output).toContain('Under another slug, since a record of here has theirs: event/2 (mayor) (1).');
    const slugs = async () =>
      Object.fromEntries([...(await events())].map(([id, event]) => [id, event?.['slug']]));
    expect(await slugs()).toEqual({ 1: 'a', 2: 'mayor-2', [Number(ours['id'])]: 'mayor' });
    // The next run says so again, and changes nothing.
    expect((await run()).output).toContain('import: 0 new, 0 changed');

    site.events.push(oldEvent(Number(ours['id']), 'Mayor', 'other', copied));
    await expect(run()).rejects.toThrow('other records have the ids or slugs of 1 records');
    site.events.pop();
    expect((await events()).get(Number(ours['id']))).toEqual(ours);

    // A site that moves here takes what it is told to, once that was said.
    const rehearsed = await run({ takesSlugs: true, isDryRun: true });
    const line = `Slugs that the source takes from records of here (--take-slugs); their pages would get other addresses: event/${ours['id']} (1).`;
    expect(rehearsed.output).toContain(line);
    expect(await slugs()).toMatchObject({ 2: 'mayor-2' });
    const taken = await run({ takesSlugs: true });
    expect(taken.output.indexOf('get other addresses')).toBeLessThan(taken.output.indexOf('1 changed'));
    expect(await slugs()).toEqual({ 1: 'a', 2: 'mayor', [Number(ours['id'])]: `mayor-${ours['id']}` });
  });

  test('cannot take a slug that people have given one of its own records here', async () => {
    const { site, import: run, save, events } = await siteAndCalendar();
    site.events.push(oldEvent(1, 'A', 'a'));
    await run();
    await save(1, { slug: 'mayor' });
    site.events.push(oldEvent(2, 'B', 'mayor'));
    await run();
    expect([...(await events())].map(([id, event]) => [id, event?.['slug']]).sort()).toEqual([
      [1, 'mayor'],
      [2, 'mayor-2'],
    ]);
  });

  test.each(['toString', 'constructor', '__proto__', 'tribe-ignored', 'inherit', 7, {}, ['publish']])(
    'with the status %j has its records private, and says so',
    async (status) => {
      const { site, import: run, events } = await siteAndCalendar();
      site.interfere = (path, response) => {
        if (!path.includes('/v1/events?')) return false;
        response.writeHead(200).end(page({ events: [oldEvent(1, 'A', 'a', { status })] }));
        return true;
      };
      const { output } = await run();
      expect(output).toMatch(/event\/1 \(status .*: private here\)/);
      expect((await events()).get(1)).toMatchObject({ status: 'private' });
    },
  );

  test('puts no script and no address that runs one into a page', async () => {
    const { site, import: run, records } = await siteAndCalendar();
    const evil = '<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a>';
    const fields = { description: evil, excerpt: evil, website: 'javascript:alert(1)', cost: evil };
    const venue = oldContact('venue', 31, evil, { ...fields, address: evil, phone: evil, slug: evil });
    const category = oldTerm(5, evil, evil, { description: evil, color: 'red;}body{display:none' });
    const image = {
      id: 77,
      url: 'javascript:alert(1)//a.png',
      sizes: { large: { url: 'data:text/html,x' } },
    };
    site.events.push(
      oldEvent(1, evil, evil, { ...fields, venue, categories: [category], image, timezone: evil }),
    );
    await run();
    // Earlier paths are looked up, and never shown.
    const text = JSON.stringify(await records(), (key, value) =>
      key === 'earlier_paths' ? undefined : value,
    );
    expect(text).not.toMatch(/<script|onerror=|href=\\"javascript|"javascript:|data:text|display:none/i);
    expect(text).toContain('event');
  });

  test('with dates that no calendar has is imported with those that are computed', async () => {
    const { site, import: run, events } = await siteAndCalendar();
    const nonsense = ['0000-00-00 00:00:00', '2031-02-30 10:00:00', '9'.repeat(400), { year: 2031 }, null];
    site.events.push(
      ...nonsense.map((date, index) =>
        oldEvent(index + 1, 'A', `a${index}`, {
          start_date: date,
          utc_start_date: date,
          end_date: date,
          date,
        }),
      ),
    );
    await run();
    for (const event of (await events()).values())
      expect(String(event?.['start_date'])).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });
});
