import { type Parameters, readParameters, readVariables } from '../../deploy/parameters.ts';
import type { Finding, Project } from '../model.ts';

const template = 'infra/bicep/main.bicep';
const ofTerraform = 'infra/terraform/variables.tf';

const defaultIn = (parameters: Parameters) => parameters.get('nodeVersion')?.default;

/** Node has one major version: in package.json, scripts/node/package.json, .nvmrc, the runtime of the app, and the workflows. */
export function nodeVersion({ files }: Project): Finding[] {
  const text = (file: string) => files.get(file) ?? '';
  const wanted = text('.nvmrc').trim();
  const { engines } = JSON.parse(text('package.json') || '{}');
  const { devDependencies } = JSON.parse(text('scripts/node/package.json') || '{}');
  const inWorkflows = [...files].flatMap(([file, content]) =>
    file.startsWith('.github/workflows/')
      ? [...content.matchAll(/node-version: *['"]?(\d+)/g)].map(([, found = '']) => [file, found] as const)
      : [],
  );
  const written: readonly (readonly [file: string, version: unknown])[] = [
    ['package.json', engines?.node],
    ['scripts/node/package.json', devDependencies?.node],
    ...(files.has(template) ? [[template, defaultIn(readParameters(text(template)))] as const] : []),
    ...(files.has(ofTerraform) ? [[ofTerraform, defaultIn(readVariables(text(ofTerraform)))] as const] : []),
    ...inWorkflows,
  ];
  return written
    .map(([file, version]) => [file, /\d+/.exec(String(version))?.[0] ?? 'missing'] as const)
    .filter(([, found]) => found !== wanted)
    .map(([file, found]) => ({ file, message: `the version of Node is ${found}; .nvmrc has ${wanted}` }));
}
