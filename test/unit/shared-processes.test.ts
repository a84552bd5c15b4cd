/** Files that run one after the other in one process leave it as they found it. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';

const root = join(import.meta.dirname, '..', '..');

/** What vitest or the file itself would have to take back; and an import of another test file, which declares its tests once in a process. */
const changes =
  /\bimport\([^)]*\.test\.ts|\bvi\.(mock|doMock|stubEnv|stubGlobal|resetModules)\b|\bsetDefaultCACertificates\(|process\.env(\.\w+|\[[^\]]*\])? *=[^=>]|\bdelete process\.env|process\.chdir|globalThis\.\w+ *=[^=>]/;

const shared = (config.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project) || project.test?.isolate !== false) return [];
  const { include = [], exclude = [] } = project.test;
  return globSync(include, { cwd: root, exclude });
});
// This one only names what the others must not do.
const files = shared.filter((file) => !import.meta.filename.endsWith(file));

test('there are such files', () => {
  expect(files.length).toBeGreaterThan(100);
});

test('none changes what the next one would find', () => {
  const changed = files.flatMap((file) => {
    const [change] = changes.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    return change === undefined ? [] : [`${file}: ${change}`];
  });
  expect(changed).toEqual([]);
});

test.each([
  ...["await import('./other.test.ts')", "vi.mock('node:fs')", "vi.stubEnv('A', 'b')"],
  ...["process.env['A'] = 'b'", 'process.env.A = b', 'delete process.env.A'],
  ...['globalThis.fetch = () => {}', 'setDefaultCACertificates([certificate])'],
])('%s would be a change', (text) => {
  expect(text).toMatch(changes);
});
