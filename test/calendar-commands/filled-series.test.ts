/** Series of files as series of the calendar: what an import fills, and what people have changed stays. */

import { expect, test } from 'vitest';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import { siteOf } from '../../functions/calendar/model/site.ts';
import { Calendar } from '../../functions/calendar/operations/calendar.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

type Json = ReturnType<typeof JSON.parse>;

const choir = (title: string, ...rules: string[]) =>
  vevent(
    'choir@o',
    `SUMMARY:${title}`,
    'DTSTART;TZID=Europe/Copenhagen:20270105T190000',
    'DURATION:PT2H',
    ...rules,
  );
const weekly = ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE;TZID=Europe/Copenhagen:20270112T190000'];
const moved = vevent(
  'choir@o',
  'SUMMARY:Choir',
  'RECURRENCE-ID;TZID=Europe/Copenhagen:20270119T190000',
  'DTSTART;TZID=Europe/Copenhagen:20270120T190000',
  'DURATION:PT2H',
);

/** Opens the calendar of imports as the app does. */
function served(files: ReturnType<typeof calendarWithFiles>) {
  const calendar = new Calendar({
    site: siteOf('https://new.example.org', 'Europe/Copenhagen'),
    openLog: (replica) => openLog(files.settings, { replica }),
  });
  const request = (parameters: object) => ({
    caller: { role: 'editor', subject: 'person' } as const,
    parameters: parameters as Readonly<Record<string, unknown>>,
    root: 'http://localhost',
    language: undefined,
  });
  return {
    list: async (): Promise<Json[]> => (await calendar.series.list(request({}))).value.items as Json[],
    read: async (id: number): Promise<Json> => (await calendar.series.read(id, request({}))).value.view,
    update: async (id: number, fields: object): Promise<Json> =>
      (await calendar.series.update(id, request(fields))).view,
    close: () => calendar.close(),
  };
}

const days = ({ dates }: Json) =>
  dates.map(({ recurrence_id: day, start_date: start }: Json) => [day, start]);

test('a series of a file is one of the calendar, whose events have the ids that they had', async () => {
  const files = calendarWithFiles();
  await files.import(
    'a.ics',
    iCalendar(
      ...choir('Choir', ...weekly),
      ...moved,
      ...vevent('one@o', 'SUMMARY:One', 'DTSTART:20270301T100000Z'),
    ),
  );
  const before = await files.events();
  const app = served(files);
  const [series, ...others] = await app.list();
  expect(others).toEqual([]);
  expect(series).toMatchObject({
    title: 'Choir',
    rrule: 'FREQ=WEEKLY;COUNT=5',
    exdate: ['2027-01-12'],
    rule_start: '2027-01-05',
    total: 4,
  });
  const view = await app.read(series.id);
  expect(days(view)).toEqual([
    ['2027-01-05', '2027-01-05 19:00:00'],
    ['2027-01-19', '2027-01-20 19:00:00'],
    ['2027-01-26', '2027-01-26 19:00:00'],
    ['2027-02-02', '2027-02-02 19:00:00'],
  ]);
  expect(view.dates.map(({ changed }: Json) => changed)).toEqual([[], ['when'], [], []]);
  expect(before.get('One')).not.toHaveProperty('series');
  const hidden = await app.update(series.id, { status: 'private' });
  expect(hidden.dates.map(({ status }: Json) => status)).toEqual([
    'private',
    'private',
    'private',
    'private',
  ]);
  app.close();
});

test('a series of more dates than one write takes is whole', async () => {
  const files = calendarWithFiles();
  await files.import('a.ics', iCalendar(...choir('Choir', 'RRULE:FREQ=DAILY;COUNT=120')));
  const app = served(files);
  const [series] = await app.list();
  expect(series).toMatchObject({ rrule: 'FREQ=DAILY;COUNT=120', total: 120 });
  const events = await files.records();
  expect(events.filter((event) => (event['series'] as Json)?.id === series.id)).toHaveLength(120);
  app.close();
});

test('an import again changes nothing, adds what the file has more, and leaves what people have changed', async () => {
  const files = calendarWithFiles();
  const first = iCalendar(...choir('Choir', ...weekly));
  await files.import('a.ics', first);
  const stored = await files.stored();
  await files.import('a.ics', first);
  expect(await files.stored()).toEqual(stored);
  const app = served(files);
  const [{ id }] = await app.list();
  const { dates } = await app.read(id);
  await app.update(id, { event: dates[1].event, scope: 'later', cost: '50' });
  await files.import(
    'a.ics',
    iCalendar(...choir('The choir', 'RRULE:FREQ=WEEKLY;COUNT=6', ...weekly.slice(1))),
  );
  const after = await app.read(id);
  expect(after).toMatchObject({ title: 'The choir', rrule: 'FREQ=WEEKLY;COUNT=6', total: 5 });
  expect(after.dates.slice(0, 4).map(({ event }: Json) => event)).toEqual(
    dates.map(({ event }: Json) => event),
  );
  const costs = (await files.records()).map(({ cost, series }) => [(series as Json)?.recurrence_id, cost]);
  expect(costs.sort()).toEqual([
    ['2027-01-05', ''],
    ['2027-01-19', '$50'],
    ['2027-01-26', '$50'],
    ['2027-02-02', '$50'],
    ['2027-02-09', ''],
  ]);
  await app.update(id, { rrule: 'FREQ=WEEKLY;COUNT=8' });
  await files.import(
    'a.ics',
    iCalendar(...choir('The choir', 'RRULE:FREQ=WEEKLY;COUNT=6', ...weekly.slice(1))),
  );
  expect(await app.read(id)).toMatchObject({ rrule: 'FREQ=WEEKLY;COUNT=8', total: 7 });
  app.close();
});

test('dates that a series got here first, and its file later, are there once', async () => {
  const files = calendarWithFiles();
  await files.import('a.ics', iCalendar(...choir('Choir', 'RRULE:FREQ=WEEKLY;COUNT=2')));
  const app = served(files);
  const [{ id }] = await app.list();
  const extended = await app.update(id, { rrule: 'FREQ=WEEKLY;COUNT=4' });
  await files.import('a.ics', iCalendar(...choir('Choir', 'RRULE:FREQ=WEEKLY;COUNT=5')));
  const after = await app.read(id);
  const eventsOf = (series: Json) => series.dates.map(({ event }: Json) => event);
  expect(eventsOf(after).slice(0, 4)).toEqual(eventsOf(extended));
  expect([after.total, (await files.records()).length]).toEqual([5, 5]);
  await files.import('a.ics', iCalendar(...choir('The choir', 'RRULE:FREQ=WEEKLY;COUNT=5')));
  expect((await files.records()).map(({ title }) => title)).toEqual(Array(5).fill('The choir'));
  app.close();
});

test('a series whose file moves it to another weekday has each event on one day', async () => {
  const files = calendarWithFiles();
  await files.import('a.ics', iCalendar(...choir('Choir', 'RRULE:FREQ=WEEKLY;COUNT=3')));
  const app = served(files);
  const [{ id }] = await app.list();
  const { dates } = await app.read(id);
  const wednesdays = choir('Choir', 'RRULE:FREQ=WEEKLY;COUNT=3').map((line) =>
    line.replace('20270105', '20270106'),
  );
  await files.import('a.ics', iCalendar(...wednesdays));
  const after = await app.read(id);
  expect(after.dates.map(({ recurrence_id: day, event }: Json) => [day, event])).toEqual(
    ['2027-01-06', '2027-01-13', '2027-01-20'].map((day, index) => [day, dates[index].event]),
  );
  app.close();
});

test('what a series of the calendar cannot say is chosen dates, or no series', async () => {
  const files = calendarWithFiles();
  const start = 'DTSTART;TZID=Europe/Copenhagen:20270105T080000';
  await files.import(
    'a.ics',
    iCalendar(
      ...vevent('hours@o', 'SUMMARY:Hours', start, 'RRULE:FREQ=HOURLY;INTERVAL=24;COUNT=3'),
      ...vevent('twice@o', 'SUMMARY:Twice', start, 'RRULE:FREQ=DAILY;BYHOUR=8,20;COUNT=4'),
      ...vevent(
        'list@o',
        'SUMMARY:List',
        start,
        'RDATE;TZID=Europe/Copenhagen:20270107T080000,20270109T080000',
      ),
      ...vevent('once@o', 'SUMMARY:Once', start, 'RRULE:FREQ=DAILY;COUNT=1'),
    ),
  );
  const app = served(files);
  const all = await app.list();
  expect(all.map(({ title, rrule, total }) => [title, rrule, total]).sort()).toEqual([
    ['Hours', '', 3],
    ['List', '', 3],
  ]);
  app.close();
});
