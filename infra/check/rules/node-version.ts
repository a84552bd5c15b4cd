import type { Finding, Project } from '../model.ts';

/** Where the major version of Node stands, by file: what is before it, and the version. */
const places: Readonly<Record<string, readonly RegExp[]>> = {
  'package.json': [/"(engines": \{\s*"node)": "\D*(\d+)/, /"(devDependencies": \{[^}]*"node)": "\D*(\d+)/],
  'infra/bicep/main.bicep': [/param (nodeVersion) string = '(\d+)'/],
  'infra/terraform/variables.tf': [/variable "(node_version)" \{[^}]*?default\s*= "(\d+)"/],
};

/** Node has one major version: in package.json, .nvmrc, the runtime of the app, and the workflows. */
export function nodeVersion({ files }: Project): Finding[] {
  const wanted = (files.get('.nvmrc') ?? '').trim();
  const written = Object.entries(places).flatMap(([file, patterns]) =>
    patterns.map((pattern) => [file, pattern.exec(files.get(file) ?? '')?.[2] ?? 'missing'] as const),
  );
  const inWorkflows = [...files].flatMap(([file, text]) =>
    file.startsWith('.github/workflows/')
      ? [...text.matchAll(/node-version: *['"]?(\d+)/g)].map(([, found = '']) => [file, found] as const)
      : [],
  );
  return [...written, ...inWorkflows]
    .filter(([, found]) => found !== wanted)
    .map(([file, found]) => ({ file, message: `the version of Node is ${found}; .nvmrc has ${wanted}` }));
}
