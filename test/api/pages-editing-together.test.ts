/** Two people at one record, and one person whose saves go wrong: nothing of either is lost, and nothing is made twice. */

import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { editPageOf } from '../support/edit-page.ts';
import { expectGoodPage, useWindow, widths } from '../support/pages.ts';

const app = useApp({ sampleCalendar: true, settings: { CALENDAR_SITE_URL: '' } });
const window = useWindow();
const editing = editPageOf(app, window);
const { call } = editing;
const signedIn = (query: string) => editing.signedIn('alice@example.org', query, widths[0]);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const saved = (page: Page) => page.getByText('Saved.').waitFor();

const newEvent = (values: object = {}) =>
  call('/events', 'POST', {
    title: 'Market',
    start_date: '2031-07-01 10:00',
    end_date: '2031-07-01 12:00',
    timezone: 'Europe/Copenhagen',
    ...values,
  });

/** A field as a person changes it in the form, as a program changes it, and what is stored after either. */
interface Edit {
  readonly name: string;
  readonly label: string;
  readonly type: (page: Page) => Promise<unknown>;
  readonly stored: unknown;
  readonly sent: unknown;
  readonly storedOfSent: unknown;
}

const typed = (
  name: string,
  label: string,
  text: string,
  stored: unknown,
  other: [unknown, unknown?],
): Edit => ({
  name,
  label,
  type: (page) => page.getByLabel(label, { exact: true }).fill(text),
  stored,
  sent: other[0],
  storedOfSent: other[1] ?? other[0],
});

const edits: readonly Edit[] = [
  typed('title', 'Title', 'Mine', 'Mine', ['Theirs']),
  typed('start_date', 'Starts', '2031-07-01T10:30', '2031-07-01 10:30:00', ['2031-07-01 11:15:00']),
  typed('end_date', 'Ends', '2031-07-01T13:00', '2031-07-01 13:00:00', ['2031-07-01 14:45:20']),
  {
    name: 'timezone',
    label: 'Time zone',
    type: (page) => page.getByLabel('Time zone').selectOption('Europe/London'),
    stored: 'Europe/London',
    sent: 'America/New_York',
    storedOfSent: 'America/New_York',
  },
  typed('cost', 'Price, such as 150kr; 0 for free', '20kr', '20kr', ['30kr']),
  typed('website', 'Website', 'www.example.org/mine', 'https://www.example.org/mine', [
    'https://example.org/b',
  ]),
  {
    name: 'featured',
    label: 'Featured',
    type: (page) => page.getByLabel('Featured').check(),
    stored: true,
    sent: true,
    storedOfSent: true,
  },
  {
    name: 'description',
    label: 'Description',
    async type(page) {
      await page.locator('.editable').first().click();
      await page.keyboard.type('Mine');
    },
    stored: '<p>Mine</p>',
    sent: 'Theirs',
    storedOfSent: '<p>Theirs</p>',
  },
];

describe.runIf(chromiumPath !== undefined)('a form whose record another person has changed', () => {
  test('stores what this person changed, and leaves the rest as the other has it, whatever the two fields are', async () => {
    const { page } = await signedIn('?list=event');
    const pair = fc.tuple(fc.constantFrom(...edits), fc.constantFrom(...edits));
    const example = (mine: string, theirs: string) => {
      const named = (name: string) => edits.find((edit) => edit.name === name) as Edit;
      return [[named(mine), named(theirs)]] as [[Edit, Edit]];
    };
    await fc.assert(
      fc.asyncProperty(pair, async ([mine, theirs]) => {
        const { id } = await newEvent();
        // What the form still loads may draw it anew, with its further fields closed.
        await page.goto(`${app.stack.url}/edit?kind=event&id=${id}`, { waitUntil: 'networkidle' });
        await page.getByText('More fields').click();
        await mine.type(page);
        await call(`/events/${id}`, 'PATCH', { [theirs.name]: theirs.sent });
        await button(page, 'Save changes').click();
        // The same value by both is no conflict.
        const alert = page.getByRole('alert');
        await alert.or(page.getByText('Saved.')).waitFor();
        if (await alert.isVisible()) await button(page, 'Save mine').click();
        await saved(page);
        const event = await call(`/events/${id}?context=edit`);
        expect(event[mine.name], mine.name).toEqual(mine.stored);
        if (mine !== theirs) expect(event[theirs.name], theirs.name).toEqual(theirs.storedOfSent);
      }),
      {
        numRuns: 12,
        examples: [
          example('timezone', 'start_date'),
          example('start_date', 'end_date'),
          example('title', 'title'),
        ],
      },
    );
  });

  test('shows all the dates together, says which were changed here, and takes the focus', async () => {
    const { id } = await newEvent();
    const opened = await signedIn(`?kind=event&id=${id}`);
    const { page } = opened;
    await page.getByLabel('Time zone').selectOption('Europe/London');
    await call(`/events/${id}`, 'PATCH', { start_date: '2031-07-01 11:00' });
    await button(page, 'Save changes').click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.evaluate((section) => section === document.activeElement)).toBe(true);
    await expect
      .poll(() =>
        alert.evaluate((section) => {
          const { top, bottom } = section.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        }),
      )
      .toBe(true);
    const rows = await alert
      .getByRole('row')
      .evaluateAll((all) =>
        all.slice(1).map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      );
    expect(rows).toEqual([
      ['Starts', '(not changed)', '1 Jul 2031, 11:00'],
      ['Ends', '(not changed)', '1 Jul 2031, 12:00'],
      ['Time zone', 'Europe/London', 'Europe/Copenhagen'],
      ['All day', '(not changed)', 'No'],
    ]);
    await page.getByText('Not saved: someone else').waitFor();
    await expectGoodPage({ page, errors: opened.errors.filter((error) => !error.includes('412')) });
  });

  test('shows what would be saved where that is refused: an end of the other before this start', async () => {
    const { id } = await newEvent();
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await page.getByLabel('Starts').fill('2031-07-01T11:30');
    await call(`/events/${id}`, 'PATCH', { end_date: '2031-07-01 11:00' });
    await button(page, 'Save changes').click();
    await button(page, 'Save mine').click();
    await page.getByText('The end is before the start.').waitFor();
    const shown = ['Starts', 'Ends'].map((label) => page.getByLabel(label, { exact: true }).inputValue());
    expect(await Promise.all(shown)).toEqual(['2031-07-01T11:30', '2031-07-01T11:00']);
    await page.getByLabel('Ends').fill('2031-07-01T13:00');
    await button(page, 'Save changes').click();
    await saved(page);
    expect(await call(`/events/${id}`)).toMatchObject({
      start_date: '2031-07-01 11:30:00',
      end_date: '2031-07-01 13:00:00',
    });
  });

  test('removes it only once this person has seen what the other has saved', async () => {
    const { id } = await newEvent();
    const { page } = await signedIn(`?kind=event&id=${id}`);
    page.on('dialog', (dialog) => dialog.accept());
    await call(`/events/${id}`, 'PATCH', { title: 'Still wanted' });
    await button(page, 'Move to the trash').click();
    await page.getByText('it was changed since').or(page.getByText('has changed since')).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Still wanted');
    expect(await call(`/events/${id}`)).toMatchObject({ title: 'Still wanted', status: 'publish' });
    await button(page, 'Move to the trash').click();
    await page.getByRole('heading', { name: 'Edit the calendar' }).waitFor();
    expect((await call(`/events/${id}`)).code).toBeDefined();
  });

  test('leaves an event that was withdrawn as it is, and publishes one where that was pressed', async () => {
    const { id } = await newEvent();
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await page.getByLabel('Title').fill('Spring market');
    await call(`/events/${id}`, 'PATCH', { status: 'draft' });
    await button(page, 'Save changes').click();
    await page.getByRole('cell', { name: 'Draft' }).waitFor();
    await button(page, 'Save mine').click();
    await saved(page);
    expect(await call(`/events/${id}?context=edit`)).toMatchObject({
      title: 'Spring market',
      status: 'draft',
    });
    await page.getByLabel('Title').fill('Summer market');
    await call(`/events/${id}`, 'PATCH', { cost: '5' });
    await button(page, 'Publish').click();
    await button(page, 'Save mine').click();
    await page.getByRole('link', { name: 'See the page' }).waitFor();
    expect(await call(`/events/${id}`)).toMatchObject({
      title: 'Summer market',
      status: 'publish',
      cost: '$5',
    });
  });
});

describe.runIf(chromiumPath !== undefined)('a save', () => {
  test.each(['event', 'venue', 'organizer'] as const)('makes one %s of two clicks', async (kind) => {
    const { page } = await signedIn(`?kind=${kind}`);
    const title = `Twice ${kind}`;
    await page.getByLabel(kind === 'event' ? 'Title' : 'Name', { exact: true }).fill(title);
    if (kind === 'event') await page.getByLabel('Starts').fill('2032-05-01T10:00');
    await button(page, 'Publish').dblclick();
    await page.getByRole('link', { name: 'See the page' }).waitFor();
    const list = await call(
      `/${kind}s?search=${encodeURIComponent(title)}&start_date=2032-01-01&end_date=2033-01-01`,
    );
    expect(list[`${kind}s`]).toMatchObject([{ status: 'publish' }]);
  });

  test('of two clicks in the list publishes the entry that was clicked, and not the next', async () => {
    await newEvent({ title: 'First in line', status: 'draft' });
    await newEvent({ title: 'Second in line', status: 'draft' });
    const { page } = await signedIn('?list=event&search=in+line');
    const first = page.getByRole('button', { name: /Publish: .* in line/ }).first();
    const title = ((await first.getAttribute('aria-label')) ?? '').replace('Publish: ', '');
    await first.dblclick();
    await page.getByRole('link', { name: title }).waitFor({ state: 'detached' });
    const { events } = await call(
      '/events?search=in+line&status=publish&start_date=2031-01-01&end_date=2032-01-01',
    );
    expect(events).toMatchObject([{ title }]);
  });

  test('whose reply was lost creates nothing twice when it is tried again, a new venue neither', async () => {
    const { page } = await signedIn('?kind=event');
    await page.getByLabel('Title').fill('Lost reply');
    await page.getByLabel('Starts').fill('2032-05-02T10:00');
    await page.getByLabel('Venue 1').selectOption('new');
    await page.getByLabel('Name', { exact: true }).fill('Lost barn');
    const creation = /\/events\?context=edit/;
    await page.route(creation, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Publish').click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.unroute(creation);
    await page.getByLabel('Title').fill('Lost reply, found');
    await button(page, 'Publish').click();
    await page.getByRole('link', { name: 'See the page' }).waitFor();
    const { events } = await call('/events?search=lost+reply&start_date=2032-01-01&end_date=2033-01-01');
    expect(events).toMatchObject([{ title: 'Lost reply, found', venue: { venue: 'Lost barn' } }]);
    expect((await call('/venues?search=lost+barn')).venues).toHaveLength(1);
  });

  test('whose reply was lost is no conflict with itself', async () => {
    const { id } = await newEvent();
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await page.getByLabel('Title').fill('Changed once');
    const change = new RegExp(`/events/${id}\\?context=edit`);
    await page.route(change, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Save changes').click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.unroute(change);
    await button(page, 'Save changes').click();
    await saved(page);
    expect((await call(`/events/${id}`)).title).toBe('Changed once');
  });

  test('keeps a picture that was stored when the event is refused, and a chosen one over a new sign-in', async () => {
    const { page } = await signedIn('?kind=event');
    await page.getByLabel('Title').fill('With a picture');
    await page.getByLabel('Starts').fill('2032-05-03T10:00');
    const image = await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d')?.fillRect(0, 0, 10, 10);
      return canvas.toDataURL('image/png').split(',')[1];
    });
    await page
      .getByLabel('Choose a picture')
      .setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(image ?? '', 'base64') },
      ]);
    await page.getByLabel('What the picture shows').fill('A dot');
    const creation = /\/events\?context=edit/;
    const media = /\/tribe\/events\/v1\/pictures$/;
    const refuse = (status: number) => (route: import('playwright-core').Route) =>
      route.fulfill({ status, json: { message: 'No.' } });
    await page.route(media, refuse(401));
    await button(page, 'Save draft').click();
    await page.locator('button[value="alice@example.org"]').click();
    await page.unroute(media);
    expect(await page.getByLabel('What the picture shows').inputValue()).toBe('A dot');
    let uploads = 0;
    page.on('request', (request) => {
      if (media.test(request.url())) uploads += 1;
    });
    await page.route(creation, refuse(503));
    await button(page, 'Save draft').click();
    await page.getByText('No.').waitFor();
    await page.unroute(creation);
    await button(page, 'Save draft').click();
    await saved(page);
    const id = new URL(page.url()).searchParams.get('id');
    expect(await call(`/events/${id}?context=edit`)).toMatchObject({
      title: 'With a picture',
      image: { alt: 'A dot' },
    });
    expect(uploads).toBe(1);
  });
});

describe.runIf(chromiumPath !== undefined)('the form', () => {
  test('refuses an end before the start at its field, and tells of a time that clocks skip', async () => {
    const { page } = await signedIn('?kind=event');
    await page.getByLabel('Title').fill('Backwards');
    await page.getByLabel('Starts').fill('2032-05-04T14:00');
    await page.getByLabel('Ends').fill('2032-05-04T10:00');
    await button(page, 'Publish').click();
    const error = page.getByText('The end is before the start.');
    await error.waitFor();
    const field = page.getByLabel('Ends');
    expect(await field.getAttribute('aria-describedby')).toBe(await error.getAttribute('id'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    await page.getByLabel('Time zone').selectOption('Europe/Copenhagen');
    await page.getByLabel('Starts').fill('2032-03-28T02:30');
    await page.getByText('Clocks skip this time here: it is saved as 03:30.').waitFor();
    const list = await call('/events?search=backwards&start_date=2032-01-01&end_date=2033-01-01');
    expect(list.events).toEqual([]);
  });

  test('takes names of tags as names: numbers, commas in what is there, and letters that look like an entity', async () => {
    const numbered = await call('/tags', 'POST', { name: 'numbered' });
    const comma = await call('/tags', 'POST', { name: 'Jazz, blues' });
    const { id } = await newEvent({ tags: [comma.id] });
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await page.getByText('More fields').click();
    await page.getByLabel('Title').fill('A &copy; & B <c>');
    await page.getByLabel('Tags, separated by commas').fill(`2031, ${numbered.id}, R&D`);
    await button(page, 'Save changes').click();
    await saved(page);
    const { tags } = await call(`/events/${id}`);
    const names = (tags as { name: string }[]).map(({ name }) => name).toSorted();
    expect(names).toEqual(['2031', String(numbered.id), 'Jazz, blues', 'R&amp;D'].toSorted());
    expect(await page.getByLabel('Title').inputValue()).toBe('A &copy; & B <c>');
    await button(page, 'Remove: 2031').click();
    await button(page, 'Save changes').click();
    await saved(page);
    expect((await call(`/events/${id}`)).tags).toHaveLength(3);
  });
});

describe.runIf(chromiumPath !== undefined)('the list of entries', () => {
  test('has private events and those that are over, and finds them by words', async () => {
    await newEvent({ title: 'Secret gathering', status: 'private' });
    const past = { start_date: '2020-07-01 10:00', end_date: '2020-07-01 12:00' };
    await newEvent({ title: 'Old gathering', ...past });
    await newEvent({
      title: 'Older gathering',
      ...past,
      start_date: '2019-07-01 10:00',
      end_date: '2019-07-01 12:00',
    });
    const { page } = await signedIn('?list=event');
    const titles = () => page.locator('.entries a').allTextContents();
    await page.getByRole('searchbox').fill('gathering');
    await button(page, 'Search').click();
    await expect.poll(titles).toEqual(['Secret gathering']);
    await page.getByRole('link', { name: 'Over' }).click();
    await expect.poll(titles).toEqual(['Old gathering', 'Older gathering']);
  });

  test('leaves the words that somebody types while it is read', async () => {
    const { page } = await signedIn('?list=event&state=published&search=gathering');
    const { promise: read, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/events?*', async (route) => {
      await read;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Not published' }).click();
    await page.getByText('Reading').waitFor();
    const search = page.getByRole('searchbox');
    expect(await search.inputValue()).toBe('gathering');
    await search.fill('other');
    release();
    await page.getByText('Reading').waitFor({ state: 'detached' });
    expect(await search.inputValue()).toBe('other');
  });
});
