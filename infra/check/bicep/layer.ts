/** Layer 3: the Bicep compiler, where there is one: it builds both templates and their parameter files. */

import { runTool } from '../command.ts';
import type { LayerResult } from '../layers.ts';
import { inputs } from '../plan/sets.ts';
import { root } from '../project.ts';

/** What is built: `build` of templates, `build-params` of parameter files, which also compiles the template they are for. */
const targets = [
  { action: 'build', file: 'infra/bicep/main.bicep' },
  { action: 'build', file: 'infra/bicep/entra/main.bicep' },
  { action: 'build-params', file: 'infra/bicep/main.bicepparam', profile: 'dev' },
  { action: 'build-params', file: 'infra/bicep/main.bicepparam', profile: 'prod' },
  { action: 'build-params', file: 'infra/bicep/entra/main.bicepparam' },
] as const;
/** The oldest version that knows every resource type of the templates; with an older one, types are unknown (BCP081). */
const oldest = [0, 45] as const;

/** A compiler: the command and the words that come before `build`. Deployments use the one of the Azure CLI. */
type Compiler = readonly [command: string, ...words: string[]];
const candidates: readonly Compiler[] = [['az', 'bicep'], ['bicep']];

/**
 * Builds, or says that there is no compiler; in a pipeline of GitHub (GITHUB_ACTIONS) that is a fault. `folder` is the root
 * of the repository. Warnings are faults.
 */
export async function checkBicep(
  folder: string = root,
  compilers: readonly Compiler[] = candidates,
  inPipeline = Boolean(process.env['GITHUB_ACTIONS']),
): Promise<LayerResult> {
  const found = await firstThatRuns(folder, compilers);
  const reason = 'no bicep compiler (az with bicep installed, or bicep)';
  if (!found)
    return inPipeline
      ? { done: reason, faults: [`${reason}: az bicep install`] }
      : { skipped: reason, done: 'build', faults: [] };
  const { compiler, version } = found;
  const done = `build and build-params by ${compiler.join(' ')} ${version}`;
  if (isTooOld(version))
    return { done, faults: [`Bicep ${version} is too old: the templates need ${oldest.join('.')} or later`] };
  const faults = [];
  for (const entryPoint of targets) faults.push(...(await build(folder, compiler, entryPoint)));
  return { done, faults: [...new Set(faults)] };
}

async function build(
  folder: string,
  [command, ...words]: Compiler,
  { action, file, ...more }: (typeof targets)[number],
): Promise<string[]> {
  const parameters = [...words, action, ...(words.length > 0 ? ['--file', file] : [file]), '--stdout'];
  const { code, output } = await runTool(command, parameters, { folder, environment: variables(more) });
  const complaints = output.split('\n').filter((line) => /\b(Error|Warning) [\w-]+:/.test(line));
  // Without a way to the registry the Graph extension cannot be read: no fault of the templates.
  if (
    complaints.some((line) => line.includes('BCP192')) &&
    complaints.every((line) => /BCP192|BCP0(?:29|57|81)/.test(line))
  )
    return [];
  // A fault in a module is reported wherever the module is used.
  const found = complaints.filter((line) => !line.includes('BCP104'));
  if (code === 0 && found.length === 0) return [];
  return found.length > 0 ? found : [`${action} ${file}: ${output}`];
}

/** Parameter files read their values from the environment. */
function variables({ profile = 'dev' }: { profile?: string }): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(inputs).map(([variable, [, value]]) => [variable, value])),
    AZURE_ENV_NAME: profile,
    DEPLOYMENT_PROFILE: profile,
  };
}

async function firstThatRuns(
  folder: string,
  compilers: readonly Compiler[],
): Promise<{ compiler: Compiler; version: string } | undefined> {
  for (const compiler of compilers) {
    const [command, ...words] = compiler;
    const { code, output } = await runTool(command, [...words, words.length > 0 ? 'version' : '--version'], {
      folder,
    });
    if (code === 0) return { compiler, version: /\d+\.\d+\.\d+/.exec(output)?.[0] ?? '' };
  }
  return undefined;
}

/** A compiler that does not tell its version is tried. */
function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return version !== '' && major === oldest[0] && minor < oldest[1];
}
