/** Whole runs over a project of two files. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inParallel } from '../../../../scripts/mutate/in-parallel.ts';
import { openJournal } from '../../../../scripts/mutate/journal.ts';
import { type Mutant, mutantsOf } from '../../../../scripts/mutate/mutants.ts';
import { type Run, runMutants } from '../../../../scripts/mutate/run-mutants.ts';

const source = `export function sizeOf(count: number): string {
  return count > 9 ? 'many' : 'few';
}
`;
const tests = `import { expect, test } from 'vitest';
import { sizeOf } from './size.ts';
test('sizes', () => expect([1, 20].map(sizeOf)).toEqual(['few', 'many']));
`;

let root: string;
let steps: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mutated-'));
  steps = [];
  writeFileSync(join(root, 'size.ts'), source);
  writeFileSync(join(root, 'size.test.ts'), tests);
  const modules = join(import.meta.dirname, '../../../../node_modules');
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['vitest', '.bin']) symlinkSync(join(modules, name), join(root, 'node_modules', name));
});
afterEach(() => rmSync(root, { recursive: true }));

function selected() {
  return mutantsOf('size.ts', source)
    .filter(({ mutator }) => /boundary|code/.test(mutator))
    .slice(0, 2);
}

async function outcomes(options: Partial<Run> = {}, state = 'one'): Promise<Record<string, string>> {
  const found = await runMutants({
    root,
    files: ['size.ts', 'size.test.ts'],
    mutants: selected(),
    testsOf: () => ['size.test.ts'],
    timeOf: () => 1000,
    startsApp: () => false,
    patience: 60,
    workers: 1,
    signal: new AbortController().signal,
    journal: openJournal(join(root, 'journal.jsonl'), state),
    equivalents: [],
    again: false,
    onStep: (line) => steps.push(line.trim().replace(/ {2,}/g, ' ')),
    ...options,
  });
  return Object.fromEntries([...found].map(([{ after }, outcome]) => [after.trim(), outcome]));
}

const boundary = "return count >= 9 ? 'many' : 'few';";
const code = "return count > 9 ? 'many~' : 'few';";
const number = "return count > 10 ? 'many' : 'few';";

/** A journal in a file of its own, in which `ask.test.ts` noticed two of three, and `other.test.ts` none of one. */
function journalOfThree() {
  const journal = openJournal(join(root, 'journal.jsonl'), 'one');
  const [one, two] = selected() as [Mutant, Mutant];
  journal.add(one, 'noticed', 'ask.test.ts: what failed', ['other.test.ts']);
  journal.add(two, 'noticed', 'ask.test.ts: what failed', []);
  journal.add({ ...two, text: 'another' }, 'survived', 'after 1 of 2 test files', ['ask.test.ts']);
  return openJournal(join(root, 'journal.jsonl'), 'one');
}

test('the journal tells how much a test notices of what it runs with', () => {
  const { successOf, noticedBy } = journalOfThree();
  expect(['ask.test.ts', 'other.test.ts', 'new.test.ts'].map(successOf)).toEqual([3 / 5, 1 / 3, 1 / 2]);
  expect(noticedBy('size.ts')).toEqual(['ask.test.ts', 'ask.test.ts']);
});

test('workers stop when one of them fails, and its error is thrown once all have ended', async () => {
  const ends: string[] = [];
  let isFirst = true;
  const run = inParallel(2, new AbortController().signal, async (signal) => {
    if (isFirst) {
      isFirst = false;
      await Promise.resolve();
      throw new Error('the first');
    }
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    ends.push(String(signal.reason));
  });
  await expect(run).rejects.toThrow('the first');
  expect(ends).toEqual(['Error: the first']);
});

describe('runMutants()', () => {
  test('tells of each mutant by itself whether the tests notice it, and goes on where an earlier run ended', async () => {
    const mutants = [...selected(), ...mutantsOf('size.ts', source, ({ mutator }) => mutator === 'number')];
    const expected = { [boundary]: 'survived', [code]: 'noticed', [number]: 'survived' };
    expect(await outcomes({ mutants })).toEqual(expected);
    expect(steps).toEqual([
      '1/3 survived size.ts:2 boundary after all 1 test files',
      expect.stringContaining('2/3 noticed size.ts:2 code size.test.ts: sizes: expected'),
      '3/3 survived size.ts:2 number after all 1 test files',
    ]);
    expect(readFileSync(join(root, 'size.ts'), 'utf8')).toBe(source);

    steps = [];
    expect(await outcomes({ mutants })).toEqual(expected);
    expect(steps).toEqual(['3 of 3 faults are known already.']);

    steps = [];
    expect(await outcomes({ mutants, patience: 0 }, 'after the tests have changed')).toEqual(expected);
    expect(steps).toEqual([
      '1 of 3 faults are known already.',
      '1/2 survived size.ts:2 boundary after 0 of 1 test files',
      '2/2 survived size.ts:2 number after 0 of 1 test files',
    ]);
  });

  test('sets aside what makes no difference', async () => {
    const equivalents = [
      {
        file: 'size.ts',
        before: source.split('\n')[1]?.trim() ?? '',
        after: boundary,
        reason: 'for this test',
      },
    ];
    expect(await outcomes({ equivalents, testsOf: () => [] })).toEqual({
      [boundary]: 'equivalent',
      [code]: 'untested',
    });
  });

  test('stops when the tests cannot run, whatever the fault', async () => {
    const run = outcomes({ testsOf: () => ['none.test.ts'] });
    await expect(run).rejects.toThrow('The tests fail without any fault: none.test.ts');
  });

  test('gives up after the patience, and counts what was never tried as untested', async () => {
    const survived = { [boundary]: 'survived', [code]: 'survived' };
    expect(await outcomes({ patience: 0, workers: 2 })).toEqual(survived);
    expect(steps).toEqual([
      '1/2 survived size.ts:2 boundary after 0 of 1 test files',
      '2/2 survived size.ts:2 code after 0 of 1 test files',
    ]);
    steps = [];
    expect(await outcomes({ patience: 0 })).toEqual(survived);
    expect(steps).toEqual(['2 of 2 faults are known already.']);
    expect(await outcomes({ testsOf: () => [] }, 'other')).toEqual({
      [boundary]: 'untested',
      [code]: 'untested',
    });
  });

  test('tries what survived further with more patience, from the test at which it gave up', async () => {
    const run = {
      files: ['size.ts', 'size.test.ts', 'other.test.ts'],
      mutants: selected().slice(0, 1),
      testsOf: () => ['size.test.ts', 'other.test.ts'],
    };
    writeFileSync(join(root, 'other.test.ts'), tests.replace('[1, 20]', '[9, 10]'));
    expect(await outcomes({ ...run, patience: 1 })).toEqual({ [boundary]: 'survived' });
    steps = [];
    expect(await outcomes({ ...run, patience: 2 })).toEqual({ [boundary]: 'noticed' });
    expect(steps).toEqual([
      expect.stringContaining('1/1 noticed size.ts:2 boundary other.test.ts: sizes: expected'),
    ]);
  });
});
