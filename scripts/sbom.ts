/** Prints what the app is built of, as CycloneDX: the packages that the lock file installs for it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explained, readArguments } from './command-line.ts';

const root = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly devDependencies?: unknown;
  readonly workspaces?: unknown;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly link?: boolean }>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

/**
 * Returns the list of components (npm sbom). It is made of a copy of the manifest and its lock file that has the dependencies of the app
 * alone: `--omit=dev` of npm 11 also leaves out what the app shares with its tests.
 */
function sbom(): string {
  const {
    devDependencies: _development,
    workspaces: _workspaces,
    ...manifest
  } = read('package.json') as Manifest;
  const lock = read('package-lock.json') as Lock;
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  );
  const copy = { ...lock, packages: { ...Object.fromEntries(packages), '': manifest } };
  const temporary = mkdtempSync(join(tmpdir(), 'sbom-'));
  // npm names the whole after its folder.
  const folder = join(temporary, manifest.name);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(copy));
    const parameters = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    return execFileSync('npm', parameters, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    });
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

if (import.meta.main) {
  readArguments({
    command: 'npm run sbom',
    help: `Prints what the app is built of, as the lock file has it: a list of components (SBOM) in CycloneDX.

  npm run --silent sbom > sbom.cdx.json     takes no options`,
  });
  await explained(async () => {
    process.stdout.write(sbom());
  });
}
