/** `npm run keep-stack` on a copy of the repository: what it takes out, and when it refuses. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stackNames } from '../../../infra/deploy/environments.ts';
import { newFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

/** A copy that git knows, with all that the command looks at. */
function copyOfRepository() {
  const folder = newFolder();
  for (const part of [
    '.github',
    'infra',
    'scripts',
    'test/engines',
    'test/support',
    'test/tools',
    '.nvmrc',
    'host.json',
    'package.json',
  ])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/node_modules|[\\/]\.terraform/.test(path),
    });
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'All');
  };
  commit();
  return {
    folder,
    commit,
    status: () => git('status', '--porcelain').trim(),
    keep: (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/keep-stack.ts', ...words], {
        cwd: folder,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
  };
}

/** The modules of infra/ that no other imports, where commands begin. */
function beginnings(folder: string): string[] {
  const exclude = ['**/node_modules/**'];
  const imported = globSync('{infra,scripts,test}/**/*.ts', { cwd: folder, exclude }).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) =>
      join(file, '..', path),
    ),
  );
  return globSync('infra/**/*.ts', { cwd: folder, exclude })
    .filter((file) => !imported.includes(file))
    .sort();
}

describe.runIf(stackNames.length === 2).each([
  ['bicep', 'terraform'],
  ['terraform', 'bicep'],
])('to keep %s', (kept, gone) => {
  test('takes out the other, says what is left, and has nothing to do the second time', () => {
    const { folder, commit, status, keep } = copyOfRepository();
    const before = beginnings(folder);
    const first = keep(kept);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain(`  infra/${gone}\n`);
    expect(first.stdout).toMatch(/Left, by lines that name \w+:\n {2}\S+:\d+/);
    expect(existsSync(join(folder, `infra/${gone}`))).toBe(false);
    expect(existsSync(join(folder, `infra/${kept}/main.${kept === 'bicep' ? 'bicep' : 'tf'}`))).toBe(true);
    // Nothing imports what is gone.
    const imports = globSync(['infra/**/*.ts', 'test/**/*.ts'], { cwd: folder }).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^(?:import|export) .*?from '(\.[^']*)'/gm)]
        .filter(([, path = '']) => !existsSync(join(folder, file, '..', path)))
        .filter(([, path = '']) => /\/(?:infra|check|plan|stacks|rules|terraform|bicep)\b/.test(path))
        .map(([line]) => `${file}: ${line}`),
    );
    expect(imports).toEqual([]);
    // Nothing is left that only the other has used.
    expect(beginnings(folder)).toEqual(before);
    // What is planted has its place.
    const faults = globSync('test/engines/planted-faults/*.fault', { cwd: folder });
    const lost = faults.filter((fault) => {
      const text = readFileSync(join(folder, fault), 'utf8');
      const [, file = '', from = ''] =
        /^file: (.*)$[\s\S]*^--- from\n([\s\S]*?)\n\+\+\+ to$/m.exec(text) ?? [];
      return !existsSync(join(folder, file)) || !readFileSync(join(folder, file), 'utf8').includes(from);
    });
    expect(faults.length).toBeGreaterThan(50);
    expect(lost).toEqual([]);
    commit();
    expect(keep(kept)).toMatchObject({ status: 0, stdout: `There is only ${kept}: nothing to do.\n` });
    expect(keep(gone)).toMatchObject({ status: 2 });
    expect(status()).toBe('');
  });

  test('refuses what would be mixed with other changes, or leave an environment behind', () => {
    const { folder, commit, status, keep } = copyOfRepository();
    const file = join(folder, 'infra/environments/town.json');
    writeFileSync(
      file,
      JSON.stringify({ profile: 'small', stack: gone, location: 'westeurope', values: {} }),
    );
    const before = status();
    const dirty = keep(kept);
    expect(dirty).toMatchObject({ status: 2, stdout: '' });
    expect(dirty.stderr).toContain('changes that are not committed');
    expect(status()).toBe(before);
    commit();
    const deployed = keep(kept);
    expect(deployed).toMatchObject({ status: 2, stdout: '' });
    expect(deployed.stderr).toContain(`infra/environments/town.json: deployed with ${gone}`);
    expect(status()).toBe('');
  });

  test('changes nothing where a file is no longer as it was', () => {
    const { folder, commit, status, keep } = copyOfRepository();
    const file = join(folder, 'infra/check/rules/index.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/.*(?:terraform|parity|samePlans).*\n/g, ''));
    writeFileSync(join(folder, '.github/workflows/judges.yml'), '');
    commit();
    const { status: code, stderr } = keep(kept);
    expect({ code, status: status() }).toEqual({ code: 1, status: '' });
    expect(stderr).toContain('any longer');
  });
});
