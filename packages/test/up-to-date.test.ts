/** Builds are skipped when they would change nothing. */

import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../test/support/temporary-folder.ts';
import { forget, isUpToDate, noteBuild } from '../up-to-date.ts';

const longAgo = new Date(2020, 0, 1);
let note: string;
let source: string;
let built: string;

beforeEach(() => {
  const folder = newFolder();
  note = join(folder, 'note');
  source = join(folder, 'source');
  built = join(folder, 'built');
  write(source, 'source');
  write(built, 'built');
});

function write(path: string, content: string, changed = longAgo): void {
  writeFileSync(path, content);
  utimesSync(path, changed, changed);
}

test('a build is up to date until one of its files changes', () => {
  expect(isUpToDate(note)).toBe(false);
  noteBuild(note, [source], [built], Date.now());
  expect(isUpToDate(note)).toBe(true);
  forget(note);
  expect(isUpToDate(note)).toBe(false);
});

test.each([
  ['a source of another size', () => write(source, 'longer source')],
  ['a source that is gone', () => rmSync(source)],
  ['a built file that was changed', () => write(built, 'changed')],
  ['a built file that is gone', () => rmSync(built)],
  ['a note that was cut off', () => writeFileSync(note, '{"')],
])('%s asks for a build', (_, change) => {
  noteBuild(note, [source], [built], Date.now());
  change();
  expect(isUpToDate(note)).toBe(false);
});

test('a build is stale once a file exists that was missing before', () => {
  const later = join(note, '..', 'later');
  noteBuild(note, [source, later], [built], Date.now());
  expect(isUpToDate(note)).toBe(true);
  write(later, 'later');
  expect(isUpToDate(note)).toBe(false);
});

test('a source that changes during its build is built again', () => {
  const began = Date.now();
  write(source, 'source', new Date(began));
  noteBuild(note, [source], [built], began);
  expect(isUpToDate(note)).toBe(false);
});
