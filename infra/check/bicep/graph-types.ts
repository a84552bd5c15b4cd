/** A description of the Graph extension for machines that do not reach its registry: three types whose properties are open. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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

/** Writes the extension into a folder and returns its file name: an archive of an archive with two files of JSON. */
export function writeGraphTypes(folder: string): string {
  const json = (content: object) => Buffer.from(JSON.stringify(content));
  const inner = archive({ 'index.json': json(index), 'types.json': json(definitions) });
  writeFileSync(join(folder, 'graph.tgz'), archive({ 'types.tgz': inner }));
  return 'graph.tgz';
}

/** A gzipped tar. */
function archive(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => tarEntry(name, content));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

function tarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(content.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\0 `,
    148,
  );
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
