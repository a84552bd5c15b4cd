import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Coverage, digest } from '../../../../scripts/mutate/coverage.ts';
import { type LikelyTests, likelyTests } from '../../../../scripts/mutate/likely-tests.ts';
import { mutantsOf } from '../../../../scripts/mutate/mutants.ts';

const root = mkdtempSync(join(tmpdir(), 'likely-'));
afterAll(() => rmSync(root, { recursive: true }));

const source = `export const limit = 7;
const limits = { count: limit, size: 1 };
export const ask = (count: number) => count > limits.count;
export const never = () => 3;
`;
writeFileSync(join(root, 'limits.ts'), source);
writeFileSync(join(root, 'new.ts'), 'export const a = 1;');

const place = (part: string) => ({ start: source.indexOf(part), end: source.indexOf(part) + part.length });

/** Three tests enter ask(), one of them fails anyway; nobody enters never(). */
function coverage(digestOfFile: string): Coverage {
  const tests = ['test/slow.test.ts', 'test/limits.test.ts', 'test/failing.test.ts'];
  const record = { passed: true, milliseconds: 1000, digest: '' };
  return {
    tests: {
      'test/slow.test.ts': { ...record, milliseconds: 60_000 },
      'test/limits.test.ts': record,
      'test/failing.test.ts': { ...record, passed: false },
    },
    files: {
      'limits.ts': {
        digest: digestOfFile,
        regions: [
          { ...place('(count: number) => count > limits.count'), tests },
          { ...place('() => 3'), tests: [] },
        ],
      },
    },
  };
}

/** Has noticed nothing so far. */
const empty: LikelyTests['journal'] = { noticedBy: () => [], successOf: () => 0.5 };

function testsOf(
  file: string,
  text: string,
  after: string,
  learned = coverage(digest(root, 'limits.ts')),
  journal = empty,
) {
  const mutant = mutantsOf(file, text).find((one) => one.after === after);
  if (mutant === undefined) throw new Error(`No mutant gives ${after}`);
  return likelyTests({ root, coverage: learned, related: () => ['test/any.test.ts'], journal })(mutant);
}

describe('likelyTests()', () => {
  const likely = ['test/limits.test.ts', 'test/slow.test.ts'];

  test('are those that run the part, the likely and cheap ones first, without those that fail anyway', () => {
    const after = 'export const ask = (count: number) => count >= limits.count;';
    expect(testsOf('limits.ts', source, after)).toEqual(likely);
  });
  test('begin with those that notice much of what they run with', () => {
    const after = 'export const ask = (count: number) => count >= limits.count;';
    const journal = { ...empty, successOf: (name: string) => (name === 'test/slow.test.ts' ? 0.99 : 0.001) };
    expect(testsOf('limits.ts', source, after, undefined, journal)).toEqual(likely.toReversed());
  });
  test('are none of a part that no test runs', () => {
    expect(testsOf('limits.ts', source, 'export const never = () => 4;')).toEqual([]);
  });
  test('of a constant are those that run what is made of it', () => {
    expect(testsOf('limits.ts', source, 'export const limit = 8;')).toEqual(likely);
  });
  test('are all of the file once its text is another', () => {
    expect(testsOf('limits.ts', source, 'export const never = () => 4;', coverage('older'))).toEqual(likely);
  });
  test('are those that reach the file, where no test was seen to run it', () => {
    expect(testsOf('new.ts', 'export const a = 1;', 'export const a = 2;')).toEqual(['test/any.test.ts']);
  });
});
