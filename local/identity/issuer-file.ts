/** `identity.json` in the state folder: where the local issuer listens, for `npm run token` and for the next start. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where an issuer listens and whose tokens it issues. */
export interface IssuerFile {
  readonly url: string;
  readonly tenantId: string;
  readonly clientId: string;
  /** Id of its signing key: tells it from another issuer that has taken its port. */
  readonly keyId: string;
}

/** Returns the folder, below the project, that holds the file: that of the state, and a separate one without state. */
export function issuerFolder(localState: string | undefined): string {
  if (localState === 'memory') return join('.local', 'memory');
  return localState || '.local';
}

/** Returns what the last start wrote; undefined when there was none, or one of a version that wrote no URL. */
export function readIssuerFile(folder: string): IssuerFile | undefined {
  if (!existsSync(fileIn(folder))) return undefined;
  const file = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Partial<IssuerFile>;
  return file.url === undefined ? undefined : (file as IssuerFile);
}

export function writeIssuerFile(folder: string, { url, tenantId, clientId, keyId }: IssuerFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), `${JSON.stringify({ url, tenantId, clientId, keyId }, null, 2)}\n`);
}

function fileIn(folder: string): string {
  return join(folder, 'identity.json');
}
