/** The list of components of a release: whatever the app is built of is in it. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildInto } from '../../../scripts/build.ts';
import { noticesFile } from '../../../scripts/notices.ts';
import { newFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

/** Packages that only those for development install: the package debug tries them, so that the bundle has them. */
const tried = ['has-flag', 'supports-color'];

test('every package that the notices name is a component, each dependency with its version, and nothing for development is', async () => {
  const built = newFolder();
  await buildInto(built);
  const notices = readFileSync(join(built, noticesFile), 'utf8');
  const named = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+\S*, /gm)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(30);

  const output = execFileSync(process.execPath, ['scripts/sbom.ts'], { cwd: root, encoding: 'utf8' });
  const sbom = JSON.parse(output) as {
    readonly bomFormat: string;
    readonly metadata: { readonly component: { readonly name: string } };
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  const names = new Set(sbom.components.map(({ name }) => name));
  const versions = sbom.components.map(({ name, version }) => `${name}@${version}`);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual(['CycloneDX', 'records-and-calendar']);
  expect(versions).toEqual(
    expect.arrayContaining(Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)),
  );
  expect([...new Set(named)].filter((name) => !names.has(name)).toSorted()).toEqual(tried);
  expect([...names].filter((name) => /^(?:vitest|azurite|typescript)$/.test(name))).toEqual([]);
});
