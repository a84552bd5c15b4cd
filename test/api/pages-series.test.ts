/** Series of events in the form for editing, in a real browser: an editor's job, and what others see of it. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { expectGoodPage, openPage, useWindow, widths } from '../support/pages.ts';

const app = useApp({
  sampleCalendar: true,
  settings: { CALENDAR_SITE_URL: '', CALENDAR_SITE_ROOTS: 'none' },
});
const window = useWindow();

type Json = ReturnType<typeof JSON.parse>;

async function call(path: string, method = 'GET', body?: object): Promise<Json> {
  const headers = {
    Authorization: `Bearer ${app.token('alice@example.org')}`,
    'Content-Type': 'application/json',
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return (await fetch(`${app.base}/tribe/events/v1${path}`, init)).json();
}

async function signedIn(email: string, query: string, width: number) {
  const opened = await openPage(window(), `${app.stack.url}/edit${query}`, { width, dark: width < 700 });
  await opened.page.locator('.session button').click();
  await opened.page.locator(`button[value="${email}"]`).click();
  return opened;
}

const datesOf = (page: Page) => page.locator('.series-dates > li');
const saved = (page: Page) => page.getByText('Saved.').waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Draws a picture in a browser, which reads it again. */
async function pictureOf(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 360);
    canvas.getContext('2d')?.fillRect(0, 0, 320, 360);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())];
  });
  return Buffer.from(bytes);
}

/** Fills in an event of every Tuesday, and waits for its dates. */
async function fillTuesdays(page: Page, title: string, until = '2031-02-25') {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Starts').fill('2031-01-07T19:00');
  await page.getByLabel('Time zone').selectOption('Europe/Copenhagen');
  await page.getByLabel('Repeat', { exact: true }).selectOption('By weeks');
  await page.getByLabel('Last day').fill(until);
  await page.locator('.series-dates > li').first().waitFor();
}

async function seriesTitled(title: string): Promise<Json> {
  const { series } = await call('/series?per_page=50');
  const { id } = series.find((item: Json) => item.title === title) ?? {};
  return call(`/series/${id}`);
}

test.each([
  ['en', 'Every Tuesday until 28 January 2031', 'Tue 14 Jan 2031'],
  ['da', 'Hver tirsdag til 28. januar 2031', 'tirs. 14. jan. 2031'],
  ['sv', 'Varje tisdag till 28 januari 2031', 'tis 14 jan. 2031'],
])(
  'the page of a date says in %s how its series repeats, and lists the other dates that everybody may read',
  async (language, words, other) => {
    const { dates } = await call('/series', 'POST', {
      title: `Open house ${language}`,
      start_date: '2031-01-07 19:00:00',
      end_date: '2031-01-07 20:00:00',
      timezone: 'Europe/Copenhagen',
      rrule: 'FREQ=WEEKLY;COUNT=4',
    });
    await call(`/events/${dates[2].event}`, 'PATCH', { status: 'draft' });
    const page = await (await fetch(`${dates[0].url}?translation_language=${language}`)).text();
    expect(page).toContain(words);
    const [, list = ''] = /<ul class="other-dates">(.*?)<\/ul>/s.exec(page) ?? [];
    expect(list.match(/<li/g)).toHaveLength(2);
    expect(list).toContain(other);
  },
);

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  test('an editor adds an event of every Tuesday with a picture and a new venue, but for the one after Easter', async () => {
    const opened = await signedIn('alice@example.org', '?kind=event', width);
    const { page } = opened;
    const title = `Choir ${width}`;
    await page.getByLabel('Title').waitFor();
    const begun = performance.now();
    await fillTuesdays(page, title, '2031-05-27');
    expect(await page.getByLabel('Tuesday').isChecked()).toBe(true);
    await page.getByText('21 dates').waitFor();
    await page.getByRole('button', { name: 'Leave out: Tue 15 Apr' }).click();
    await page.getByText('20 dates').waitFor();
    expect(await datesOf(page).count()).toBe(21);
    await page.getByLabel('Venue 1').selectOption('new');
    await page.getByLabel('Name', { exact: true }).fill(`New hall ${width}`);
    await page
      .getByLabel('Choose a picture')
      .setInputFiles([{ name: 'choir.png', mimeType: 'image/png', buffer: await pictureOf(page) }]);
    await page.getByLabel('What the picture shows').fill('A choir');
    await expectGoodPage(opened);
    await press(page, 'Publish');
    await saved(page);
    // Of the 90 seconds that an editor has, the machine may take a third.
    expect(performance.now() - begun).toBeLessThan(30_000);
    const { dates, total, exdate } = await seriesTitled(title);
    expect([total, exdate]).toEqual([20, ['2031-04-15']]);
    const events: Json[] = await Promise.all(dates.map(({ event }: Json) => call(`/events/${event}`)));
    expect(new Set(events.map(({ start_date }) => start_date.slice(11)))).toEqual(new Set(['19:00:00']));
    expect(new Set(events.map(({ image, venue }) => `${image.alt} ${venue.venue} ${venue.id}`)).size).toBe(1);
    expect(
      events.every(
        ({ status, start_date }) =>
          status === 'publish' && new Date(`${start_date.slice(0, 10)}Z`).getUTCDay() === 2,
      ),
    ).toBe(true);
    await page.getByText('Every Tuesday until 27 May 2031 (20 dates).').waitFor();
    await expectGoodPage(opened);
  });

  test('a change is made to this date, later ones or all, and what was changed alone stays', async () => {
    const opened = await signedIn('alice@example.org', '?kind=event', width);
    const { page } = opened;
    const title = `Yoga ${width}`;
    await page.getByLabel('Title').waitFor();
    await fillTuesdays(page, title);
    await press(page, 'Publish');
    await saved(page);
    const { id, dates } = await seriesTitled(title);
    const open = async (place: number) => {
      await page.goto(`${app.stack.url}/edit?kind=event&id=${dates[place].event}`);
      await page.getByText('Every Tuesday until 25 February 2031').waitFor();
    };
    const change = async (label: string, text: string, answer: string) => {
      await page.getByLabel(label).fill(text);
      await press(page, 'Save changes');
      await page.getByRole('dialog').waitFor();
      await expectGoodPage(opened);
      await press(page, answer);
      await saved(page);
    };
    await open(1);
    await change('Price', '50', 'Only this date');
    await open(3);
    await change('Price', '80', 'This date and later ones');
    await page.getByLabel('Title').fill(`${title} for all`);
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Not saved').first().waitFor();
    await page.getByLabel('Title').press('Enter');
    await press(page, 'All dates');
    await saved(page);
    const events: Json[] = await Promise.all(dates.map(({ event }: Json) => call(`/events/${event}`)));
    expect(events.map(({ cost }) => cost)).toEqual(['', '$50', '', '$80', '$80', '$80', '$80', '$80']);
    expect(new Set(events.map((event) => event.title))).toEqual(new Set([`${title} for all`]));
    await press(page, 'Move to the trash');
    await page.getByRole('dialog').waitFor();
    await press(page, 'This date and later ones');
    await page.locator('.entries').waitFor();
    expect((await call(`/series/${id}`)).total).toBe(3);
  });

  test('a repetition that no series may have is refused in words of the reader', async () => {
    const opened = await signedIn('alice@example.org', '?kind=event', width);
    const { page } = opened;
    await page.getByRole('link', { name: 'Dansk' }).click();
    await page.getByLabel('Begynder').fill('2031-01-07T19:00');
    await page.getByLabel('Gentag', { exact: true }).selectOption('Ugevis');
    for (const [day, words] of [
      ['2040-01-01', 'En serie har op til 500 datoer'],
      ['2031-01-01', 'Ingen dato er på eller efter begivenhedens start.'],
    ] as const) {
      await page.getByLabel('Sidste dag').fill(day);
      const refusal = page.getByRole('alert').filter({ hasText: words });
      await refusal.waitFor();
      expect(await refusal.innerText()).not.toContain('Cannot');
    }
  });

  test('the dates of a series are changed from one on, and an event becomes the first of a series', async () => {
    const opened = await signedIn('alice@example.org', '?kind=event', width);
    const { page } = opened;
    const title = `Chess ${width}`;
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Starts').fill('2031-01-31T19:00');
    await press(page, 'Publish');
    await saved(page);
    await page.getByLabel('Repeat', { exact: true }).selectOption('By months');
    await page.getByLabel('On which days').selectOption('on the 31st of every month');
    await page.getByLabel('The repetition stops').selectOption('after a number of dates');
    await page.getByRole('spinbutton', { name: 'Number of dates' }).fill('3');
    await page.getByText('31 February 2031').waitFor();
    await expectGoodPage(opened);
    await press(page, 'Save changes');
    await saved(page);
    const { dates } = await seriesTitled(title);
    expect(dates.map((date: Json) => date.recurrence_id)).toEqual(['2031-01-31', '2031-03-31', '2031-05-31']);
    await page.getByRole('link', { name: 'Mon 31 Mar' }).click();
    await press(page, 'Change the dates');
    await page.getByLabel('Last day').fill('2031-08-31');
    await page.getByText('5 dates').waitFor();
    await press(page, 'Save changes');
    await saved(page);
    const after = await seriesTitled(title);
    expect(after.dates.slice(0, 3).map(({ event }: Json) => event)).toEqual(
      dates.map(({ event }: Json) => event),
    );
    expect(after.total).toBe(5);
    // Another weekday is another date, and the form has the first of these.
    await press(page, 'Change the dates');
    await page.getByLabel('Repeat', { exact: true }).selectOption('By weeks');
    await page.getByLabel('Monday').uncheck();
    await page.getByLabel('Thursday').check();
    await page.getByText('goes to the trash').first().waitFor();
    await press(page, 'Save changes');
    await saved(page);
    expect(await page.getByLabel('Starts').inputValue()).toBe('2031-04-03T19:00');
    expect((await seriesTitled(title)).dates[0].event).toBe(dates[0].event);
  });

  test('a copy of an event has all but its dates, which have the focus', async () => {
    const opened = await signedIn('alice@example.org', '?state=published&search=Jazz', width);
    const { page } = opened;
    await page.getByRole('button', { name: 'Copy: Jazz at the Harbour' }).first().click();
    const start = page.getByLabel('Starts');
    await start.waitFor();
    expect(await start.evaluate((input) => input === document.activeElement)).toBe(true);
    expect([await start.inputValue(), await page.getByLabel('Title').inputValue()]).toEqual([
      '',
      'Jazz at the Harbour',
    ]);
    await page.locator('.picture > img').waitFor();
    await expectGoodPage(opened);
    await start.fill('2032-02-03T20:00');
    const source = (await call('/events?search=%22Jazz+at+the+Harbour%22&per_page=1')).events[0];
    const length = Date.parse(source.end_date) - Date.parse(source.start_date);
    const ends = Date.parse(await page.getByLabel('Ends').inputValue());
    expect(ends - Date.parse('2032-02-03T20:00')).toBe(length);
    await press(page, 'Save draft');
    await saved(page);
    const copy = await call(`/events/${new URL(page.url()).searchParams.get('id')}?context=edit`);
    expect(copy).toMatchObject({
      status: 'draft',
      title: source.title,
      start_date: '2032-02-03 20:00:00',
      image: { id: source.image.id },
      venue: { id: source.venue.id },
    });
    const inDanish = await call(`/events/${copy.id}?context=edit&translation_language=da`);
    expect(inDanish.title).toBe('Jazz på havnen');
    await page.getByRole('link', { name: 'Copy' }).click();
    await page.locator('h1').getByText('New event').waitFor();
  });
});
