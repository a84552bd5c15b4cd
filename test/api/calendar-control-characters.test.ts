/** Control characters in texts, as they are and as references: no reply and no feed has them. */

import { expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const codes = Array.from({ length: 0x20 }, (_, code) => code).filter((code) => ![9, 10, 13].includes(code));
const raw = codes.map((code) => String.fromCharCode(code)).join('');
const references = codes
  .slice(1)
  .map((code) => `&#${code};`)
  .join('');
/** References within references, which are whole once the inner one is dropped. */
const nested = ['&#&#7;7;', '&\u0007#7;', '&#x&#1;&#1;1;', '&#0&#8;&#9;7;', '&#&#&#7;7;7;', '&#1&#11;;'].join(
  '',
);
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const strange = (text: string) => `${text}${raw}${references}${nested}!`;

test('an event, its venue, its terms and its feeds have none of them, and keep tabs and line breaks', async () => {
  const event = await app.create('events', {
    title: strange('Title'),
    description: `${strange('Line')}\nNext\tcolumn`,
    excerpt: strange('Short'),
    cost: `1${raw}2`,
    venue: { venue: strange('Venue'), city: strange('City') },
    organizer: { organizer: strange('Organizer'), phone: strange('123') },
    categories: [`Category${raw}`],
    tags: [`Tag${raw}`],
    ...times,
  });
  expect([event.cost, event.categories[0].name, event.tags[0].name]).toEqual(['$12', 'Category', 'Tag']);
  expect([event.title, event.description]).toEqual([
    expect.stringMatching(/^Title.*!$/),
    expect.stringContaining('Next\tcolumn'),
  ]);
  const site = new URL(app.root).origin;
  const feeds = [
    `${app.root}/events.ics?start_date=2027-01-01`,
    `${site}/events/feed/?start_date=2027-01-01`,
  ];
  for (const url of [...feeds, `${app.root}/events/${event.id}`]) {
    const text = await (await fetch(url)).text();
    expect(text).toContain('Title');
    expect(codes.filter((code) => text.includes(String.fromCharCode(code)))).toEqual([]);
    expect(text).not.toMatch(/\\u00[01][0-9a-f]/i);
  }
});

test('a title of nothing else is empty', async () => {
  for (const title of [raw, ` ${raw}`])
    expect((await app.call('POST', '/events', { as: 'editor', body: { title, ...times } })).status).toBe(400);
});
