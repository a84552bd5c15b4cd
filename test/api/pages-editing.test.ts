/** Editing for people, in a real browser on a desktop and on a phone: authors and editors write, contributors propose. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { expectGoodPage, openPage, useWindow, widths } from '../support/pages.ts';

// The page for editing needs nothing of WordPress.
const app = useApp({
  sampleCalendar: true,
  settings: { CALENDAR_SITE_URL: '', CALENDAR_SITE_ROOTS: 'none' },
});
const site = () => app.stack.url;
const calendar = () => `${app.base}/tribe/events/v1`;

const window = useWindow();

/** Calls the API as Alice, who is an editor. */
async function call(path: string, init: RequestInit = {}) {
  const headers = {
    Authorization: `Bearer ${app.token('alice@example.org')}`,
    'Content-Type': 'application/json',
  };
  const reply = await fetch(calendar() + path, { headers, ...init });
  return JSON.parse(await reply.text());
}

/** Makes a picture of noise in a browser, which no format makes small. */
async function noise(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([width = 0, height = 0]) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      const image = new ImageData(width, height);
      for (let index = 0; index < image.data.length; index += 1)
        image.data[index] = index % 4 === 3 ? 255 : Math.floor(Math.random() * 256);
      context?.putImageData(image, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    [width, height],
  );
  return Buffer.from(base64, 'base64');
}

/** Opens the page for editing, signed in: in the dark where it is narrow. */
async function signedIn(email: string, query = '', width: number = widths[0]) {
  const size = { width, dark: width < 700 };
  const opened = await openPage(window(), `${site()}/edit${query}`, size);
  await opened.page.locator('.session button').click();
  await opened.page.locator(`button[value="${email}"]`).click();
  return opened;
}

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  const edit = (email: string, query = '') => signedIn(email, query, width);

  test('an author adds an event with a picture and a new venue, looks at a preview, and publishes it', async () => {
    const opened = await edit('bjorn@example.org');
    const { page } = opened;
    await page.getByText('Signed in as Björn Berg').waitFor();
    await page
      .getByText(/^Nothing here|Not published/)
      .first()
      .waitFor();
    await expectGoodPage(opened);
    await page.getByRole('link', { name: 'New event' }).click();
    const title = `Open <rehearsal> ${width}`;
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Starts').fill('2031-06-01T19:00');
    expect(await page.getByLabel('Ends').inputValue()).toBe('2031-06-01T20:00');
    await page.getByLabel('Time zone').selectOption('Europe/Copenhagen');
    await page.getByLabel('Venue 1').selectOption('new');
    await page.getByLabel('Name', { exact: true }).fill(`Barn ${width}`);
    await page.getByLabel('City', { exact: true }).fill('Ribe');
    await page.locator('.editable').click();
    await page.keyboard.type('Everybody may ');
    await page.getByRole('button', { name: 'Bold' }).click();
    await page.keyboard.type('listen');
    await page.locator('.editable').evaluate((editable) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ', plainly');
      clipboardData.setData('text/html', '<h1>, loudly</h1>');
      editable.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByLabel('Jazz').check();
    await page.getByLabel('Talks').check();
    await page
      .getByLabel('Choose a picture')
      .setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }]);
    await page.getByText('This file is not a picture').waitFor();
    // As PNG it has some 13 MB, which the API would refuse.
    const buffer = await noise(page, 2400, 1800);
    expect(buffer.length).toBeGreaterThan(4 * 1024 * 1024);
    await page
      .getByLabel('Choose a picture')
      .setInputFiles([{ name: 'Choir.png', mimeType: 'image/png', buffer }]);
    await page.getByLabel('What the picture shows').fill('A choir');
    await page.getByLabel('Shape').selectOption('16:9');
    await expectGoodPage(opened);
    const media = /\/tribe\/events\/v1\/pictures$/;
    await page.route(media, (route) => route.fulfill({ status: 507, json: { message: 'It is full.' } }));
    const save = page.getByRole('button', { name: 'Save draft' });
    await save.click();
    await page.getByText('It is full.').waitFor();
    await page.unroute(media);
    const uploaded = () => ({ page, errors: opened.errors.filter((error) => !error.includes('507')) });
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('dialog', { name: 'Preview' });
    expect(await preview.locator('h1').textContent()).toBe(title);
    await preview.locator('time').getByText('19:00').waitFor();
    const chip = preview.getByRole('link', { name: 'Jazz' });
    expect(await chip.evaluate((link) => getComputedStyle(link).backgroundColor)).toBe('rgb(142, 42, 91)');
    expect(await preview.getByRole('img', { name: 'A choir' }).getAttribute('src')).toMatch(/^data:/);
    await expectGoodPage(uploaded());
    await preview.getByRole('button', { name: 'Close' }).click();
    await preview.waitFor({ state: 'hidden' });
    await save.click();
    await page.getByText('Saved.').waitFor();
    await page.locator('.picture > img').waitFor();
    expect(await page.locator('h1').textContent()).toBe('Edit event Draft');
    const id = new URL(page.url()).searchParams.get('id');
    expect(await call(`/events/${id}?context=edit`)).toMatchObject({
      status: 'draft',
      title: title.replace('<rehearsal>', '&lt;rehearsal&gt;'),
      description: '<p>Everybody may <b>listen, plainly</b></p>',
      utc_start_date: '2031-06-01 17:00:00',
      timezone: 'Europe/Copenhagen',
      venue: { venue: `Barn ${width}`, city: 'Ribe' },
      categories: [{ slug: 'jazz' }, { slug: 'talks' }],
    });
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('link', { name: 'See the page' }).waitFor();
    expect(await page.locator('h1').textContent()).toBe('Edit event Published');
    await expectGoodPage(uploaded());
    const { image } = await call(`/events/${id}`);
    expect(image).toMatchObject({ alt: 'A choir' });
    expect(image.width / image.height).toBeCloseTo(16 / 9, 2);
    expect(Object.keys(image.sizes)).toEqual(
      expect.arrayContaining(['thumbnail', 'medium', 'medium_large', 'large']),
    );
    expect(image.sizes.thumbnail).toMatchObject({ width: 150, height: 150 });
    await page.getByRole('link', { name: 'See the page' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.locator('article img').getAttribute('alt')).toBe('A choir');
    await expectGoodPage(uploaded());
  });

  test('an editor reads in the language of the page why an event cannot be saved', async () => {
    const opened = await edit('alice@example.org', '?kind=event');
    const { page } = opened;
    await page.getByLabel('Title').waitFor();
    await page.goto(`${site()}/edit?kind=event&translation_language=da`);
    const save = page.getByRole('button', { name: 'Gem kladde' });
    expect(await page.getByRole('link', { name: '←' }).getAttribute('href')).toBe(
      '?list=event&translation_language=da',
    );
    await page.getByLabel('Titel').fill('   ');
    await page.getByLabel('Begynder').fill('2031-06-01T19:00');
    await save.click();
    await page.getByText('Kan ikke gemmes (must be a text that is not empty)').waitFor();
    await page.getByText('Nogle felter kan ikke gemmes. (').waitFor();
    await page.route('**/events*', (route) =>
      route.fulfill({ status: 503, json: { message: 'Busy.', hint: 'Wait.' } }),
    );
    await save.click();
    await page.getByText('Tjenesten er ikke tilgængelig. Prøv igen senere. (Busy. Wait.)').waitFor();
    await page.unroute('**/events*');
    await expectGoodPage({ ...opened, errors: opened.errors.filter((error) => !/400|503/.test(error)) });
  });

  test('an editor whose event was changed meanwhile sees both texts, and keeps one', async () => {
    const { id } = await call('/events', {
      method: 'POST',
      body: JSON.stringify({ title: 'Market', start_date: '2031-07-01 10:00', end_date: '2031-07-01 12:00' }),
    });
    const rename = (cost: string) =>
      call(`/events/${id}`, { method: 'PATCH', body: JSON.stringify({ title: `Theirs ${cost}`, cost }) });
    const opened = await edit('alice@example.org', `?kind=event&id=${id}`);
    const { page } = opened;
    const save = page.getByRole('button', { name: 'Save changes' });
    await page.getByLabel('Title').fill('Mine');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('dialog', { name: 'Preview' }).getByRole('heading', { name: 'Mine' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await rename('10');
    await save.click();
    const alert = page.getByRole('alert');
    await alert.getByRole('cell', { name: 'Theirs 10' }).waitFor();
    expect(await alert.getByRole('cell').allTextContents()).toEqual(['Title', 'Mine', 'Theirs 10']);
    await expectGoodPage({ ...opened, errors: opened.errors.filter((error) => !error.includes('412')) });
    await alert.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await call(`/events/${id}`)).toMatchObject({ title: 'Mine', cost: '$10' });
    await page.getByLabel('Title').fill('Mine again');
    await rename('20');
    await save.click();
    await alert.getByRole('button', { name: 'Take theirs' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Theirs 20');
    // A refusal stands at its field.
    await page.getByLabel('Title').fill('   ');
    await save.click();
    const refusal = page.getByText('must be a text that is not empty', { exact: true });
    await refusal.waitFor();
    const attributes = ['aria-invalid', 'aria-describedby'].map((name) =>
      page.getByLabel('Title').getAttribute(name),
    );
    expect(await Promise.all(attributes)).toEqual(['true', await refusal.getAttribute('id')]);
    await page.getByLabel('Title').fill('Theirs 20');
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('heading', { name: 'Edit the calendar' }).waitFor();
    expect(await call(`/events/${id}`)).toMatchObject({ code: expect.any(String) });
  });

  test('a contributor submits a venue for review, sees nothing of others, and an editor publishes it', async () => {
    const name = `Attic ${width}`;
    const opened = await edit('dorte@example.org', '?list=venue');
    const { page } = opened;
    await page.getByRole('link', { name: 'New venue' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Choose a picture').waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('Saved.').waitFor();
    const buttons = await page.locator('.savebar').getByRole('button').allTextContents();
    expect(buttons.slice(0, 2)).toEqual(['Save changes', 'Withdraw to draft']);
    await page.getByRole('link', { name: 'All entries' }).click();
    await page.getByText('Pending review').first().waitFor();
    expect(
      (await page.locator('.entries a').allTextContents()).every((text) => text.startsWith('Attic')),
    ).toBe(true);
    await page.getByRole('link', { name: 'Published', exact: true }).click();
    await page.locator('.empty, .entries a').first().waitFor();
    expect(await page.locator('.entries a').allTextContents()).not.toContain('Main Library');
    await expectGoodPage(opened);
    const editor = await edit('alice@example.org', '?list=venue');
    await editor.page.getByRole('button', { name: `Publish: ${name}` }).click();
    await editor.page.getByRole('link', { name }).waitFor({ state: 'detached' });
    const { venues } = await call(`/venues?search=${encodeURIComponent(name)}`);
    expect(venues).toMatchObject([{ venue: name, status: 'publish' }]);
  });
});

describe.runIf(chromiumPath !== undefined)('an editor', () => {
  const create = (body: object) => call('/events', { method: 'POST', body: JSON.stringify(body) });

  test('finds what is not published yet: drafts, what waits, what comes later, and what lists hide', async () => {
    const dates = { start_date: '2032-02-01 10:00', end_date: '2032-02-01 12:00' };
    const ofStatus = (status: string, more = {}) =>
      create({ ...dates, title: `Plan: ${status}`, status, ...more });
    await ofStatus('draft', { hide_from_listings: true });
    await ofStatus('pending');
    await ofStatus('publish', { date: '2031-12-01 10:00' });
    const { page } = await signedIn('alice@example.org', '?list=event');
    const rows = page.locator('.entries li', { hasText: 'Plan:' });
    await rows.first().waitFor();
    const texts = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('a, kbd, button')].map((part) => part.textContent).join()),
    );
    expect(texts.toSorted()).toEqual([
      'Plan: draft,Draft,Copy,Publish',
      'Plan: pending,Pending review,Copy,Publish',
      'Plan: publish,Scheduled,Copy',
    ]);
    await page.getByRole('link', { name: 'Plan: publish' }).click();
    await page.getByRole('button', { name: 'Withdraw to draft' }).waitFor();
  });

  test('makes an event in the zone that the form shows', async () => {
    const { page } = await signedIn('alice@example.org', '?kind=event');
    await page.getByLabel('Title').fill('Across the sea');
    await page.getByLabel('Starts').fill('2032-03-01T19:00');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved.').waitFor();
    const stored = await call(`/events/${new URL(page.url()).searchParams.get('id')}?context=edit`);
    expect([stored.timezone, stored.utc_start_date]).toEqual(['America/New_York', '2032-03-02 00:00:00']);
  });

  test('writes in Danish what the page in Danish shows', async () => {
    const { id } = await create({ title: 'Play', start_date: '2032-04-01', end_date: '2032-04-01' });
    const { page } = await signedIn('alice@example.org', `?kind=event&id=${id}&translation_language=da`);
    await page.getByLabel('Titel').fill('Leg');
    await page.getByRole('button', { name: 'Gem ændringer' }).click();
    await page.getByText('Gemt.').waitFor();
    expect((await call(`/events/${id}`)).title).toBe('Play');
    expect((await call(`/events/${id}?translation_language=da`)).title).toBe('Leg');
  });
});

describe.runIf(chromiumPath !== undefined)('the form of a stored event', () => {
  test('shows what it has, and changes its days, its links and its picture', async () => {
    const create = (path: string, body: object) => call(path, { method: 'POST', body: JSON.stringify(body) });
    const hidden = await create('/venues', { venue: 'Old barn', status: 'draft' });
    const first = await create('/organizers', { organizer: 'Choir' });
    const second = await create('/organizers', { organizer: 'Band' });
    const { id } = await create('/events', {
      title: 'Summer concert',
      start_date: '2031-07-01 10:00',
      end_date: '2031-07-01 12:00',
      venue: hidden.id,
      organizer: [first.id, second.id],
      image: 'https://www.example.org/concert.jpg',
    });
    const { page } = await signedIn('alice@example.org', `?kind=event&id=${id}`);
    const shownIn = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await expect.poll(() => shownIn('Venue 1')).toBe(String(hidden.id));
    expect([await shownIn('Starts'), await shownIn('Ends'), await shownIn('Website')]).toEqual([
      '2031-07-01T10:00',
      '2031-07-01T12:00',
      '',
    ]);
    await page.getByLabel('Organizers 1').selectOption('');
    expect([await shownIn('Organizers 1'), await shownIn('Organizers 2')]).toEqual([String(second.id), '']);
    await page.getByRole('button', { name: 'Remove the picture' }).click();
    await page.getByLabel('Starts').fill('2031-07-01T11:00');
    expect(await shownIn('Ends')).toBe('2031-07-01T13:00');
    await page.getByLabel('Starts').fill('2031-07-03T11:00');
    expect(await shownIn('Ends')).toBe('2031-07-03T13:00');
    await page.getByLabel('All day').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await call(`/events/${id}?context=edit`)).toMatchObject({
      all_day: true,
      start_date: '2031-07-03 00:00:00',
      end_date: '2031-07-03 23:59:59',
      organizer: [{ id: second.id }],
      image: false,
      venue: { id: hidden.id },
    });
    await page.getByLabel('All day').uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    const changed = await call(`/events/${id}?context=edit`);
    expect([changed.all_day, changed.start_date, changed.end_date]).toEqual([
      false,
      '2031-07-03 00:00:00',
      '2031-07-03 23:59:59',
    ]);
  });
});

describe.runIf(chromiumPath !== undefined)('a session that ends', () => {
  test('is none once its token has expired', async () => {
    const { page } = await signedIn('alice@example.org', '?list=venue');
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page.evaluate(() => {
      for (const [key, value] of Object.entries(sessionStorage))
        if (key.startsWith('oidc.user:'))
          sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), expires_at: 1 }));
    });
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('has what was written after the next sign-in', async () => {
    const url = `${site()}/edit?kind=venue`;
    const { page } = await openPage(window(), url, { width: widths[0], dark: false });
    const user = page.locator('button[value="alice@example.org"]');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await user.click();
    await page.getByLabel('Name').fill('Waiting room');
    const venues = /\/venues\?context=edit/;
    await page.route(venues, (route) =>
      route.fulfill({ status: 401, json: { message: 'The token has expired.' } }),
    );
    await page.getByRole('button', { name: 'Save draft' }).click();
    await user.waitFor();
    await page.unroute(venues);
    await user.click();
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Waiting room');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved.').waitFor();
  });
});

describe.runIf(chromiumPath !== undefined)('in Danish', () => {
  test('a person without a role is told whom to ask', async () => {
    const url = `${site()}/edit?translation_language=da`;
    const opened = await openPage(window(), url, { width: widths[1], dark: false });
    const { page } = opened;
    await page.getByText('Log ind for at oprette').waitFor();
    await expectGoodPage(opened);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('button[value="fiona@example.org"]').click();
    await page.getByText('Du må ikke redigere kalenderen.').waitFor();
    await expectGoodPage(opened);
  });
});
