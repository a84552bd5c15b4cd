/** Each test file runs in one of the commands: `npm test`, `npm run test:tools`, `npm run test:dev-stack` or `npm run test:engines`. */

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults, type ViteUserConfig } from 'vitest/config';
import ofTheApp from '../../vitest.config.ts';
import ofDevStack from '../../vitest.dev-stack.config.ts';
import ofEngines from '../../vitest.engines.config.ts';
import ofTools from '../../vitest.tools.config.ts';

const root = join(import.meta.dirname, '..', '..');
const filesIn = (patterns: string[], exclude: string[] = []) => globSync(patterns, { cwd: root, exclude });

/** Returns the files of a command, those of several projects several times. */
function filesOf({ test: options = {} }: ViteUserConfig): string[] {
  const { projects = [{ test: options }] } = options;
  return projects.flatMap((project) =>
    typeof project === 'object' && 'test' in project
      ? filesIn(project.test?.include ?? [], project.test?.exclude ?? configDefaults.exclude)
      : [],
  );
}

test('each test file runs once', () => {
  const testFiles = filesIn(['{test,packages,local}/**/*.test.ts'], ['**/node_modules/**']).sort();
  expect(testFiles.length).toBeGreaterThan(200);
  expect([ofTheApp, ofTools, ofDevStack, ofEngines].flatMap(filesOf).sort()).toEqual(testFiles);
});
