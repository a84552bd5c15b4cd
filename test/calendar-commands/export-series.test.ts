/** Series in a file of `export`: another calendar has their rules and values, and goes on with them. */

import { expect, test } from 'vitest';
import type { CalendarRecord, EventRecord, SeriesRecord } from '../../functions/calendar/model/records.ts';
import { openTestLog } from '../support/calendar-log.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

type Calendar = ReturnType<typeof calendarWithFiles>;

const choir = (count: number) =>
  iCalendar(
    ...vevent(
      'choir@o',
      'SUMMARY:Choir',
      'LOCATION:Hall',
      'DTSTART;TZID=Europe/London:20270601T200000',
      'DTEND;TZID=Europe/London:20270601T210000',
      `RRULE:FREQ=WEEKLY;COUNT=${count}`,
      'EXDATE;TZID=Europe/London:20270608T200000',
    ),
  );

async function recordsOf<K extends CalendarRecord['kind']>(calendar: Calendar, kind: K) {
  const records = await calendar.stored();
  return records.filter((record): record is Extract<CalendarRecord, { kind: K }> => record.kind === kind);
}

async function seriesIn(calendar: Calendar): Promise<SeriesRecord> {
  const [series] = await recordsOf(calendar, 'series');
  if (series === undefined) throw new Error('There is no series.');
  return series;
}

async function put(calendar: Calendar, ...records: readonly CalendarRecord[]): Promise<void> {
  const log = openTestLog(calendar.settings);
  const puts = records.map((record) => ({
    key: `${record.kind}/${record.id}`,
    json: JSON.stringify(record),
  }));
  await log.write(() => ({ puts, deletes: [], result: undefined }));
  log.close();
}

/** Returns what another calendar has of each event that belongs to a series. */
const places = (events: readonly EventRecord[]) => events.map(({ id, series }) => [id, series]);

async function exported(count = 4) {
  const source = calendarWithFiles();
  await source.import('choir.ics', choir(count));
  return source;
}

test('come with their dates, and a file that is imported again changes nothing', async () => {
  const source = await exported();
  const { layers, ...series } = await seriesIn(source);
  const [base, ...others] = layers;
  const later = {
    from: '2027-06-15',
    values: { title: 'Big choir', venue: null, 'translations.da.title': 'Kor' },
  };
  await put(source, { ...series, layers: base === undefined ? [] : [base, ...others, later] });
  const file = await source.export('all.jsonl');
  const copy = calendarWithFiles();
  expect(await copy.import('all.jsonl', file)).toContain(' 0 changed, 0 unchanged.');
  expect(await seriesIn(copy)).toEqual(await seriesIn(source));
  expect(places(await recordsOf(copy, 'event'))).toEqual(places(await recordsOf(source, 'event')));
  const again = await copy.import('all.jsonl', undefined);
  expect(again).toContain('import: 0 new, 0 changed');
  expect(again).not.toContain('refused');
});

test('that have more dates in the file get them, and those that were changed here stay', async () => {
  const source = await exported();
  const copy = calendarWithFiles();
  await copy.import('all.jsonl', await source.export('all.jsonl'));
  await source.import('choir.ics', choir(6));
  await copy.import('all.jsonl', await source.export('all.jsonl'));
  expect(await seriesIn(copy)).toEqual(await seriesIn(source));
  const mine = {
    ...(await seriesIn(copy)),
    recurrence: { start: '2027-06-01', rrule: 'FREQ=DAILY;COUNT=6' },
  };
  await put(copy, mine);
  expect(await copy.import('all.jsonl', undefined)).toContain(`series/${mine.id} (recurrence)`);
  expect(await seriesIn(copy)).toEqual(mine);
});

test('have no password in the file, and later dates of one that had are not for everybody', async () => {
  const source = await exported();
  const { layers, ...series } = await seriesIn(source);
  const access_password = { shared_salt: '0a', salt: '0b', hash: '0c0d' };
  const locked = layers.map(({ from, values }) => ({ from, values: { ...values, access_password } }));
  await put(source, { ...series, layers: locked });
  const file = await source.export('all.jsonl');
  expect(file).not.toContain('0c0d');
  const copy = calendarWithFiles();
  await copy.import('all.jsonl', file);
  expect((await seriesIn(copy)).layers[0]?.values['status']).toBe('private');
});

test.each([
  [
    'a rule',
    { recurrence: { start: '2027-06-01', rrule: 'FREQ=SECONDLY' } },
    'has a rule that no series has',
  ],
  ['a day', { recurrence: { start: '2027-06-31' } }, 'must have a rule with days'],
  ['values', { layers: [] }, 'must have values of all of its days'],
  ['a time', { layers: [{ from: '', values: { when: 'late' } }] }, 'has an invalid when'],
  ['dates', { dates: 'all' }, 'has an invalid dates'],
])('that are invalid in %s are refused, and their events come without one', async (_what, change, reason) => {
  const source = await exported();
  const file = await source.export('all.jsonl');
  const lines = file.split('\n').map((line) => {
    const record = line === '' ? {} : JSON.parse(line);
    return record.kind === 'series' ? JSON.stringify({ ...record, ...change }) : line;
  });
  const copy = calendarWithFiles();
  expect(await copy.import('all.jsonl', lines.join('\n'))).toContain(reason);
  expect(await recordsOf(copy, 'series')).toEqual([]);
  expect((await recordsOf(copy, 'event')).map(({ series }) => series)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('come without markup that no editor may send', async () => {
  const source = await exported();
  const { layers, ...series } = await seriesIn(source);
  const description = '<p>Song</p><script>alert(1)</script>';
  await put(source, {
    ...series,
    layers: layers.map(({ from, values }) => ({ from, values: { ...values, description } })),
  });
  const copy = calendarWithFiles();
  await copy.import('all.jsonl', await source.export('all.jsonl'));
  expect((await seriesIn(copy)).layers[0]?.values['description']).not.toContain('<script');
});
