/** The Bicep stack, from its files. */

import { basename } from 'node:path';
import { type Module, type Stack, snakeCase, type Value } from '../model.ts';
import { readBicepModule } from './module.ts';

const folder = 'infra/bicep/';

/** Reads infra/bicep. Throws an error that names the file that cannot be read. */
export async function readBicepStack(files: ReadonlyMap<string, string>): Promise<Stack> {
  const modules: Record<string, Module> = {};
  const profiles: Record<string, Record<string, Value>> = {};
  for (const [file, text] of files) {
    if (!file.startsWith(folder)) continue;
    if (file.endsWith('.bicep')) modules[moduleName(file)] = await read(file, text);
    else if (file.endsWith('.bicepparam')) profiles[profileName(file)] = (await read(file, text)).locals;
  }
  return { name: 'bicep', modules, profiles };
}

function moduleName(file: string): string {
  return file === `${folder}entra/main.bicep` ? 'entra' : basename(file, '.bicep');
}

/** `dev` and `prod`; the parameter files of the two templates themselves are named after them. */
function profileName(file: string): string {
  return snakeCase(file.slice(folder.length).replace('env/', '').replace('.bicepparam', ''));
}

async function read(file: string, text: string): Promise<Module> {
  try {
    return await readBicepModule(file, text);
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
