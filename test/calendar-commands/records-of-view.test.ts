/** The records of unusual views of another calendar. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { CalendarContext } from '../../functions/calendar/model/calendar-context.ts';
import { siteOf } from '../../functions/calendar/model/site.ts';
import { loadSanitizer } from '../../functions/calendar/model/text/html.ts';
import { CalendarReplica } from '../../functions/calendar/replica/replica.ts';
import { recordsOfView, termOfView, type View } from '../../scripts/calendar/import/records-of-view.ts';
import { calendarInMemory } from '../support/calendar-in-memory.ts';

const site = siteOf('https://new.example.org', 'Europe/Copenhagen');
const context: CalendarContext = {
  site,
  replica: new CalendarReplica(),
  caller: { role: 'editor', subject: 'import' },
  parameters: {},
  root: '',
  language: undefined,
  now: 0,
};

beforeAll(loadSanitizer);

const records = (view: View) => recordsOfView('event', { id: 1, ...view }, 'https://old', context);
const event = (view: View) => records(view)[0];

describe('an id', () => {
  test.each([
    [5, 5],
    ['5', 5],
    ['2147483647', 2_147_483_647],
    ['2147483648', undefined],
    [2 ** 31, undefined],
    ['123456789012345', undefined],
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
    expect(termOfView('tag', { id, name: 'A', slug: 'a' }, context)?.id).toBe(expected);
    expect(recordsOfView('event', { id }, 'https://old', context)[0]?.id).toBe(expected);
  });
});

test('a name that is a number is its text', () => {
  expect(termOfView('tag', { id: 5, name: 2024, slug: 2024 }, context)).toMatchObject({
    name: '2024',
    slug: '2024',
  });
  expect(event({ title: 1984 })).toMatchObject({ title: '1984', slug: '1984' });
});

describe('a date', () => {
  const epoch = '1970-01-01 00:00:00';
  test.each([
    ['2030-05-01 19:00:00', '2030-05-01 19:00:00', '2030-05-01 17:00:00'],
    ['0000-00-00 00:00:00', epoch, epoch],
    ['0000-01-01 00:00:00', epoch, epoch],
    ['2030-02-30 10:00:00', epoch, epoch],
    ['2030-13-01 10:00:00', epoch, epoch],
    ['2030-05-01T19:00:00', epoch, epoch],
    ['2030-05-01', epoch, epoch],
    [20_300_501, epoch, epoch],
  ])('that is %j is %s', (start_date, wall, utc) => {
    expect(event({ start_date })).toMatchObject({
      start_date: wall,
      end_date: wall,
      utc_start_date: utc,
      utc_end_date: utc,
    });
  });

  test.each(['start_date', 'utc_start_date', 'end_date', 'utc_end_date'])('%s is computed', (name) => {
    const dates = {
      start_date: '2030-05-01 19:00:00',
      utc_start_date: '2030-05-01 23:00:00',
      end_date: '2030-05-01 21:00:00',
      utc_end_date: '2030-05-02 01:00:00',
      timezone: 'America/New_York',
    };
    expect(event({ ...dates, [name]: undefined })).toMatchObject(dates);
    expect(event({ ...dates, [name]: '0000-00-00 00:00:00' })).toMatchObject(dates);
  });

  test('of a draft without a start is that of its publication', () => {
    const draft = { status: 'draft', start_date: '', end_date: '', date: '2030-05-01 19:00:00' };
    expect(event(draft)).toMatchObject({
      date: draft.date,
      date_utc: '2030-05-01 17:00:00',
      start_date: draft.date,
      utc_start_date: '2030-05-01 17:00:00',
    });
  });

  test('in the hour that the autumn has twice keeps its instant, also where the end reads earlier', () => {
    const dates = {
      start_date: '2030-10-27 02:30:00',
      utc_start_date: '2030-10-27 00:30:00',
      end_date: '2030-10-27 02:15:00',
      utc_end_date: '2030-10-27 01:15:00',
    };
    expect(event(dates)).toMatchObject(dates);
  });

  test('of an end before the start is the start', () => {
    const dates = { start_date: '2030-05-01 19:00:00', end_date: '2030-04-01 19:00:00' };
    expect(event(dates)).toMatchObject({ end_date: '2030-05-01 19:00:00' });
  });

  test('of a change replaces a missing date of the publication, and the reverse', () => {
    const date = '2030-05-01 19:00:00';
    const date_utc = '2030-05-01 17:00:00';
    const both = { date, date_utc, modified: date, modified_utc: date_utc };
    for (const view of [{ date }, { modified: date }, { date_utc }, { modified_utc: date_utc }])
      expect(event(view)).toMatchObject(both);
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

test('a cost is parsed, and an unknown status is private', () => {
  const texts = ['', '$10 – $20', 'Free', '€5', 'Ask us'];
  expect(texts.map((cost) => event({ cost }))).toMatchObject(
    texts.map((text) => (text === '' ? {} : { cost: [text] })),
  );
  expect(event({ cost: '' })).not.toHaveProperty('cost');
  expect([{}, { status: 'draft' }, { status: 'inherit' }].map(event)).toMatchObject([
    { status: 'publish' },
    { status: 'draft' },
    { status: 'private' },
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

describe('values that a write over the API refuses', () => {
  const invalid = (view: View) => {
    const errors: string[] = [];
    const [record] = recordsOfView(
      'event',
      { id: 1, slug: 'a', ...view },
      'https://old',
      context,
      (key, error) => errors.push(`${key} ${error}`),
    );
    return { record, errors };
  };

  test('are left out, and named', () => {
    const { record, errors } = invalid({
      website: 'javascript:alert(1)',
      featured: 'often',
      cost: '<b>5</b>',
    });
    expect(errors).toEqual([
      'event/1 website must be an absolute URL, such as https://example.org/',
      'event/1 featured must be true or false',
    ]);
    expect(record).toMatchObject({ cost: ['5'] });
    expect(record).not.toHaveProperty('website');
  });

  test('are made safe where they are texts', () => {
    const markup = 'a"><script>alert(1)</script>';
    const { record } = invalid({ title: markup, slug: markup, cost: markup, description: markup });
    expect(JSON.stringify(record)).not.toContain('<script');
    expect(record).toMatchObject({ slug: expect.stringMatching(/^[a-z0-9-]+$/) });
    const venue = { id: 2, venue: 'A', slug: 'a', website: 'javascript:x', address: markup };
    expect(JSON.stringify(recordsOfView('venue', venue, 'https://old', context))).not.toMatch(
      /javascript|<script/,
    );
  });

  test('are no sizes of an image', () => {
    const url = 'https://old.example.org/a.jpg';
    const size = { width: 150, height: 150, 'mime-type': 'image/jpeg', filesize: 9, url };
    const sizes = { thumbnail: size, medium: { ...size, url: 'javascript:x' }, large: 7 };
    const image = { id: 77, url, extension: 'jpg', width: 900, height: 600, filesize: 99, sizes };
    expect(records({ image }).at(-1)).toEqual({
      kind: 'image',
      id: 77,
      url,
      width: 900,
      height: 600,
      filesize: 99,
      sizes: { thumbnail: size },
    });
    expect(records({ image: { id: 77, url: 'javascript:alert(1)' } })).toHaveLength(2);
  });
});
