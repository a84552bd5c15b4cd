/** The habits of sources of files between two imports: frozen stamps, new UIDs, numbers as UIDs, moved series, removed rows, renamed places. */

import { expect, test } from 'vitest';
import type { EventRecord } from '../../functions/calendar/model/records.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { fc, numRuns } from '../support/properties.ts';
import { save } from './support/as-editor.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

type Calendar = ReturnType<typeof calendarWithFiles>;

const start = 'DTSTART:20310501T100000Z';

async function edit(
  calendar: Calendar,
  id: unknown,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = await calendar.open();
  await target.records();
  await save(target, Number(id), fields);
  target.close();
}

async function storedEvents(calendar: Calendar): Promise<EventRecord[]> {
  return (await calendar.stored()).filter((record): record is EventRecord => record.kind === 'event');
}

/** Imports a file with options. Returns the output. */
async function run(calendar: Calendar, name: string, text: string, options: object = {}): Promise<string> {
  await calendar.import(name, text, true);
  const output: string[] = [];
  await importCommand(calendar.path(name), await calendar.open(), {
    isDryRun: false,
    say: (line) => output.push(line),
    ...options,
  });
  return output.join('\n');
}

test.each([
  ['never moves', 'LAST-MODIFIED:20200101T000000Z'],
  ['is that of the download', 'LAST-MODIFIED:20261101T000000Z'],
  ['is absent', 'X-NOTHING:1'],
])(
  'a change of the source is taken where its stamp %s, and an edit of another field here is kept',
  async (_title, stamp) => {
    const calendar = calendarWithFiles();
    const event = (time: string, ...lines: string[]) =>
      iCalendar(...vevent('a@o', `DTSTART:20310501T${time}Z`, stamp, ...lines));
    await calendar.import('a.ics', event('100000', 'SUMMARY:Fare', 'DESCRIPTION:Old'));
    const [{ id } = {}] = await calendar.records();
    await edit(calendar, id, { title: 'Fair' });
    expect(await calendar.import('a.ics', event('110000', 'SUMMARY:Fare', 'DESCRIPTION:Old'))).toContain(
      '1 changed',
    );
    expect(await calendar.records()).toMatchObject([
      { title: 'Fair', utc_start_date: '2031-05-01 11:00:00' },
    ]);
    const both = await calendar.import('a.ics', event('110000', 'SUMMARY:Fayre', 'DESCRIPTION:New'));
    expect(both).toContain(
      'Changed on both sides, and left as here: "Fayre: title "Fayre" there, "Fair" here".',
    );
    expect(await calendar.records()).toMatchObject([{ title: 'Fair', description: '<p>New</p>' }]);
  },
);

test('what the source makes private or a draft is so here, whatever else was edited, unless it is published after that', async () => {
  const calendar = calendarWithFiles();
  const event = (...lines: string[]) => iCalendar(...vevent('a@o', 'SUMMARY:A', start, ...lines));
  await calendar.import('a.ics', event());
  const [{ id } = {}] = await calendar.records();
  await edit(calendar, id, { title: 'Edited' });
  await calendar.import('a.ics', event('CLASS:PRIVATE'));
  expect(await calendar.records()).toMatchObject([{ title: 'Edited', status: 'private' }]);
  await edit(calendar, id, { status: 'publish' });
  expect(await calendar.import('a.ics', event('CLASS:PRIVATE'))).toContain('published here after that');
  expect(await calendar.records()).toMatchObject([{ status: 'publish' }]);
  await calendar.import('a.ics', event());
  await calendar.import('a.ics', event('STATUS:TENTATIVE'));
  expect(await calendar.records()).toMatchObject([{ status: 'draft' }]);
});

test('two places of one first word are two, a house number is no name, and a corrected place is found again', async () => {
  const calendar = calendarWithFiles();
  const events = (places: readonly string[]) =>
    iCalendar(
      ...places.flatMap((place, index) =>
        vevent(`${index}@o`, `SUMMARY:E${index}`, `DTSTART:2031050${index + 1}T100000Z`, `LOCATION:${place}`),
      ),
    );
  const places = [
    '12\\, rue de la Paix\\, Paris',
    '12\\, Hauptstrasse\\, Berlin',
    'Room 1\\, Library North',
    'Room 1\\, Library South',
    'Room 1\\, Library North',
  ];
  await calendar.import('a.ics', events(places));
  const venues = async () =>
    (await calendar.records())
      .toSorted((a, b) => Number(a['id']) - Number(b['id']))
      .map((view) => {
        const { id, venue, address } = view['venue'] as Record<string, unknown>;
        return { id, venue, address };
      });
  const before = await venues();
  expect(before).toMatchObject([
    { venue: '12, rue de la Paix', address: '12, rue de la Paix, Paris' },
    { venue: '12, Hauptstrasse', address: '12, Hauptstrasse, Berlin' },
    { venue: 'Room 1', address: 'Library North' },
    { venue: 'Room 1', address: 'Library South' },
    { venue: 'Room 1', address: 'Library North' },
  ]);
  expect(before[2]?.id).toBe(before[4]?.id);
  expect(new Set(before.map(({ id }) => id)).size).toBe(4);
  // Somebody writes the address as it should be; a new event of the source is there too.
  const target = await calendar.open();
  await target.records();
  await save(target, Number(before[3]?.id), { address: 'Library South, 2nd floor', city: 'Aarhus' }, 'venue');
  target.close();
  await calendar.import('a.ics', events([...places, 'Room 1\\, Library South']));
  expect((await venues()).map(({ id }) => id)).toEqual([...before.map(({ id }) => id), before[3]?.id]);
  // The source moves an event.
  await calendar.import('a.ics', events(['12\\, rue de la Paix\\, Lyon', ...places.slice(1)]));
  expect((await venues())[0]).toMatchObject({ address: '12, rue de la Paix, Lyon' });
});

test('two calendars that number their events do not overwrite each other, and one that is renamed is the same', async () => {
  const calendar = calendarWithFiles();
  const named = (name: string, title: string, day: number) =>
    iCalendar(`X-WR-CALNAME:${name}`, ...vevent('1', `SUMMARY:${title}`, `DTSTART:2031050${day}T100000Z`));
  const titles = async () => (await calendar.records()).map((view) => view['title']).sort();
  await calendar.import('town.ics', named('Town', 'Concert', 1));
  expect(await calendar.import('club.ics', named('Club', 'Chess', 2))).toContain(
    'UIDs that events of other calendars have, with other titles and starts: these are other events (--source names a calendar): "Chess".',
  );
  for (const _night of [1, 2])
    for (const [name, text] of [
      ['town.ics', named('Town', 'Concert', 1)],
      ['club.ics', named('Club', 'Chess', 2)],
    ] as const)
      expect(await calendar.import(name, text)).toContain('import: 0 new, 0 changed, 1 unchanged.');
  expect(await titles()).toEqual(['Chess', 'Concert']);
  await calendar.import('town.ics', named('Town of Aarhus', 'Concert', 1));
  expect(await titles()).toEqual(['Chess', 'Concert']);
  // Without a name of its own the command names it.
  const plain = (title: string) => iCalendar(...vevent('1', `SUMMARY:${title}`, 'DTSTART:20310509T100000Z'));
  await run(calendar, 'a.ics', plain('A'), { source: 'A' });
  expect(await run(calendar, 'b.ics', plain('B').replace('0509', '0510'), { source: 'B' })).toContain(
    '1 new',
  );
  expect(await titles()).toEqual(['A', 'B', 'Chess', 'Concert']);
});

test('what vanished since the last run is named, and pruned where that was asked for, up to a number', async () => {
  const calendar = calendarWithFiles();
  const file = (count: number) =>
    iCalendar(
      'X-WR-CALNAME:Town',
      ...Array.from({ length: count }, (_, index) =>
        vevent(`${index}@o`, `SUMMARY:E${index}`, `DTSTART:20310501T1000${String(index).padStart(2, '0')}Z`),
      ).flat(),
    );
  await calendar.import('a.ics', file(30));
  // Another calendar says nothing about this one.
  expect(
    await calendar.import('b.ics', iCalendar('X-WR-CALNAME:Club', ...vevent('x', 'SUMMARY:X', start))),
  ).not.toContain('Vanished');
  expect(await calendar.import('a.ics', file(29))).toContain(
    'Vanished from the file since the last run, and still here (--prune-missing moves them to the trash): "E29 2031-05-01 12:00:29".',
  );
  await expect(run(calendar, 'a.ics', file(5), { prunesMissing: true })).rejects.toThrow(
    'Cannot prune: the file has 25 of 30 events no longer, and 20 may go without asking. Nothing was written.',
  );
  const trashed = async () =>
    (await storedEvents(calendar)).filter(({ status }) => status === 'trash').length;
  expect(await trashed()).toBe(0);
  await run(calendar, 'a.ics', file(5), { prunesMissing: true, pruneAtMost: 25 });
  expect(await trashed()).toBe(25);
  // What comes back is here again.
  expect(await calendar.import('a.ics', file(30))).toContain('import: 0 new, 25 changed, 5 unchanged.');
  expect(await trashed()).toBe(0);
});

test('a file that has new UIDs each time doubles nothing, and keeps what was edited here', async () => {
  const calendar = calendarWithFiles();
  const file = (night: number) =>
    iCalendar(
      'X-WR-CALNAME:Outlook',
      ...vevent(`${night}-a`, 'SUMMARY:A', start, 'LOCATION:Hall'),
      ...vevent(`${night}-b`, 'SUMMARY:A', start, 'LOCATION:Park'),
      ...vevent(`${night}-c`, 'SUMMARY:C', 'DTSTART:20310503T100000Z'),
    );
  await calendar.import('a.ics', file(1));
  const [, { id } = {}] = await calendar.records();
  await edit(calendar, id, { description: '<p>Here</p>' });
  for (const night of [2, 3]) {
    expect(await calendar.import('a.ics', file(night))).toContain('import: 0 new, 0 changed, 3 unchanged.');
    expect(await calendar.records()).toMatchObject([
      { venue: { venue: 'Hall' } },
      { venue: { venue: 'Park' }, description: '<p>Here</p>' },
      { title: 'C' },
    ]);
  }
});

test('a series that is moved as a whole is there once, with what was added here', async () => {
  const calendar = calendarWithFiles();
  const series = (first: string) =>
    iCalendar(...vevent('s@o', 'SUMMARY:Course', `DTSTART:${first}`, 'RRULE:FREQ=WEEKLY;COUNT=3'));
  await calendar.import('a.ics', series('20270601T100000Z'));
  const [, { id } = {}] = await calendar.records();
  await edit(calendar, id, { description: '<p>With a guest</p>' });
  // By an hour, and then to another day.
  for (const [first, starts] of [
    ['20270601T110000Z', ['2027-06-01 11', '2027-06-08 11', '2027-06-15 11']],
    ['20270602T110000Z', ['2027-06-02 11', '2027-06-09 11', '2027-06-16 11']],
  ] as const) {
    expect(await calendar.import('a.ics', series(first))).toContain('import: 0 new, 3 changed, 0 unchanged.');
    const records = (await calendar.records()).toSorted((a, b) => Number(a['id']) - Number(b['id']));
    expect(records.map((view) => String(view['utc_start_date']).slice(0, 13))).toEqual(starts);
    expect(records[1]).toMatchObject({ id, description: '<p>With a guest</p>' });
  }
});

test('rows of one title and start are told by their places, whichever are removed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.subarray(['A', 'B', 'C', 'D'], { minLength: 1 }), { minLength: 2, maxLength: 4 }),
      async (nights) => {
        const calendar = calendarWithFiles();
        const ids = new Map<unknown, unknown>();
        for (const places of nights) {
          const rows = places.map((place) => `Fair,2031-05-01 10:00,${place}`);
          const output = await calendar.import('a.csv', ['title,start_date,venue', ...rows].join('\r\n'));
          const known = places.filter((place) => ids.has(place)).length;
          expect(output).toContain(`${places.length - known} new + 0 changed + ${known} unchanged`);
          for (const view of await calendar.records()) {
            const { venue } = view['venue'] as { venue: string };
            expect(ids.get(venue) ?? view['id']).toBe(view['id']);
            ids.set(venue, view['id']);
          }
        }
      },
    ),
    numRuns(6),
  );
});
