/** The files that the rules look at, and what the tools plan from them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { variables } from '../../shared/config/variables.ts';
import type { Project } from './model.ts';
import type { Data } from './plan/data.ts';
import { planNames, planSets } from './plan/sets.ts';
import { root } from './root.ts';

const single = ['package.json', 'scripts/node/package.json', '.nvmrc', 'host.json'];
const folders = ['infra', '.github/workflows'];
const texts = /\.(bicep|bicepparam|csproj|tf|tfvars|hcl|json|xml|yml|md|txt|sh)$/;

/** Reads the texts of infra/ and the few files of the root that must agree with it. */
export function readFiles(): Map<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && texts.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const names = [...single, ...paths.map((path) => relative(root, path).replaceAll(sep, '/'))];
  return new Map(
    names.filter((name) => !/\/(?:\.terraform|node_modules\/)/.test(name)).map((name) => [name, text(name)]),
  );
}

const text = (name: string) => readFileSync(join(root, name), 'utf8');

/** Takes files, and plans both stacks with all sets of parameters or with some. */
export async function readProject(
  files: ReadonlyMap<string, string>,
  {
    settingNames = Object.keys(variables),
    plans: planned = planNames,
  }: { settingNames?: readonly string[]; plans?: readonly string[] } = {},
): Promise<Project> {
  const profiles = readProfiles(files);
  return { files, settingNames, profiles, plans: await planSets(files, profiles, planned) };
}

/** The profiles by name. */
export function readProfiles(files: ReadonlyMap<string, string>): Record<string, Record<string, Data>> {
  return Object.fromEntries(
    [...files].flatMap(([file, content]) => {
      const [, name] = /^infra\/profiles\/(\w+)\.tfvars\.json$/.exec(file) ?? [];
      return name === undefined ? [] : [[name, JSON.parse(content)]];
    }),
  );
}
