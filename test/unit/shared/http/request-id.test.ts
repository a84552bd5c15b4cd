import { describe, expect, test } from 'vitest';
import { requestId } from '../../../../shared/http/request-context.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idOf = (given: string) => requestId(new Headers({ 'X-Request-Id': given }));

describe('requestId()', () => {
  test('keeps letters, digits, dot, underscore and hyphen, and no other character', () => {
    const printable = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));
    expect(printable.filter((character) => idOf(`a${character}b`) === `a${character}b`).join('')).toBe(
      '-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
    );
  });

  test('keeps 1 to 64 characters', () => {
    expect([idOf('a'), idOf('a'.repeat(64))]).toEqual(['a', 'a'.repeat(64)]);
    expect(idOf('a'.repeat(65))).toMatch(uuid);
  });

  test('makes a new one for each request that brings none', () => {
    const one = requestId(new Headers());
    const another = requestId(new Headers());
    expect(one).toMatch(uuid);
    expect(another).not.toBe(one);
  });
});
