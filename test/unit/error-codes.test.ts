/** Every code that an error may carry stands in a test, so that none is renamed or forgotten unseen. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

const textsOf = (...patterns: readonly string[]) =>
  globSync([...patterns], { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

test('every error code of the product stands in a test', () => {
  const source = textsOf('functions/**/*.ts', 'shared/**/*.ts').join('\n');
  const thrown = source.matchAll(/(?:new CodedError\(\s*[^,]+,|\brefuse\()\s*'(?<code>[a-z][\w-]+)'/g);
  const codes = [...new Set([...thrown].map(({ groups }) => groups?.['code'] ?? ''))].toSorted();
  expect(codes.length).toBeGreaterThan(45);
  const tests = textsOf('test/{api,contract}/**/*.test.ts', 'test/unit/{functions,shared}/**/*.test.ts').join(
    '\n',
  );
  expect(codes.filter((code) => !new RegExp(`['\` ]${code}['\` ]`).test(tests))).toEqual([]);
});
