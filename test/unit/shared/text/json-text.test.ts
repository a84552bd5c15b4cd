import { describe, expect, test } from 'vitest';
import { checkJsonLimits, endOfString } from '../../../../shared/text/json-text.ts';
import { fc } from '../../../support/properties.ts';

const limits = { depth: 3, members: 4 };

describe('checkJsonLimits() accepts', () => {
  test.each([
    ['nesting up to the limit', '[[[1]]]'],
    ['members up to the limit', '{"a":1,"b":2,"c":{"d":3}}'],
    ['brackets and colons inside strings', String.raw`["[[[[[{{{{", ":::::", "\"[[[[", "\\"]`],
    ['values of arrays up to the limit', '[[ ],{},[]]'],
    ['text that is not JSON at all', 'not json " ['],
  ])('%s', (_, text) => {
    expect(() => checkJsonLimits(text, limits)).not.toThrow();
  });

  test('every JSON text that keeps the limits', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(() => checkJsonLimits(text)).not.toThrow();
      }),
    );
  });
});

describe('checkJsonLimits() refuses', () => {
  test.each([
    ['nesting above the limit', '[[[[1]]]]', 'json-too-deep'],
    ['mixed nesting above the limit', '{"a":[{"b":[]}]}', 'json-too-deep'],
    ['members above the limit', '{"a":1,"b":2,"c":3,"d":4,"e":5}', 'json-too-many-members'],
    ['an unclosed tower without building it', '['.repeat(5_000_000), 'json-too-deep'],
  ])('%s', (_, text, code) => {
    expect(() => checkJsonLimits(text, limits)).toThrow(expect.objectContaining({ code }));
  });
});

describe('checkJsonLimits() by default', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const members = (count: number) => `{${Array(count).fill('"a":1').join(',')}}`;

  test('takes 100 levels and 100,000 members', () => {
    expect(() => checkJsonLimits(nested(100))).not.toThrow();
    expect(() => checkJsonLimits(members(100_000))).not.toThrow();
  });

  test.each([
    ['101 levels', nested(101), 'invalid', 'json-too-deep', 'nested more than 100 levels deep'],
    ['100,001 members', members(100_001), 'too-large', 'json-too-many-members', 'more than 100000 members'],
  ])('refuses %s', (_, text, kind, code, message) => {
    expect(() => checkJsonLimits(text)).toThrow(
      expect.objectContaining({ kind, code, message: expect.stringContaining(message) }),
    );
  });
});

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
