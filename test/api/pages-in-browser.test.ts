/**
 * The pages in a real browser, on a desktop and on a phone. They are free of errors, of axe-core's violations, and of content wider than
 * the window. Pages of other origins call the service.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { narrowTexts } from '../support/eye.ts';
import { hostMode } from '../support/host-mode.ts';
import { expectGoodPage, openPage, useWindow, widths } from '../support/pages.ts';

/** A site of one page, which two origins name: one that may call the service and show it in a frame, and one that may not. */
const foreign = createServer(({ url = '/' }, reply) => {
  if (url.endsWith('/embed.js')) {
    reply.setHeader('Content-Type', 'text/javascript').end('document.title = document.title;');
    return;
  }
  const {
    embed,
    place,
    attribute = '',
    lang = '',
    vendor,
    ...data
  } = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${value}"`);
  const script = `<script src="${embed}" ${attribute} ${attributes.join(' ')}></script>`;
  // A script of another vendor, which has the same name.
  const others = vendor === undefined ? '' : `<script src="/${vendor}/embed.js" ${attribute}></script>`;
  const [head, body] = [place === 'head', place === undefined].map((isHere) =>
    isHere && embed !== undefined ? script : '',
  );
  reply
    .setHeader('Content-Type', 'text/html')
    .end(
      `<!doctype html><html lang="${lang}"><head><link rel="icon" href="data:,">${others}${head}</head><body>${others}${body}<main><h1>News</h1></main></body>`,
    );
});
await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
const { port } = foreign.address() as AddressInfo;
const allowed = `http://127.0.0.1:${port}`;
const other = `http://localhost:${port}`;
afterAll(() => foreign.close());

const app = useApp({
  sampleCalendar: true,
  settings: {
    CALENDAR_SITE_URL: '',
    CORS_ORIGINS: `https://app.example.org, ${allowed}`,
    EMBED_ORIGINS: allowed,
  },
});
const site = () => app.stack.url;

const window = useWindow();

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  /** Whether months and weeks are agendas, for want of room. */
  const isAgenda = width < 700;
  const open = (url: string) => openPage(window(), url, { width, dark: width < 700 });

  test('the start page shows live health, and copies calls', async () => {
    const opened = await open(`${site()}/`);
    await opened.page.getByText('The service is ready.').waitFor();
    expect(await opened.page.getByRole('button', { name: /^Copy: / }).count()).toBeGreaterThan(3);
    expect(await opened.page.locator('#state li').allTextContents()).toEqual(
      ['identity-provider', 'database', 'calendar'].map((name) => expect.stringMatching(`^${name}: ready`)),
    );
    expect(await opened.page.locator('#state li.ready').count()).toBe(3);
    const call = `curl "${app.base}/tribe/events/v1/events?search=music&start_date=2026-01-01"`;
    await opened.page.getByRole('button', { name: `Copy: ${call}`, exact: true }).waitFor();
    await expectGoodPage(opened);
    const dependencies = { database: { state: 'failing', detail: 'It does not answer.' } };
    await opened.page.route('**/health', (route) =>
      route.fulfill({ status: 503, json: { ready: false, dependencies } }),
    );
    await opened.page.reload();
    await opened.page.getByText('The service is live, but a dependency fails.').waitFor();
    expect(await opened.page.locator('#state li.failing').textContent()).toContain('It does not answer.');
  });

  test('a citizen goes from the list to an event, its place in a month, and adds it to a calendar', async () => {
    const opened = await open(`${site()}/calendar?translation_language=da`);
    const { page } = opened;
    expect(await page.locator('h1').textContent()).toBe('Kommende begivenheder');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Gå til indholdet');
    await expectGoodPage(opened);
    await page.getByRole('link', { name: 'Jazz på havnen' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Jazz på havnen' }).waitFor();
    expect(await page.locator('article img').getAttribute('alt')).toBe('Hills above the harbour at dusk');
    await page.getByText('Føj til kalender').click();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Kalenderfil (.ics)' }).click();
    expect((await file).suggestedFilename()).toMatch(/\.ics$/);
    await expectGoodPage(opened);
    await page.getByText('Føj til kalender').click();
    await page.locator('article dl a[href*="/venue/"]').click();
    await page.getByRole('heading', { name: 'Kommende begivenheder' }).waitFor();
    await expectGoodPage(opened);
    await page.goto(`${site()}/calendar?view=month&translation_language=da`);
    if (!isAgenda) await page.locator('#calendar .today').waitFor();
    await page
      .getByRole('link', { name: /Byrådsmøde/ })
      .first()
      .waitFor();
    await expectGoodPage(opened);
    const shown = page.locator('#calendar [role=heading]').first();
    const present = await shown.textContent();
    await page.getByRole('button', { name: 'Næste' }).click();
    await expect.poll(() => shown.textContent()).not.toBe(present);
    const next = await shown.textContent();
    expect(new URL(page.url()).searchParams.get('date')).toMatch(/^\d{4}-\d\d-\d\d$/);
    await page.reload();
    await shown.waitFor();
    expect(await shown.textContent()).toBe(next);
    await page.getByRole('link', { name: 'Uge' }).click();
    await page
      .locator(isAgenda ? '#calendar [role="list"]' : '#calendar [role="rowheader"]')
      .first()
      .waitFor({ state: 'attached' });
    await expectGoodPage(opened);
  });

  test('the page of an event copies its address, and tells when the event is over', async () => {
    const title = `Over ${randomUUID()}`;
    const { json } = await app.call('POST', '/tribe/events/v1/events', {
      token: app.token('alice@example.org'),
      body: { title, start_date: '2020-02-29 10:00', end_date: '2020-02-29 11:00' },
    });
    const path = `/event/${(json as { readonly slug: string }).slug}/`;
    const opened = await open(`${site()}${path}?translation_language=sv`);
    const { page } = opened;
    await page.getByText('Detta evenemang är över.').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Kopiera länken' }).click();
    await page.getByText('Kopierat.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${site()}${path}?translation_language=sv`,
    );
    await expectGoodPage(opened);
  });

  test('paper has an event with its address, and the list without what nobody can press', async () => {
    const { page } = await open(`${site()}/calendar`);
    await page.emulateMedia({ media: 'print' });
    const shown = (selector: string) => page.locator(`${selector}:visible`).count();
    // Twenty events; one of several dates stands there once.
    const later = await page.locator('.later-dates a').count();
    expect((await shown('#calendar h3')) + later).toBe(20);
    expect(later).toBeGreaterThan(0);
    expect(await Promise.all(['form', 'nav', 'button', 'footer', '#calendar img'].map(shown))).toEqual([
      0, 0, 0, 0, 0,
    ]);
    await page.locator('#calendar h3 a').first().click();
    await page.locator('.printed svg').waitFor();
    const address = await page.locator('link[rel="canonical"]').getAttribute('href');
    expect(await page.locator('.printed').textContent()).toContain(address);
    expect(await Promise.all(['nav', 'button', 'footer', '.related'].map(shown))).toEqual([0, 0, 0, 0]);
  });

  test.runIf(width >= 700)(
    'an event in a month tells what it is to a pointer and to the keyboard, until Escape',
    async () => {
      const opened = await open(`${site()}/calendar?view=month`);
      const { page } = opened;
      const event = page.locator('#calendar a[href*="/event/"]:visible').first();
      const tip = page.locator('.event-tip');
      await event.hover();
      await tip.getByText(/\d\d:\d\d–\d\d:\d\d/).waitFor();
      // The pointer may go onto what is told.
      await tip.hover();
      await expectGoodPage(opened);
      expect(await tip.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'hidden' });
      await event.focus();
      await tip.waitFor();
      expect(await event.getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'));
      await event.blur();
      await tip.waitFor({ state: 'hidden' });
    },
  );

  test('what is over of the present month is folded, until somebody asks for it', async () => {
    for (const day of ['02', '19', '28'])
      await app.call('POST', '/tribe/events/v1/events', {
        token: app.token('alice@example.org'),
        body: {
          title: `Folded ${day}`,
          start_date: `2036-06-${day} 12:00`,
          end_date: `2036-06-${day} 13:00`,
        },
      });
    const opened = await open('about:blank');
    const { page } = opened;
    await page.clock.setFixedTime('2036-06-20T12:00:00Z');
    // The clock is that of the whole window.
    onTestFinished(() => page.clock.setSystemTime(new Date()));
    await page.goto(`${site()}/calendar?view=month&date=2036-06-20`);
    const early = page.getByRole('link', { name: 'Folded 02' });
    await page.getByRole('link', { name: 'Folded 28' }).first().waitFor();
    expect(await early.first().isVisible()).toBe(false);
    // A week that is not over has its first days too.
    expect(await page.getByRole('link', { name: 'Folded 19' }).first().isVisible()).toBe(!isAgenda);
    const button = page.getByRole('button', { name: 'Show past events' });
    await button.focus();
    await page.keyboard.press('Enter');
    await early.first().waitFor();
    expect(await button.count()).toBe(0);
    expect(await page.locator('a.entry:focus').count()).toBe(1);
    await expectGoodPage(opened);
  });

  test.runIf(width >= 700)('a week begins with its first event, and has a line for the present', async () => {
    const { page } = await open(`${site()}/calendar?view=week`);
    await page.locator('#calendar a[href*="/event/"]').first().waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Mon \d+ \w{3}$/)]),
    );
    expect(await page.locator('#calendar .now-line').count()).toBe(1);
    const title = `An early walk ${randomUUID()}`;
    await app.call('POST', '/tribe/events/v1/events', {
      token: app.token('alice@example.org'),
      body: { title, start_date: '2034-06-07 05:30', end_date: '2034-06-07 06:00' },
    });
    await page.goto(`${site()}/calendar?view=week&date=2034-06-08`);
    await page.getByRole('link', { name: title }).waitFor();
    expect(
      await page
        .locator('#calendar')
        .getByText(/^0[3-6]:00$/)
        .allTextContents(),
    ).toEqual(['05:00', '06:00']);
  });

  test('a week has the events of other zones at their own time, and long ones above its hours', async () => {
    const mark = randomUUID();
    for (const [name, start_date, end_date, timezone] of [
      ['Breakfast in Tokyo', '2034-07-10 00:30', '2034-07-10 01:30', 'Asia/Tokyo'],
      ['Supper in Honolulu', '2034-07-16 22:00', '2034-07-16 23:00', 'Pacific/Honolulu'],
      ['Exhibition', '2034-06-01 10:00', '2034-08-20 17:00', 'UTC'],
      ['Concert', '2034-07-19 20:00', '2034-07-20 00:00', 'UTC'],
      ['Ended as it begins', '2034-07-16 20:00', '2034-07-17 00:00', 'UTC'],
    ]) {
      const body = { title: `${name} ${mark}`, start_date, end_date, timezone };
      await app.call('POST', '/tribe/events/v1/events', { token: app.token('alice@example.org'), body });
    }
    const weekOf = async (date: string) => {
      const { page } = await open(`${site()}/calendar?view=week&date=${date}&search=${mark}`);
      const links = page.locator('#calendar a[href*="/event/"]');
      await links.first().waitFor();
      const titles = (await links.allTextContents()).map(
        (text) => /[A-Z][A-Za-z ]+(?= [\da-f]{8}-)/.exec(text.replace(/^[\d:–\s]*/, ''))?.[0],
      );
      const hours = await page
        .locator('#calendar')
        .getByText(/^\d\d:00$/)
        .allTextContents();
      return { titles: [...new Set(titles)].toSorted(), firstHour: hours[0], shown: titles.length };
    };
    const inTokyo = await weekOf('2034-07-12');
    expect(inTokyo.titles).toEqual([
      'Breakfast in Tokyo',
      'Ended as it begins',
      'Exhibition',
      'Supper in Honolulu',
    ]);
    const after = await weekOf('2034-07-18');
    expect(after.titles).toEqual(['Concert', 'Exhibition']);
    if (!isAgenda) expect([after.firstHour, after.shown]).toEqual(['20:00', 2]);
  });

  test('the month asks for what is seen by the filters in its address, page by page, and shows it in colours', async () => {
    const { page } = await open(`${site()}/calendar?translation_language=da`);
    const asked: (readonly [string, Readonly<Record<string, string>>])[] = [];
    const at = (day: string, start: string, end: string) => ({
      start_date: `2031-06-${day} ${start}`,
      end_date: `2031-06-${day} ${end}`,
      timezone_abbr: 'CEST',
    });
    const music = [{ id: 1, name: 'Music', slug: 'music' }];
    const events = [
      [
        {
          title: 'Tea &amp; <em>cake</em>',
          slug: 'tea',
          all_day: false,
          venue: [],
          categories: music,
          ...at('03', '19:00:00', '21:30:00'),
        },
      ],
      [
        {
          title: 'Market',
          slug: 'market',
          all_day: true,
          venue: [],
          categories: [],
          start_date: '2031-06-04 00:00:00',
          end_date: '2031-06-05 23:59:59',
        },
        // More than a day of a month has room for.
        ...[1, 2, 3, 4, 5, 6].map((number) => ({
          title: `Play ${number}`,
          slug: `play-${number}`,
          all_day: null,
          venue: [],
          categories: [],
          ...at('18', `1${number}:00:00`, `1${number}:30:00`),
        })),
      ],
    ];
    await page.route(/\/tribe\/events\/v1\/events\?/, (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      asked.push([pathname, Object.fromEntries(searchParams)]);
      const shown = events[Number(searchParams.get('page')) - 1];
      return route.fulfill({ json: { total_pages: 2, events: shown } });
    });
    await page.route(/\/categories\?/, (route) =>
      route.fulfill({ json: { total_pages: 1, categories: [{ ...music[0], color: '#ffee00' }] } }),
    );
    type Lists = Readonly<Record<string, readonly { readonly id: number; readonly slug: string }[]>>;
    const firstOf = async (list: string) =>
      ((await app.call('GET', `/tribe/events/v1/${list}`)).json as Lists)[list]?.[0];
    const filters = {
      search: 'tea',
      categories: (await firstOf('categories'))?.slug ?? '',
      venue: String((await firstOf('venues'))?.id),
      tags: (await firstOf('tags'))?.slug ?? '',
      organizer: String((await firstOf('organizers'))?.id),
    };
    const address = `${site()}/calendar?${new URLSearchParams(filters)}&translation_language=da`;
    const query = { per_page: '50', translation_language: 'da', ...filters };
    const path = new URL(`${app.base}/tribe/events/v1/events`).pathname;
    const plays = (count: number) => Array.from({ length: count }, (_, index) => `play-${index + 1}`);
    for (const [view, date, range, slugs, times] of [
      ['week', '2031-06-04', ['05-31', '06-10'], ['market', 'tea'], ['19:00']],
      // A month shows three events of a day at most, and that there are more.
      [
        'month',
        '2031-06-10',
        isAgenda ? ['05-30', '07-02'] : ['05-24', '07-08'],
        ['tea', 'market', ...plays(isAgenda ? 6 : 3)],
        ['19:00', '11:00', '12:00', '13:00', ...(isAgenda ? ['14:00', '15:00', '16:00'] : [])],
      ],
    ] as const) {
      asked.length = 0;
      await page.goto(`${address}&view=${view}&date=${date}`);
      await page
        .getByRole('link', { name: /Market/ })
        .first()
        .waitFor();
      // 26 hours before and after it, for events in other zones.
      const bounds = {
        ends_after: `2031-${range[0]}T21:59:59`,
        starts_before: `2031-${range[1]}T02:00:00`,
        strict_dates: 'true',
      };
      expect(asked).toEqual(['1', '2'].map((number) => [path, { ...query, ...bounds, page: number }]));
      const links = page.locator('#calendar a[href*="/event/"]');
      const found = await links.evaluateAll((all) =>
        all.map((item) => [item.getAttribute('href'), item.textContent]),
      );
      expect(
        // An agenda has an event of several days on each of them.
        [
          ...new Set(
            found.map(([href]) => /event\/([\w-]+)\/\?translation_language=da$/.exec(href ?? '')?.[1]),
          ),
        ].sort(),
      ).toEqual(slugs.toSorted());
      expect(found.flatMap(([, text]) => text?.replaceAll('.', ':').match(/\d\d:\d\d/) ?? [])).toEqual(times);
      expect(new URL(page.url()).searchParams.get('date')).toBe(date);
      const otherView = await page.locator('.views a[href*="view="]').first().getAttribute('href');
      expect(new URL(otherView ?? '', site()).searchParams.get('date')).toBe(date);
      if (isAgenda) continue;
      const colors = await page.getByRole('link', { name: /Tea & cake/ }).evaluate((item) => {
        const inner = [item, ...item.querySelectorAll('*')].map((element) => getComputedStyle(element));
        return [
          inner.some(({ backgroundColor }) => backgroundColor === 'rgb(255, 238, 0)'),
          inner.at(-1)?.color,
        ];
      });
      expect(colors).toEqual([true, 'rgb(0, 0, 0)']);
      // Whole days last to the end of the last one.
      const widthOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.width;
      const days =
        Number(await widthOf('#calendar a[href*="/market/"]')) / Number(await widthOf('[data-day]'));
      expect(Math.round(days)).toBe(2);
      expect(await page.getByRole('button', { name: /^\+3/ }).count()).toBe(view === 'month' ? 1 : 0);
    }
  });

  test('the month and the week have what happens on the first and the last day that they show', async () => {
    const { page } = await open(`${site()}/calendar`);
    for (const [view, first, last] of [
      ['week', '2033-06-06', '2033-06-12'],
      ['month', '2033-05-30', '2033-07-10'],
    ] as const) {
      const titles = [first, last].map((day) => `Edge of the ${view} at ${width}: ${day}`);
      for (const [index, day] of [first, last].entries())
        await app.call('POST', '/tribe/events/v1/events', {
          token: app.token('alice@example.org'),
          body: { title: titles[index], start_date: `${day} 10:00`, end_date: `${day} 11:00` },
        });
      await page.goto(`${site()}/calendar?search=edge+${width}&view=${view}&date=2033-06-08`);
      for (const title of titles) {
        // An agenda of a month has no days of the months beside it.
        const isShown = !isAgenda || view === 'week';
        if (isShown) await page.getByRole('link', { name: title }).waitFor();
      }
    }
  });
});

describe.runIf(chromiumPath !== undefined).each([320, 390, 640, 1024, 1280])(
  'in a window of %i pixels an eye',
  (width) => {
    const open = (path: string) => openPage(window(), site() + path, { width, dark: false });

    test.each(['/calendar', '/embed/calendar', '/calendar?past=true'])('can read %s', async (path) => {
      const { page } = await open(path);
      await page.locator('.event img').first().waitFor();
      expect(await narrowTexts(page)).toEqual([]);
      const rows = page.locator('.event');
      const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThan(500);
    });

    test('finds the title of a past event above its picture and its text', async () => {
      const { page } = await open('/calendar?past=true');
      await page.locator('.event:has(img) h3 a').first().click();
      await page.locator('.banner').waitFor();
      const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
      const tops = [await top('.banner'), await top('h1'), await top('.record figure')];
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
      expect(await narrowTexts(page)).toEqual([]);
    });

    test('sees the first event of the front page without scrolling', async () => {
      const { page } = await open('/calendar');
      const title = page.locator('main h3').first();
      await title.waitFor();
      const { y = 9_999 } = (await title.boundingBox()) ?? {};
      expect(y).toBeLessThan(width < 700 ? 844 : 900);
    });
  },
);

describe.runIf(chromiumPath !== undefined)('a page of another site', () => {
  test.each(widths)(
    'shows the calendar in a frame of the right height, whose links lead to the site, at %i pixels',
    async (width) => {
      const url = `${allowed}/?embed=${encodeURIComponent(`${site()}/embed.js`)}&calendar=list&categories=jazz`;
      const opened = await openPage(window(), url, { width, dark: false });
      const { page } = opened;
      const frame = page.frameLocator('iframe');
      const row = frame.getByRole('link', { name: 'Jazz at the Harbour' }).first();
      await row.waitFor();
      expect(await row.getAttribute('target')).toBe('_blank');
      expect(await frame.locator('.event h3 a, .later-dates a').count()).toBeGreaterThan(1);
      const inner = () => frame.locator('body').evaluate((body) => (body as HTMLElement).offsetHeight);
      await expect.poll(async () => (await page.locator('iframe').boundingBox())?.height).toBe(await inner());
      // Messages of others say nothing of its height.
      await page.evaluate(() =>
        new Promise((resolve) => {
          addEventListener('message', resolve, { once: true });
          postMessage({ calendarHeight: 7 }, '*');
        }).then(() => undefined),
      );
      expect((await page.locator('iframe').boundingBox())?.height).toBe(await inner());
      expect(opened.errors).toEqual([]);
    },
  );

  test('asks for what the attributes of the element say', async () => {
    const attributes = { calendar: 'month', categories: 'a', tags: 'b', venue: '1', organizer: '2' };
    const all = { ...attributes, search: 'c', language: 'sv', title: 'Events' };
    const url = `${allowed}/?${new URLSearchParams({ embed: `${site()}/embed.js`, ...all })}`;
    const { page } = await openPage(window(), url, { width: widths[0], dark: false });
    const frame = page.locator('iframe');
    await frame.waitFor();
    const { searchParams } = new URL((await frame.getAttribute('src')) ?? '');
    const { calendar: view, language: translation_language, title, ...same } = all;
    expect(Object.fromEntries(searchParams)).toEqual({ view, translation_language, ...same });
    expect(await frame.getAttribute('title')).toBe(title);
  });

  test.each([
    [{ lang: 'da-DK' }, 'da', 'Kalender'],
    [{ lang: 'sv', language: 'en' }, 'en', 'Calendar'],
    [{ lang: 'de' }, null, 'Calendar'],
    [{}, null, 'Calendar'],
  ])('with %j is in the language %s, and named in it', async (attributes, language, title) => {
    const url = `${allowed}/?${new URLSearchParams({ embed: `${site()}/embed.js`, ...attributes })}`;
    const { page } = await openPage(window(), url, { width: widths[0], dark: false });
    const frame = page.locator('iframe');
    await frame.waitFor();
    const { searchParams } = new URL((await frame.getAttribute('src')) ?? '');
    expect([searchParams.get('translation_language'), await frame.getAttribute('title')]).toEqual([
      language,
      title,
    ]);
  });

  test.each([
    ['in the head', { place: 'head' }],
    ['in the head, deferred', { place: 'head', attribute: 'defer' }],
    ['in the head, as a module', { place: 'head', attribute: 'type="module"' }],
    ['as a module', { attribute: 'type="module"' }],
    ['loaded by itself', { attribute: 'async' }],
  ])('shows it once and of its height by a script %s', async (_, how) => {
    const own = { embed: `${site()}/embed.js`, vendor: 'widgets' };
    const parameters = new URLSearchParams({ ...own, ...how, categories: 'jazz' });
    const url = `${allowed}/?${parameters}`;
    const opened = await openPage(window(), url, { width: widths[0], dark: false });
    const frames = opened.page.locator('body iframe');
    await opened.page
      .frameLocator('iframe')
      .getByRole('link', { name: 'Jazz at the Harbour' })
      .first()
      .waitFor();
    expect(await frames.count()).toBe(1);
    expect(new URL((await frames.getAttribute('src')) ?? '').searchParams.get('categories')).toBe('jazz');
    const inner = () =>
      opened.page
        .frameLocator('iframe')
        .locator('body')
        .evaluate((body) => (body as HTMLElement).offsetHeight);
    await expect.poll(async () => (await frames.boundingBox())?.height).toBe(await inner());
    expect(opened.errors).toEqual([]);
  });

  test('that EMBED_ORIGINS has not shows nothing', async () => {
    const url = `${other}/?embed=${encodeURIComponent(`${site()}/embed.js`)}`;
    const { page, errors } = await openPage(window(), url, { width: widths[0], dark: false });
    await page.locator('iframe').waitFor();
    await expect.poll(() => errors.join()).toContain('frame-ancestors');
  });
});

// The host on Flex Consumption would answer preflights itself.
describe.runIf(chromiumPath !== undefined && !hostMode.flex)('a page of another origin', () => {
  /** Replaces custom data from a page of an origin, as its script would; gives what the script can read. */
  async function putFrom(origin: string) {
    const { page } = await openPage(window(), origin, { width: widths[0], dark: false });
    const url = `${app.base}/v8.0/documents/document-letter/custom-data`;
    const call = { url, token: app.token('alice@example.org') };
    return page.evaluate(async ({ url, token }) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'If-Match': '*',
      };
      const init = { method: 'PUT', headers, body: '{"remarks":"from a page"}' };
      const reply = await fetch(url, init).catch((error: unknown) => String(error));
      if (typeof reply === 'string') return reply;
      const readable = ['etag', 'x-request-id', 'cache-control'].filter((name) => reply.headers.has(name));
      return { status: reply.status, readable };
    }, call);
  }

  test('that CORS_ORIGINS has reads and writes, and sees the headers', async () => {
    expect(await putFrom(allowed)).toEqual({
      status: 200,
      readable: ['etag', 'x-request-id', 'cache-control'],
    });
  });

  test('that it has not does neither', async () => {
    expect(await putFrom(other)).toContain('Failed to fetch');
  });
});
