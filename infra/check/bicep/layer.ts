/** The layer of the Bicep compiler: its errors and warnings about the templates and their parameter files. */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LayerResult } from '../layer-result.ts';
import { bicepFolder, complaints, hasRegistry, nextName, withValues } from '../plan/bicep.ts';
import { profileNames, variablesOf } from '../plan/sets.ts';
import { computedOnce, filesOf, workFolder } from '../plan/work-folder.ts';
import { readFiles } from '../project.ts';
import { type BicepCompiler, bicepCompiler, type Place } from './compiler.ts';

/** Compiles the parameter files with each profile, or says that there is no compiler; in a pipeline of GitHub that is a fault. */
export async function checkBicep(
  files: ReadonlyMap<string, string> = readFiles(),
  places?: readonly Place[],
  inPipeline = Boolean(process.env['GITHUB_ACTIONS']),
): Promise<LayerResult> {
  const compiler = await bicepCompiler(places);
  if (typeof compiler === 'string') {
    const fault = inPipeline || compiler.includes('too old');
    return fault
      ? { done: 'compile', faults: [compiler] }
      : { skipped: compiler, done: 'compile', faults: [] };
  }
  const main = 'infra/bicep/main.bicepparam';
  const described = await Promise.all([
    ...profileNames.map((profile) => compile(compiler, files, main, profile)),
    compile(compiler, files, entra, 'dev'),
  ]);
  const isReachable = await hasRegistry(files);
  const judged = isReachable
    ? await compile(compiler, files, entra, 'dev', workFolder(filesOf('bicep', files)))
    : [];
  const types = isReachable
    ? "entra with the registry's types"
    : "entra skipped by the registry's types, since it does not answer, and compiled with a description of them";
  const done = `${compiler.name}: the templates with ${profileNames.join(', ')}; ${types}`;
  return { done, faults: [...new Set([...described.flat(), ...judged])] };
}

const entra = 'infra/bicep/entra/main.bicepparam';

/**
 * Returns the errors and warnings of the compiler about a parameter file, in its own folder or in one with a description of the Graph
 * extension.
 */
async function compile(
  compiler: BicepCompiler,
  files: ReadonlyMap<string, string>,
  file: string,
  profile: string,
  folder?: string,
): Promise<string[]> {
  const question = [compiler.name, 'compile', file, profile, folder === undefined];
  const found = await computedOnce(filesOf('bicep', files), question, async () => {
    const place = folder ?? (await bicepFolder(files, compiler));
    const path = join(place, dirname(file), `${nextName()}.bicepparam`);
    const environment = variablesOf({ environment: 'dev', profile, values: {} });
    writeFileSync(path, withValues(files.get(file) ?? '', environment, {}));
    return JSON.stringify(await complaints(compiler, path));
  });
  return JSON.parse(found) as string[];
}
