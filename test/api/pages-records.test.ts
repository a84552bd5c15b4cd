/** The page of objects in a real browser, on a desktop and on a phone, in each language. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { wordsOf } from '../../functions/pages/records/browser/reading.ts';
import { useApp } from '../support/app.ts';
import { chromiumPath } from '../support/chromium.ts';
import { executeSql } from '../support/execute-sql.ts';
import { expectGoodPage, openPage, useWindow, widths } from '../support/pages.ts';
import { createObjects, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const site = () => app.stack.url;
const alice = () => recordsAs(app, 'alice@example.org');

const window = useWindow();

/** Returns the address of the page at an object, signed in as Alice. */
const addressOf = (hash: string, query = '') =>
  `${site()}/records?login_hint=alice@example.org${query}#${hash}`;

/** Waits until nothing is being read any more. */
const untilRead = (page: Page) =>
  expect.poll(() => page.getByText(/^(Reading|Henter|Hämtar) …$/).count()).toBe(0);

/**
 * Opens a form by its button, which reads the address of what it changes. Where a busy machine answers that the service is busy, the page
 * says so and keeps its button, which is pressed again.
 */
async function openForm(page: Page, button: Locator, path: string): Promise<void> {
  for (;;) {
    const answer = page.waitForResponse(
      (response) => response.request().method() === 'GET' && new URL(response.url()).pathname.endsWith(path),
    );
    await button.click();
    if ((await answer).status() !== 503) return;
    await page.locator('.buttons .failing').waitFor();
  }
}

/** Returns the facts in an element, a line for each, and the rows of its tables. */
const shownIn = (page: Page, selector: string) =>
  page
    .locator(`${selector} :is(dl > div, tr:has(td))`)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim()).join(' | ')),
    );

/** Stores a value of custom data. */
async function put(document: string, identifier: string, json: string): Promise<void> {
  const path = `/v8.0/documents/${document}/custom-data/${encodeURIComponent(identifier)}`;
  const headers = { 'Content-Type': 'application/json' };
  const { status, text } = await alice()('PUT', path, { headers, body: json });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
}

describe.runIf(chromiumPath !== undefined)('values of 100,000 parts', () => {
  test.each<[string, unknown, string, number]>([
    ['rows', Array.from({ length: 25_000 }, (_, a) => ({ a, b: 1 })), 'tbody tr', 100],
    [
      'columns',
      [Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`c${i}`, i]))],
      'tbody td',
      100,
    ],
    ['members', Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`m${i}`, i])), 'dl > div', 100],
    ['elements', Array.from({ length: 90_000 }, (_, i) => i), '.elements > li', 100],
  ])('%s are drawn on demand, by the keyboard too', async (_, value, parts, step) => {
    const { document } = await createObjects(alice());
    await put(document, 'large', JSON.stringify(value));
    const opened = await openPage(window(), addressOf(`documents/${document}`), {
      width: 1_280,
      dark: false,
    });
    const { page } = opened;
    const more = page.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    const drawn = () => page.locator(`.source .value ${parts}`).count();
    expect(await drawn()).toBe(step);
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(drawn).toBe(2 * step);
    // The next part is one key away, and who does not see it hears how many there are.
    expect(await more.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    expect(await page.locator('.source .more [role=status]').textContent()).toMatch(/^200 \/ \d+,000$/);
    await expectGoodPage(opened);
  });
});

describe.runIf(chromiumPath !== undefined).each(widths)('in a window of %i pixels', (width) => {
  const isDark = width < 700;
  const open = (url: string) => openPage(window(), url, { width, dark: isDark });
  const openObject = async (hash: string, query = '') => {
    const opened = await open(addressOf(hash, query));
    await opened.page.locator('.case h2').waitFor();
    await untilRead(opened.page);
    return opened;
  };

  test('a person signs in, opens the tree, and reads a case in words', async () => {
    const opened = await open(`${site()}/records?login_hint=alice@example.org`);
    const { page } = opened;
    await page.getByText('Signed in as Alice Archer').waitFor();
    expect(new URL(page.url()).searchParams.has('login_hint')).toBe(false);
    expect(await page.title()).toBe('Cases and documents');
    const branches = (expanded: boolean) =>
      page.getByRole('button', { name: 'Cases: Municipal office 2026', expanded });
    expect(await branches(false).textContent()).toBe('+');
    await branches(false).click();
    expect(await branches(true).textContent()).toBe('−');
    await page.getByRole('link', { name: '2026/1 Repair of Harbour Road' }).click();
    await page.locator('.tree [aria-current="true"]').waitFor();
    expect(await page.locator('.tree [aria-current]').allTextContents()).toEqual([
      '2026/1 Repair of Harbour Road',
    ]);
    await page.getByRole('heading', { name: 'Repair of Harbour Road' }).waitFor();
    await expect.poll(() => page.title()).toBe('Repair of Harbour Road – Cases and documents');
    await page.getByText('Case 2026/1').waitFor();
    await page.getByText('The road is closed until the repair is done.').waitFor();
    await untilRead(page);
    const time = (label: string) =>
      expect.stringMatching(new RegExp(`^${label} \\| \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d GMT-[45]$`));
    await expect
      .poll(() => shownIn(page, '.case'))
      .toEqual([
        'Diary | Municipal office 2026',
        time('Created'),
        time('Last changed'),
        'District | Harbour Road',
        'Text 30 | north',
        'Whole number 1 | 42',
        'Deadline | 31 March 2026',
        'Number 1 | 1.5',
        'Net | 80.00',
        'Year | 2026',
        'Total | 250,000.00',
        'Harbour Office | owner',
        'Stone & Sons | builder',
      ]);
    const links = await page
      .locator('.tree a')
      .evaluateAll((all) => all.map((item) => item.getAttribute('href')));
    // Other tests make diaries too, which come behind.
    expect(links.slice(0, 3)).toEqual([
      '#diaries/diary-2026',
      '#journalized-cases/case-road',
      '#journalized-cases/case-school',
    ]);
    // Nothing technical is shown to who has not asked for it.
    expect(await page.locator('.case :is(pre, code, kbd)').count()).toBe(0);
    await expectGoodPage(opened);
    const edit = page.getByRole('button', { name: 'Edit: Repair of Harbour Road' });
    await openForm(page, edit, '/journalized-cases/case-road');
    const form = page.locator('.case > form');
    await form.getByLabel('Title').waitFor();
    expect(await form.locator('label').allTextContents()).toEqual([
      'Title',
      'Description',
      'District',
      'Text 30',
      'Whole number 1',
      'Deadline',
      'Number 1',
    ]);
    await page.goto(`${site()}/records?login_hint=bjorn@example.org`);
    await page.getByText('Signed in as Björn Berg').waitFor();
  });

  test.each([
    [
      'en',
      'Cases and documents',
      'District',
      'Deadline',
      '31 March 2026',
      '250,000.00',
      'No',
      '1,500,000.10',
    ],
    ['da', 'Sager og dokumenter', 'Bydel', 'Frist', '31. marts 2026', '250.000,00', 'Nej', '1.500.000,10'],
    ['sv', 'Ärenden och dokument', 'Stadsdel', 'Tidsfrist', '31 mars 2026', '250\u00a0000,00', 'Nej', ''],
  ])(
    'in %s it has the labels, dates, numbers and words of the language',
    async (language, title, ...words) => {
      const [district = '', deadline, date, total, no = ''] = words;
      const opened = await openObject('journalized-cases/case-road', `&translation_language=${language}`);
      const { page } = opened;
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await expect.poll(() => page.title()).toBe(`Repair of Harbour Road – ${title}`);
      await page.getByText(district, { exact: true }).waitFor();
      await expect.poll(() => shownIn(page, '.case')).toContain(`Total | ${total}`);
      const shown = await shownIn(page, '.case');
      expect(shown).toContain(`${district} | Harbour Road`);
      expect(shown).toContain(`${deadline} | ${date}`);
      await expectGoodPage(opened);
      // The links to other languages stay at the object.
      const links = page.locator('.languages a');
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
        ['en', 'da', 'sv'].map((other) => `?translation_language=${other}#journalized-cases/case-road`),
      );
      expect(await page.locator('.languages [aria-current]').getAttribute('lang')).toBe(language);
      await page.goto(addressOf('documents/document-contract', `&translation_language=${language}`));
      await page.getByRole('heading', { name: 'Invoice', exact: true }).waitFor();
      await expect.poll(() => shownIn(page, '.case')).toContain(`Paid | ${no}`);
    },
  );

  test('a link to a document opens the tree down to it, and leads up again', async () => {
    const opened = await openObject('documents/document-contract');
    const { page } = opened;
    const linked = page.locator('.tree [aria-current="true"]');
    await linked.waitFor();
    expect(await linked.textContent()).toBe('Contract with the builder');
    expect(
      await page.locator('.tree [aria-expanded="true"]').evaluateAll((all) => all.map((b) => b.ariaLabel)),
    ).toEqual(['Cases: Municipal office 2026', 'Deeds: 2026/1 Repair of Harbour Road', 'Documents: Tender']);
    const { y = -1, height = 0 } = (await linked.boundingBox()) ?? {};
    expect([y >= 0, y + height <= 800]).toEqual([true, true]);
    const above = page.getByRole('navigation', { name: 'Part of' });
    expect(await above.getByRole('link').allTextContents()).toEqual([
      'Municipal office 2026',
      'Repair of Harbour Road',
      'Tender',
    ]);
    expect(await page.locator('.case h3').allTextContents()).toEqual([
      'Facts',
      'Own fields',
      'Amounts',
      'Approved',
      'Archived by',
      'Deadline',
      'Invoice',
      'Invoice history',
      'Parcels',
      'Remarks',
      'Tags',
    ]);
    await expect
      .poll(async () => (await shownIn(page, '.case')).slice(5))
      .toEqual([
        'Net | 1200.10',
        'Gross | 1500.125',
        'Reference | 12345678901234567890',
        '31 December 2026 | 2 | 1033',
        'Number | 2026-0815',
        'Amount | 1500.10',
        'Due date | 30 April 2026',
        'Paid | No',
        '1 | 2026-0815 | 1400.00 | 2',
        '2 | 2026-0815 | 1500.10 | 3',
        '12/1 | 350.0 | 4 May 2020, 10:00',
        '12/2 | 80.5 | 1 June 2021, 08:30',
      ]);
    const textOf = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('p, .value').allTextContents();
    expect(await textOf('Approved')).toEqual(['Kept in the case system.', 'Yes', 'Edit']);
    expect(await textOf('Archived by')).toEqual([
      'Kept in the case system.',
      'Not set',
      'Can be changed as JSON, with technical details shown',
    ]);
    expect((await textOf('Parcels'))[0]).toBe('From another register, and only shown here.');
    expect((await textOf('Invoice'))[0]).toBe('From another register, and can be changed here.');
    await expectGoodPage(opened);
    await above.getByRole('link', { name: 'Tender' }).click();
    await page.getByRole('heading', { name: 'Tender', level: 2 }).waitFor();
    await expect.poll(() => linked.allTextContents()).toEqual(['Tender']);
    await expect.poll(() => page.title()).toBe('Tender – Cases and documents');
  });

  test('a switch shows names, sources, JSON and the request, for the session', async () => {
    const opened = await openObject('documents/document-contract');
    const { page } = opened;
    const details = page.getByRole('switch', { name: 'Show technical details' });
    expect(await details.isChecked()).toBe(false);
    await details.check();
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    expect(await region('Amounts').locator('pre').textContent()).toBe(
      '{\n  "net": 1200.10,\n  "gross": 1500.125,\n  "reference": 12345678901234567890\n}',
    );
    expect(await region('Amounts').locator('code, kbd').allTextContents()).toEqual([
      'amounts',
      'JSON',
      'dbo.tCustomData ',
      'net',
      'gross',
      'reference',
    ]);
    await region('Parcels').getByText('REF_RO View: dbo.CustomData_parcels').waitFor();
    expect(await region('Parcels').locator('th').allTextContents()).toEqual([
      'Parcel (parcel)',
      'Area (area)',
      'Registered on (registeredOn)',
    ]);
    expect(await region('Facts').locator('code').allTextContents()).toEqual(
      expect.arrayContaining(['id', 'deedId', 'createdAt']),
    );
    expect(await region('The request').locator('pre').textContent()).toBe(
      `curl -H "Authorization: Bearer $TOKEN" ${app.base}/v8.0/documents/document-contract/custom-data`,
    );
    await expectGoodPage(opened);
    await page.reload();
    await region('Amounts').locator('pre').waitFor();
    expect(await details.isChecked()).toBe(true);
    await details.uncheck();
    expect(await page.locator('.case :is(pre, code, kbd)').count()).toBe(0);
    await page.reload();
    await region('Amounts').waitFor();
    expect(await details.isChecked()).toBe(false);
  });

  test('more than a page of cases is told and shown, and a linked one stands in the tree before', async () => {
    const call = alice();
    const post = async (path: string, body: object) =>
      ((await call('POST', path, { body })).json as { readonly id: string }).id;
    const title = `Diary ${randomUUID()}`;
    const diary = await post('/v8.0/diaries', { title, year: 2040 });
    let last = '';
    for (let number = 1; number <= 103; number++)
      last = await post(`/v8.0/diaries/${diary}/journalized-cases`, { title: `Matter ${number}` });
    const opened = await openObject(`journalized-cases/${last}`);
    const { page } = opened;
    const cases = page.locator(`.tree a[href^="#journalized-cases/"]`);
    const linked = page.locator('.tree [aria-current="true"]');
    await linked.waitFor();
    expect(await linked.textContent()).toBe('2040/103 Matter 103');
    expect(await cases.count()).toBe(101);
    await page.getByText('100 / 103').waitFor();
    const { y = -1 } = (await linked.boundingBox()) ?? {};
    expect([y >= 0, y < 800]).toEqual([true, true]);
    await expectGoodPage(opened);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => cases.count()).toBe(103);
    expect((await cases.allTextContents()).at(-1)).toBe('2040/103 Matter 103');
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    // The tree of who looks at nothing has no object that is out of turn.
    await page.goto(`${site()}/records`);
    await page.getByRole('button', { name: `Cases: ${title}` }).click();
    await page.getByText('100 / 103').waitFor();
    expect(await cases.count()).toBe(100);
  });

  test.each(['Pacific/Kiritimati', 'America/New_York'])(
    'odd values are shown whole, and days stay the same, in %s',
    async (timezoneId) => {
      const { document } = await createObjects(alice());
      const word = 'donaudampfschifffahrtsgesellschaft'.repeat(3);
      const row = (value: string) => `{"${'head'.repeat(30)}":${value},"two words":"a b","word":"${word}"}`;
      for (const [identifier, json] of Object.entries({
        precise: '{"amount":12345678901234567890.12345678901234567890,"negative":-0.10,"small":1.0e-30}',
        midnight:
          '{"day":"2026-01-01","time":"2026-01-01T00:00:00","instant":"2026-01-01T00:00:00Z","no":"2026-02-30"}',
        [word]: JSON.stringify(word),
        html: '["<b>bold</b><script>alert(1)</script>","<img src=x onerror=alert(2)>"]',
        empty: '{"list":[],"object":{},"text":"","nothing":null,"rows":[{},{}]}',
        deep: `{"parts":[{"sub":{"leaf":[1,[2,{"end":true}]]}}],"one":{"two":{"three":{"four":"five"}}}}`,
        wide: `[${row('1')},${row('12345678901234567890123456789012345678901234567890')}]`,
      }))
        await put(document, identifier, json);
      const change = { bkDate01: '2026-01-01', bkStr01: '2026-01-01', description: 'One\nTwo <i>three</i>' };
      await alice()('PATCH', `/v8.0/documents/${document}`, { body: change });
      const browser = window().browser();
      const context = await browser?.newContext({ timezoneId, locale: 'en-GB' });
      if (context === undefined) throw new Error('The window is closed.');
      onTestFinished(() => context.close());
      const opened = await openPage(context, addressOf(`documents/${document}`), { width, dark: isDark });
      const { page } = opened;
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => dialogs.push(dialog.message()));
      await page.locator('.case h2').waitFor();
      await untilRead(page);
      const region = (name: string) => page.getByRole('region', { name, exact: true });
      const factsOf = async (name: string) => {
        await region(name).waitFor();
        const facts = region(name).locator('dl > div');
        return facts.evaluateAll((all) =>
          all.map((fact) => [...fact.children].map((c) => c.textContent).join(' | ')),
        );
      };
      expect(await factsOf('Precise')).toEqual([
        'Amount | 12,345,678,901,234,567,890.12345678901234567890',
        'Negative | -0.10',
        'Small | 1.0e-30',
      ]);
      const instant = {
        'Pacific/Kiritimati': '1 January 2026, 14:00',
        'America/New_York': '31 December 2025, 19:00',
      };
      expect(await factsOf('Midnight')).toEqual([
        'Day | 1 January 2026',
        'Time | 1 January 2026, 00:00',
        expect.stringMatching(
          new RegExp(`^Instant \\| ${instant[timezoneId as keyof typeof instant]} GMT[+-]\\d+$`),
        ),
        'No | 2026-02-30',
      ]);
      expect(await factsOf('Own fields')).toEqual(['Text 1 | 2026-01-01', 'Date 1 | 1 January 2026']);
      expect(await region('Html').locator('li').allTextContents()).toEqual([
        '<b>bold</b><script>alert(1)</script>',
        '<img src=x onerror=alert(2)>',
      ]);
      expect(await page.locator('.case :is(b, i, script, img)').count()).toBe(0);
      expect(await page.locator('.description .lines').textContent()).toBe(change.description);
      expect(await factsOf('Empty')).toEqual([
        'List | None',
        'Object | None',
        'Text | Not set',
        'Nothing | Not set',
        'Rows | NoneNone',
      ]);
      expect(await region('Deep').locator('.value').textContent()).toBe(
        'PartsPartsSubLeaf12EndYesOneTwoThreeFourfive',
      );
      expect(
        await region(`D${word.slice(1)}`)
          .locator('.value')
          .textContent(),
      ).toBe(word);
      // Heads of tables are whole, and a wide table scrolls in itself.
      const table = region('Wide').locator('.overflow-auto');
      expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
      expect(
        await table.locator('th').evaluateAll((all) => all.map((head) => head.getClientRects().length)),
      ).toEqual([1, 1, 1]);
      const heights = await table.locator('th').evaluateAll((all) => all.map((head) => head.clientHeight));
      expect(Math.max(...heights)).toBeLessThan(60);
      expect(dialogs).toEqual([]);
      await expectGoodPage(opened);
      // A zoom of 200 % of a window of 1280 pixels.
      await page.setViewportSize({ width: 640, height: 400 });
      await expectGoodPage(opened);
      // Names and JSON are as long.
      await page.getByRole('switch').check();
      await region('Wide').locator('pre').waitFor();
      await expectGoodPage(opened);
      await page.setViewportSize({ width, height: 800 });
      await expectGoodPage(opened);
    },
  );

  test('its token is sent to objects alone, whatever stands in its address', async () => {
    const { page } = await open(`${site()}/records?login_hint=alice@example.org`);
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page.getByRole('button', { name: 'Cases: Municipal office 2026' }).waitFor();
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
      await untilRead(page);
      for (const url of asked)
        expect([segment, new URL(url).origin, new URL(url).pathname]).toEqual([
          segment,
          new URL(app.base).origin,
          expect.stringMatching(
            new RegExp(`^${root}/documents/[^/]+(?:/(?:changes|custom-data(?:/sources)?))?$`),
          ),
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
      await page.getByText('Choose a diary, case, deed or document.').waitFor();
      expect([hash, asked]).toEqual([hash, []]);
    }
  });

  test('the values of an object whose other sources fail are shown, and which these are', async () => {
    const propID = await propIdOf(app, 'deed-complaint');
    const id = randomUUID().slice(0, 8);
    for (const batch of [
      `CREATE PROCEDURE dbo.pCustomData_zero${id}_Get @propID int, @usrPropID int, @langID int AS SELECT 1 / 0 AS amount`,
      `CREATE VIEW dbo.CustomData_good${id} AS SELECT ${propID} AS propID, 1250.50 AS amount`,
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES
(${propID}, N'zero${id}', 'REF', NULL), (${propID}, N'good${id}', 'REF', NULL), (${propID}, N'lost${id}', 'REF', NULL), (${propID}, N'stored${id}', 'JSON', N'{"note":"kept"}')`,
    ])
      await executeSql(app.stack.settings, 'customization', batch);
    const opened = await open(addressOf('deeds/deed-complaint'));
    const { page } = opened;
    onTestFinished(async () => {
      const remove = `DELETE FROM dbo.tCustomData WHERE propID = ${propID}`;
      await executeSql(app.stack.settings, 'customization', remove);
    });
    const region = (name: string) => page.getByRole('region', { name: wordsOf(name + id), exact: true });
    await region('good').getByText('1250.50').waitFor();
    await region('stored').getByText('kept', { exact: true }).waitFor();
    await region('zero').getByText(`pCustomData_zero${id}_Get failed with SQL error 8134`).waitFor();
    expect(await region('zero').locator('.value').count()).toBe(0);
    await region('lost').getByText('The register behind this cannot be found.').waitFor();
    await page.getByRole('switch').check();
    await region('lost')
      .getByText(`Neither of them exists: dbo.pCustomData_lost${id}_Get dbo.CustomData_lost${id}`)
      .waitFor();
    await untilRead(page);
  });

  test('an object whose metadata cannot be read shows its custom data, and why, in the words of the page', async () => {
    const { page, errors } = await open(`${site()}/records?login_hint=alice@example.org`);
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page.route(/\/documents\/document-contract$/, (route) =>
      route.fulfill({ status: 404, json: { detail: 'Metadata is not served.' } }),
    );
    await page.goto(addressOf('documents/document-contract', '&translation_language=da'));
    await page.getByText('Dette findes ikke længere. (Metadata is not served.)').waitFor();
    await page.getByRole('heading', { name: 'document-contract', level: 2 }).waitFor();
    await page.getByRole('region', { name: 'Parcels' }).getByRole('cell', { name: '80,5' }).waitFor();
    await untilRead(page);
    await expectGoodPage({ page, errors: errors.filter((error) => !error.includes('404')) });
  });

  test('an object is shown with the way up as far as it can be read', async () => {
    const { page } = await open(`${site()}/records?login_hint=alice@example.org`);
    await page.getByText('Signed in as Alice Archer').waitFor();
    await page.route(/\/journalized-cases\/case-road$/, (route) =>
      route.fulfill({ status: 503, json: { detail: 'The database is away.' } }),
    );
    await page.goto(`${site()}/records#documents/document-contract`);
    await page.getByText('The database is away.').waitFor();
    await page.getByRole('heading', { name: 'Contract with the builder' }).waitFor();
    expect(await page.locator('.breadcrumbs a').allTextContents()).toEqual(['Tender']);
    await page.getByRole('button', { name: 'Cases: Municipal office 2026', expanded: false }).waitFor();
  });

  test('values are changed by forms that stay where they are', async () => {
    const url = `${app.base}/v8.0/documents/document-letter/custom-data`;
    const headers = { Authorization: `Bearer ${app.token('alice@example.org')}`, 'If-Match': '*' };
    const put = (at: string, body: string) =>
      fetch(at, { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' }, body });
    await put(url, '{"remarks":"Old","share/%25":1.10,"count":3,"parts":{"one":1,"two":"b"}}');
    const opened = await open(addressOf('documents/document-letter'));
    const { page } = opened;
    await page.getByText('Signed in as Alice Archer').waitFor();
    for (const [name, label, value, shown] of [
      ['remarks', 'Value', 'New', 'New'],
      ['share/%25', 'Value', '2.50', '2.50'],
      ['count', 'Value', '', 'Not set'],
      ['parts', 'Two', 'c', 'c'],
    ] as const) {
      const part = page.getByRole('region', { name: wordsOf(name), exact: true });
      const path = `/custom-data/${encodeURIComponent(name)}`;
      await openForm(page, part.getByRole('button', { name: 'Edit' }), path);
      await part.getByLabel(label).fill(value);
      await page.keyboard.press('Enter');
      await part.locator('.value').getByText(shown, { exact: true }).waitFor();
      await expect
        .poll(() => part.locator('form > p [role=status]').textContent())
        .toMatch(/^Saved \d\d:\d\d$/);
      // Whoever has saved goes on where they were.
      expect(await part.getByLabel(label).evaluate((input) => input.matches(':focus'))).toBe(true);
      const close = part.getByRole('button', { name: 'Close' });
      await close.focus();
      await page.keyboard.press('Enter');
      const edit = part.getByRole('button', { name: 'Edit' });
      await expect.poll(() => edit.evaluate((button) => button.matches(':focus'))).toBe(true);
    }
    await page
      .getByText(/^\d+ \w+ \d{4}, \d\d:\d\d GMT-\d by alice$/)
      .first()
      .waitFor();
    const stored = await (await fetch(url, { headers })).text();
    expect(stored).toContain('"share/%25":2.50');
    expect(JSON.parse(stored)).toMatchObject({ remarks: 'New', count: null, parts: { one: 1, two: 'c' } });
    // A colleague has changed the value meanwhile: both texts are shown, and one is stored.
    const parts = page.getByRole('region', { name: 'Parts', exact: true });
    await openForm(page, parts.getByRole('button', { name: 'Edit' }), '/custom-data/parts');
    const conflict = async (theirs: string, answer: string) => {
      await parts.getByLabel('Two').fill('mine');
      await put(`${url}/parts`, `{"one":5.0,"two":"${theirs}"}`);
      await parts.getByRole('button', { name: 'Save changes' }).click();
      const cells = parts.getByRole('alert').getByRole('cell');
      await expect.poll(() => cells.allTextContents()).toEqual(['Two', 'mine', theirs]);
      await parts.getByRole('button', { name: answer }).click();
    };
    await conflict('theirs', 'Take theirs');
    await expect.poll(() => parts.getByLabel('Two').inputValue()).toBe('theirs');
    await parts.getByLabel('Two').fill('mine later');
    await parts.getByRole('button', { name: 'Save changes' }).click();
    await parts.locator('.value').getByText('mine later', { exact: true }).waitFor();
    await conflict('theirs again', 'Save mine');
    // The table of both texts has such a cell too.
    await parts.getByRole('alert').waitFor({ state: 'detached' });
    await parts.locator('.value').getByText('mine', { exact: true }).waitFor();
    expect(await (await fetch(`${url}/parts`, { headers })).text()).toMatch(/"one":5\.0/);
    // What a colleague has changed beside it needs no choice.
    await parts.getByLabel('Two').fill('beside');
    await put(`${url}/parts`, '{"one":7.0,"two":"mine"}');
    await parts.getByRole('button', { name: 'Save changes' }).click();
    await parts.locator('.value').getByText('beside', { exact: true }).waitFor();
    expect(await (await fetch(`${url}/parts`, { headers })).text()).toBe('{"one":7.0,"two":"beside"}');
    const edit = page.getByRole('button', { name: 'Edit: Letter of a neighbour' });
    await openForm(page, edit, '/documents/document-letter');
    await page.locator('article > form').getByLabel('Title').fill('x'.repeat(3000));
    await page.locator('article > form').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Title', { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await page
      .getByRole('alert')
      .getByText(/^Title: must have at most \d+ characters$/)
      .waitFor();
    const identifier = `note${width}`;
    expect(await page.getByRole('button', { name: 'Add a value' }).count()).toBe(0);
    await page.getByRole('switch').check();
    await page.getByRole('button', { name: 'Add a value' }).click();
    const added = page.locator('article form', { hasText: 'Identifier' });
    const add = added.getByRole('button', { name: 'Save' });
    await page.getByLabel('Identifier').fill('remarks');
    await add.click();
    await page.getByText('The object already has a value of this identifier: remarks').waitFor();
    await page.getByLabel('Identifier').fill(identifier);
    await page.getByLabel('Value, as JSON').fill('[{"one":1.50},{"two":2}]');
    await add.click();
    const cells = page.getByRole('region', { name: `Note ${width}` }).getByRole('cell');
    await cells.first().waitFor();
    expect(await cells.allTextContents()).toEqual(['1.50', '', '', '2']);
    await expectGoodPage({ ...opened, errors: opened.errors.filter((error) => !/400|412|503/.test(error)) });
  });

  test('rows are added, changed and removed by the keyboard, and keep the digits that nobody touched', async () => {
    const { document } = await createObjects(alice());
    const initial =
      '[{"item":"Sand","amount":1200.10,"due":"2026-04-30","paid":false,"parts":[1,2.50]},{"item":"Stone","amount":12345678901234567890,"paid":null}]';
    await put(document, 'lines', initial);
    const opened = await openObject(`documents/${document}`, '&translation_language=da');
    const { page } = opened;
    const region = page.getByRole('region', { name: 'Lines', exact: true });
    await openForm(page, region.getByRole('button', { name: 'Redigér' }), '/custom-data/lines');
    const cell = (name: string) => region.getByLabel(name, { exact: true });
    await cell('Item, række 1').waitFor();
    expect(await cell('Item, række 1').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await cell('Due, række 2').getAttribute('type')).toBe('date');
    expect(await cell('Amount, række 2').inputValue()).toBe('12345678901234567890');
    await page.keyboard.press('End');
    await page.keyboard.type(' "fin" ÆØÅ');
    await cell('Paid, række 1').selectOption('true');
    const press = async (name: string) => {
      await region.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Tilføj en række');
    await expect.poll(() => cell('Item, række 3').evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.keyboard.type('Grus');
    await page.keyboard.press('Tab');
    await page.keyboard.type('7.50');
    await page.keyboard.press('Enter');
    const status = region.locator('form > p [role=status]').last();
    await expect.poll(() => status.textContent()).toMatch(/^Gemt \d\d\.\d\d$/);
    expect(await cell('Amount, række 3').evaluate((input) => input.matches(':focus'))).toBe(true);
    const read = () => alice()('GET', `/v8.0/documents/${document}/custom-data/lines`);
    const stored = [
      '{"item":"Sand \\"fin\\" ÆØÅ","amount":1200.10,"due":"2026-04-30","paid":true,"parts":[1,2.50]}',
      '{"item":"Stone","amount":12345678901234567890,"paid":null}',
      '{"item":"Grus","amount":7.50,"due":null,"paid":null}',
    ];
    expect((await read()).text).toBe(`[${stored}]`);
    // A row goes, and the focus is on what is there in its place.
    await press('Fjern række 2');
    const second = region.getByRole('button', { name: 'Fjern række 2' });
    await expect.poll(() => second.evaluate((button) => button.matches(':focus'))).toBe(true);
    await region.getByRole('button', { name: 'Gem ændringer' }).click();
    await expect.poll(async () => (await read()).text).toBe(`[${stored[0]},${stored[2]}]`);
    await expect.poll(() => status.textContent()).toMatch(/^Gemt/);
    // The last row goes, and another one has the same columns.
    for (const _ of [1, 2]) await press('Fjern række 1');
    await region.getByRole('button', { name: 'Gem ændringer' }).click();
    await expect.poll(async () => (await read()).text).toBe('[]');
    await expect.poll(() => status.textContent()).toMatch(/^Gemt/);
    // A colleague has changed the rows: both tables are shown.
    await press('Tilføj en række');
    await expect.poll(() => cell('Item, række 1').evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.keyboard.type('Min');
    await put(document, 'lines', '[{"item":"Din","amount":1}]');
    await page.keyboard.press('Enter');
    const choice = region.getByRole('alert').getByRole('cell');
    await expect
      .poll(() => choice.allTextContents())
      .toEqual(['Værdi', expect.stringContaining('Min'), 'Din · 1']);
    await expectGoodPage({ ...opened, errors: opened.errors.filter((error) => !/412|503/.test(error)) });
  });

  test.each([
    ['da', 'Nogle værdier kan ikke gemmes.', 'Række 2, Amount: skal være et tal'],
    ['sv', 'Några värden kan inte sparas.', 'Rad 2, Amount: måste vara ett tal'],
    ['en', 'Cannot store custom data: some values are not valid.', 'Row 2, Amount: must be a number'],
  ])('a refused row is named, in %s', async (language, message, fault) => {
    const { document } = await createObjects(alice());
    const propID = await propIdOf(app, document);
    const id = randomUUID().slice(0, 8);
    for (const batch of [
      `CREATE VIEW dbo.CustomData_rows${id} AS SELECT ${propID} AS propID, N'a' AS item, N'1' AS amount UNION ALL SELECT ${propID}, N'b', N'2'`,
      `CREATE PROCEDURE dbo.pCustomData_rows${id}_Set @propID int, @usrPropID int, @pitem nvarchar(20), @pamount decimal(9,2) AS SELECT 1 AS x`,
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (${propID}, N'rows${id}', 'REF', NULL)`,
    ])
      await executeSql(app.stack.settings, 'customization', batch);
    const opened = await openObject(`documents/${document}`, `&translation_language=${language}`);
    const { page } = opened;
    const region = page.getByRole('region', { name: wordsOf(`rows${id}`), exact: true });
    await openForm(page, region.getByRole('button').first(), `/custom-data/rows${id}`);
    const amount = region.locator('.rows tbody tr').nth(1).locator('input').nth(1);
    await amount.fill('to');
    await page.keyboard.press('Enter');
    const alert = region.getByRole('alert');
    await alert.getByText(message).waitFor();
    await alert.getByText(fault).waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    await expectGoodPage({ ...opened, errors: opened.errors.filter((error) => !/400|503/.test(error)) });
  });

  test('one field finds objects of all kinds by number and by title, with the keyboard alone', async () => {
    const call = alice();
    const word = `w${randomUUID().slice(0, 8)}`;
    const post = async (path: string, body: object) =>
      ((await call('POST', path, { body })).json as { readonly id: string }).id;
    const year = 3000 + width + Math.floor(Math.random() * 1000);
    const diary = await post('/v8.0/diaries', { title: `${word} diary`, year });
    for (let number = 1; number <= 11; number++)
      await post(`/v8.0/diaries/${diary}/journalized-cases`, { title: `Matter ${number}` });
    const last = await post(`/v8.0/diaries/${diary}/journalized-cases`, { title: `${word} 100% [case]` });
    const deed = await post(`/v8.0/journalized-cases/${last}/deeds`, { title: `${word} deed` });
    await post(`/v8.0/deeds/${deed}/documents`, { title: `${word} document` });
    const opened = await openObject('documents/document-contract');
    const { page } = opened;
    const field = page.getByRole('searchbox', { name: 'Find by number or title' });
    const status = page.locator('.find [role=status]');
    const results = page.locator('.found a');
    await field.focus();
    await page.keyboard.type(` Case ${year} / 1`, { delay: 20 });
    await expect.poll(() => status.textContent()).toBe('4 results');
    expect(await results.allTextContents()).toEqual([
      `${year}/1 Matter 1Case`,
      `${year}/10 Matter 10Case`,
      `${year}/11 Matter 11Case`,
      `${year}/12 ${word} 100% [case]Case`,
    ]);
    await expectGoodPage(opened);
    // The last letter counts, also where Enter comes at once.
    await field.fill('');
    await page.keyboard.type(`${year}/12`);
    await page.keyboard.press('Enter');
    const heading = page.locator('.case h2');
    await expect.poll(() => heading.textContent()).toBe(`${word} 100% [case]`);
    await expect.poll(() => heading.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page
      .getByRole('region', { name: 'Deeds' })
      .getByRole('link', { name: `${word} deed` })
      .waitFor();
    await field.fill(word);
    await expect.poll(() => status.textContent()).toBe('4 results');
    expect((await results.allTextContents()).map((text) => text.replace(/^.* /, ''))).toEqual([
      '[case]Case',
      'deedDeed',
      'documentDocument',
      'diaryDiary',
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await results.nth(1).evaluate((link) => link.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.textContent()).toBe(`${word} deed`);
    await field.fill('100% [');
    await expect.poll(() => status.textContent()).toMatch(/^\d+ results?$/);
    await field.fill(`no ${word}`);
    await expect.poll(() => status.textContent()).toBe(`Nothing has this number or title: no ${word}`);
    await field.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cases: Municipal office 2026' }).waitFor();
    await expect.poll(() => status.textContent()).toBe('');
  });

  test('a list is saved as the spreadsheet of the reader reads it', async () => {
    const call = alice();
    const word = `w${randomUUID().slice(0, 8)}`;
    const post = async (path: string, body: object) =>
      ((await call('POST', path, { body })).json as { readonly id: string }).id;
    const diary = await post('/v8.0/diaries', { title: 'Own', year: 2050 });
    const own = { bkFloat01: 1234.5, bkDate01: '2026-03-31', bkStr02: '007' };
    await post(`/v8.0/diaries/${diary}/journalized-cases`, { title: `=${word}; x`, ...own });
    await post(`/v8.0/diaries/${diary}/journalized-cases`, { title: `${word} "y"` });
    const save = async (language: string) => {
      const { page } = await open(
        `${site()}/records?login_hint=alice@example.org&translation_language=${language}`,
      );
      await page.locator('.case-columns summary').click();
      await page.locator('details select').selectOption('journalized-cases');
      await page.locator('details [name=title]').fill(word);
      const file = page.waitForEvent('download');
      // A list of several pages is one table.
      await page.route(/limit=1000/, (route) =>
        route.continue({ url: route.request().url().replace('limit=1000', 'limit=1') }),
      );
      await page.locator('details button').click();
      const saved = await file;
      expect(saved.suggestedFilename()).toBe('journalized-cases.csv');
      return readFileSync(await saved.path(), 'utf8');
    };
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
    const id = '[^;,]+';
    const danish = new RegExp(
      `^\uFEFFIdentifikator;Journal;Titel;Nummer;Oprettet;Senest ændret;Tekst 2;Frist;Tal 1\r
${id};${id};"'=${word}; x";"=""2050/1""";${time};${time};"=""007""";2026-03-31;1234,5\r
${id};${id};"${word} ""y""";"=""2050/2""";${time};${time};;;\r\n$`,
    );
    expect(await save('da')).toMatch(danish);
    expect(await save('en')).toMatch(
      /^\uFEFFIdentifier,Diary,Title,Number,Created,Last changed,Text 2,Deadline,Number 1\r\n.*,2026-03-31,1234\.5\r\n/,
    );
  });

  test('the head is of who works with cases, in their language', async () => {
    for (const [language, links] of [
      ['da', ['Sager og dokumenter', 'Kalender']],
      ['sv', ['Ärenden och dokument', 'Kalender']],
    ] as const) {
      const { page } = await open(`${site()}/records?translation_language=${language}`);
      expect(await page.locator('header.frame a').allTextContents()).toEqual(links);
    }
  });
});
