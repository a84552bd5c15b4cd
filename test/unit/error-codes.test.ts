/** Every code that an error may carry stands in a test, so that none is renamed or forgotten unseen. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../shared/errors/codes.ts';

const root = join(import.meta.dirname, '..', '..');

const textsOf = (...patterns: readonly string[]) =>
  globSync([...patterns], { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

const codes = Object.keys(errorCodes) as ErrorCode[];

/** A code as it is written: whole, or with the kind of post left open. */
const spellings = (code: string) => [code, code.replace(/^(event|venue|organizer)-/, '$' + '{kind}-')];

const standsIn = (text: string) => (code: string) =>
  spellings(code).some((spelling) =>
    ["'", '`', ' '].some((quote) => text.includes(quote + spelling + quote)),
  );

test('every error code of the product stands in a test', () => {
  const tests = textsOf('test/{api,contract}/**/*.test.ts', 'test/unit/{functions,shared}/**/*.test.ts');
  expect(codes.filter((code) => !standsIn(tests.join('\n'))(code))).toEqual([]);
});

test('every error code of the product stands where it is thrown', () => {
  const sources = textsOf('functions/**/*.ts', 'shared/!(errors)/**/*.ts', 'shared/*.ts');
  expect(codes.filter((code) => !standsIn(sources.join('\n'))(code))).toEqual([]);
});
