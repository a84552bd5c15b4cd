import { expect, test } from 'vitest';
import { endOfString } from '../../../shared/json-string.ts';
import { fc } from '../../support/properties.ts';

test('endOfString() finds the end of every JSON string, whatever is in it and behind it', () => {
  const awkward = fc.string({ unit: fc.constantFrom('"', '\\', 'a', ',') });
  fc.assert(
    fc.property(awkward, awkward, (value, rest) => {
      const text = JSON.stringify(value);
      expect(endOfString(`[${text}${rest}`, 1)).toBe(1 + text.length);
    }),
  );
});

test.each(['"', '"abc', String.raw`"abc\"`, '"\\'])(
  'endOfString() takes %s to the end of the text',
  (text) => {
    expect(endOfString(text, 0)).toBe(text.length);
  },
);
