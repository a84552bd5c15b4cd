import type { Finding, Project } from '../model.ts';

interface PackageJson {
  readonly engines: { readonly node: string };
  readonly devDependencies: { readonly node: string };
}

/** Node has one major version: in package.json, .nvmrc, the runtime of the app, and the workflows. */
export function nodeVersion({ files }: Project): Finding[] {
  const wanted = (files.get('.nvmrc') ?? '').trim();
  return Object.entries({ ...inPackage(files), ...inStacks(files), ...inWorkflows(files) })
    .filter(([, found]) => found !== wanted)
    .map(([place, found]) => {
      const [file = '', what = ''] = place.split('#');
      return { file, message: `${what} is ${found}; .nvmrc has ${wanted}` };
    });
}

function inPackage(files: ReadonlyMap<string, string>) {
  const { engines, devDependencies } = JSON.parse(files.get('package.json') ?? '{}') as PackageJson;
  return {
    'package.json#engines.node': major(engines.node),
    'package.json#devDependencies.node': major(devDependencies.node),
  };
}

function inStacks(files: ReadonlyMap<string, string>) {
  const [bicep, terraform] = ['infra/bicep/main.bicep', 'infra/terraform/variables.tf'];
  const variable = /variable "node_version" \{[^}]*?default\s*= "(\d+)"/;
  return {
    [`${bicep}#nodeVersion`]:
      /param nodeVersion string = '(\d+)'/.exec(files.get(bicep) ?? '')?.[1] ?? 'missing',
    [`${terraform}#node_version`]: variable.exec(files.get(terraform) ?? '')?.[1] ?? 'missing',
  };
}

/** `node-version: 24`, or a file that it is read from. */
function inWorkflows(files: ReadonlyMap<string, string>): Record<string, string> {
  const workflows = [...files].filter(([file]) => file.startsWith('.github/workflows/'));
  const found = workflows.flatMap(([file, text]) =>
    [...text.matchAll(/node-version: *['"]?([\d.]+)/g)].map(([, version = '']) => [
      `${file}#node-version`,
      major(version),
    ]),
  );
  return Object.fromEntries(found) as Record<string, string>;
}

const major = (range: string) => /\d+/.exec(range)?.[0] ?? range;
