/** The records of unusual views of another calendar. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { CalendarContext } from '../../../shared/calendar/model/context.ts';
import { siteOf } from '../../../shared/calendar/model/site.ts';
import { loadSanitizer } from '../../../shared/calendar/model/text/html.ts';
import { CalendarReplica } from '../../../shared/calendar/replica/replica.ts';
import { calendarInMemory } from '../../../test/support/calendar-in-memory.ts';
import { recordsOfView, termOfView, type View } from '../src/import/records-of-view.ts';

const site = siteOf('https://new.example.org', 'Europe/Copenhagen');
const context: CalendarContext = {
  ...{ site, replica: new CalendarReplica(), caller: { role: 'editor', subject: 'import' } },
  ...{ parameters: {}, root: '', language: undefined, now: 0 },
};

beforeAll(loadSanitizer);

const records = (view: View) => recordsOfView('event', { id: 1, ...view }, 'https://old', context);
const event = (view: View) => records(view)[0];

describe('an id', () => {
  test.each([
    [5, 5],
    ['5', 5],
    ['123456789012345', 123_456_789_012_345],
    ['1234567890123456', undefined],
    ['0x12', undefined],
    ['x5', undefined],
    ['5x', undefined],
    [' 5', undefined],
    ['0', undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    [null, undefined],
  ])('that is %j is %s', (id, expected) => {
    expect(termOfView('tag', { id, name: 'A', slug: 'a' })?.id).toBe(expected);
    expect(recordsOfView('event', { id }, 'https://old', context)[0]?.id).toBe(expected);
  });
});

describe('a date', () => {
  const fallback = '1970-01-01 00:00:00';
  test.each([
    ['2030-05-01 19:00:00', '2030-05-01 19:00:00'],
    ['0000-00-00 00:00:00', fallback],
    ['0000-01-01 00:00:00', fallback],
    ['2030-13-01 10:00:00', fallback],
    ['2030-05-01T19:00:00', fallback],
    ['2030-05-01', fallback],
    [20_300_501, fallback],
  ])('that is %j is %s', (start_date, expected) => {
    expect(event({ start_date })).toMatchObject({
      start_date: expected,
      end_date: expected,
      utc_start_date: expected,
      utc_end_date: expected,
    });
  });

  test('of the end or of UTC needs no start', () => {
    const dates = {
      ...{ start_date: '2030-05-01 19:00:00', utc_start_date: '2030-05-01 17:00:00' },
      ...{ end_date: '2030-05-01 21:00:00', utc_end_date: '2030-05-01 19:00:00' },
    };
    expect(event(dates)).toMatchObject(dates);
    const { start_date, ...withoutStart } = dates;
    expect(event(withoutStart)).toMatchObject({ start_date: '2030-05-01 17:00:00' });
    const { utc_end_date, ...withoutUtcEnd } = dates;
    expect(event(withoutUtcEnd)).toMatchObject({ utc_end_date: '2030-05-01 21:00:00' });
  });

  test('of a change replaces a missing date of the publication, and the reverse', () => {
    const [date, modified] = ['2030-05-01 19:00:00', '2030-06-01 19:00:00'];
    expect(event({ date })).toMatchObject({ date, modified: date, date_utc: fallback });
    expect(event({ modified, modified_utc: modified })).toMatchObject({ date: modified, date_utc: modified });
    expect(event({ date_utc: date })).toMatchObject({ modified_utc: date, modified: date, date });
  });
});

describe('an image', () => {
  test.each<[image: unknown, url: string | undefined]>([
    [{ id: 77, url: 'https://old.example.org/a.jpg' }, 'https://old.example.org/a.jpg'],
    [{ id: '77', url: 'https://old.example.org/a b.jpg' }, 'https://old.example.org/a%20b.jpg'],
    [{ id: 77, url: '/a.jpg' }, undefined],
    [{ id: 0, url: 'https://old.example.org/a.jpg' }, undefined],
    [{ id: 77 }, undefined],
    [false, undefined],
    ['https://old.example.org/a.jpg', undefined],
    [77, undefined],
  ])('that is %j is at %s', (image, url) => {
    const [post, , found] = records({ image });
    expect([post, found]).toEqual([
      url === undefined ? expect.not.objectContaining({ image: 77 }) : expect.objectContaining({ image: 77 }),
      url === undefined ? undefined : { kind: 'image', id: 77, url },
    ]);
  });
});

test('an author without a number is the number 0 of the calendar', () => {
  expect([{ author: '4' }, { author: 'ann' }, {}].map((view) => records(view)[1])).toEqual(
    [4, 0, 0].map((id) => ({ kind: 'author', id, subject: `import:https://old#${id}` })),
  );
});

test('a cost is parsed, and an unknown status is published', () => {
  const texts = ['', '$10 – $20', 'Free', '€5', 'Ask us'];
  expect(texts.map((cost) => event({ cost }))).toMatchObject(
    texts.map((text) => (text === '' ? {} : { cost: [text] })),
  );
  expect(event({ cost: '' })).not.toHaveProperty('cost');
  expect([{}, { status: 'draft' }, { status: 'inherit' }].map(event)).toMatchObject([
    { status: 'publish' },
    { status: 'draft' },
    { status: 'publish' },
  ]);
});

test.each(['venue', 'organizer'] as const)(
  'an excerpt of a %s is rendered like its description',
  async (kind) => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const view = { id: 5, [kind]: 'A', slug: 'a', excerpt: 'Tom & "Jerry"', description: 'Tom & "Jerry"' };
    const [record] = recordsOfView(kind, view, 'https://old', context);
    await calendar.put([{ key: `${kind}/5`, json: JSON.stringify(record) }]);
    const rendered = '<p>Tom &#038; &#8220;Jerry&#8221;</p>';
    expect(await calendar.read(`${kind}s`, 5)).toMatchObject({ excerpt: rendered, description: rendered });
  },
);

describe('a text with typographic characters', () => {
  test.each([
    ['It&#8217;s', "It's"],
    ['&#8220;Jazz&#8221; night', '"Jazz" night'],
    ['Now &#8230; or never', 'Now ... or never'],
    ['Rock &#8211; and roll', 'Rock - and roll'],
    ['Rock &#8212; and roll', 'Rock --- and roll'],
    ['Tom &#038; Jerry', 'Tom &amp; Jerry'],
    ['2&#215;4', '2x4'],
    ['&#8216;quoted&#8217;', "'quoted'"],
    ['plain', 'plain'],
  ])('%s is stored as typed', (title, typedTitle) => {
    expect(event({ title })).toMatchObject({ title: typedTitle });
  });
});
