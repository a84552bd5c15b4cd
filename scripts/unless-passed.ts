/**
 * Runs a part of the checks, unless it has passed on this machine with the same files. Which files a part depends on stands below, and
 * `test/unit/architecture.test.ts` holds that its tests import no others. It needs no commit to compare with, and what failed runs again.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { explained, orUsage, readArguments, UsageError } from './command-line.ts';

const root = join(import.meta.dirname, '..');

/** What every part depends on: how it is run, and what is installed. */
const everywhere = [
  '.ci',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'scripts',
];

interface Part {
  /** Words of npm, one list for each call. */
  readonly runs: readonly (readonly string[])[];
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Programs without which some of its tests are skipped. */
  readonly programs: readonly string[];
}

export const parts: Readonly<Record<string, Part>> = {
  'dev-stack': {
    runs: [['test:dev-stack']],
    paths: ['packages', 'local', 'test/support', 'test/bench', 'host.json', 'vitest.dev-stack.config.ts'],
    programs: ['tsql'],
  },
  infra: {
    runs: [['check:infra'], ['test:engines', '--', 'bicep', 'commands', 'existing', 'plans', 'queries']],
    paths: [
      '.github',
      '.nvmrc',
      'docs',
      'host.json',
      'infra',
      'shared',
      'test/engines',
      'test/support',
      'test/tools',
      'vitest.engines.config.ts',
    ],
    programs: ['actionlint', 'az', 'bicep', 'dotnet', 'gh', 'terraform'],
  },
};

/** Runs a part unless it has passed. Returns the exit status. */
function runUnlessPassed(name: string, part: Part): number {
  const note = noteOf(name, part);
  if (note !== undefined && existsSync(note)) {
    const when = statSync(note).mtime.toISOString().slice(0, 16).replace('T', ' ');
    console.log(`${name} has passed with these files on ${when}. To run it all the same, remove ${note}`);
    return 0;
  }
  for (const words of part.runs) {
    const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' } as const;
    const { status } = spawnSync('npm', ['run', ...words], options);
    if (status !== 0) return status ?? 1;
  }
  // Files that have changed meanwhile may not be those that have passed.
  if (note === undefined || noteOf(name, part) !== note) return 0;
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, '');
  return 0;
}

/** Returns the file that notes a pass with the present files; undefined where git does not know them. */
function noteOf(name: string, { paths, programs }: Part): string | undefined {
  const list = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...paths,
    ...everywhere,
  ];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout } = spawnSync('git', list, options);
  if (status !== 0 || stdout === '') return undefined;
  const hash = createHash('sha256');
  hash.update(`${process.version} ${process.platform} ${process.arch} ${programs.filter(isOnPath).join()}\0`);
  for (const file of [...new Set(stdout.split('\0'))].sort()) {
    const path = join(root, file);
    if (file !== '' && existsSync(path)) hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'records-and-calendar', 'passed', `${name}-${hash.digest('hex')}`);
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

if (import.meta.main) {
  const command = 'node scripts/run.mjs scripts/unless-passed.ts';
  const { positionals } = readArguments({
    command,
    help: `Runs a part of the checks, unless it has passed on this machine with the same files.

  ${command} <part>     ${Object.keys(parts).join(' or ')}

What has passed is noted in the user's cache (XDG_CACHE_HOME, ~/.cache).`,
    allowPositionals: true,
  });
  const [name = '', part] = orUsage(command, () => {
    const [word = ''] = positionals;
    if (parts[word] === undefined) throw new UsageError(`There is no part "${word}".`);
    return [word, parts[word]] as const;
  });
  await explained(async () => {
    process.exitCode = runUnlessPassed(name, part);
  });
}
