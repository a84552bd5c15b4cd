/** The Terraform stack, from its files. */

import { basename, dirname } from 'node:path';
import { isObject, type Module, type Stack, type Value } from '../model.ts';
import { readTerraformModule } from './module.ts';
import { parseHcl } from './syntax.ts';

const folder = 'infra/terraform';

/** Reads infra/terraform. Throws an error that names the file that cannot be read. */
export async function readTerraformStack(files: ReadonlyMap<string, string>): Promise<Stack> {
  const modules: Record<string, Module> = {};
  const profiles: Record<string, Readonly<Record<string, Value>>> = {};
  const folders = Map.groupBy(
    [...files].filter(([file]) => file.startsWith(`${folder}/`) && file.endsWith('.tf')),
    ([file]) => dirname(file),
  );
  for (const [path, entries] of folders) {
    modules[path === folder ? 'main' : basename(path)] = await readTerraformModule(new Map(entries));
  }
  for (const [file, text] of files) {
    if (!file.startsWith(`${folder}/env/`)) continue;
    const values = await parseHcl(file, text);
    if (isObject(values)) profiles[basename(file, '.tfvars')] = values;
  }
  return { name: 'terraform', modules, profiles };
}
