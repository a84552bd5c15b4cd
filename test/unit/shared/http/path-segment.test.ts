import { expect, test } from 'vitest';
import { decodedSlashes, pathSegment } from '../../../../shared/http/urls.ts';

test.each([
  ['plain', 'plain'],
  ['a/b', 'a%252Fb'],
  ['/a/', '%252Fa%252F'],
  ['a b', 'a%20b'],
  ['å?#', '%C3%A5%3F%23'],
])('pathSegment() writes %s as %s', (value, segment) => {
  expect(pathSegment(value)).toBe(segment);
});

test.each([
  ['a%2Fb', 'a/b'],
  ['a%2fb%2F', 'a/b/'],
  ['a%20b', 'a%20b'],
])('decodedSlashes() reads %s as %s', (value, decoded) => {
  expect(decodedSlashes({ id: value })).toEqual({ id: decoded });
});
