/** Layer 3: the Bicep compiler, where there is one: lint and build of both templates and the parameter files. */

import { runTool } from '../command.ts';
import type { LayerResult } from '../layers.ts';
import { root } from '../project.ts';

const templates = ['infra/bicep/main.bicep', 'infra/bicep/entra/main.bicep'];

/** A compiler: the command and the words that come before `lint` and `build`. */
type Compiler = readonly [command: string, ...words: string[]];
const candidates: readonly Compiler[] = [['bicep'], ['az', 'bicep']];

/** Lints and builds, or says that there is no compiler. `folder` is the root of the repository. */
export async function checkBicep(
  folder: string = root,
  compilers: readonly Compiler[] = candidates,
): Promise<LayerResult> {
  const done = 'lint and build';
  const compiler = await firstThatRuns(folder, compilers);
  if (!compiler)
    return { skipped: 'no bicep compiler (bicep, or az with bicep installed)', done, faults: [] };
  const [command, ...words] = compiler;
  const faults = [];
  for (const template of templates)
    for (const action of ['lint', 'build']) {
      const file = words.length > 0 ? ['--file', template] : [template];
      const parameters = [...words, action, ...file, ...(action === 'build' ? ['--stdout'] : [])];
      const { code, output } = await runTool(command, parameters, { folder });
      const complaints = output.split('\n').filter((line) => /\b(Error|Warning) [\w-]+:/.test(line));
      if (code !== 0 || complaints.length > 0)
        faults.push(`${action} ${template}: ${complaints.join('\n') || output}`);
    }
  return { done, faults };
}

async function firstThatRuns(folder: string, compilers: readonly Compiler[]): Promise<Compiler | undefined> {
  for (const compiler of compilers) {
    const [command, ...words] = compiler;
    const { code } = await runTool(command, [...words, words.length > 0 ? 'version' : '--version'], {
      folder,
    });
    if (code === 0) return compiler;
  }
  return undefined;
}
