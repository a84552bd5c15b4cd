/** Each test file runs once in `npm test` unless it is of `npm run test:engines`, and in `npm run test:app` unless it is around the app. */

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ViteUserConfig } from 'vitest/config';
import ofTheApp from '../../vitest.app.config.ts';
import all, { aroundTheApp } from '../../vitest.config.ts';

const root = join(import.meta.dirname, '..', '..');
const filesIn = (patterns: string[], exclude: string[] = []) => globSync(patterns, { cwd: root, exclude });

/** Returns the files of every project, those of several projects several times. */
function filesOf({ test: options }: ViteUserConfig): string[] {
  return (options?.projects ?? [])
    .flatMap((project) =>
      typeof project === 'object' && 'test' in project
        ? filesIn(project.test?.include ?? [], project.test?.exclude)
        : [],
    )
    .sort();
}

const testFiles = filesIn(['{test,packages/*/test}/**/*.test.ts'], ['test/engines/**']).sort();
const around = filesIn(aroundTheApp);

test('npm test runs every test file once', () => {
  expect(testFiles.length).toBeGreaterThan(200);
  expect(filesOf(all)).toEqual(testFiles);
});

test('npm run test:app runs every one of these that is not around the app', () => {
  expect(filesOf(ofTheApp)).toEqual(testFiles.filter((file) => !around.includes(file)));
});

test.each(aroundTheApp)('there are tests around the app in %s', (pattern) => {
  const [, names = ''] = /\{([^}]+)\}/.exec(pattern) ?? [];
  const alternatives = names.split(',').map((name) => pattern.replace(/\{[^}]+\}/, name));
  const missing = alternatives.filter((alternative) => filesIn([alternative]).length === 0);
  expect(missing).toEqual([]);
});
