import { describe, expect, test } from 'vitest';
import { customDataMembers, jsonPointer } from '../../../../shared/custom-data/body.ts';

const object = (...names: string[]) => `{${names.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`;

describe('customDataMembers()', () => {
  test('takes 128 characters, __proto__, spaces and control characters', () => {
    const names = ['x'.repeat(128), '__proto__', ' ', 'a b', '\n', '😀'];
    expect(customDataMembers(object(...names)).map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['an empty identifier', [''], '/', 'must have at least 1 character'],
    ['300 characters', ['x'.repeat(300)], `/${'x'.repeat(256)}`, 'must not have more than 128 characters'],
    ['129 characters', ['x'.repeat(129)], `/${'x'.repeat(129)}`, 'must not have more than 128 characters'],
    ['a lone surrogate', ['\ud800'], '/\ud800', 'must not contain U+0000 or a lone surrogate'],
    ['U+0000', ['a\0'], '/a\0', 'must not contain U+0000 or a lone surrogate'],
    ['the same one twice', ['a', 'a'], '/a', 'is given twice (trailing spaces do not count)'],
    [
      'one that differs in trailing spaces',
      ['a', 'a  '],
      '/a  ',
      'is given twice (trailing spaces do not count)',
    ],
  ])('refuses %s', (_, names, pointer, detail) => {
    expect(() => customDataMembers(object(...names))).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'invalid-body', errors: [{ pointer, detail }] }),
    );
  });

  test('names 20 of the identifiers that it refuses, at most', () => {
    const names = Array.from({ length: 21 }, (_, index) => `\0${index}`);
    const errors = names.slice(0, 20).map((name) => expect.objectContaining({ pointer: `/${name}` }));
    expect(() => customDataMembers(object(...names))).toThrow(expect.objectContaining({ errors }));
  });

  test('is not kept busy by an identifier of very many spaces', () => {
    expect(() => customDataMembers(object(`${' '.repeat(200_000)}x`))).toThrow(
      expect.objectContaining({ code: 'invalid-body' }),
    );
  });

  test('takes 10,000 properties and no more', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
    expect(customDataMembers(object(...names))).toHaveLength(10_000);
    expect(() => customDataMembers(object(...names, 'more'))).toThrow(
      expect.objectContaining({ kind: 'too-large', code: 'too-many-properties' }),
    );
  });
});

test('jsonPointer() escapes as RFC 6901 says', () => {
  expect(jsonPointer('a/b', '~', 0)).toBe('/a~1b/~0/0');
});
