import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  alice,
  aliceAsCaller,
  clientId,
  startIssuer,
  tenantId,
  verifierFor,
} from '../../../support/issuer.ts';
import { newFolder } from '../../../support/temporary-folder.ts';

test('tokens outlive a restart: key and address are kept in the folder', async () => {
  const folder = newFolder();
  const first = await startIssuer({ folder });
  const token = first.issueToken(alice);
  await first.stop();
  const second = await startIssuer({ folder });
  expect(second.url).toBe(first.url);
  expect(await verifierFor(second)(token)).toEqual(aliceAsCaller);
  expect(JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8'))).toEqual({
    url: first.url,
    tenantId,
    clientId,
    keyId: second.keyRing.current().keyId,
  });
});
