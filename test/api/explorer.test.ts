/** The explorer in a real browser: it lists every endpoint, signs in, and tries one out. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';

// A browser on a busy machine takes its time.
const browserTimeout = 120_000;
vi.setConfig({ testTimeout: 2 * browserTimeout, hookTimeout: 2 * browserTimeout });

const app = useApp();

describe('GET /swagger', () => {
  test('answers a page that loads everything from the service itself', async () => {
    const { text } = await app.call('GET', '/swagger');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect((await fetch(new URL(file, `${app.base}/`))).status).toBe(200);
    }
  });
});

test.each(['/swagger', '/swagger/oauth2-redirect.html'])(
  '%s runs no script but its own, in no frame',
  async (path) => {
    const policy = (await app.call('GET', path)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/script-src|unsafe-eval/);
    expect(policy).toContain("frame-ancestors 'none'");
  },
);

describe.runIf(chromiumPath !== undefined)('the explorer in Chromium', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(browserTimeout);
    await page.goto(`${app.base}/swagger`);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(() => browser?.close());

  test('lists every endpoint of the document', async () => {
    const { paths } = (await app.call('GET', '/openapi.json')).json as { paths: Record<string, object> };
    const operations = Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
    expect(await page.locator('.opblock').count()).toBe(operations);
  });

  test('gets 200 from "Try it out" for the calendar without signing in', async () => {
    expect(await tryOut('get', '/tribe/events/v1/events')).toMatch(/^200/);
  });

  test('signs in as a sample user and gets 200 from "Try it out"', async () => {
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.modal-ux');
    const scope = dialog.locator('.scopes input[type=checkbox]').first();
    if (!(await scope.isChecked())) await dialog.locator('.scopes label').first().click();
    const popup = page.waitForEvent('popup');
    await dialog.locator('button.authorize').first().click();
    await (await popup).locator('button[value="alice@example.org"]').click();
    await dialog.locator('button', { hasText: 'Logout' }).first().waitFor();
    await dialog.locator('button.btn-done').first().click();

    expect(await tryOut('get', '/v8.0/authorized')).toMatch(/^200/);
    expect(await tryOut('put', '/v8.0/documents/{id}/custom-data')).toMatch(/^200/);
  });

  /** Sends an operation as the explorer has filled it in, and gives the status that it shows. */
  async function tryOut(method: string, path: string): Promise<string> {
    const operation = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
    await operation.locator('.opblock-summary').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    return (await status.textContent())?.trim() ?? '';
  }
});
