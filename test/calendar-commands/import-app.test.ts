/** `npm run calendar -- import` from another instance of the app. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { useCalendarApp } from '../support/calendar-app.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { settingsOfOwnTable } from '../support/shared-emulators.ts';

const app = useCalendarApp();

test('an import from another instance of the app has no differences', async () => {
  const music = await app.create('categories', { name: 'Music & Dance', description: 'All <b>kinds</b>' });
  const jazz = await app.create('categories', { name: 'Jazz', parent: music.id });
  const tag = await app.create('tags', { name: 'Free' });
  const venue = await app.create('venues', {
    venue: "Ann's Hall",
    address: '1 Street',
    city: 'Aarhus',
    country: 'Denmark',
    zip: '8000',
    geo_lat: 56.15,
    geo_lng: 0,
    show_map: false,
    phone: '+45 12',
    website: 'https://hall.example.org/',
  });
  const organizer = await app.create('organizers', { organizer: 'Choir', email: 'a@example.org' });
  const links = {
    venue: venue.id,
    organizer: [organizer.id],
    categories: [music.id, jazz.id],
    tags: [tag.id],
  };
  const variants = [
    {
      title: 'Tom & Jerry\'s "night" -- 3x4',
      description: 'One\nTwo\n\n"Three"... <em>four</em>',
      excerpt: "It's",
    },
    { title: 'On the 1990s – again', description: '<ul><li>A</li></ul><p>B</p>', cost: ['10', '20'] },
    {
      title: 'Whole days',
      all_day: true,
      end_date: '2031-05-03',
      cost: '€5',
      currency_code: 'EUR',
      timezone: 'America/New_York',
    },
    { title: 'Free', cost: 0, hide_from_listings: true },
    { title: 'Flags', featured: true, sticky: true, show_map: true, show_map_link: true },
    {
      title: 'Called off',
      event_status: 'canceled',
      event_status_reason: 'The wind & the rain',
      registration_url: 'https://tickets.example.org/a?b=c',
    },
    { title: 'Picture', image: 'https://example.org/a.png', website: 'https://example.org/x' },
    { title: 'By donation', cost: 'Pay what you can', venue: [], organizer: [], categories: [], tags: [] },
  ];
  const events: Readonly<Record<string, unknown>>[] = [];
  const times = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };
  for (const fields of variants) events.push(await app.create('events', { ...times, ...links, ...fields }));
  const isEmpty = (key: string) => events.every((event) => ['', '0', 'false'].includes(String(event[key])));
  // Each new field of an event gets a value above, so that an import without the field is a difference.
  expect(Object.keys(events[0] ?? {}).filter(isEmpty)).toEqual(['custom_fields']);
  await app.create('events', {
    title: 'Draft',
    status: 'draft',
    start_date: '2031-05-01',
    end_date: '2031-05-01',
  });

  const output: string[] = [];
  const settings = newCalendar(settingsOfOwnTable().CALENDAR_TABLE_CONNECTION_STRING);
  const config = readConfig({ CALENDAR_SITE_URL: 'https://new.example.org', CALENDAR_TIME_ZONE: 'UTC' });
  await importCommand(app.root, await openTarget(config, settings), {
    isDryRun: false,
    say: (line) => output.push(line),
    folder: mkdtempSync(join(tmpdir(), 'import-')),
  });
  expect(output.at(-1)).toBe('Comparison: no differences.');
  // No list has the event that is hidden from listings.
  expect(output).toContain('events: 7');
});

test('an import signed in with a client id and its secret, at the address of the site, includes drafts', async () => {
  const { clientId, secret } = app.identity.clients.register(['Calendar.Editor']);
  const draft = await app.create('events', {
    title: 'Not yet',
    status: 'draft',
    start_date: '2031-06-01',
    end_date: '2031-06-01',
  });
  const output: string[] = [];
  const settings = newCalendar(settingsOfOwnTable().CALENDAR_TABLE_CONNECTION_STRING);
  const config = readConfig({ CALENDAR_SITE_URL: 'https://new.example.org' });
  await importCommand(new URL(app.root).origin, await openTarget(config, settings), {
    isDryRun: false,
    user: clientId,
    password: secret.replace(/^(.{4})/, '$1 '),
    say: (line) => output.push(line),
    folder: mkdtempSync(join(tmpdir(), 'import-')),
  });
  expect(output.at(-1)).toBe('Comparison: no differences.');
  const target = await openTarget(config, settings);
  await target.records();
  const { status, slug } = target.view('event', draft.id) ?? {};
  expect([status, slug]).toEqual(['draft', draft.slug]);
  target.close();
});
