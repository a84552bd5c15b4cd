/** A description of the Graph extension for machines that do not reach its registry: three types whose properties are open. */

import { join } from 'node:path';
import { runTool } from '../command.ts';
import { workFolder } from '../plan/work-folder.ts';
import { bicepEnvironment } from './compiler.ts';

const types = ['applications', 'servicePrincipals', 'appRoleAssignedTo'].map(
  (name) => `Microsoft.Graph/${name}@v1.0`,
);
const everywhere = { readableScopes: 31, writableScopes: 31 };
const index = {
  resources: Object.fromEntries(types.map((name, at) => [name, { $ref: `types.json#/${at + 3}` }])),
  resourceFunctions: {},
  settings: { name: 'MicrosoftGraph', version: '1.0.0', isSingleton: false },
};
const definitions = [
  { $type: 'AnyType' },
  { $type: 'StringType' },
  {
    $type: 'ObjectType',
    name: 'body',
    properties: {
      id: { type: { $ref: '#/1' }, flags: 2 },
      appId: { type: { $ref: '#/1' }, flags: 0 },
      uniqueName: { type: { $ref: '#/1' }, flags: 0 },
    },
    additionalProperties: { $ref: '#/0' },
  },
  ...types.map((name) => ({ $type: 'ResourceType', name, body: { $ref: '#/2' }, ...everywhere })),
];

let published: Promise<string> | undefined;

/** Publishes the extension once, and returns the path of its file. */
export function publishGraphTypes(bicep: string): Promise<string> {
  published ??= publish(bicep);
  return published;
}

async function publish(bicep: string): Promise<string> {
  const files = { 'index.json': JSON.stringify(index), 'types.json': JSON.stringify(definitions) };
  const folder = workFolder(new Map(Object.entries(files)));
  const words = ['publish-extension', 'index.json', '--target', './graph.tgz'];
  const { code, output } = await runTool(bicep, words, { folder, environment: bicepEnvironment });
  if (code !== 0) throw new Error(output);
  return join(folder, 'graph.tgz');
}
