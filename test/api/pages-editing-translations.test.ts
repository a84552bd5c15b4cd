/** Texts of all languages side by side at /edit, in a real browser with the keyboard: what is missing, older, right still, and changed by others meanwhile. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { editPageOf, press } from '../support/edit-page.ts';
import { expectGoodPage, useWindow, widths } from '../support/pages.ts';

const app = useApp({ sampleCalendar: true, settings: { CALENDAR_SITE_URL: '' } });
const window = useWindow();
const { call, signedIn } = editPageOf(app, window);
const editor = 'alice@example.org';
const event = { start_date: '2027-07-01 10:00', end_date: '2027-07-01 12:00', timezone: 'Europe/Copenhagen' };

const read = (id: number) => call(`/events/${id}?context=edit`);

async function olderEvent(title: string): Promise<number> {
  const translations = { da: { title: `${title} på dansk`, description: '<p>Om det</p>' } };
  const description = '<p>About it</p>';
  const { id } = await call('/events', 'POST', { ...event, title, description, translations });
  await call(`/events/${id}`, 'PATCH', { title: `${title} now` });
  return id;
}

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  test('a translator finds what is older or missing, says what is right, and writes the rest', async () => {
    const title = `Regatta ${width}`;
    const id = await olderEvent(title);
    const opened = await signedIn(editor, `?state=translations&search=${encodeURIComponent(title)}`, width);
    const { page } = opened;
    const older = page.getByRole('region', { name: 'Dansk: older than the original' });
    await older.getByRole('heading', { name: '(1)' }).waitFor();
    await page.getByRole('region', { name: 'Svenska: missing' }).getByRole('link').waitFor();
    await expectGoodPage(opened);
    await older.getByRole('link').focus();
    await page.keyboard.press('Enter');
    const titles = page.getByRole('region', { name: 'Title' });
    await titles.getByText('older than the original').waitFor();
    const boxes = await titles.locator(':scope > div > div').evaluateAll((columns) =>
      columns.map((column) => {
        const { x, y } = column.getBoundingClientRect();
        return { x: Math.round(x), y: Math.round(y) };
      }),
    );
    const [isOneRow, isOneColumn] = (['y', 'x'] as const).map(
      (axis) => new Set(boxes.map((box) => box[axis])).size === 1,
    );
    expect([boxes.length, isOneRow, isOneColumn]).toEqual(width < 700 ? [3, false, true] : [3, true, false]);
    await expectGoodPage(opened);
    await press(page, 'Still right');
    await page.getByLabel('Title (Svenska)').focus();
    await page.keyboard.type('Kappsegling');
    await press(page, 'Save changes');
    await page.getByText('Saved.').waitFor();
    expect(await read(id)).toMatchObject({
      translations: { da: { title: `${title} på dansk` }, sv: { title: 'Kappsegling' } },
      translation_states: { da: { title: 'current' }, sv: { title: 'current', description: 'missing' } },
    });
    await expect.poll(() => page.locator('.languages summary').innerText()).toContain('Svenska: 1 missing');
    // The original changes in the form: what stands beside it is older before anything is saved.
    await page.getByRole('textbox', { name: 'Title', exact: true }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    expect(await titles.getByText('older than the original').count()).toBe(2);
  });

  test('an editor in another language writes the original beside, and sees what another person made of it', async () => {
    const id = await olderEvent(`Choir ${width}`);
    const { page } = await signedIn(editor, `?kind=event&id=${id}&translation_language=da#languages`, width);
    const original = page.getByLabel('Titel (English)');
    await original.waitFor();
    await page.getByLabel('Titel (Svenska)').fill('Kör');
    await call(`/events/${id}`, 'PATCH', { title: 'Theirs' });
    await press(page, 'Gem ændringer');
    // Whoever has translated the text sees that its original is another one by now.
    const table = page.getByRole('alert').locator('table');
    await table.waitFor();
    expect(await table.innerText()).toMatch(/Titel \(English\)[\s\S]*Theirs/);
    await press(page, 'Gem min');
    await page.getByText('Gemt').waitFor();
    expect(await read(id)).toMatchObject({ title: 'Theirs', translations: { sv: { title: 'Kör' } } });
    await original.fill('Choir again');
    await press(page, 'Gem ændringer');
    await expect.poll(async () => (await read(id)).title).toBe('Choir again');
    expect((await read(id)).translation_states).toMatchObject({
      da: { title: 'older' },
      sv: { title: 'older' },
    });
  });

  test('a draft of a date of a series is asked which dates it is for', async () => {
    const rule = { title: `Yoga ${width}`, ...event, rrule: 'FREQ=WEEKLY;COUNT=3' };
    const { dates } = await call('/series', 'POST', rule);
    const ids: number[] = dates.map((date: { event: number }) => date.event);
    const { page } = await signedIn(editor, `?kind=event&id=${ids[1]}`, width);
    await page.getByLabel('Title', { exact: true }).fill(`Pilates ${width}`);
    await press(page, 'Save for later');
    await press(page, 'This date and later ones');
    const draft = page.getByRole('region', { name: 'Draft of the next version' });
    await draft.getByText('It is for: this date and later ones.').waitFor();
    const titles = () => Promise.all(ids.map(async (id) => (await read(id)).title));
    expect(await titles()).toEqual(Array(3).fill(`Yoga ${width}`));
    await press(page, 'Publish the draft');
    await page.getByText('The draft is published.').waitFor();
    expect(await titles()).toEqual([`Yoga ${width}`, `Pilates ${width}`, `Pilates ${width}`]);
  });
});
