/** The layer of the Bicep compiler: what it has against the templates and their parameter files. Warnings are faults. */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LayerResult } from '../layer-result.ts';
import { bicepFolder, complaints, nextName, withValues } from '../plan/bicep.ts';
import { profileNames, variablesOf } from '../plan/sets.ts';
import { computedOnce, filesOf } from '../plan/work-folder.ts';
import { readFiles } from '../project.ts';
import { bicepCompiler, type Place } from './compiler.ts';

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
  const targets = [
    ...profileNames.map((name) => ['infra/bicep/main.bicepparam', name] as const),
    ['infra/bicep/entra/main.bicepparam', 'dev'] as const,
  ];
  const stackFiles = filesOf('bicep', files);
  const faults = await Promise.all(
    targets.map(async ([file, profile]) => {
      const found = await computedOnce(stackFiles, [compiler.name, 'compile', file, profile], async () => {
        const path = join(bicepFolder(files), dirname(file), `${nextName()}.bicepparam`);
        const environment = variablesOf({ environment: 'dev', profile, values: {} });
        writeFileSync(path, withValues(files.get(file) ?? '', environment, {}));
        return JSON.stringify(await complaints(compiler, path));
      });
      return JSON.parse(found) as string[];
    }),
  );
  const done = `${compiler.name}: the templates with ${profileNames.join(', ')}; entra with a description of the Graph extension in place of the registry's`;
  return { done, faults: [...new Set(faults.flat())] };
}
