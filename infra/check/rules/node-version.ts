import type { Finding, Project } from '../model.ts';
import { show } from './walk.ts';

interface PackageJson {
  readonly engines: { readonly node: string };
  readonly devDependencies: { readonly node: string };
}

/** Node has one major version: in package.json, .nvmrc, the runtime of the app, and the workflows. */
export function nodeVersion({ files, bicep, terraform }: Project): Finding[] {
  const wanted = (files.get('.nvmrc') ?? '').trim();
  return Object.entries({ ...inPackage(files), ...inStacks({ bicep, terraform }), ...inWorkflows(files) })
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

function inStacks({ bicep, terraform }: Pick<Project, 'bicep' | 'terraform'>) {
  const found = [bicep, terraform].map(({ modules }) => {
    const main = modules['main'];
    return [
      `${main?.file}#node_version`,
      show(main?.parameters['node_version']?.default).replaceAll('"', ''),
    ];
  });
  return Object.fromEntries(found) as Record<string, string>;
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
