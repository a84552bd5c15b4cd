import { expect, test } from 'vitest';
import { decodedSlashes, links } from '../../../../shared/http/context.ts';
import { pathSegment } from '../../../../shared/http/path-segment.ts';

test.each([
  ['plain', 'plain'],
  ['a/b', 'a%252Fb'],
  ['/', '%252F'],
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

test.each([
  ['', '/api', 'v7', 'http://host:1/api/v7/x'],
  ['', '/api', '', 'http://host:1/api/x'],
  ['', '', 'v8.0', 'http://host:1/v8.0/x'],
  ['https://example.org/records', '/api', 'v8.0', 'https://example.org/records/v8.0/x'],
])('links() under "%s" and base path "%s", mount "%s", are %s', (base, basePath, mount, expected) => {
  const link = links({ url: new URL('http://host:1/api/v7/y?z=1') }, mount, {
    publicBaseUrl: () => base,
    basePath,
  });
  expect(link('/x')).toBe(expected);
});
