import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** What looks like a path: in backticks, or the target of a link. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w.][\w./-]*(?:\/|\.\w+))`/g)].map(([, path = '']) => path);
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  return [...quoted, ...linked];
}

test('CONTRIBUTING.md names only files and folders that exist', () => {
  expect(pathsIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
