/** The Terraform stack, from its files. */

import { basename, dirname } from 'node:path';
import type { Module, Stack } from '../model.ts';
import { keyOfTexts } from '../text-key.ts';
import { readTerraformModule } from './module.ts';

const folder = 'infra/terraform';

/** What was read before, by the texts of its files. */
const read = new Map<string, Promise<Module>>();

/** Reads infra/terraform. Throws an error that names the file that cannot be read. */
export async function readTerraformStack(files: ReadonlyMap<string, string>): Promise<Stack> {
  const modules: Record<string, Module> = {};
  const folders = Map.groupBy(
    [...files].filter(([file]) => file.startsWith(`${folder}/`) && file.endsWith('.tf')),
    ([file]) => dirname(file),
  );
  for (const [path, entries] of folders) {
    const key = keyOfTexts(entries);
    const module = read.get(key) ?? readTerraformModule(new Map(entries));
    read.set(key, module);
    modules[path === folder ? 'main' : basename(path)] = await module;
  }
  return { name: 'terraform', modules };
}
