/** The output and the exit status of a command, in a child process. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseWords, UsageError } from '../../../scripts/command-line.ts';

const source = JSON.stringify(join(import.meta.dirname, '../../../scripts/command-line.ts'));

/** Runs a command with an option `--size` whose work is a statement. */
function run(work: string, ...words: string[]) {
  const script = join(mkdtempSync(join(tmpdir(), 'command-')), 'command.mjs');
  writeFileSync(
    script,
    `import { explained, readArguments } from ${source};
    const { values } = readArguments({ command: 'npm run x', help: 'The help.', options: { size: { type: 'string' } } });
    await explained(async () => { ${work} });`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(['--help', '-h'])('readArguments() prints the help for %s', (word) => {
  expect(run('console.log("work")', word)).toEqual({ status: 0, stdout: 'The help.\n', stderr: '' });
});

test('readArguments() returns the values of a command', () => {
  expect(run('console.log(values.size)', '--size', '3')).toEqual({ status: 0, stdout: '3\n', stderr: '' });
});

test('readArguments() rejects an unknown option', () => {
  expect(run('console.log("work")', '--bogus')).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--bogus'\.\nnpm run x -- --help .+\.\n$/),
  });
});

test('explained() prints the message of an error', () => {
  expect(run('throw new Error("The file is missing.")')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The file is missing.\n',
  });
});

test('explained() sends no control character of a message to the terminal', () => {
  const message = JSON.stringify('Site "\u001b]0;x\u0007\u202eevil\r":\n\tgone.');
  expect(run(`throw new Error(${message})`).stderr).toBe(
    'Site "\ufffd]0;x\ufffd\ufffdevil\ufffd":\n\tgone.\n',
  );
});

test('parseWords() throws a UsageError with the cause', () => {
  const parse = () => parseWords(['--size'], { options: { size: { type: 'string' } } });
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow("Option '--size <value>' argument missing.");
});
