/** The history of a record and the trash, in a real browser with the keyboard: who changed what, a version put back, and what another person does meanwhile. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { editPageOf, press } from '../support/edit-page.ts';
import { expectGoodPage, useWindow, widths } from '../support/pages.ts';

const app = useApp({ sampleCalendar: true, settings: { CALENDAR_SITE_URL: '' } });
const window = useWindow();
const { call, signedIn } = editPageOf(app, window);

const event = {
  title: 'Market',
  start_date: '2031-07-01 10:00',
  end_date: '2031-07-01 12:00',
  timezone: 'Europe/Copenhagen',
};

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  test('an editor sees who changed what, and puts a version back twice', async () => {
    const { id: venue } = await call('/venues', 'POST', { venue: 'Old hall' });
    const { id } = await call('/events', 'POST', { ...event, venue, tags: ['Fish'] });
    await call(
      `/events/${id}`,
      'PATCH',
      { title: 'Market & fair', status: 'draft', venue: [] },
      'alice@example.org',
    );
    await call(`/venues/${venue}`, 'DELETE');
    const opened = await signedIn('alice@example.org', `?kind=event&id=${id}`, width);
    const { page } = opened;
    await page.locator('details.history > summary').focus();
    await page.keyboard.press('Enter');
    const versions = page.locator('.versions > li');
    await versions.nth(1).waitFor();
    expect(await versions.first().innerText()).toMatch(/Alice Archer[\s\S]*Title\s+Market\s+Market & fair/);
    expect(await versions.first().innerText()).toMatch(/Status\s+Published\s+Draft/);
    expect(await versions.nth(1).innerText()).toContain('The first version that is kept.');
    await press(page, /^Restore this version/);
    const chosen = page.getByRole('region', { name: 'Restore this version' });
    await chosen.waitFor();
    expect(await chosen.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await chosen.innerText()).toMatch(
      /Title\s+Market & fair\s+Market[\s\S]*not there any more: Venue\./,
    );
    await expectGoodPage(opened);
    await press(page, 'Restore');
    await page
      .getByText('The version is restored. Left out, since it is not there any more: Venue.')
      .waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Market');
    expect(await call(`/events/${id}?context=edit`)).toMatchObject({
      title: 'Market',
      status: 'draft',
      venue: [],
    });
    // The second time, the other way.
    await versions.nth(2).waitFor();
    await page
      .getByRole('button', { name: /^Restore this version/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await press(page, 'Restore');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('.editor input')?.value === 'Market & fair',
    );
    await versions.nth(3).waitFor();
    await expectGoodPage(opened);
  });

  test('what was typed is not lost by it, and what another saves meanwhile is not either', async () => {
    const { id } = await call('/events', 'POST', event);
    await call(`/events/${id}`, 'PATCH', { title: 'Second' });
    const { page } = await signedIn('alice@example.org', `?kind=event&id=${id}`, width);
    await page.locator('details.history > summary').press('Enter');
    await press(page, /^Restore this version/);
    await page.getByLabel('Title', { exact: true }).fill('Typed');
    await page.getByText('Save or undo your changes first.').waitFor();
    expect(await page.getByRole('button', { name: 'Restore', exact: true }).count()).toBe(0);
    await page.getByLabel('Title', { exact: true }).fill('Second');
    await call(`/events/${id}`, 'PATCH', { description: 'By another' });
    await press(page, /^Restore$/);
    await page.locator('details.history .failing').waitFor();
    expect(await call(`/events/${id}`)).toMatchObject({ title: 'Second' });
  });

  test('what was moved to the trash is listed there, and put back as it was', async () => {
    const { id } = await call('/events', 'POST', { ...event, title: `Trashed ${width}` });
    const opened = await signedIn('alice@example.org', `?kind=event&id=${id}`, width);
    const { page } = opened;
    page.once('dialog', (dialog) => dialog.accept());
    await press(page, 'Move to the trash');
    await page.locator('.entries').waitFor();
    await page.getByRole('link', { name: 'Trash', exact: true }).press('Enter');
    await page.getByRole('button', { name: `Put back: Trashed ${width}` }).waitFor();
    await expectGoodPage(opened);
    await press(page, `Put back: Trashed ${width}`);
    await page.getByRole('button', { name: `Put back: Trashed ${width}` }).waitFor({ state: 'detached' });
    expect(await call(`/events/${id}`)).toMatchObject({ status: 'publish', title: `Trashed ${width}` });
    // Who may not edit it does not see it there.
    await call(`/events/${id}`, 'DELETE');
    const { page: another } = await signedIn('bjorn@example.org', '?list=event&state=trash', width);
    await another.locator('.entries li, .empty').first().waitFor();
    expect(await another.getByText(`Trashed ${width}`).count()).toBe(0);
  });
});
