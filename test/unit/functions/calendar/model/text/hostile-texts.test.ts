import { beforeAll, describe, expect, test } from 'vitest';
import { costTexts, readCost } from '../../../../../../functions/calendar/model/cost.ts';
import {
  escapedLine,
  loadSanitizer,
  sanitizeDescription,
} from '../../../../../../functions/calendar/model/text/html.ts';
import { plainText, withoutControls } from '../../../../../../functions/calendar/model/text/plain-text.ts';
import { paragraphs, renderTitle } from '../../../../../../functions/calendar/model/text/render-text.ts';
import { slugOf } from '../../../../../../functions/calendar/model/text/slug.ts';
import { parseSearch } from '../../../../../../functions/calendar/search/event-search.ts';

beforeAll(loadSanitizer);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a plain text': plainText,
  'a text without control characters': withoutControls,
  'a slug': slugOf,
  'a title': renderTitle,
  'a description': (text) => paragraphs(renderTitle(text)),
  'a sanitized description': (text) => paragraphs(sanitizeDescription(text)),
  'a cost': (text) => readCost(costTexts(text)),
  'a search': parseSearch,
};

/** Pieces that patterns with two ways to match read over and over when they are repeated. */
const pieces = [
  '<',
  '<p',
  '<p ',
  '<!--',
  '<a b',
  '<a href="',
  '</',
  ' ',
  '\n',
  '\t',
  "'",
  '"',
  '-',
  '&',
  '&#',
  '&#x0',
  '&#7',
  '7;',
  '1',
  '1,',
  '<blockquote>a',
  '<b>',
  '</i>',
  '<p></b>',
];

/** Read more than once from each place, a text of this length would take minutes. */
const length = 250_000;

describe.each(Object.entries(readers))('reading %s', (_of, read) => {
  test('reads a text of many repeated pieces once', () => {
    for (const piece of pieces) {
      expect(read(`a${piece.repeat(length / piece.length)}b`), piece).toBeDefined();
    }
  });
});

/** Texts whose time grew with the square of their length, or whose pieces cost much each. */
const markup: Readonly<Record<string, string>> = {
  'closings without openings': '<b>'.repeat(14_285) + '</i>'.repeat(14_285),
  'paragraphs that are only closed': '</p>'.repeat(25_000),
  'elements side by side': '<b></b>'.repeat(14_285),
  links: '<a href=x></a>'.repeat(7_142),
};

describe.each(Object.entries(markup))('HTML of %s', (_of, html) => {
  test('keeps none, since its elements would cost too much', () => {
    expect([sanitizeDescription(`${html}1 &lt; 2 <`), escapedLine(`${html}a`)]).toEqual([
      '1 &lt; 2 &lt;',
      'a',
    ]);
  });
});

test('HTML of 4,000 elements and 200 levels is kept', () => {
  const html = `${'<b>'.repeat(200)}a${'</b>'.repeat(200)}${'<i>b</i>'.repeat(3_800)}`;
  expect(sanitizeDescription(html)).toBe(html);
});

test.each([
  ['one element more', `${'<b></b>'.repeat(4_001)}1`, `${'<b></b>'.repeat(4_000)}1`],
  [
    'one level more',
    `${'<b>'.repeat(201)}1${'</b>'.repeat(201)}`,
    `${'<b>'.repeat(200)}1${'</b>'.repeat(200)}`,
  ],
])('HTML of %s than is taken has none', (_, html, fits) => {
  expect([sanitizeDescription(html), sanitizeDescription(fits)]).toEqual(['1', fits]);
});
