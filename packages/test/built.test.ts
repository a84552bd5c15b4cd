/** The build of an emulator: made where it is missing or old, and left alone otherwise. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../test/support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, 'src'));
  write('main', "import { greeting } from './greeting.ts'; console.log(greeting);");
  write('greeting', "export const greeting: string = 'hello';");
});

/** Writes a source, as of a minute ago. */
function write(name: string, text: string): void {
  const path = join(folder, 'src', `${name}.ts`);
  writeFileSync(path, text);
  const before = Date.now() / 1_000 - 60;
  utimesSync(path, before, before);
}

/** Builds in a process of its own, as a start does, and returns what the script says. */
function start(): string {
  const door = JSON.stringify(join(import.meta.dirname, '../built.ts'));
  const program = `const { built } = await import(${door}); await import((await built(${JSON.stringify(folder)}, { main: 'main.ts' })) + '/main.js');`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  }).trim();
}

const builtAt = () => statSync(join(folder, 'dist/main.js')).mtimeMs;

test('a start builds what is missing, and the next one takes it as it is', () => {
  expect(start()).toBe('hello');
  const first = builtAt();
  expect(start()).toBe('hello');
  expect(builtAt()).toBe(first);
});

test.each<readonly [string, () => void, string]>([
  ['a source is another', () => write('greeting', "export const greeting = 'good evening';"), 'good evening'],
  ['a file of it is gone', () => rmSync(join(folder, 'dist/main.js')), 'hello'],
  [
    'it was changed by hand',
    () => writeFileSync(join(folder, 'dist/main.js'), "console.log('no');"),
    'hello',
  ],
])('a start builds anew where %s', (_, change, said) => {
  start();
  change();
  expect(start()).toBe(said);
});

test('a source that cannot be built is said with its place', () => {
  write('greeting', 'export const = ;');
  expect(start).toThrow(/src\/greeting\.ts:1:13/);
});
