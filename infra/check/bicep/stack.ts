/** The Bicep stack, from its files. */

import { basename } from 'node:path';
import { type Module, type Stack, snakeCase, type Value } from '../model.ts';
import { readBicepModule } from './module.ts';

const folder = 'infra/bicep/';

/** Reads infra/bicep. Throws an error that names the file that cannot be read. */
export async function readBicepStack(files: ReadonlyMap<string, string>): Promise<Stack> {
  const modules: Record<string, Module> = {};
  for (const [file, text] of files)
    if (file.startsWith(folder) && file.endsWith('.bicep'))
      modules[moduleName(file)] = await read(file, text);
  return { name: 'bicep', modules };
}

/** What each parameter file sets, by the file's path. Throws an error that names the file that cannot be read. */
export async function readParameterFiles(
  files: ReadonlyMap<string, string>,
): Promise<Record<string, Readonly<Record<string, Value>>>> {
  const found: Record<string, Readonly<Record<string, Value>>> = {};
  for (const [file, text] of files) {
    if (!file.startsWith(folder) || !file.endsWith('.bicepparam')) continue;
    const parameters = [...text.matchAll(/^param (\w+)/gm)].map(([, name = '']) => snakeCase(name));
    const { locals } = await read(file, text);
    found[file] = Object.fromEntries(parameters.map((name) => [name, locals[name] ?? null]));
  }
  return found;
}

function moduleName(file: string): string {
  return file === `${folder}entra/main.bicep` ? 'entra' : basename(file, '.bicep');
}

async function read(file: string, text: string): Promise<Module> {
  try {
    return await readBicepModule(file, text);
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
