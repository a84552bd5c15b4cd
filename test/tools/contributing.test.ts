/** CONTRIBUTING.md names files, and the files are there. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** What looks like a path: in backticks, or the target of a link. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w.][\w./-]*(?:\/|\.\w+))`/g)].map(([, path = '']) => path);
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  return [...quoted, ...linked];
}

const sections = page.split(/^### /m).slice(1);

describe('CONTRIBUTING.md', () => {
  test('has a list of files for each kind of addition', () => {
    const filesBySection = sections.map((section) => [
      section.split('\n', 1)[0],
      pathsIn(section.split(/^## /m)[0] ?? '').length >= 3,
    ]);
    expect(filesBySection).toEqual(
      [
        ...['A field of an event', 'A fixed field of a case', 'A filter', 'An endpoint group'],
        ...['A setting', 'An error code', 'A migration'],
      ].map((title) => [title, true]),
    );
  });

  test('names only files and folders that exist', () => {
    expect(pathsIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('is what editors start: the tasks of .vscode name scripts and files that exist', () => {
    const launch = readFileSync(join(root, '.vscode/launch.json'), 'utf8');
    const files = [...launch.matchAll(/\$\{workspaceFolder\}\/([\w./-]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
