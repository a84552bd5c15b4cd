/** Plans of the Terraform stack: `terraform plan` with emulated providers, read by `terraform show -json`. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../command.ts';
import { environmentOf, terraformVersion } from '../terraform/environment.ts';
import { resourceTypes } from '../terraform/facts.ts';
import { type ProviderEmulator, startProviderEmulator } from '../terraform/provider.ts';
import { inAzure } from './azure-form.ts';
import type { Data } from './data.ts';
import { hashIn, withOneSuffix } from './ids.ts';
import { clean, normalized, type Plan, type PlannedResource, type Question } from './plan.ts';
import { computedOnce, emulatorDigest, filesOf, workFolder } from './work-folder.ts';

type Files = ReadonlyMap<string, string>;
type Values = Readonly<Record<string, Data>>;

/** One module of a plan as Terraform writes it. */
interface PlannedModule {
  readonly resources?: readonly { readonly mode: string; readonly type: string; readonly values: Values }[];
  readonly child_modules?: readonly PlannedModule[];
}

let emulator: Promise<ProviderEmulator> | undefined;
const initialized = new Map<string, Promise<string>>();
let users = 0;
let count = 0;
let versionFound: Promise<string> | undefined;

/** Plans a configuration (`infra/terraform`) with values for its variables. Throws an error with Terraform's words. */
export async function planTerraform(files: Files, folder: string, values: Values): Promise<Plan> {
  versionFound ??= terraformVersion();
  const version = await versionFound;
  const stackFiles = filesOf('terraform', files);
  const text = await computedOnce(stackFiles, [version, emulatorDigest(), folder, values], () =>
    planned(workFolder(stackFiles), folder, values),
  );
  const { refused, planned_values: plan } = JSON.parse(withOneSuffix(text)) as {
    refused?: string;
    planned_values: { root_module: PlannedModule; outputs?: Record<string, { value?: Data }> };
  };
  if (refused !== undefined) throw new Error(refused);
  const resources = [...resourcesIn(plan.root_module)];
  const outputs = Object.entries(plan.outputs ?? {}).map(([name, { value = null }]) => [name, value]);
  return normalized(resources, Object.fromEntries(outputs), hashIn(text));
}

/** Plans a set. */
export const planWithTerraform = (files: Files, { template, variables }: Question): Promise<Plan> =>
  planTerraform(files, template === 'main' ? 'infra/terraform' : 'infra/terraform/entra', variables);

async function planned(base: string, folder: string, values: Values): Promise<string> {
  const { reattach } = await sharedEmulator();
  try {
    const environment = environmentOf(reattach, base, folder.replaceAll('/', '-'));
    const place = join(base, folder);
    const run = async (...words: string[]) => {
      const { code, output } = await runTool('terraform', words, { folder: place, environment });
      if (code === 0) return output;
      const reason = output
        .slice(Math.max(0, output.indexOf('Error:')))
        .replaceAll(/[│╷╵]/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
      // A refusal is an answer that the same files and values give again; what else fails may be the machine's.
      if (reason.includes('precondition failed')) return JSON.stringify({ refused: reason });
      throw new Error(reason);
    };
    const before = initialized.get(place) ?? run('init', '-backend=false', '-input=false', '-no-color');
    initialized.set(place, before);
    await before;
    const name = join(base, `set-${++count}`);
    writeFileSync(`${name}.tfvars.json`, JSON.stringify(values));
    const plan = ['-input=false', '-lock=false', '-refresh=false', '-no-color'];
    const said = await run('plan', ...plan, `-var-file=${name}.tfvars.json`, `-out=${name}`);
    return said.startsWith('{"refused"') ? said : await run('show', '-json', name);
  } finally {
    users -= 1;
    if (users === 0) stopEmulator();
  }
}

/** The emulator that all plans share. It ends with the last of them, since it would keep this process alive. */
function sharedEmulator(): Promise<ProviderEmulator> {
  users += 1;
  emulator ??= startProviderEmulator({ labels: true });
  return emulator;
}

function stopEmulator(): void {
  void emulator?.then(({ stop }) => stop());
  emulator = undefined;
}

function* resourcesIn(module: PlannedModule): Generator<PlannedResource> {
  for (const { mode, type, values } of module.resources ?? [])
    if (mode === 'managed') yield inAzure(type, given(type, values));
  for (const child of module.child_modules ?? []) yield* resourcesIn(child);
}

/** The values without those that are only read back: attributes of the resource, and of its blocks. */
function given(type: string, values: Values): Values {
  const { computed = [], blocks = {} } = resourceTypes[type] ?? {};
  const readBackIn = (block: string) =>
    Object.entries(blocks[block] ?? {}).flatMap(([name, argument]) => (argument.computed ? [name] : []));
  const written = (value: Data, readBack: readonly string[]): Data => {
    if (Array.isArray(value)) return value.map((item) => written(item, readBack));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([name]) => !readBack.includes(name));
    return Object.fromEntries(entries.map(([name, inner]) => [name, written(inner, readBackIn(name))]));
  };
  return clean(written({ ...values }, computed)) as Values;
}
