import { expect, test } from 'vitest';
import { prefers } from '../../../../shared/http/accept.ts';

test.each([
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/*', true],
  ['text/csv, */*', true],
  ['text/csv, application/json;q=0.9', true],
  ['text/html, text/csv;q=0.5', true],
  ['text/csv;q=0.5, application/json;q=0.4, */*;q=0.1', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/csv', false],
  ['text/csv;q=0', false],
  ['text/csv;q=0.5, */*', false],
  ['text/csv;q=x', false],
  ['application/*, text/*', false],
  ['text/csvx', false],
])('Accept: %s prefers CSV: %s', (accept, expected) => {
  const headers = new Headers(accept === undefined ? {} : { accept });
  expect(prefers(headers, 'text/csv', 'application/json')).toBe(expected);
});
