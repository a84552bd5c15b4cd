import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startIdentity } from '../../../../local/identity/start.ts';
import {
  alice,
  aliceAsCaller,
  claimsIn,
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

test('another port is taken when that of the last start is in use', async () => {
  const folder = newFolder();
  const first = await startIssuer({ folder });
  const second = await startIssuer({ folder });
  expect(second.url).not.toBe(first.url);
});

test('a port that was asked for and is in use is an error', async () => {
  const { url } = await startIssuer();
  const port = Number(new URL(url).port);
  await expect(startIdentity({ port, tenantId, clientId, users: [] })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

test('issueToken() puts claims over those of a user, an application, or version 1.0', async () => {
  const issuer = await startIssuer();
  expect(
    claimsIn(issuer.issueToken({ email: 'x@example.org', roles: ['A'], name: undefined, more: 1 })),
  ).toMatchObject({ email: 'x@example.org', roles: ['A'], more: 1, ver: '2.0' });
  expect(claimsIn(issuer.issueToken({ name: undefined }))).not.toHaveProperty('name');
  expect(claimsIn(issuer.issueToken({ idtyp: 'app' }))).not.toHaveProperty('email');
  expect(claimsIn(issuer.issueToken({ ver: '1.0' }))).toMatchObject({
    ver: '1.0',
    iss: `${issuer.url}/${tenantId}/`,
  });
});
