/** The Terraform stack, from its files. */

import { basename, dirname } from 'node:path';
import type { Module, Stack } from '../model.ts';
import { readTerraformModule } from './module.ts';

const folder = 'infra/terraform';

/** Reads infra/terraform. Throws an error that names the file that cannot be read. */
export async function readTerraformStack(files: ReadonlyMap<string, string>): Promise<Stack> {
  const modules: Record<string, Module> = {};
  const folders = Map.groupBy(
    [...files].filter(([file]) => file.startsWith(`${folder}/`) && file.endsWith('.tf')),
    ([file]) => dirname(file),
  );
  for (const [path, entries] of folders) {
    modules[path === folder ? 'main' : basename(path)] = await readTerraformModule(new Map(entries));
  }
  return { name: 'terraform', modules };
}
