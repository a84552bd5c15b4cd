import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');

test('the gateway keeps replies of the calendar apart by each header that they vary with, but tokens, which it never caches', () => {
  const sources = ['functions/calendar/wire/replies.ts', 'shared/http/compression.ts'].map(read).join('');
  const vary = [...sources.matchAll(/Vary: '([^']+)'/g)]
    .flatMap(([, names = '']) => names.split(', '))
    .filter((name) => name !== 'Authorization');
  const apart = [...read('infra/gateway/policy.xml').matchAll(/<vary-by-header>([^<]+)</g)].map(
    ([, name]) => name,
  );
  expect(vary).toEqual(expect.arrayContaining(['Origin', 'Accept-Encoding']));
  expect(apart).toEqual(expect.arrayContaining(vary));
});
