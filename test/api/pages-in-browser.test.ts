/** The pages in a real browser, at a desk and on a phone: free of errors, of what axe-core reports, and of what is wider than the window. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { expectGoodPage, openPage, widths } from '../support/pages.ts';

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const app = useApp({ ownEmulators: true, sampleCalendar: true, settings: { CALENDAR_SITE_URL: '' } });
const site = () => app.stack.url;

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  const open = (url: string) => openPage(browser, url, { width, dark: width < 700 });

  test('the start page shows live health, and copies calls', async () => {
    const opened = await open(`${site()}/`);
    await opened.page.getByText('The service is ready.').waitFor();
    expect(await opened.page.getByRole('button', { name: /^Copy: / }).count()).toBeGreaterThan(3);
    await expectGoodPage(opened);
  });

  test('the calendar shows months, weeks and lists, and leads to events', async () => {
    const opened = await open(`${site()}/calendar?translation_language=da`);
    const { page } = opened;
    await page.getByRole('tab', { name: 'Måned' }).click();
    await expectGoodPage(opened);
    await page.getByRole('tab', { name: 'Uge' }).click();
    await expectGoodPage(opened);
    await page.getByRole('tab', { name: 'Agenda' }).click();
    await page.waitForURL(/view=list/);
    await expectGoodPage(opened);
    await page.goto(`${site()}/event/jazz-at-the-harbour/`);
    await page.getByRole('link', { name: 'Add to my calendar' }).waitFor();
    await expectGoodPage(opened);
  });

  test('the object page signs in, opens the tree, and tells where custom data comes from', async () => {
    const opened = await open(`${site()}/records?login_hint=alice@example.org`);
    const { page } = opened;
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page
      .getByRole('button', { name: /^journalized-cases of/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Repair of Harbour Road' }).click();
    await page.goto(`${site()}/records#documents/document-contract`);
    const parcels = page.getByRole('region', { name: 'parcels' });
    await parcels.getByText('From the view dbo.CustomData_parcels.').waitFor();
    await parcels.getByRole('cell', { name: '80.5' }).waitFor();
    await expectGoodPage(opened);
  });

  test('the explorer signs in, filters, and sends a search of cases that fits into two screens', async () => {
    const opened = await open(`${app.base}/swagger?document=records`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('button[value="alice@example.org"]').click();
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page.locator('.group').first().waitFor();
    expect(await page.locator('.group[open]').count()).toBe(0);
    await page.getByLabel('Filter').fill('find journalized cases');
    await page.locator('.operation > summary').click();
    const form = page.locator('.inside form');
    expect((await form.boundingBox())?.height).toBeLessThan(1600);
    const field = form.getByLabel('Field 1');
    await field.locator('option', { hasText: /^bkStr01: (District|Bydel)$/ }).waitFor({ state: 'attached' });
    await field.selectOption('bkStr01');
    await form.getByLabel('Value 1').fill('Harbour Road');
    await form.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('.status').textContent()).toBe('200');
    expect(await page.getByRole('region', { name: 'Reply' }).textContent()).toContain('case-road');
    await expectGoodPage(opened);
  });
});
