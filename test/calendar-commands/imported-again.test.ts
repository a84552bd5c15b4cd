/** Files that are imported again: what the source did not change is as it was edited here (scripts/calendar/README.md, "Files of other programs"). */

import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../functions/calendar/model/records.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTestLog } from '../support/calendar-log.ts';
import { fc, numRuns } from '../support/properties.ts';
import { save } from './support/as-editor.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';
import { withoutNotes } from './support/without-notes.ts';

type Calendar = ReturnType<typeof calendarWithFiles>;

const start = 'DTSTART:20310501T100000Z';

async function storedEvents(calendar: Calendar): Promise<EventRecord[]> {
  return (await calendar.stored()).filter((record): record is EventRecord => record.kind === 'event');
}

/** Edits an event like an editor through the API. */
async function edit(
  calendar: Calendar,
  id: number,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = await calendar.open();
  await target.records();
  await save(target, id, fields);
  target.close();
}

/** Stores an event as versions did that kept the name of the source in the slug alone. */
async function storeEarlier(calendar: Calendar, change: (event: EventRecord) => EventRecord): Promise<void> {
  const events = await storedEvents(calendar);
  const log = openTestLog(calendar.settings);
  const puts = events.map((event) => {
    const { imported_from: _from, ...earlier } = change(event);
    return { key: `event/${event.id}`, json: JSON.stringify(earlier) };
  });
  await log.write(() => ({ puts, deletes: [], result: undefined }));
  log.close();
}

const edits = fc.record(
  {
    title: fc.constantFrom('Edited here', 'Rediget', 'Å'),
    slug: fc.constantFrom('short', 'другой', 'a-b'),
    status: fc.constantFrom('draft', 'private', 'trash'),
    description: fc.constantFrom('<p>Better</p>', ''),
  },
  { requiredKeys: [] },
);

const titles = fc.constantFrom(
  'Fair',
  'Великодній ярмарок народних майстрів у парку',
  'x'.repeat(190),
  'A & B',
);
const files = fc.record({
  extension: fc.constantFrom('ics', 'csv'),
  titles: fc.array(titles, { minLength: 1, maxLength: 3 }),
  rule: fc.constantFrom([], ['RRULE:FREQ=WEEKLY;COUNT=2']),
  isOneUid: fc.boolean(),
});

function textOf({
  extension,
  titles: names,
  rule,
  isOneUid,
}: typeof files extends fc.Arbitrary<infer T> ? T : never) {
  if (extension === 'csv')
    return ['title,start_date', ...names.map((name) => `${name},2031-05-01 10:00`)].join('\r\n');
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  return iCalendar(
    ...names.flatMap((name, index) =>
      vevent(isOneUid ? 'one@o' : `${index}@o`, `SUMMARY:${name}`, `DTSTART:${day}T1${index}0000Z`, ...rule),
    ),
  );
}

test('any file that is imported again changes nothing, with edits of slugs, titles and status between', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.array(edits, { minLength: 6, maxLength: 6 }), async (file, changes) => {
      const calendar = calendarWithFiles();
      const name = `a.${file.extension}`;
      await calendar.import(name, textOf(file));
      const events = await storedEvents(calendar);
      for (const [index, event] of events.entries()) await edit(calendar, event.id, changes[index] ?? {});
      const before = await calendar.stored();
      const trashed = (await storedEvents(calendar)).filter(({ status }) => status === 'trash').length;
      const output = await calendar.import(name, undefined);
      expect(output).toContain(
        `${events.length} records read: 0 new + 0 changed + ${events.length - trashed} unchanged + ${trashed} left out + 0 refused`,
      );
      if (trashed > 0) expect(output).toContain('Events that were deleted here, and stay deleted: ');
      expect(await calendar.stored()).toEqual(before);
    }),
    numRuns(3),
  );
});

test('a field that the source has changed is changed, and one that was edited here is kept', async () => {
  const calendar = calendarWithFiles();
  const event = (...lines: string[]) => iCalendar(...vevent('a@o', start, ...lines));
  await calendar.import('a.ics', event('SUMMARY:A', 'DESCRIPTION:Old', 'LOCATION:Hall'));
  const [{ id } = { id: 0 }] = await storedEvents(calendar);
  await edit(calendar, id, { title: 'Better' });
  expect(await calendar.import('a.ics', event('SUMMARY:A', 'DESCRIPTION:New', 'LOCATION:Park'))).toContain(
    '1 changed',
  );
  expect(await calendar.records()).toMatchObject([
    { title: 'Better', description: '<p>New</p>', venue: { venue: 'Park' } },
  ]);
});

describe('an event that its source has cancelled', () => {
  const event = (...lines: string[]) => iCalendar(...vevent('a@o', 'SUMMARY:A', start, ...lines));

  test('comes back when the source brings it back', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.ics', event());
    expect(await calendar.import('a.ics', event('STATUS:CANCELLED'))).toContain('1 changed');
    expect(await calendar.records()).toMatchObject([{ status: 'trash' }]);
    expect(await calendar.import('a.ics', event('STATUS:CANCELLED'))).toContain('1 unchanged');
    expect(await calendar.import('a.ics', event())).toContain('1 changed');
    expect(await calendar.records()).toMatchObject([{ status: 'publish' }]);
    expect(await calendar.import('a.ics', event())).toContain('0 changed, 1 unchanged');
  });

  test('stays when an editor has brought it back', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.ics', event());
    await calendar.import('a.ics', event('STATUS:CANCELLED'));
    const [{ id } = { id: 0 }] = await storedEvents(calendar);
    await edit(calendar, id, { status: 'publish' });
    expect(await calendar.import('a.ics', event('STATUS:CANCELLED'))).toContain('0 changed, 1 unchanged');
    expect(await calendar.records()).toMatchObject([{ status: 'publish' }]);
  });
});

describe('an event of an earlier version, whose slug alone names its source', () => {
  const event = (title: string, ...lines: string[]) =>
    iCalendar(...vevent('a@o', `SUMMARY:${title}`, start, ...lines));

  test('is found by the hash at the end of its slug, also in the trash', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.ics', event('A'));
    const [{ id } = { id: 0 }] = await storedEvents(calendar);
    await storeEarlier(calendar, (stored) => stored);
    expect(await calendar.import('a.ics', event('A'))).toContain('import: 0 new, 0 changed, 1 unchanged.');
    await edit(calendar, id, { slug: 'other' });
    expect(await calendar.import('a.ics', event('A'))).toContain('import: 0 new, 0 changed, 1 unchanged.');
    await edit(calendar, id, { slug: `a-${(await storedEvents(calendar))[0]?.id}`, status: 'trash' });
    expect(await calendar.import('a.ics', event('A'))).toContain('1 left out');
  });

  test('is found by its title and start where the slug was cut', async () => {
    const calendar = calendarWithFiles();
    const title = 'Великодній ярмарок народних майстрів у парку';
    await calendar.import('a.ics', event(title));
    await storeEarlier(calendar, (stored) => ({
      ...stored,
      slug: stored.slug.replace(/-[0-9a-f]{10}$/, ''),
    }));
    expect(await calendar.import('a.ics', event(title))).toContain('import: 0 new, 0 changed, 1 unchanged.');
    expect(await storedEvents(calendar)).toMatchObject([{ imported_from: { uid: 'a@o' } }]);
  });
});

describe('a series of which occurrences are gone', () => {
  const rule = 'RRULE:FREQ=DAILY;COUNT=3';
  const event = (...lines: string[]) => iCalendar(...vevent('a@o', 'SUMMARY:A', ...lines));
  const status = async (calendar: Calendar) =>
    (await storedEvents(calendar))
      .toSorted((a, b) => a.utc_start_date.localeCompare(b.utc_start_date))
      .map((stored) => stored.status);

  test('has them named, and moved to the trash where that is asked for', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.ics', event('DTSTART:20270601T100000Z', rule));
    const text = event('DTSTART:20270601T100000Z', rule, 'EXDATE:20270602T100000Z');
    expect(await calendar.import('a.ics', text)).toContain(
      'Occurrences that their series has no longer, and that are still here (--prune-missing moves them to the trash): "A 2027-06-02 12:00:00".',
    );
    expect(await status(calendar)).toEqual(['publish', 'publish', 'publish']);
    const output: string[] = [];
    const say = (line: string) => output.push(line);
    const options = { isDryRun: false, prunesMissing: true, say };
    await importCommand(calendar.path('a.ics'), await calendar.open(), options);
    expect(output.join('\n')).toContain('and that are moved to the trash: "A 2027-06-02 12:00:00".');
    expect(await status(calendar)).toEqual(['publish', 'trash', 'publish']);
    expect(await calendar.import('a.ics', event('DTSTART:20270601T100000Z', rule))).toContain('1 changed');
    expect(await status(calendar)).toEqual(['publish', 'publish', 'publish']);
  });

  test('has none missing where the file has one occurrence alone', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.ics', event('DTSTART:20270601T100000Z', rule));
    const output = await calendar.import(
      'a.ics',
      event('RECURRENCE-ID:20270602T100000Z', 'DTSTART:20270602T150000Z'),
    );
    expect(output).toContain('import: 0 new, 1 changed, 0 unchanged.');
    expect(output).not.toContain('no longer');
  });

  test('is cancelled as a whole', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.ics', event('DTSTART:20270601T100000Z', rule));
    await calendar.import('a.ics', event('DTSTART:20270601T100000Z', 'STATUS:CANCELLED'));
    expect(await status(calendar)).toEqual(['trash', 'trash', 'trash']);
  });
});

test('a single event that becomes a series is its first occurrence', async () => {
  const calendar = calendarWithFiles();
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const event = (...lines: string[]) =>
    iCalendar(...vevent('a@o', 'SUMMARY:A', `DTSTART:${day}T100000Z`, ...lines));
  await calendar.import('a.ics', event());
  expect(await calendar.import('a.ics', event('RRULE:FREQ=DAILY;COUNT=2'))).toContain(
    'import: 1 new, 0 changed, 1 unchanged.',
  );
  expect(await calendar.import('a.ics', event())).toContain('import: 0 new, 0 changed, 1 unchanged.');
});

test('no view shows where an event was imported from, and its export has it', async () => {
  const calendar = calendarWithFiles();
  await calendar.import('a.ics', iCalendar(...vevent('a@o', 'SUMMARY:A', start)));
  expect(JSON.stringify(await calendar.records())).not.toContain('a@o');
  expect(await calendar.export('all.jsonl')).toContain('"uid":"a@o"');
  const other = calendarWithFiles();
  await other.import('all.jsonl', await calendar.export('all.jsonl'));
  expect((await storedEvents(other)).map(withoutNotes)).toEqual(await storedEvents(calendar));
  expect(await other.import('a.ics', iCalendar(...vevent('a@o', 'SUMMARY:A', start)))).toContain(
    'import: 0 new, 0 changed, 1 unchanged.',
  );
});
