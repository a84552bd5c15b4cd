/** Plans of the Terraform stack: `terraform plan` with emulated providers, read by `terraform show -json`. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../command.ts';
import { root } from '../root.ts';
import { environmentOf, isRecent } from '../terraform/environment.ts';
import { resourceTypes } from '../terraform/facts.ts';
import { type ProviderEmulator, startProviderEmulator } from '../terraform/provider.ts';
import { toArm } from './arm.ts';
import type { Data } from './data.ts';
import { withOneSuffix } from './ids.ts';
import { normalized, type Plan, type PlannedResource, ToolMissing } from './plan.ts';
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
let [users, count] = [0, 0];

/** Plans a configuration (`infra/terraform`) with values for its variables. Throws an error with Terraform's words. */
export async function planTerraform(files: Files, folder: string, values: Values): Promise<Plan> {
  const version = await terraformVersion();
  const stackFiles = filesOf('terraform', files);
  const text = await computedOnce(stackFiles, [version, emulatorDigest(), folder, values], () =>
    planned(workFolder(stackFiles), folder, values),
  );
  const { planned_values: plan } = JSON.parse(withOneSuffix(text)) as {
    planned_values: { root_module: PlannedModule; outputs?: Record<string, { value?: Data }> };
  };
  const resources = [...resourcesIn(plan.root_module)];
  const outputs = Object.entries(plan.outputs ?? {}).map(([name, { value = null }]) => [name, value]);
  return normalized(resources, Object.fromEntries(outputs));
}

let terraformSays: Promise<string> | undefined;

async function terraformVersion(): Promise<string> {
  terraformSays ??= runTool('terraform', ['version', '-json'], { folder: root }).then(({ code, output }) =>
    code === 0 && isRecent(output) ? output : '',
  );
  const output = await terraformSays;
  if (output === '') throw new ToolMissing('no terraform 1.9 or later on the PATH');
  return /"terraform_version": *"([^"]+)"/.exec(output)?.[1] ?? '';
}

async function planned(base: string, folder: string, values: Values): Promise<string> {
  const { reattach } = await sharedEmulator();
  try {
    const environment = environmentOf(reattach, base, folder.replaceAll('/', '-'));
    const place = join(base, folder);
    const run = async (...words: string[]) => {
      const { code, output } = await runTool('terraform', words, { folder: place, environment });
      if (code === 0) return output;
      const reason = output.slice(Math.max(0, output.indexOf('Error:')));
      throw new Error(reason.replaceAll(/[│╷╵]/g, '').replaceAll(/\s+/g, ' ').trim());
    };
    const before = initialized.get(place) ?? run('init', '-backend=false', '-input=false', '-no-color');
    initialized.set(place, before);
    await before;
    const name = join(base, `set-${++count}`);
    writeFileSync(`${name}.tfvars.json`, JSON.stringify(values));
    const plan = ['-input=false', '-lock=false', '-refresh=false', '-no-color'];
    await run('plan', ...plan, `-var-file=${name}.tfvars.json`, `-out=${name}`);
    return await run('show', '-json', name);
  } finally {
    users -= 1;
    if (users === 0) stopEmulator();
  }
}

/** The emulator that plans share; it ends with the last of them, since it would keep this process from ending. */
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
    if (mode === 'managed') yield* toArm(type, given(type, values));
  for (const child of module.child_modules ?? []) yield* resourcesIn(child);
}

/** The values without those that are only read back, and without what is empty. */
function given(type: string, values: Values): Values {
  const { computed = [], blocks = {} } = resourceTypes[type] ?? {};
  const written = Object.entries(values).filter(([name]) => !computed.includes(name));
  return full(
    Object.fromEntries(
      written.map(([name, value]) => {
        const readBack = Object.entries(blocks[name] ?? {}).filter(([, argument]) => argument.computed);
        const without = (item: Data) =>
          Object.fromEntries(
            Object.entries(item as Values).filter(([name]) => !readBack.some(([other]) => other === name)),
          );
        return [name, readBack.length > 0 && Array.isArray(value) ? value.map(without) : value];
      }),
    ),
  ) as Values;
}

/** A value without nulls and empty lists, which stand for arguments that are not given. */
function full(value: Data): Data {
  if (Array.isArray(value)) return value.map(full);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).filter(
    ([, item]) => item !== null && !(Array.isArray(item) && item.length === 0),
  );
  return Object.fromEntries(inner.map(([name, item]) => [name, full(item)]));
}
