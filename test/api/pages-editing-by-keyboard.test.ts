/** Editing at a keyboard, over ends of sessions and browsers: what was written stays, on the version that it was written on. */

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
const signedIn = (query: string, width: number = widths[0], email = 'alice@example.org') =>
  editing.signedIn(email, query, width);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const saved = (page: Page) => page.getByText('Saved.').waitFor();
const datesOf = (page: Page) =>
  Promise.all(['Starts', 'Ends'].map((label) => page.getByLabel(label, { exact: true }).inputValue()));

const newEvent = (values: object = {}) =>
  call('/events', 'POST', {
    title: 'Market',
    start_date: '2031-07-01 10:00',
    end_date: '2031-07-01 18:00',
    timezone: 'Europe/Copenhagen',
    ...values,
  });

/** Keys that type a date, `2030-12-30` or with a time `2030-12-30T20:00`, in the American and in the British order of its parts. */
function keysOf(date: string) {
  const [day = '', time = ''] = date.split('T');
  const [year = '', month = '', ofMonth = ''] = day.split('-');
  const [hour = '', minute = ''] = time.split(':');
  const twelve = String(Number(hour) % 12 || 12).padStart(2, '0');
  const american = time === '' ? '' : `${twelve}${minute}${Number(hour) < 12 ? 'A' : 'P'}`;
  return [`${month}${ofMonth}${year}${american}`, `${ofMonth}${month}${year}${hour}${minute}`];
}

/** The order of the browser: that of its machine's language. */
let order: number | undefined;

/** Types a date in a field by its keys, one after the other. */
async function press(page: Page, label: string, date: string) {
  order ??= await orderOf(page);
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.type(keysOf(date)[order] ?? '');
}

async function orderOf(page: Page): Promise<number> {
  const date = '2030-12-30T20:00';
  const tried = await page.context().newPage();
  await tried.setContent('<input type="datetime-local" max="9999-12-31T23:59">');
  await tried.locator('input').focus();
  await tried.keyboard.type(keysOf(date)[0] ?? '');
  const isAmerican = (await tried.locator('input').inputValue()) === date;
  await tried.close();
  return isAmerican ? 0 : 1;
}

describe.runIf(chromiumPath !== undefined)('a date that is typed', () => {
  test.each(widths)('is stored as it was typed, with an end that follows, at %i pixels', async (width) => {
    const opened = await signedIn('?kind=event', width);
    const { page } = opened;
    await page.getByLabel('Title').fill(`Typed ${width}`);
    await press(page, 'Starts', '2030-12-30T20:00');
    expect(await datesOf(page)).toEqual(['2030-12-30T20:00', '2030-12-30T21:00']);
    await button(page, 'Publish').click();
    await page.getByRole('link', { name: 'See the page' }).waitFor();
    await expectGoodPage(opened);
    const id = new URL(page.url()).searchParams.get('id');
    expect(await call(`/events/${id}`)).toMatchObject({
      start_date: '2030-12-30 20:00:00',
      end_date: '2030-12-30 21:00:00',
    });
  });

  test.each([
    ['0002', 'Starts'],
    ['0002', 'Ends'],
    ['1899', 'Starts'],
  ])('of the year %s at %s is refused at its field', async (year, label) => {
    const { id } = await newEvent();
    const { page, errors } = await signedIn(`?kind=event&id=${id}`);
    await press(page, label, `${year}-12-30`);
    await button(page, 'Save changes').click();
    await page.getByText('A year before 1900 cannot be saved.').first().waitFor();
    expect(await page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await button(page, 'Preview').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Market' }).waitFor();
    await button(page, 'Close').click();
    expect(await call(`/events/${id}`)).toMatchObject({
      start_date: '2031-07-01 10:00:00',
      end_date: '2031-07-01 18:00:00',
    });
    expect(errors).toEqual([]);
  });

  test('breaks no form, whatever is pressed in it', async () => {
    const { page, errors } = await signedIn('?kind=event');
    for (const label of ['Starts', 'Ends', 'Starts']) {
      for (const keys of ['Backspace', 'ArrowUp', 'ArrowDown', 'Delete', '9', '0']) {
        await page.getByLabel(label, { exact: true }).focus();
        for (const _ of Array.from({ length: 6 })) {
          await page.keyboard.press(keys);
          await page.keyboard.press('ArrowRight');
        }
      }
      await page.getByLabel('All day').click();
    }
    await page.getByLabel('Title').fill('Still alive');
    await button(page, 'Preview').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Still alive' }).waitFor();
    expect(errors).toEqual([]);
  });

  test.each([
    [
      'eight hours',
      { end_date: '2031-07-01 18:00' },
      '2032-09-08T14:30',
      ['2032-09-08T14:30', '2032-09-08T22:30'],
    ],
    [
      'six days',
      { end_date: '2031-07-07 12:00' },
      '2032-09-08T14:30',
      ['2032-09-08T14:30', '2032-09-14T16:30'],
    ],
    [
      'no time at all',
      { end_date: '2031-07-01 10:00' },
      '2032-09-08T14:30',
      ['2032-09-08T14:30', '2032-09-08T14:30'],
    ],
    [
      'three whole days',
      { start_date: '2031-07-01', end_date: '2031-07-03', all_day: true },
      '2032-09-08',
      ['2032-09-08', '2032-09-10'],
    ],
  ])('keeps the length of %s', async (_name, dates, keys, expected) => {
    const { id } = await newEvent(dates);
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await press(page, 'Starts', keys);
    expect(await datesOf(page)).toEqual(expected);
    await button(page, 'Save changes').click();
    await saved(page);
    const event = await call(`/events/${id}`);
    expect(
      [event.start_date, event.end_date].map((date: string) => date.slice(0, expected[0]?.length)),
    ).toEqual(expected.map((date) => date.replace('T', ' ')));
  });

  test('leaves an end that was typed first where it is', async () => {
    const { page } = await signedIn('?kind=event');
    await press(page, 'Ends', '2030-12-30T23:30');
    await press(page, 'Starts', '2030-12-30T20:00');
    expect(await datesOf(page)).toEqual(['2030-12-30T20:00', '2030-12-30T23:30']);
  });
});

describe.runIf(chromiumPath !== undefined)('what is typed', () => {
  test('while a save runs stays, in every kind of field, and so does the place in it', async () => {
    const { id } = await newEvent({ description: '<p>Old</p>' });
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await page.getByText('More fields').click();
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const change = new RegExp(`/events/${id}\\?context=edit`);
    await page.route(change, async (route) => {
      if (route.request().method() === 'PATCH') {
        arrived.resolve();
        await answer.promise;
      }
      await route.continue();
    });
    await page.getByLabel('Title').fill('First');
    await page.keyboard.press('Enter');
    await arrived.promise;
    await page.keyboard.type(' and second');
    await page.locator('.editable').first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' text');
    await page.getByLabel('Tags, separated by commas').pressSequentially('one, tw');
    answer.resolve();
    await page.getByText('Saving …').waitFor({ state: 'detached' });
    await page.keyboard.type('o');
    expect(await page.getByLabel('Title').inputValue()).toBe('First and second');
    expect((await call(`/events/${id}`)).title).toBe('First');
    await page.getByText('Not saved').waitFor();
    await button(page, 'Save changes').click();
    await saved(page);
    const { title, description, tags } = await call(`/events/${id}?context=edit`);
    expect([title, description, tags.map(({ name }: { name: string }) => name).sort()]).toEqual([
      'First and second',
      '<p>Old text</p>',
      ['one', 'two'],
    ]);
  });

  test('is stored without the typographic characters of the view', async () => {
    const title = `"Tom's" -- 2x3 ...`;
    const { id } = await newEvent({ title, description: `<p>"Tom's" -- old</p>` });
    const { page } = await signedIn(`?kind=event&id=${id}`);
    expect(await page.getByLabel('Title').inputValue()).toBe(title);
    await page.getByLabel('Title').press('End');
    await page.keyboard.type(' !');
    await page.locator('.editable').first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' news');
    await button(page, 'Save changes').click();
    await saved(page);
    const { raw } = await call(`/events/${id}?context=edit`);
    expect(raw).toMatchObject({ title: `${title} !`, description: `<p>"Tom's" -- old news</p>` });
    expect((await call(`/events/${id}`)).raw).toBeUndefined();
  });
});

describe.runIf(chromiumPath !== undefined)('a draft', () => {
  /** Lets the token of the form be refused, saves, and signs in again; `meanwhile` happens before that. */
  async function signInAgain(page: Page, action: string, email: string, meanwhile = async () => {}) {
    const writes = /\/(?:events|organizers)(?:\/\d+)?\?context=edit/;
    await page.route(writes, (route) => route.fulfill({ status: 401, json: { message: 'It has expired.' } }));
    await button(page, action).click();
    const user = page.locator(`button[value="${email}"]`);
    await user.waitFor();
    await page.unroute(writes);
    await meanwhile();
    await user.click();
    await page.locator('.savebar').waitFor();
  }

  test('over a sign-in is saved on the version that it was made on', async () => {
    const { id } = await newEvent();
    const { page } = await signedIn(`?kind=event&id=${id}`);
    await page.getByLabel('Title').fill('Mine');
    await signInAgain(page, 'Save changes', 'alice@example.org', () =>
      call(`/events/${id}`, 'PATCH', { title: 'Theirs' }),
    );
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    await button(page, 'Save changes').click();
    await page.getByRole('cell', { name: 'Theirs' }).waitFor();
    expect((await call(`/events/${id}`)).title).toBe('Theirs');
    await button(page, 'Save mine').click();
    await saved(page);
    expect((await call(`/events/${id}`)).title).toBe('Mine');
  });

  test('is shown to nobody else who signs in', async () => {
    const { page } = await signedIn('?kind=organizer');
    await page.getByLabel('Name', { exact: true }).fill('Of Alice alone');
    await signInAgain(page, 'Save draft', 'bjorn@example.org');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(await button(page, 'Show these changes').count()).toBe(0);
    await page.close();
    const again = await signedIn('?kind=organizer');
    await button(again.page, 'Show these changes').click();
    await expect
      .poll(() => again.page.getByLabel('Name', { exact: true }).inputValue())
      .toBe('Of Alice alone');
    await button(again.page, 'Save draft').click();
    await saved(again.page);
  });

  test('outlives the browser, and is saved on the version that it was made on', async () => {
    const { id } = await newEvent();
    const first = await signedIn(`?kind=event&id=${id}`);
    await first.page.getByLabel('Title').fill('Written before the end');
    await first.page.getByText('Not saved').waitFor();
    await first.page.close({ runBeforeUnload: false });
    await call(`/events/${id}`, 'PATCH', { cost: '7' });
    const opened = await signedIn(`?kind=event&id=${id}`, widths[1]);
    const { page } = opened;
    await page.getByText('This browser has kept changes of yours').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Market');
    await expectGoodPage(opened);
    await button(page, 'Show these changes').click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Written before the end');
    await button(page, 'Save changes').click();
    await page.getByRole('alert').waitFor();
    await button(page, 'Save mine').click();
    await saved(page);
    expect(await call(`/events/${id}`)).toMatchObject({ title: 'Written before the end', cost: '$7' });
    await page.reload();
    await page.locator('.savebar').waitFor();
    expect(await page.getByText('Show these changes').count()).toBe(0);
  });

  test('of a new event has its picture and no password, and ends with a sign-out', async () => {
    const first = await signedIn('?kind=event');
    await first.page.getByLabel('Title').fill('New, with a picture');
    await first.page.getByText('More fields').click();
    await first.page.locator('input[type=password]').fill('sesame');
    const image = await first.page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d')?.fillRect(0, 0, 10, 10);
      return canvas.toDataURL('image/png').split(',')[1];
    });
    const buffer = Buffer.from(image ?? '', 'base64');
    await first.page
      .getByLabel('Choose a picture')
      .setInputFiles([{ name: 'dot.png', mimeType: 'image/png', buffer }]);
    await first.page.getByLabel('What the picture shows').fill('A dot');
    await expect
      .poll(() => first.page.evaluate(() => JSON.stringify(Object.values(localStorage))))
      .toContain('A dot');
    expect(await first.page.evaluate(() => JSON.stringify(Object.values(localStorage)))).not.toContain(
      'sesame',
    );
    await first.page.close({ runBeforeUnload: false });
    const { page } = await signedIn('?kind=event');
    await button(page, 'Show these changes').click();
    await page.getByLabel('What the picture shows').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('New, with a picture');
    await page.getByLabel('Starts').fill('2031-01-02T10:00');
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto(`${app.stack.url}/edit`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test('of a form that is open elsewhere is not offered, and one that is dropped is gone', async () => {
    const first = await signedIn('?kind=organizer');
    await first.page.getByLabel('Name', { exact: true }).fill('Open here');
    const { page } = await signedIn('?kind=organizer');
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(await page.getByText('Show these changes').count()).toBe(0);
    await first.page.close({ runBeforeUnload: false });
    await page.reload();
    await button(page, 'Drop these changes').click();
    await button(page, 'Drop these changes').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.savebar').waitFor();
    expect(await page.getByText('Show these changes').count()).toBe(0);
  });
});
