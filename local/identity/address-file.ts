/** `identity.json` in the state folder: where the local issuer listens, for `npm run token` and for the next start. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where an issuer listens and whose tokens it issues. */
export interface IssuerAddress {
  readonly address: string;
  readonly tenantId: string;
  readonly clientId: string;
  /** Id of its signing key: tells it from another issuer that has taken its port. */
  readonly keyId: string;
}

/** Returns the folder, below the project, that holds the file: that of the state, and one of its own when no state is kept. */
export function addressFolder(localState: string | undefined): string {
  if (localState === 'memory') return join('.local', 'memory');
  return localState || '.local';
}

/** Returns what the last start wrote; undefined when there was none. */
export function readIssuerAddress(folder: string): IssuerAddress | undefined {
  return existsSync(fileIn(folder)) ? JSON.parse(readFileSync(fileIn(folder), 'utf8')) : undefined;
}

export function writeIssuerAddress(
  folder: string,
  { address, tenantId, clientId, keyId }: IssuerAddress,
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), `${JSON.stringify({ address, tenantId, clientId, keyId }, null, 2)}\n`);
}

function fileIn(folder: string): string {
  return join(folder, 'identity.json');
}
