import { expect, test } from 'vitest';
import { Request } from '../../../../shared/http/library-request.ts';

test('a request hands its bytes on as they are', async () => {
  const bytes = Buffer.from('[1]');
  const request = new Request('http://localhost/a b', {
    method: 'put',
    headers: { 'X-A': '1' },
    body: bytes,
  });
  expect([request.url, request.method, [...request.headers]]).toEqual([
    'http://localhost/a%20b',
    'PUT',
    [['x-a', '1']],
  ]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of request.body ?? []) chunks.push(chunk);
  expect(chunks).toHaveLength(1);
  expect(chunks[0]).toBe(bytes);
});

test('a request without bytes is as fetch makes it', async () => {
  expect(new Request('http://localhost/', { method: 'GET' }).body).toBeNull();
  expect(await new Request('http://localhost/', { method: 'POST', body: 'text' }).text()).toBe('text');
});
