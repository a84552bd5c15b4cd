/** Which values are one to a typed client. */

import { expect, test } from 'vitest';
import { isSameValue } from '../../../../shared/custom-data/same-value.ts';
import { fc } from '../../../support/properties.ts';

test.each([
  ['2026-11-21T10:00:00.1200000', '2026-11-21T10:00:00.12', '2026-11-21T10:00:00.120'],
  ['2026-11-21T00:00:00.0000000', '2026-11-21', '2026-11-21T00:00:00', '2026-11-21T00:00'],
  ['2026-11-21T09:00:00.5000000Z', '2026-11-21T09:00:00.5+00:00', '2026-11-21T10:00:00.5+01:00'],
  ['2026-11-21T23:30:00Z', '2026-11-22T00:30:00.000+01:00', '2026-11-21T18:00:00-05:30'],
  ['10:00:00.0000000', '10:00:00', '10:00'],
  ['6F9619FF-8B86-D011-B42D-00C04FC964FF', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
])('%s in other forms', (...forms) => {
  for (const a of forms)
    for (const b of forms) expect([a, b, isSameValue([{ x: a }], [{ x: b }])]).toEqual([a, b, true]);
});

test.each([
  ['2026-11-21T10:00:00.12', '2026-11-21T10:00:00.121'],
  ['2026-11-21T10:00:00', '2026-11-21T10:00:00Z'],
  ['2026-11-21', '2026-11-22'],
  ['2026-11-21', '2026-11-21T00:00:01'],
  ['10:00', '2026-11-21T10:00'],
  ['6F9619FF-8B86-D011-B42D-00C04FC964FF', '6F9619FF-8B86-D011-B42D-00C04FC964FE'],
  ['abc', 'ABC'],
  ['a', 'a '],
  ['1.0', '1.00'],
  ['', '00:00'],
  ['Z', 'z'],
  ['', 'Z'],
  ['2026-99-99T10:00:00Z', '2026-99-99T10:00:00.0Z'],
])('%j and %j differ', (a, b) => {
  expect([isSameValue(a, b), isSameValue({ a }, { a: b })]).toEqual([false, false]);
});

test('every value is the same as itself, and other texts are compared as they are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, a, b) => {
      expect(isSameValue(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      expect(isSameValue(a, b)).toBe(a === b);
    }),
  );
});
