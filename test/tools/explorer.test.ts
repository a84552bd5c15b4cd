/** The explorer in a real browser, on a desktop and on a phone: what it lists, how one signs in, and what it sends. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { expectGoodPage, type OpenPage, openPage, useWindow, widths } from '../support/pages.ts';

/** What Swagger UI has that axe-core reports, and that neither its options nor a style sheet change. */
const exceptions = {
  // A button for each operation has the link to it inside.
  'nested-interactive': '.opblock-summary-control',
  // The groups are h3 below the h1 of the document; the dialog has h3, h4 and h6 after them.
  'heading-order': '.opblock-tag, .dialog-ux :is(h3, h4, h6)',
  // The title of the document and the filter stand before `main`, and the dialog at the end has no role.
  region: '.swagger-ui__skip-link, .information-container, :has(> .filter-container), .dialog-ux *',
  // The cross that closes the dialog has a picture without a name.
  'button-name': '.close-modal',
  // Its buttons say more to a screen reader than they show: "Apply credentials" for "Authorize".
  'label-content-name-mismatch': '.dialog-ux .btn',
  // Parameters and examples are named by the cell and the text before them.
  'select-name': '.parameters-col_description select, .examples-select-element',
  // Code that is wider than its box scrolls, and takes no focus.
  'scrollable-region-focusable': '.microlight',
};

const app = useApp({ sampleCalendar: true, settings: { CALENDAR_SITE_URL: '' } });
const site = () => app.stack.url;

const window = useWindow();

const open = (url: string, width: number): Promise<OpenPage> =>
  openPage(window(), url, { width, dark: width < 700 });
const explorer = (address: string) => `${app.base}/swagger${address}`;

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels, the explorer', (width) => {
  const openExplorer = (address: string) => open(explorer(address), width);

  test('lists every document, and its endpoints', async () => {
    const opened = await openExplorer('');
    const { page } = opened;
    const list = page.getByLabel('Select a definition');
    await expectOperations(page, '/openapi.json');
    expect(await list.locator('option').allTextContents()).toEqual([
      'all',
      'records-v7',
      'records',
      'calendar',
    ]);
    for (const name of ['records-v7', 'records', 'calendar']) {
      await list.selectOption(name);
      await expectOperations(page, `/swagger/${name}.json`);
      expect(new URL(page.url()).searchParams.get('urls.primaryName')).toBe(name);
    }
    await page.reload();
    await expectOperations(page, '/swagger/calendar.json');
    await page.getByPlaceholder('Filter by tag or path').fill('venues');
    await expect.poll(() => page.locator('h3.opblock-tag').allInnerTexts()).toHaveLength(1);
    await expectGoodPage(opened, exceptions);
  });

  /** Waits until the page shows the operations of a document, all of them. */
  async function expectOperations(page: Page, path: string): Promise<void> {
    const { paths } = (await (await fetch(app.base + path)).json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = () =>
      page.locator('.opblock').evaluateAll((all) =>
        all.map((operation) =>
          ['.opblock-summary-method', '.opblock-summary-path']
            // A long path may be broken at invisible spaces.
            .map((part) => operation.querySelector(part)?.textContent.replaceAll('\u200B', ''))
            .join(' '),
        ),
      );
    await expect.poll(async () => (await shown()).toSorted()).toEqual(operations.toSorted());
  }

  test('signs in by a code with a proof key, and sends as that user, who may leave again', async () => {
    const opened = await openExplorer('?urls.primaryName=records#/Authentication/get-authorized');
    const { page } = opened;
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const dialog = page.locator('.dialog-ux');
    expect(await dialog.locator('[id^="client_id"]').inputValue()).toBe(
      app.stack.settings['AppRegistration__ClientId'],
    );
    expect(await dialog.locator('input[type="checkbox"]').isChecked()).toBe(true);
    expect(await dialog.locator('[id^="client_secret"]').isVisible()).toBe(false);
    await expectGoodPage(opened, exceptions);

    const sent = page.waitForRequest(/\/token$/);
    const provider = await openProvider(page);
    expect(new URL(provider.url()).searchParams.get('code_challenge_method')).toBe('S256');
    const closed = provider.waitForEvent('close');
    await provider.locator('button[value="alice@example.org"]').click();
    await closed;
    const form = new URLSearchParams((await sent).postData() ?? '');
    expect([...form.keys()].toSorted()).toEqual([
      'client_id',
      'code',
      'code_verifier',
      'grant_type',
      'redirect_uri',
    ]);
    expect(form.get('redirect_uri')).toBe(`${app.base}/swagger/oauth2-redirect.html`);
    const leave = dialog.getByText('Logout');
    await leave.waitFor();
    await expectGoodPage(opened, exceptions);
    await dialog.getByText('Close', { exact: true }).first().click();

    expect(await execute(page)).toEqual({
      status: '200',
      body: expect.stringContaining('Alice Archer'),
    });
    const snippet = page.locator('.request-snippets');
    const url = `${app.base}/v8.0/authorized`;
    expect(await snippet.innerText()).toContain(`curl -X 'GET' \\\n  '${url}'`);
    expect(await snippet.innerText()).toContain(`-H 'Authorization: Bearer ey`);
    await snippet.getByText('cURL (PowerShell)').click();
    await expect.poll(() => snippet.innerText()).toContain("curl.exe -X 'GET'");
    await expectGoodPage(opened, exceptions);

    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await leave.click();
    await dialog.getByText('Close', { exact: true }).first().click();
    expect(await execute(page)).toMatchObject({ status: '401' });
  });

  test('reads the calendar without a token', async () => {
    const opened = await openExplorer('?urls.primaryName=calendar');
    const { page } = opened;
    await page
      .locator('.opblock', { hasText: 'List events' })
      .first()
      .locator('.opblock-summary-path a')
      .click();
    expect(page.url()).toContain('#/Calendar%3A%20events/');
    expect(await execute(page)).toEqual({
      status: '200',
      body: expect.stringContaining('Jazz at the Harbour'),
    });
    await expectGoodPage(opened, exceptions);
  });
});

describe.runIf(chromiumPath !== undefined)('in any window, the explorer', () => {
  const openExplorer = (address: string) => open(explorer(address), widths[0]);

  test('sends a token that is pasted', async () => {
    const { page } = await openExplorer('?urls.primaryName=records#/Authentication/get-authorized');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const dialog = page.locator('.dialog-ux');
    await dialog.getByLabel('Value').fill(app.token('alice@example.org'));
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByText('Logout').waitFor();
    await dialog.getByText('Close', { exact: true }).first().click();
    expect(await execute(page)).toEqual({
      status: '200',
      body: expect.stringContaining('Alice Archer'),
    });
  });

  test('sends a slash in an identifier so that it arrives', async () => {
    const opened = await openExplorer('?urls.primaryName=records#/Journalized%20cases/get-journalized-cases');
    const { page } = opened;
    const dialogButton = page.getByRole('button', { name: 'Authorize', exact: true });
    await dialogButton.click();
    const dialog = page.locator('.dialog-ux');
    await dialog.getByLabel('Value').fill(app.token('alice@example.org'));
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByText('Close', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByPlaceholder('id', { exact: true }).fill('a/b');
    await page.getByRole('button', { name: 'Execute' }).click();
    expect(await replyOf(page)).toEqual({ status: '404', body: expect.stringContaining('object-not-found') });
    expect(await page.locator('.request-url').innerText()).toContain(
      `${app.base}/v8.0/journalized-cases/a%252Fb`,
    );
  });

  test('says why nobody was signed in', async () => {
    const { page } = await openExplorer('?urls.primaryName=records');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const provider = await openProvider(page);
    const { searchParams } = new URL(provider.url());
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = String(
      new URLSearchParams({
        error: 'access_denied',
        error_description: 'Cancelled',
        state: searchParams.get('state') ?? '',
      }),
    );
    await leaveFor(provider, back.href);
    await page.locator('.dialog-ux').getByText('[access_denied]: Cancelled').waitFor();
  });

  test('takes no code of a sign-in that it has not begun', async () => {
    const { page } = await openExplorer('?urls.primaryName=records');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const provider = await openProvider(page);
    await leaveFor(provider, `${app.base}/swagger/oauth2-redirect.html?code=stolen&state=other`);
    await provider.getByText('Cannot sign in').waitFor();
    expect(requests.filter((url) => url.includes('/token'))).toEqual([]);
    expect(await page.getByText('Logout').count()).toBe(0);
  });
});

/** Leaves for the identity provider, in a window that opens. */
async function openProvider(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
  const provider = await opened;
  await provider.locator('button[value="alice@example.org"]').waitFor();
  return provider;
}

/** Goes where a link or a redirect of the page would lead, so that the window still knows which one has opened it. */
async function leaveFor(page: Page, url: string): Promise<void> {
  await page.evaluate((url) => location.assign(url), url);
}

/** Sends the operation that is open. */
async function execute(page: Page) {
  const tryOut = page.getByRole('button', { name: 'Try it out' });
  const clear = page.getByRole('button', { name: 'Clear', exact: true });
  await tryOut
    .or(page.getByRole('button', { name: 'Execute' }))
    .first()
    .waitFor();
  if ((await tryOut.count()) > 0) await tryOut.click();
  if ((await clear.count()) > 0) await clear.click();
  await page.getByRole('button', { name: 'Execute' }).click();
  return replyOf(page);
}

async function replyOf(page: Page) {
  const reply = page.locator('.live-responses-table tbody');
  await reply.locator('.response-col_status').waitFor();
  return {
    status: (await reply.locator('.response-col_status').innerText()).split('\n')[0]?.trim(),
    body: await reply.locator('.response-col_description').innerText(),
  };
}

describe.runIf(chromiumPath !== undefined)('beside the explorer', () => {
  test('no page loads its files', async () => {
    const pages = [`${site()}/`, `${site()}/calendar`, `${site()}/records`, `${site()}/edit`];
    for (const url of [...pages, `${app.base}/swagger/oauth2-redirect.html`]) {
      const loaded: string[] = [];
      const { page } = await open('about:blank', widths[0]);
      page.on('request', (request) => loaded.push(request.url()));
      await page.goto(url, { waitUntil: 'networkidle' });
      expect([url, loaded.length > 1, loaded.filter((file) => /swagger-ui|explorer/.test(file))]).toEqual([
        url,
        true,
        [],
      ]);
    }
  });

  test('people sign in where a page of another origin has opened the window', async () => {
    const { page } = await open(`${site().replace('localhost', '127.0.0.1')}/robots.txt`, widths[0]);
    const opened = page.waitForEvent('popup');
    await page.evaluate((url) => void globalThis.open(url), `${site()}/records`);
    const records = await opened;
    await records.getByRole('button', { name: 'Sign in' }).click();
    await records.locator('button[value="alice@example.org"]').click();
    await records.getByText('Signed in as Alice Archer').waitFor();
  });
});
