/** What the start page shows of a service with one of the two APIs, or both, and with sample users or none. */

import { render } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { contextOf } from '../../../../../functions/pages/common/page-context.ts';
import { linksOf, startPage } from '../../../../../functions/pages/developers/start.tsx';
import { readConfig } from '../../../../../shared/config.ts';

const site = 'https://www.example.org/blog';

function contextWith(servedApis: { readonly calendar: boolean; readonly records: boolean }) {
  const call = {
    request: { method: 'GET', url: new URL(`${site}/`), headers: new Headers(), parameters: {}, body: null },
    siteLink: (path: string) => site + path,
    path: {},
    client: 'all',
  };
  const options = {
    config: readConfig({}),
    basePath: '/api',
    calendarPath: '/api/tribe/events/v1',
    hasSiteIndex: true,
    servedApis,
    documents: [],
  };
  return contextOf(call, options, 'en');
}

const both = { calendar: true, records: true };
const documents = ['explorer', 'openapi'];
const ofRecords = ['records', 'recordsPage', 'recordsOpenapi'];
const ofCalendar = ['calendar', 'calendarPage', 'calendarOpenapi', 'feed'];

describe.each([
  [both, [...documents, ...ofRecords, ...ofCalendar, 'health']],
  [{ calendar: false, records: true }, [...documents, ...ofRecords, 'health']],
  [{ calendar: true, records: false }, [...documents, ...ofCalendar, 'health']],
])('with %j', (apis, keys) => {
  const context = contextWith(apis);
  const shown = (hints: readonly string[]) => render(startPage(context, hints).children as never);

  test('it links to what there is', () => {
    expect(linksOf(context).map(([, , key]) => key)).toEqual(keys);
    const linked = [...shown([]).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
    for (const [path, , key] of linksOf(context))
      expect([key, linked.includes(path)]).toEqual([key, key !== 'records']);
  });

  test('it tells of what there is', () => {
    const { description = '' } = startPage(context, []);
    expect([description.includes('Calendar:'), description.includes('Records:')]).toEqual([
      apis.calendar,
      apis.records,
    ]);
    const html = shown([]);
    expect([
      html.includes('id="subscribe"'),
      html.includes('curl -H &quot;Authorization') || html.includes('curl -H "Authorization'),
      html.includes('/events?search=music'),
    ]).toEqual([apis.calendar, apis.records, apis.calendar]);
  });

  test('sample users stand there where there are some who can sign in', () => {
    const hint = 'ann@example.org';
    expect([shown([]).includes('Sample users'), shown([hint]).includes('Sample users')]).toEqual([
      false,
      apis.records,
    ]);
    expect(shown([hint]).includes('/blog/records?login_hint=ann%40example.org')).toBe(apis.records);
  });
});

test('its addresses are those below the site, by name', () => {
  expect(Object.fromEntries(linksOf(contextWith(both)).map(([path, , key]) => [key, path]))).toEqual({
    health: '/blog/api/health',
    explorer: '/blog/api/swagger',
    openapi: '/blog/api/openapi.json',
    records: '/blog/api/v8.0',
    recordsPage: '/blog/records',
    recordsOpenapi: '/blog/api/swagger/records.json',
    calendar: '/blog/api/tribe/events/v1',
    calendarPage: '/blog/calendar',
    calendarOpenapi: '/blog/api/swagger/calendar.json',
    feed: '/blog/api/tribe/events/v1/events.ics',
  });
});
