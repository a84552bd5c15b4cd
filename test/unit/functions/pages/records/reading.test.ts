/** Values in the form of their reader: no digit is lost, no day is shifted, and names become words. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PageLanguage, pageLanguages } from '../../../../../functions/pages/common/views/words.ts';
import {
  readableMoment,
  readableNumber,
  wordsByName,
  wordsOf,
} from '../../../../../functions/pages/records/browser/reading.ts';

/** The separators of each language: of thousands, and of decimals. */
const separators: Readonly<Record<PageLanguage, readonly [string, string]>> = {
  en: [',', '.'],
  da: ['.', ','],
  sv: ['\u00a0', ','],
};

const language = fc.constantFrom(...pageLanguages);

describe('a number', () => {
  test.each([
    ['2026', '2026', '2026', '2026'],
    ['250000.00', '250,000.00', '250.000,00', '250\u00a0000,00'],
    ['-12345.5', '-12,345.5', '-12.345,5', '\u221212\u00a0345,5'],
    [
      '12345678901234567890.12345678901234567890',
      '12,345,678,901,234,567,890.12345678901234567890',
      '12.345.678.901.234.567.890,12345678901234567890',
      '12\u00a0345\u00a0678\u00a0901\u00a0234\u00a0567\u00a0890,12345678901234567890',
    ],
    ['1.5e300', '1.5e300', '1,5e300', '1,5e300'],
    ['0.10', '0.10', '0,10', '0,10'],
    ['not a number', 'not a number', 'not a number', 'not a number'],
  ])('%s has the separators of the language', (source, ...expected) => {
    expect(pageLanguages.map((name) => readableNumber(source, name))).toEqual(expected);
  });

  test('keeps each of its digits, however many there are', () => {
    const digits = (least: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},40}$`));
    fc.assert(
      fc.property(
        language,
        fc.boolean(),
        digits(1),
        fc.option(digits(1)),
        (name, isNegative, whole, decimals) => {
          const source = `${isNegative ? '-' : ''}${whole}${decimals === null ? '' : `.${decimals}`}`;
          const [group, decimal] = separators[name];
          const readable = readableNumber(source, name);
          expect(readable.replaceAll(group, '').replace(decimal, '.').replace('\u2212', '-')).toBe(source);
          // No group of digits is longer than three, but for a short number.
          const longest = Math.max(
            ...(readable.split(decimal)[0] ?? '').split(group).map((part) => part.replace(/\D/, '').length),
          );
          expect(longest).toBeLessThanOrEqual(4);
        },
      ),
    );
  });
});

describe('a date or time', () => {
  test.each([
    ['2026-04-30', '30 April 2026', '30. april 2026', '30 april 2026'],
    ['0001-01-01', '1 January 1', '1. januar 1', '1 januari 1'],
    ['2020-05-04T10:00:00', '4 May 2020, 10:00', '4. maj 2020, 10.00', '4 maj 2020, 10:00'],
    ['2026-11-21T00:00:00', '21 November 2026, 00:00', '21. november 2026, 00.00', '21 november 2026, 00:00'],
    [
      '2026-11-21T10:00:00.1234500',
      '21 November 2026, 10:00:00.12345',
      '21. november 2026, 10.00.00,12345',
      '21 november 2026, 10:00:00,12345',
    ],
  ])('%s without a zone is as it is written', (text, ...expected) => {
    expect(pageLanguages.map((name) => readableMoment(text, name))).toEqual(expected);
  });

  test.each([
    'Signed on 2026-03-02.',
    '2026-02-30',
    '2026-13-01',
    '2026-0815',
    '2026-01-01T24:00:00',
    '2026-01-01T10:60:00',
    '2026-01-01T10:00:00+99:99',
    '12026-01-01',
    ' 2026-01-01',
    '',
  ])('%j is none', (text) => {
    expect(pageLanguages.map((name) => readableMoment(text, name))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('of a day has the numbers of the day and the year in every language', () => {
    const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(language, time, (name, date) => {
        const text = date.toISOString().slice(0, 10);
        const numbers = readableMoment(text, name)?.match(/\d+/g)?.map(Number);
        expect(numbers).toEqual([Number(text.slice(8)), Number(text.slice(0, 4))]);
      }),
    );
  });

  test('with a zone is of the zone of the reader, which is named; the minute is enough where it is asked for', () => {
    const text = '2026-07-01T12:34:56.789Z';
    const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
      .formatToParts(new Date(text))
      .find(({ type }) => type === 'timeZoneName')?.value;
    const time = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...options }).format(
        new Date(text),
      );
    expect(readableMoment(text, 'en')).toMatch(
      new RegExp(`July 2026, ${time({ second: '2-digit' })}\\.789 ${zone?.replace('+', '\\+')}$`),
    );
    expect(readableMoment(text, 'en', 'minute')).toMatch(
      new RegExp(`July 2026, ${time({})} ${zone?.replace('+', '\\+')}$`),
    );
    expect(readableMoment('2026-07-01T14:34:56.789+02:00', 'en')).toBe(readableMoment(text, 'en'));
  });
});

describe('a name', () => {
  test.each([
    ['dueDate', 'Due date'],
    ['due_date', 'Due date'],
    ['DueDate', 'Due date'],
    ['langID', 'Lang ID'],
    ['HTMLText', 'HTML text'],
    ['measurement12', 'Measurement 12'],
    ['Antal børn', 'Antal børn'],
    ['ærligSag', 'Ærlig sag'],
    ['share/%25', 'Share/%25'],
    ['_', '_'],
    ['', ''],
  ])('%j is %j', (name, words) => {
    expect(wordsOf(name)).toBe(words);
  });

  test('stays as it is where another one has the same words', () => {
    expect([...wordsByName(['dueDate', 'due_date', 'area'])]).toEqual([
      ['dueDate', 'dueDate'],
      ['due_date', 'due_date'],
      ['area', 'Area'],
    ]);
  });
});
