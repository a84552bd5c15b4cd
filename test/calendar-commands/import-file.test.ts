/** `npm run calendar -- import` and `export` of files of other programs: iCalendar and tables. */

import { describe, expect, test } from 'vitest';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

describe('iCalendar of another program', () => {
  const concert = (...lines: string[]) =>
    vevent(
      'concert@other.example.org',
      'DTSTART;TZID=Europe/Berlin:20310501T190000',
      'DTEND;TZID=Europe/Berlin:20310501T210000',
      'DESCRIPTION:Loud & <clear>\\nSecond line\\, with a comma',
      'LOCATION:Hall\\, 1 Street\\, Aarhus',
      'GEO:56.15;10.2',
      'ORGANIZER;CN=Choir:mailto:choir@example.org',
      'CATEGORIES:Music,Late',
      'URL:https://other.example.org/concert',
      ...lines,
    );

  test('is imported with times, texts, places, organizers and categories', async () => {
    const calendar = calendarWithFiles();
    const text = iCalendar(
      ...concert('SUMMARY:Tom & Jerry'),
      ...vevent('utc@o', 'SUMMARY:In UTC', 'DTSTART:20310601T100000Z', 'DURATION:PT90M', 'STATUS:TENTATIVE'),
      ...vevent('days@o', 'SUMMARY:Whole days', 'DTSTART;VALUE=DATE:20310701', 'DTEND;VALUE=DATE:20310703'),
      ...vevent('floating@o', 'SUMMARY:Floating', 'DTSTART:20310801T100000', 'DTEND:20310801T110000'),
      ...vevent('gone@o', 'SUMMARY:Gone', 'DTSTART:20310801T100000', 'STATUS:CANCELLED'),
    );
    expect(await calendar.import('other.ics', text, true)).toContain('import: 4 new');
    expect((await calendar.events()).size).toBe(0);
    expect(await calendar.import('other.ics', text)).toContain('import: 4 new, 0 changed, 0 unchanged.');
    const events = await calendar.events();
    expect([...events.keys()].sort()).toEqual(['Floating', 'In UTC', 'Tom &#038; Jerry', 'Whole days']);
    expect(events.get('Tom &#038; Jerry')).toMatchObject({
      start_date: '2031-05-01 19:00:00',
      end_date: '2031-05-01 21:00:00',
      timezone: 'Europe/Berlin',
      description: expect.stringMatching(/Loud &#038; &lt;clear&gt;[\s\S]*Second line, with a comma/),
      status: 'publish',
      website: 'https://other.example.org/concert',
      slug: expect.stringMatching(/^tom-jerry-[0-9a-f]{10}$/),
      venue: { venue: 'Hall', address: '1 Street, Aarhus', geo_lat: 56.15, geo_lng: 10.2 },
      organizer: [{ organizer: 'Choir', email: 'choir@example.org' }],
      categories: [{ name: 'Late' }, { name: 'Music' }],
    });
    expect(events.get('In UTC')).toMatchObject({
      start_date: '2031-06-01 12:00:00',
      end_date: '2031-06-01 13:30:00',
      status: 'draft',
      timezone: 'Europe/Copenhagen',
    });
    expect(events.get('Whole days')).toMatchObject({
      start_date: '2031-07-01 00:00:00',
      end_date: '2031-07-02 23:59:59',
      all_day: true,
    });
    expect(events.get('Floating')).toMatchObject({
      start_date: '2031-08-01 10:00:00',
      timezone: 'Europe/Copenhagen',
    });
  });

  test('changes only changed events when it is imported again, by the UID', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('other.ics', iCalendar(...concert('SUMMARY:Before')));
    expect(await calendar.import('other.ics', iCalendar(...concert('SUMMARY:Before')))).toContain(
      'import: 0 new, 0 changed, 1 unchanged.',
    );
    const event = (await calendar.events()).get('Before');
    expect(await calendar.import('other.ics', iCalendar(...concert('SUMMARY:After')))).toContain(
      'import: 0 new, 1 changed, 0 unchanged.',
    );
    expect((await calendar.events()).get('After')).toMatchObject({
      id: event?.['id'],
      slug: event?.['slug'],
      venue: { id: expect.any(Number) },
    });
    // A stamp that never moves, as those of Nextcloud, hides no change.
    const frozen = iCalendar(...concert('SUMMARY:Later', 'LAST-MODIFIED:20200101T000000Z'));
    expect(await calendar.import('other.ics', frozen)).toContain('1 changed, 0 unchanged.');
    const cancelled = iCalendar('METHOD:CANCEL', ...concert('SUMMARY:Later'));
    expect(await calendar.import('other.ics', cancelled)).toContain('1 changed');
    expect((await calendar.events()).get('Later')).toMatchObject({ status: 'trash' });
    expect(await calendar.export('mine.ics')).not.toContain('BEGIN:VEVENT');
  });

  test('has one event for each occurrence of a recurring event, with exceptions', async () => {
    const calendar = calendarWithFiles();
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    const weekly = vevent(
      'weekly@o',
      'SUMMARY:Weekly',
      `DTSTART:${day}T100000Z`,
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=4',
    );
    const text = iCalendar(
      ...weekly,
      ...vevent(
        'weekly@o',
        'SUMMARY:Weekly, moved',
        `RECURRENCE-ID:${day}T100000Z`,
        `DTSTART:${day}T120000Z`,
        'DURATION:PT1H',
      ),
      ...vevent(
        'daily@o',
        'SUMMARY:For ever',
        'DTSTART:20200101T100000Z',
        'DURATION:PT1H',
        'RRULE:FREQ=YEARLY',
      ),
    );
    await calendar.import('first.ics', iCalendar(...weekly));
    const yearly = (await calendar.import('weekly.ics', text)).match(
      /import: (\d+) new, 1 changed, 3 unchanged/,
    );
    expect(Number(yearly?.[1])).toBeGreaterThan(5);
    const records = await calendar.records();
    const years = (title: string) =>
      records
        .filter((view) => view['title'] === title)
        .map((view) => Number(String(view['start_date']).slice(0, 4)));
    expect([years('Weekly').length, years('Weekly, moved').length]).toEqual([3, 1]);
    const thisYear = new Date().getUTCFullYear();
    expect(years('For ever').slice(0, thisYear - 2020 + 1)).toEqual(
      Array.from({ length: thisYear - 2020 + 1 }, (_, index) => 2020 + index),
    );
    // Until two years from now.
    expect(Math.max(...years('For ever'))).toBeLessThan(thisYear + 4);
    expect(Math.max(...years('For ever'))).toBeGreaterThanOrEqual(thisYear + 2);
    expect(await calendar.import('weekly.ics', text)).toContain('import: 0 new, 0 changed');
  });
});

test('a dry run counts what an import writes, and writes nothing', async () => {
  const calendar = calendarWithFiles();
  const event = (...lines: string[]) =>
    iCalendar(...vevent('a@o', 'SUMMARY:A', 'DTSTART:20310501T100000Z', ...lines));
  await calendar.import('a.ics', event());
  const files = [
    [
      'b.csv',
      'title,start_date,venue,categories,tags\r\nB,2031-05-02,Park,2025,2026\r\n',
      '1 new, 0 changed',
    ],
    ['c.csv', 'Venue Name,Venue City\r\nHall,Aarhus\r\n', '1 new, 0 changed'],
    ['c.csv', 'Venue Name,Venue City\r\nHall,Aalborg\r\n', '0 new, 1 changed'],
    ['a.ics', event('STATUS:CANCELLED'), '0 new, 1 changed'],
  ] as const;
  for (const [name, text, counts] of files) {
    const before = await calendar.stored();
    expect(await calendar.import(name, text, true)).toContain(counts);
    expect(await calendar.stored()).toEqual(before);
    expect(await calendar.import(name, text)).toContain(counts);
  }
  expect((await calendar.events()).get('B')).toMatchObject({
    venue: { venue: 'Park' },
    categories: [{ name: '2025' }],
    tags: [{ name: '2026' }],
  });
});

test('an exported table changes only edited events', async () => {
  const calendar = calendarWithFiles();
  const table =
    'title,start_date,cost,tags\r\n"Jazz, loud",2031-05-01 19:00:00,10,\r\nFair,2031-06-01,,Big; Loud\r\n';
  await calendar.import('events.csv', table);
  const text = await calendar.export('mine.csv');
  const edited = text
    .replace('"Jazz, loud"', "'=Jazz")
    .replace(/jazz-loud-\w+/, 'jazz')
    .replace(',10,', ',Free,')
    .replace('Big; Loud', 'Loud; Big');
  expect(await calendar.import('mine.csv', edited)).toContain('0 new, 1 changed, 1 unchanged.');
  const events = await calendar.events();
  expect(events.get('=Jazz')).toMatchObject({ cost: 'Free', start_date: '2031-05-01 19:00:00' });
  expect(events.size).toBe(2);
});

test('an emptied cell of a table empties a text, and leaves what an event must have', async () => {
  const calendar = calendarWithFiles();
  const names = 'title,start_date,end_date,status,description,website';
  const cells = 'A,2031-05-01 10:00:00,2031-05-01 12:00:00,private,B,https://example.org/';
  await calendar.import('a.csv', `${names}\r\n${cells}\r\n`);
  const [before] = await calendar.records();
  const emptied = `id,slug,image,${names}\r\n${before?.['id']},,,A,2031-05-01 10:00:00,,,,\r\n`;
  expect(await calendar.import('a.csv', emptied)).toContain('0 new, 1 changed');
  const { slug, status, end_date } = before ?? {};
  expect(await calendar.records()).toMatchObject([
    { slug, status, end_date, description: '', website: expect.stringContaining('/event/') },
  ]);
});

test('an export to a file of another extension is rejected', async () => {
  await expect(calendarWithFiles().export('mine.txt')).rejects.toThrow('must end with .jsonl, .csv or .ics');
});
