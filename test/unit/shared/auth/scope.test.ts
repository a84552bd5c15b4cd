/** The scope that tells an access token from an ID token (REQUIRE_SCOPE). */

import { describe, expect, test } from 'vitest';
import { alice, issuerOfFile } from '../../../support/issuer.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';
import { aliceAsCaller, verifierFor } from '../../../support/token-verifier.ts';

const issuer = issuerOfFile();
const refusal = invalidToken('the token does not carry the scope of this API');

describe('with REQUIRE_SCOPE', () => {
  test.each([undefined, '', 'other', 'access_as_users', ['access_as_user']])(
    'the token of a user with the scope %j is refused',
    async (scp) => {
      const verify = verifierFor(issuer(), { REQUIRE_SCOPE: true });
      expect(await refusalOf(verify(issuer().issueToken({ ...alice, scp, idtyp: 'user' })))).toEqual(refusal);
    },
  );

  test.each(['access_as_user', 'other access_as_user'])('one with %j is accepted', async (scp) => {
    const verify = verifierFor(issuer(), { REQUIRE_SCOPE: true });
    expect(await verify(issuer().issueToken({ ...alice, scp }))).toEqual(aliceAsCaller);
  });

  test('an application needs none', async () => {
    const verify = verifierFor(issuer(), { REQUIRE_SCOPE: true });
    const token = issuer().issueToken({ idtyp: 'app', scp: undefined, email: undefined });
    expect(await verify(token)).toMatchObject({ kind: 'application' });
  });
});

test('without REQUIRE_SCOPE a user needs no scope', async () => {
  const verify = verifierFor(issuer(), { REQUIRE_SCOPE: false });
  expect(await verify(issuer().issueToken({ ...alice, scp: undefined }))).toEqual(aliceAsCaller);
});
