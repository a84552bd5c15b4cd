import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { alice, clientId, startIssuer, tenantId } from '../../../test/support/issuer.ts';
import { newFolder } from '../../../test/support/temporary-folder.ts';

test('tokens outlive a restart: key and address are kept in the folder', async () => {
  const folder = newFolder();
  const first = await startIssuer({ folder });
  const token = first.issueToken(alice);
  await first.stop();
  const second = await startIssuer({ folder });
  expect(second.url).toBe(first.url);
  const reply = await fetch(`${second.url}/${tenantId}/discovery/v2.0/keys`);
  const { keys } = (await reply.json()) as { readonly keys: readonly JsonWebKey[] };
  const [key] = keys.map((jwk) => createPublicKey({ key: jwk, format: 'jwk' }));
  expect(jwt.verify(token, key ?? '', { algorithms: ['RS256'] })).toMatchObject(alice);
  expect(JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8'))).toEqual({
    url: first.url,
    tenantId,
    clientId,
    keyId: second.keyRing.current().keyId,
  });
});
