import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');

test('the gateway keeps replies of the calendar apart by each header that they vary with, but tokens, which it never caches', () => {
  const vary = [...read('functions/calendar/replies.ts').matchAll(/Vary: '([^']+)'/g)]
    .flatMap(([, names = '']) => names.split(', '))
    .filter((name) => name !== 'Authorization');
  const apart = [...read('infra/gateway/policy.xml').matchAll(/<vary-by-header>([^<]+)</g)].map(
    ([, name]) => name,
  );
  expect(vary).toContain('Origin');
  expect(apart).toEqual(expect.arrayContaining(vary));
});
