/** The files by which the commands beside a start find it: `npm run token`, `npm run sql`, `npm run migrate` and `npm run calendar`. */

import { join } from 'node:path';
import {
  clientId,
  type Identity,
  issuerFolder,
  type Running,
  tenantId,
  writeIssuerFile,
  writeRunning,
} from '../../local/index.ts';

/** Writes the files into the state folder, or into the folder of starts without state. */
export function announce(
  root: string,
  folder: string | undefined,
  { identity, ...running }: Pick<Running, 'url' | 'settings'> & { readonly identity: Identity },
): void {
  const memory = join(root, issuerFolder('memory'));
  if (folder === undefined) {
    const { keyId } = identity.keyRing.current();
    writeIssuerFile(memory, { url: identity.url, tenantId, clientId, keyId });
  }
  writeRunning(folder ?? memory, running);
}
