/** What of the pages has to be looked at: the scenes of the pictures, and of the tests that measure what an eye would see. */

import type { Page } from 'playwright-core';
import { townTitles } from '../../local/index.ts';

/** A phone and a desk, in pixels; the height is what is seen before anybody scrolls. */
export const windows = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const;

export interface Scene {
  readonly name: string;
  /** Opens it, and waits until it is complete. `site` is the address of the service. */
  readonly open: (page: Page, site: string) => Promise<unknown>;
  /** Whether it is a list of events, whose first title has to be in sight at once. */
  readonly isList?: true;
}

/** Opens an address, and waits for what is there last. */
function at(path: string, complete = 'main') {
  return async (page: Page, site: string) => {
    await page.goto(site + path);
    await page.locator(complete).first().waitFor();
  };
}

/** Opens the page of the first event of a title. */
function event(title: string, language = 'en') {
  return async (page: Page, site: string) => {
    const query = new URLSearchParams({ search: `"${title}"`, start_date: '2000-01-01', per_page: '1' });
    const listed = await page.request.get(`${site}/api/tribe/events/v1/events?${query}`);
    const { events } = (await listed.json()) as { readonly events: readonly { readonly slug: string }[] };
    await at(`/event/${events[0]?.slug}/?translation_language=${language}`, 'article h1')(page, site);
  };
}

/** Opens the page of the first date of a series. */
function dateOfSeries(language: string) {
  return async (page: Page, site: string) => {
    const listed = await page.request.get(`${site}/api/tribe/events/v1/series`);
    const { series } = (await listed.json()) as { readonly series: readonly { readonly rest_url: string }[] };
    const read = await page.request.get(series[0]?.rest_url ?? '');
    const { dates } = (await read.json()) as { readonly dates: readonly { readonly url: string }[] };
    const { pathname } = new URL(dates[0]?.url ?? '');
    await at(`${pathname}?translation_language=${language}`, 'article h1')(page, site);
  };
}

const records = at(
  '/records?login_hint=alice@example.org#documents/document-contract',
  'section.source table',
);

/** Signs in as an editor, where hints are taken, and opens the list of what can be edited. */
async function editList(page: Page, site: string) {
  await records(page, site);
  await at('/edit?state=published', '.entries a')(page, site);
}

async function form(page: Page, site: string) {
  await editList(page, site);
  await at('/edit?kind=event', '.editor .terms label')(page, site);
}

async function preview(page: Page, site: string) {
  await form(page, site);
  await page.getByLabel('Title').fill(townTitles.long);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('dialog[open] article h1').waitFor();
}

/** An event of every Tuesday, and one of the 31st, before they are stored. */
function repeating(unit: string, start: string, until: string, language = 'en') {
  return async (page: Page, site: string) => {
    await editList(page, site);
    await at(`/edit?kind=event&translation_language=${language}`, '.editor .terms label')(page, site);
    await page.locator('.date input').first().fill(start);
    await page.locator('.editor .fields > .repeat select').first().selectOption(unit);
    await page.locator('.ends input').fill(until);
    await page.locator('.series-dates > li').first().waitFor();
    await page.locator('.editor .fields > .repeat').scrollIntoViewIfNeeded();
  };
}

/** The question which dates of a series are meant. */
async function scope(page: Page, site: string) {
  await editList(page, site);
  await at('/edit?state=published&search=Yoga', '.entries a')(page, site);
  await page.getByRole('link', { name: 'Yoga in the park' }).first().click();
  await page.locator('.series-dates > li').first().waitFor();
  await page.getByLabel('Title').fill('Yoga for all');
  await page.getByLabel('Title').press('Enter');
  await page.locator('dialog.scope').waitFor();
}

/** Another person saves the event that is open in the form. */
async function conflict(page: Page, site: string) {
  await editList(page, site);
  await at(`/edit?state=published&search=${encodeURIComponent(townTitles.registration)}`, '.entries a')(
    page,
    site,
  );
  await page.getByRole('link', { name: townTitles.registration }).first().click();
  await page.locator('.editor .terms label').first().waitFor();
  const id = new URL(page.url()).searchParams.get('id');
  const saved = await page.evaluate(async (path) => {
    const user = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:')) ?? '';
    const { access_token: token } = JSON.parse(sessionStorage.getItem(user) ?? '{}');
    const { status } = await fetch(path, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ cost: `${new Date().getMilliseconds()} kr.` }),
    });
    return status;
  }, `/api/tribe/events/v1/events/${id}`);
  if (saved !== 200) throw new Error(`The other person could not save: ${saved}.`);
  await page.getByLabel('Price').fill('80 kr.');
  await page
    .getByRole('button', { name: /Save|Publish/ })
    .first()
    .click();
  await page.locator('[role=alert] table').waitFor();
}

export const scenes: readonly Scene[] = [
  { name: 'front', open: at('/calendar', '#calendar h3'), isList: true },
  { name: 'front-danish', open: at('/calendar?translation_language=da', '#calendar h3'), isList: true },
  { name: 'month', open: at('/calendar?view=month', '#calendar .entry:visible') },
  { name: 'week', open: at('/calendar?view=week', '#calendar .entry:visible') },
  { name: 'event', open: event('Jazz at the Harbour') },
  { name: 'event-without-picture', open: event(townTitles.bare) },
  { name: 'event-with-a-long-title', open: event(townTitles.long, 'da') },
  { name: 'event-past', open: event(townTitles.past, 'sv') },
  { name: 'event-canceled', open: event(townTitles.canceled) },
  { name: 'event-to-register-for', open: event(townTitles.registration) },
  { name: 'event-in-blocks', open: event(townTitles.blocks) },
  { name: 'venue', open: at('/venue/havneby-library/', 'article h1') },
  { name: 'search-with-none', open: at('/calendar?search=nothing+like+this', '#calendar .empty') },
  { name: 'embedded', open: at('/embed/calendar', '#calendar h3'), isList: true },
  { name: 'form', open: form },
  { name: 'form-preview', open: preview },
  { name: 'form-conflict', open: conflict },
  { name: 'form-repeated', open: repeating('week', '2027-01-05T19:00', '2027-05-25') },
  { name: 'form-repeated-danish', open: repeating('month', '2027-01-31T02:30', '2027-12-31', 'da') },
  { name: 'form-of-a-series', open: scope },
  { name: 'event-of-a-series', open: dateOfSeries('sv') },
  { name: 'editing', open: editList },
  { name: 'records', open: records },
];
