import { describe, expect, test } from 'vitest';
import { entityTags, notModified } from '../../../../shared/http/conditional.ts';

describe('entityTags()', () => {
  test.each([
    [null, undefined],
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['"a", W/"b" ,"c,d"', ['"a"', 'W/"b"', '"c,d"']],
    ['unquoted', []],
    ['', []],
  ])('reads %j as %j', (value, tags) => {
    expect(entityTags(value)).toEqual(tags);
  });
});

describe('notModified()', () => {
  const reply = {
    status: 200,
    headers: { ETag: '"a"', 'Content-Type': 'application/json' },
    body: { json: {} },
  };
  const gives304 = { status: 304, headers: { ETag: '"a"' } };

  test.each([
    ['the same tag', '"a"', gives304],
    ['the same tag, weak', 'W/"a"', gives304],
    ['any tag', '*', gives304],
    ['the tag among others', '"x", "a"', gives304],
    ['another tag', '"b"', reply],
  ])('with %s', (_, tag, expected) => {
    expect(notModified(reply, new Headers({ 'If-None-Match': tag }))).toEqual(expected);
  });

  test('leaves a reply without the header, without a tag or without success as it is', () => {
    expect(notModified(reply, new Headers())).toBe(reply);
    const untagged = { status: 200 };
    expect(notModified(untagged, new Headers({ 'If-None-Match': '*' }))).toBe(untagged);
    const failed = { ...reply, status: 404 };
    expect(notModified(failed, new Headers({ 'If-None-Match': '*' }))).toBe(failed);
  });
});
