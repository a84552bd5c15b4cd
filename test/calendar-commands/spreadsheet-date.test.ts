import { expect, test } from 'vitest';
import { isoOfSpreadsheet } from '../../scripts/calendar/table/spreadsheet-date.ts';

test('reads the dates of spreadsheets, and of tables of other calendars', () => {
  const rows = [
    ['2031-05-01', '2031-05-01'],
    ['2031-05-01 10:00', '2031-05-01 10:00:00'],
    ['2031-05-01 10:00:07', '2031-05-01 10:00:07'],
    ['5/1/2031', '2031-05-01'],
    ['05/30/2031 10:00 AM', '2031-05-30 10:00:00'],
    ['5/1/31 5pm', '2031-05-01 17:00:00'],
    ['12/31/99', '1999-12-31'],
    ['1.5.2031 9.30', '2031-05-01 09:30:00'],
    ['31-03-2031', '2031-03-31'],
    ['May 1, 2031 12:15 AM', '2031-05-01 00:15:00'],
    ['May 1st, 2031, 12:15 p.m.', '2031-05-01 12:15:00'],
    ['1 Sept. 2031', '2031-09-01'],
    ['1 September 2031 at 8:00 PM', '2031-09-01 20:00:00'],
    // What is of another form is left to the calendar, which reads or refuses it.
    ['2031-05-01T10:00:00+02:00', '2031-05-01T10:00:00+02:00'],
    ['tomorrow 10:00', 'tomorrow 10:00'],
    ['13th of never', '13th of never'],
    ['', ''],
  ] as const;
  expect(rows.map(([text]) => [text, isoOfSpreadsheet(text)])).toEqual(rows);
});
