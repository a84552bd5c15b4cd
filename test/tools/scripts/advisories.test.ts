/** `npm run advisories`: what it says of advisories, of none, and of a registry that does not answer. */

import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { shellTools } from '../../support/fake-tools.ts';

const root = join(import.meta.dirname, '../../..');

/** Runs the command with an npm that answers as lines of the shell say. */
function run(script: string) {
  const { folder, calls } = shellTools({ npm: script });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/advisories.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
  });
  return {
    status,
    stdout: stdout.split('\n').filter(Boolean),
    stderr: stderr.split('\n').filter(Boolean),
    calls: calls(),
  };
}

const locks = [
  'package-lock.json',
  'scripts/node/package-lock.json',
  'infra/check/package-lock.json',
  'test/engines/package-lock.json',
  'packages/client/generator/package-lock.json',
];

test('no advisory is said of each lock file', () => {
  const { status, stdout, calls } = run(`echo '{"auditReportVersion":2,"vulnerabilities":{}}'`);
  expect([status, stdout]).toEqual([0, locks.map((lock) => `${lock}: no advisory`)]);
  expect(calls).toEqual(locks.map(() => 'npm audit --json --package-lock-only'));
});

test('an advisory fails, with its package, its address, and whether the app has it', () => {
  const advisory = { title: 'It leaks', url: 'https://advisories.example/1' };
  const inAll = { a: { severity: 'high', via: [advisory] }, b: { severity: 'low', via: ['a', advisory] } };
  const answer = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities });
  const { status, stderr } = run(`
case "$(basename "$PWD")" in node|check|engines|generator) echo '${answer({})}'; exit 0;; esac
case "$call" in *--omit=dev*) echo '${answer({ a: inAll.a })}';; *) echo '${answer(inAll)}';; esac
exit 1`);
  expect([status, stderr]).toEqual([
    1,
    [
      'package-lock.json: a (high, in the app): It leaks https://advisories.example/1',
      'package-lock.json: b (low, for development): by a; It leaks https://advisories.example/1',
    ],
  ]);
});

test.each([
  ['an error', `echo '{"message":"getaddrinfo ENOTFOUND"}'; exit 1`, 'getaddrinfo ENOTFOUND'],
  ['a summary', `echo '{"error":{"code":"ENOAUDIT","summary":"no endpoint"}}'; exit 1`, 'no endpoint'],
  ['nothing', 'exit 7', 'npm ended with 7'],
])('a registry that answers %s is told, and is no success', (_what, script, reason) => {
  const { status, stdout, stderr } = run(script);
  expect([status, stdout, stderr]).toEqual([
    3,
    [],
    locks.map((lock) => `${lock}: not compared, since the registry answers no advisories: ${reason}`),
  ]);
});
