/** A team at /edit, in a real browser with the keyboard: what waits, sent back with a word, submitted again, and published at a later time. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { editPageOf, press } from '../support/edit-page.ts';
import { expectGoodPage, useWindow, widths } from '../support/pages.ts';

const app = useApp({ sampleCalendar: true, settings: { CALENDAR_SITE_URL: '' } });
const window = useWindow();
const { call, signedIn } = editPageOf(app, window);

const editor = 'alice@example.org';
const contributor = 'dorte@example.org';

/** Makes a picture in a browser. */
async function picture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(60, 40);
    canvas.getContext('2d')?.fillRect(0, 0, 30, 40);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return Buffer.from(base64, 'base64');
}

const event = { start_date: '2031-07-01 10:00', end_date: '2031-07-01 12:00', timezone: 'Europe/Copenhagen' };

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  test('what waits longest is first, with its author; it goes back with a word, and comes again without', async () => {
    const first = await call(
      '/events',
      'POST',
      { ...event, title: `First ${width}`, status: 'pending' },
      contributor,
    );
    await call('/events', 'POST', { ...event, title: `Second ${width}`, status: 'pending' }, contributor);
    await call(`/events/${first.id}`, 'PATCH', { description: 'Changed later' }, editor);
    const opened = await signedIn(editor, '', width);
    const { page } = opened;
    const waiting = page.getByRole('region', { name: 'Pending review' }).locator('li');
    await waiting.filter({ hasText: `Second ${width}` }).waitFor();
    const titles = await waiting.locator('a').allInnerTexts();
    expect(titles.filter((title) => title.endsWith(` ${width}`))).toEqual([
      `First ${width}`,
      `Second ${width}`,
    ]);
    await page.waitForFunction(
      (title) =>
        [...document.querySelectorAll('li')].some(
          (li) => li.innerText.includes(title) && /by Dorte/.test(li.innerText),
        ),
      `First ${width}`,
    );
    await expectGoodPage(opened);
    await waiting.getByRole('link', { name: `First ${width}` }).press('Enter');
    await page.getByLabel('A word to the author').fill('Where is it?');
    await expectGoodPage(opened);
    await press(page, 'Send back');
    await page.getByText('Saved.').waitFor();
    expect(await call(`/events/${first.id}`, 'GET', undefined, contributor)).toMatchObject({
      status: 'draft',
      review_note: 'Where is it?',
    });

    const { page: own } = await signedIn(contributor, '', width);
    const row = own.locator('.entries li').filter({ hasText: `First ${width}` });
    await row.getByText('Sent back: Where is it?').waitFor();
    await row.getByRole('link').press('Enter');
    await own.getByRole('region', { name: 'Sent back:' }).waitFor();
    await press(own, 'Submit for review');
    await own.getByText('Saved.').waitFor();
    expect(await own.getByText('Where is it?').count()).toBe(0);
    const again = await call(`/events/${first.id}`, 'GET', undefined, contributor);
    expect([again.status, again.review_note]).toEqual(['pending', undefined]);
  });

  test('an editor schedules the publication', async () => {
    const { id } = await call(
      '/events',
      'POST',
      { ...event, title: `Later ${width}`, status: 'draft' },
      editor,
    );
    const { page } = await signedIn(editor, `?kind=event&id=${id}`, width);
    await page.getByText('More fields', { exact: true }).press('Enter');
    await page.getByLabel('Publication', { exact: true }).fill('2030-01-02T08:30');
    await press(page, 'Schedule');
    await page.getByText('Saved.').waitFor();
    expect(await call(`/events/${id}`, 'GET', undefined, editor)).toMatchObject({
      status: 'future',
      date: '2030-01-02 08:30:00',
    });
    expect((await fetch(`${app.base}/tribe/events/v1/events/${id}`)).status).toBe(403);
    // The second time: at once after all.
    await page.getByLabel('Publication', { exact: true }).fill('2020-01-02T08:30');
    await press(page, 'Save changes');
    await page.getByRole('link', { name: 'See the page' }).waitFor();
    expect((await fetch(`${app.base}/tribe/events/v1/events/${id}`)).status).toBe(200);
  });

  test('a contributor adds a picture that is decoration, and an editor takes it from the library and says who has made it', async () => {
    const opened = await signedIn(contributor, '?kind=event', width);
    const { page } = opened;
    await page.getByLabel('Title', { exact: true }).fill(`With a picture ${width}`);
    await page.getByLabel('Starts', { exact: true }).fill('2031-07-01T10:00');
    await page
      .getByLabel('Choose a picture')
      .setInputFiles({ name: `quay${width}.png`, mimeType: 'image/png', buffer: await picture(page) });
    const text = page.getByLabel('What the picture shows', { exact: false });
    await text.waitFor();
    expect(await text.evaluate((input: HTMLInputElement) => input.required)).toBe(true);
    await page.getByLabel('It is decoration', { exact: false }).press('Space');
    expect(await text.isDisabled()).toBe(true);
    await expectGoodPage(opened);
    await press(page, 'Submit for review');
    await page.getByText('Saved.').waitFor();
    const id = Number(new URL(page.url()).searchParams.get('id'));
    const { image } = await call(`/events/${id}`, 'GET', undefined, contributor);
    expect([image.id > 0, image.alt]).toEqual([true, undefined]);

    const other = await call(
      '/events',
      'POST',
      { ...event, title: `Without ${width}`, status: 'draft' },
      editor,
    );
    const another = await signedIn(editor, `?kind=event&id=${other.id}`, width);
    await press(another.page, 'Choose one that is here');
    const dialog = another.page.getByRole('dialog', { name: 'Choose one that is here' });
    await dialog.getByLabel('Search pictures').fill(`quay${width}`);
    await another.page.keyboard.press('Enter');
    await dialog.getByText('1 / 1').waitFor();
    await expectGoodPage(another);
    await dialog.locator('.pictures button').focus();
    await another.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await another.page.locator('fieldset.picture details > summary').press('Enter');
    await another.page.getByLabel('Who has made it').fill('Ann');
    await press(another.page, 'Save the texts of the picture');
    await another.page.locator('fieldset.picture .ready').waitFor();
    await expectGoodPage(another);
    await press(another.page, 'Save draft');
    await another.page.getByText('Saved.', { exact: false }).last().waitFor();
    await expect
      .poll(async () => (await call(`/events/${other.id}`, 'GET', undefined, editor)).image)
      .toMatchObject({ id: image.id, credit: 'Ann' });
  });

  test('an editor works on the next version of what is published, and another changes the same meanwhile', async () => {
    const { id } = await call(
      '/events',
      'POST',
      { ...event, title: `Public ${width}`, description: 'Kept' },
      editor,
    );
    const opened = await signedIn(editor, `?kind=event&id=${id}`, width);
    const { page } = opened;
    await page.getByLabel('Title', { exact: true }).fill(`Next ${width}`);
    await press(page, 'Save for later');
    const draft = page.getByRole('region', { name: 'Draft of the next version' });
    await draft.getByText(`Next ${width}`).waitFor();
    await expectGoodPage(opened);
    const title = async () => (await call(`/events/${id}`, 'GET', undefined, editor)).title;
    expect(await title()).toBe(`Public ${width}`);
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe(`Public ${width}`);
    await call(`/events/${id}`, 'PATCH', { title: `Theirs ${width}`, description: 'Theirs too' }, editor);
    await press(page, 'Publish the draft');
    await draft.getByRole('alert').waitFor();
    expect(await draft.getByRole('alert').innerText()).toMatch(
      new RegExp(`Title\\s+Next ${width}\\s+Theirs ${width}`),
    );
    expect(await title()).toBe(`Theirs ${width}`);
    await expectGoodPage(opened);
    await press(page, 'Publish all of the draft');
    await page.getByText('The draft is published.').waitFor();
    expect(await call(`/events/${id}?context=edit`, 'GET', undefined, editor)).toMatchObject({
      title: `Next ${width}`,
      raw: { description: '<p>Theirs too</p>' },
    });
    // The second time it is dropped.
    await page.getByLabel('Title', { exact: true }).fill('Never');
    await press(page, 'Save for later');
    await press(page, 'Drop the draft');
    await draft.waitFor({ state: 'detached' });
    expect(await title()).toBe(`Next ${width}`);
  });

  test('what was refused is no longer marked once it is mended, and a save leaves the focus in the bar', async () => {
    const { page } = await signedIn(editor, '?kind=event', width);
    await page.getByLabel('Title', { exact: true }).fill(`Mended ${width}`);
    await page.getByLabel('Starts', { exact: true }).fill('2031-07-01T10:00');
    await page.getByLabel('Ends', { exact: true }).fill('2031-07-01T09:00');
    await press(page, 'Save draft');
    const ends = page.getByLabel('Ends', { exact: true });
    await page.locator('[aria-invalid="true"]').waitFor();
    await ends.fill('2031-07-01T11:00');
    await page.locator('[aria-invalid="true"]').waitFor({ state: 'detached' });
    expect(await page.locator('.failing').count()).toBe(0);
    await press(page, 'Publish');
    await page.getByText('Saved.').waitFor();
    await page.waitForFunction(() => document.querySelector('.savebar')?.contains(document.activeElement));
  });

  test('a venue has its country from a choice in the language of the page', async () => {
    const { id } = await call(
      '/venues',
      'POST',
      { venue: `Hall ${width}`, country: 'Danmark', status: 'draft' },
      editor,
    );
    const { page } = await signedIn(editor, `?kind=venue&id=${id}&translation_language=sv`, width);
    const country = page.getByLabel('Land', { exact: true });
    expect(
      await country.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent),
    ).toBe('Danmark');
    await country.selectOption({ label: 'Sverige' });
    await press(page, 'Spara utkast');
    await page.locator('.savebar .ready').waitFor();
    expect((await call(`/venues/${id}`, 'GET', undefined, editor)).country).toBe('Sweden');
  });
});
