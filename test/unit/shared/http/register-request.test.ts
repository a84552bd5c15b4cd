import { expect, test } from 'vitest';
import { Request } from '../../../../shared/http/functions-library/request.ts';

const url = 'http://localhost/a b';

test('a request hands its bytes on as they are, and says whether somebody has read them', async () => {
  const bytes = Buffer.from('[1]');
  const request = new Request(url, { method: 'put', headers: { 'X-A': '1' }, body: bytes });
  const { headers } = request;
  expect([request.url, request.method, request.bodyUsed]).toEqual(['http://localhost/a%20b', 'PUT', false]);
  expect([headers.get('x-a'), headers.get('X-B'), headers.has('X-a'), headers.has('x-b')]).toEqual([
    '1',
    null,
    true,
    false,
  ]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of request.body ?? []) chunks.push(chunk);
  expect(chunks).toHaveLength(1);
  expect(chunks[0]).toBe(bytes);
  expect(request.bodyUsed).toBe(true);
});

test('a request without bytes has no body', () => {
  expect(new Request(url, { method: 'GET' }).body).toBeNull();
});

test('what a stream brings is a request of fetch', async () => {
  const body = new Blob(['text']).stream();
  const request = new Request(url, { method: 'POST', duplex: 'half', body });
  expect(request).toBeInstanceOf(globalThis.Request);
});

test.each([
  ['a character beyond Latin-1', { a: '\u0100' }],
  ['a line break', { a: 'b\r\nc' }],
  ['a name with a blank', { 'a b': 'c' }],
])('%s in a header is refused, as fetch does', (_, headers) => {
  expect(() => new Request(url, { method: 'GET', headers })).toThrow(TypeError);
  expect(() => new globalThis.Request(url, { method: 'GET', headers })).toThrow(TypeError);
});

test.each(['http://user:word@localhost/', 'http://', '/a'])(
  'the URL %s is refused, as fetch does',
  (wrong) => {
    expect(() => new Request(wrong, { method: 'GET' })).toThrow(TypeError);
    expect(() => new globalThis.Request(wrong, { method: 'GET' })).toThrow(TypeError);
  },
);
