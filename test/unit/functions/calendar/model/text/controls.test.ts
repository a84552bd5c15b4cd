/** Control characters in texts, for any text. */

import { decodeHTML } from 'entities';
import { expect, test } from 'vitest';
import { withoutControls } from '../../../../../../functions/calendar/model/text/plain-text.ts';
import { fc, numRuns } from '../../../../../support/properties.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/;
const piece = fc.constantFrom(
  '&',
  '#',
  'x',
  '0',
  '7',
  '1',
  'f',
  ';',
  '\u0007',
  '\0',
  'A',
  ' ',
  '&#7;',
  '&#x1f',
  '\n',
);

test('no text has them, or refers to them, however its references stand in each other', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = withoutControls(pieces.join(''));
      expect([text, controls.test(text), controls.test(decodeHTML(text))]).toEqual([text, false, false]);
      // HTML reads a reference to U+0000 as U+FFFD, and other programs as it stands.
      expect(text).not.toMatch(/&#(?:0+(?!\d)|x0+(?![\da-f]))/i);
      expect(withoutControls(text)).toBe(text);
    }),
    numRuns(5_000),
  );
});

test('a text without them stays as it is', () => {
  for (const text of ['', 'a\tb\nc\r\nd', '&#9;&#10;&#65;&#x41;&#', 'Æ &amp;#7; &lt;'])
    expect(withoutControls(text)).toBe(text);
});
