/** The page of objects in a real browser, on a desktop and on a phone. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { executeSql } from '../support/execute-sql.ts';
import { expectGoodPage, openPage, useWindow, widths } from '../support/pages.ts';
import { propIdOf } from '../support/records.ts';

const app = useApp();
const site = () => app.stack.url;

const window = useWindow();

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  /** Returns the cells of each table in an element, a line for each row. */
  const rowsIn = (page: Page, selector: string) =>
    page
      .locator(`${selector} tr:has(td)`)
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => cell.textContent).join(' | ')),
      );
  const open = (url: string) => openPage(window(), url, { width, dark: width < 700 });

  test('the object page signs in, opens the tree, and tells where custom data comes from', async () => {
    const opened = await open(`${site()}/records?login_hint=alice@example.org`);
    const { page } = opened;
    await page.getByText('Signed in as Alice Archer').waitFor();
    expect(new URL(page.url()).searchParams.has('login_hint')).toBe(false);
    const branches = (expanded: boolean) =>
      page.getByRole('button', { name: /^journalized-cases of/, expanded });
    expect(await branches(false).first().textContent()).toBe('+');
    await branches(false).first().click();
    await branches(true).waitFor();
    expect(await branches(true).textContent()).toBe('−');
    await page.getByRole('link', { name: 'Repair of Harbour Road' }).click();
    await page.locator('.tree [aria-current="true"]').waitFor();
    expect(await page.locator('.tree [aria-current]').allTextContents()).toEqual(['Repair of Harbour Road']);
    const fields = page.getByRole('table', { name: 'bk-fields that are set' });
    await fields.getByRole('row', { name: /^bkStr01 District / }).waitFor();
    await page.getByRole('region', { name: 'budget' }).getByRole('cell', { name: '250000.00' }).waitFor();
    await expect.poll(() => page.getByText('Reading …').count()).toBe(0);
    const time = expect.stringMatching(/^(created|updated)At \| \d{4}-/);
    expect(await rowsIn(page, '#app article')).toEqual([
      'id | case-road',
      'diaryId | diary-2026',
      'title | Repair of Harbour Road',
      'description | The road is closed until the repair is done.',
      'number | 2026/1',
      time,
      time,
      'bkStr01 | District | Harbour Road',
      'bkStr30 |  | north',
      'bkInt01 |  | 42',
      'bkDate01 | Deadline | 2026-03-31',
      'bkFloat01 |  | 1.5',
      '80.00',
      '2026 | 250000.00',
      'Harbour Office | owner',
      'Stone & Sons | builder',
    ]);
    expect(
      await page.locator('#app .tree a').evaluateAll((all) => all.map((item) => item.getAttribute('href'))),
    ).toEqual(['#diaries/diary-2026', '#journalized-cases/case-road', '#journalized-cases/case-school']);
    expect(await page.locator('#app article > pre').textContent()).toBe(
      `curl -H "Authorization: Bearer $TOKEN" ${app.base}/v8.0/journalized-cases/case-road/custom-data`,
    );
    // The tree is open here, which is the widest that this page is.
    await expectGoodPage(opened);
    await page.locator('#app article > button').first().click();
    const form = page.locator('#app article > form');
    await form.getByLabel('title').waitFor();
    expect(await form.locator('label').allTextContents()).toEqual([
      'title',
      'description',
      'bkStr01: District',
      'bkStr30',
      'bkInt01',
      'bkDate01: Deadline',
      'bkFloat01',
    ]);
    await page.goto(`${site()}/records#documents/document-contract`);
    const parcels = page.getByRole('region', { name: 'parcels' });
    await parcels.getByText('From the view dbo.CustomData_parcels.').waitFor();
    await parcels.getByRole('cell', { name: '80.5' }).waitFor();
    await expect.poll(() => page.getByText('Reading …').count()).toBe(0);
    expect(
      await page
        .locator('.custom:not(:has(button))')
        .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)),
    ).toEqual(['deadline', 'invoiceHistory', 'parcels']);
    expect(await page.locator('#app article h4').allTextContents()).toEqual([
      'amounts JSON',
      'approved JSON',
      'archivedBy JSON',
      'deadline REF_RO',
      'invoice REF',
      'invoiceHistory REF_RO',
      'parcels REF_RO',
      'remarks JSON',
      'tags JSON',
    ]);
    expect(await rowsIn(page, '#app .custom')).toEqual([
      '1200.10 | 1500.125 | 12345678901234567890',
      'true',
      'null',
      '2026-12-31 | 2 | 1033',
      '2026-0815 | 1500.10 | 2026-04-30 | false',
      '1 | 2026-0815 | 1400.00 | 2',
      '2 | 2026-0815 | 1500.10 | 3',
      '12/1 | 350.0 | 2020-05-04T10:00:00',
      '12/2 | 80.5 | 2021-06-01T08:30:00',
      'Signed by both parties on 2026-03-02.',
      'contract',
      'road',
    ]);
    expect(await page.getByRole('region', { name: 'amounts' }).locator('pre').textContent()).toBe(
      '{\n  "net": 1200.10,\n  "gross": 1500.125,\n  "reference": 12345678901234567890\n}',
    );
    await expectGoodPage(opened);
    await page.route(/\/custom-data$/, (route) =>
      route.fulfill({ status: 500, json: { detail: 'It cannot be read.' } }),
    );
    const named = [{ identifier: 'message', kind: 'JSON', source: 'stored', name: null }];
    await page.route(/\/custom-data\/sources$/, (route) => route.fulfill({ json: named }));
    await page.reload();
    await page.getByText('It cannot be read.').waitFor();
    const value = page.getByRole('region', { name: 'message' });
    await value.getByText('Stored as JSON').waitFor();
    expect(await value.locator('pre').count()).toBe(0);
    await page.goto(`${site()}/records?login_hint=bjorn@example.org`);
    await page.getByText('Signed in as Björn Berg').waitFor();
  });

  test('the object page sends its token to objects alone, whatever stands in its address', async () => {
    const { page } = await open(`${site()}/records?login_hint=alice@example.org`);
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page
      .getByRole('button', { name: /^journalized-cases of/ })
      .first()
      .waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['authorization'] !== undefined) asked.push(request.url());
    });
    const root = `${new URL(app.base).pathname}/v8.0`;
    const segments = [
      '..\\..\\',
      '..%2F..%2Fhealth',
      '%2e%2e%5C%2e%2e%5Cswagger',
      '..;%2F',
      '%5C%5Cexample.org%5Cx',
      'a%2Fb',
      'a?b=c',
      'a%23b',
      '%',
      'æ ø',
    ];
    for (const segment of segments) {
      asked.length = 0;
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `documents/${segment}`);
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      await expect.poll(() => page.getByText('Reading …').count()).toBe(0);
      for (const url of asked)
        expect([segment, new URL(url).origin, new URL(url).pathname]).toEqual([
          segment,
          new URL(app.base).origin,
          expect.stringMatching(new RegExp(`^${root}/documents/[^/]+(?:/custom-data(?:/sources)?)?$`)),
        ]);
    }
    for (const hash of [
      'documents/..',
      'documents/.',
      'documents/%2e%2e',
      'documents/',
      '../x/y',
      'users/x',
    ]) {
      await page.evaluate((text) => {
        location.hash = text;
      }, hash);
      asked.length = 0;
      await page.getByText('Choose an object.').waitFor();
      expect([hash, asked]).toEqual([hash, []]);
    }
  });

  test('the object page shows the values of an object whose other sources fail, and which these are', async () => {
    const propID = await propIdOf(app, 'deed-complaint');
    const id = randomUUID().slice(0, 8);
    for (const batch of [
      `CREATE PROCEDURE dbo.pCustomData_zero${id}_Get @propID int, @usrPropID int, @langID int AS SELECT 1 / 0 AS amount`,
      `CREATE VIEW dbo.CustomData_good${id} AS SELECT ${propID} AS propID, 1250.50 AS amount`,
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES
(${propID}, N'zero${id}', 'REF', NULL), (${propID}, N'good${id}', 'REF', NULL), (${propID}, N'lost${id}', 'REF', NULL), (${propID}, N'stored${id}', 'JSON', N'{"note":"kept"}')`,
    ])
      await executeSql(app.stack.settings, 'customization', batch);
    const { page } = await open(`${site()}/records?login_hint=alice@example.org#deeds/deed-complaint`);
    onTestFinished(async () => {
      const remove = `DELETE FROM dbo.tCustomData WHERE propID = ${propID}`;
      await executeSql(app.stack.settings, 'customization', remove);
    });
    const region = (name: string) => page.getByRole('region', { name: name + id });
    await region('good').getByRole('cell', { name: '1250.50' }).waitFor();
    await region('stored').getByRole('cell', { name: 'kept' }).waitFor();
    await region('zero').getByText(`pCustomData_zero${id}_Get failed with SQL error 8134`).waitFor();
    expect(await region('zero').locator('pre').count()).toBe(0);
    await region('lost').getByText(`Neither the procedure pCustomData_lost${id}_Get nor`).waitFor();
    await expect.poll(() => page.getByText('Reading …').count()).toBe(0);
  });

  test('the object page finds objects, changes values by forms, and saves what it finds for spreadsheets', async () => {
    const url = `${app.base}/v8.0/documents/document-letter/custom-data`;
    const headers = { Authorization: `Bearer ${app.token('alice@example.org')}`, 'If-Match': '*' };
    const put = (at: string, body: string) =>
      fetch(at, { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' }, body });
    await put(url, '{"remarks":"Old","share/%25":1.10,"count":3,"parts":{"one":1,"two":"b"}}');
    const opened = await open(`${site()}/records?login_hint=alice@example.org#documents/document-letter`);
    const { page } = opened;
    await page.getByText('Signed in as Alice Archer').waitFor();
    for (const [name, label, value, shown] of [
      ['remarks', 'Value', 'New', 'New'],
      ['share/%25', 'Value', '2.50', '2.50'],
      ['count', 'Value', '', 'null'],
      ['parts', 'two', 'c', 'c'],
    ] as const) {
      const part = page.getByRole('region', { name });
      await part.getByRole('button', { name: 'Edit' }).click();
      await part.getByLabel(label).fill(value);
      await part.getByRole('button', { name: 'Save' }).click();
      await part.getByRole('cell', { name: shown, exact: true }).waitFor();
    }
    const stored = await (await fetch(url, { headers })).text();
    expect(stored).toContain('"share/%25":2.50');
    expect(JSON.parse(stored)).toMatchObject({ remarks: 'New', count: null, parts: { one: 1, two: 'c' } });
    // A colleague has changed the value meanwhile: both texts are shown, and one is stored.
    const parts = page.getByRole('region', { name: 'parts' });
    const conflict = async (theirs: string, answer: string) => {
      await parts.getByRole('button', { name: 'Edit' }).click();
      await parts.getByLabel('two').fill('mine');
      await put(`${url}/parts`, `{"one":5.0,"two":"${theirs}"}`);
      await parts.getByRole('button', { name: 'Save', exact: true }).click();
      const cells = parts.getByRole('alert').getByRole('cell');
      await expect.poll(() => cells.allTextContents()).toEqual(['two', 'mine', theirs]);
      await parts.getByRole('button', { name: answer }).click();
    };
    await conflict('theirs', 'Take theirs');
    await expect.poll(() => parts.getByLabel('two').inputValue()).toBe('theirs');
    await parts.getByLabel('two').fill('mine later');
    await parts.getByRole('button', { name: 'Save', exact: true }).click();
    await parts.getByRole('cell', { name: 'mine later', exact: true }).waitFor();
    await conflict('theirs again', 'Save mine');
    // The table of both texts has such a cell too.
    await parts.getByRole('alert').waitFor({ state: 'detached' });
    await parts.getByRole('cell', { name: 'mine', exact: true }).waitFor();
    expect(await (await fetch(`${url}/parts`, { headers })).text()).toMatch(/"one":5\.0/);
    await page.locator('article > button').first().click();
    await page.locator('article > form').getByLabel('title').fill('x'.repeat(3000));
    await page.locator('article > form').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('title', { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    const identifier = `note${width}`;
    await page.getByRole('button', { name: 'Add a value' }).click();
    const added = page.locator('article form', { hasText: 'Identifier' });
    const add = added.getByRole('button', { name: 'Save' });
    await page.getByLabel('Identifier').fill('remarks');
    await add.click();
    await page.getByText('The object has a value of the identifier remarks.').waitFor();
    await page.getByLabel('Identifier').fill(identifier);
    await page.getByLabel('Value, as JSON').fill('[{"one":1.50},{"two":2}]');
    await add.click();
    const cells = page.getByRole('region', { name: identifier }).getByRole('cell');
    await cells.first().waitFor();
    expect(await cells.allTextContents()).toEqual(['1.50', '', '', '2']);
    await page.getByLabel('Kind').selectOption('documents');
    await page.getByLabel('Words of the title').fill('contract');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.tree a[href="#documents/document-contract"]').waitFor();
    const download = async () => {
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const saved = await file;
      expect(saved.suggestedFilename()).toBe('documents.csv');
      const [heading = '', ...rows] = readFileSync(await saved.path(), 'utf8')
        .trim()
        .split(/\r?\n/);
      expect(heading).toContain('id,');
      return { heading, rows };
    };
    const { rows } = await download();
    expect(rows.every((row) => /contract/i.test(row))).toBe(true);
    // A result of several pages is one table.
    await page.route(/limit=1000/, (route) =>
      route.continue({ url: route.request().url().replace('limit=1000', 'limit=1') }),
    );
    await page.getByLabel('Words of the title').fill('');
    const all = await download();
    expect(all.rows.length).toBeGreaterThan(1);
    expect(all.rows).not.toContain(all.heading);
    await expectGoodPage({ ...opened, errors: opened.errors.filter((error) => !/400|412/.test(error)) });
  });
});
