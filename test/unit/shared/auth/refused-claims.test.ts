import { describe, expect, test } from 'vitest';
import {
  alice,
  claimsIn,
  clientId,
  forge,
  honestHeader,
  issuerOfFile,
  tenantId,
} from '../../../support/issuer.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';
import { verifierFor } from '../../../support/token-verifier.ts';

const fileIssuer = issuerOfFile();
const now = Math.floor(Date.now() / 1000);

describe('claims that are refused', () => {
  const email = 'the e-mail claim of the token is not one plain address';
  const notWhole = (name: string) => `the claim ${name} of the token is missing or not a whole number`;
  const signature = 'the token is not valid';
  const audience = 'the audience of the token is not accepted';
  const issuerReason = 'the issuer of the token is not accepted';
  const tenant = 'the tenant of the token is not accepted';
  const version = 'the version of the token is not accepted';
  const cases: [Record<string, unknown>, string][] = [
    [{ exp: undefined }, notWhole('exp')],
    [{ exp: `${now + 100}` }, signature],
    [{ exp: null }, signature],
    [{ exp: 1e308 }, notWhole('exp')],
    [{ exp: now + 100.5 }, notWhole('exp')],
    [{ nbf: undefined }, notWhole('nbf')],
    [{ nbf: `${now}` }, signature],
    [{ nbf: -1 }, notWhole('nbf')],
    [{ nbf: now + 120 }, 'the token is not valid yet'],
    [{ iat: undefined }, notWhole('iat')],
    [{ iat: `${now}` }, notWhole('iat')],
    [{ iat: [now] }, notWhole('iat')],
    [{ iat: now + 120 }, 'the token was issued in the future'],
    [{ aud: undefined }, audience],
    [{ aud: 'https://elsewhere.example' }, audience],
    [{ aud: clientId.toUpperCase() }, audience],
    [{ aud: clientId.slice(0, -1) }, audience],
    [{ aud: `${clientId}/` }, audience],
    [{ aud: `api://${clientId}/` }, audience],
    [{ aud: { [clientId]: clientId } }, audience],
    [{ aud: 5 }, audience],
    [{ aud: [[clientId]] }, audience],
    [{ aud: [] }, audience],
    [{ iss: undefined }, issuerReason],
    [{ iss: 'https://elsewhere.example' }, issuerReason],
    [{ iss: ['https://elsewhere.example'] }, issuerReason],
    [{ tid: undefined }, tenant],
    [{ tid: '99999999-2222-4333-8444-555555555555' }, tenant],
    [{ tid: 'example.org' }, tenant],
    [{ tid: [tenantId] }, tenant],
    [{ ver: undefined }, version],
    [{ ver: 2 }, version],
    [{ ver: '3.0' }, version],
    [{ ver: ['2.0'] }, version],
    [{ email: ['alice@example.org'] }, email],
    [{ email: { address: 'alice@example.org' } }, email],
    [{ email: 7 }, email],
    [{ email: null }, email],
    [{ email: '' }, email],
    [{ email: ' alice@example.org' }, email],
    [{ email: 'alice@example.org ' }, email],
    [{ email: 'alice@example.org\u0000' }, email],
    [{ email: 'alice\n@example.org' }, email],
    [{ email: `${'a'.repeat(243)}@example.org` }, email],
    ...[false, 0, '0', 'false', 'TRUE', 'yes', '', null, 2, -1, [true], {}].map(
      (xms_edov): [Record<string, unknown>, string] => [
        { xms_edov },
        'the e-mail claim of the token is not verified',
      ],
    ),
    [{ roles: 'Calendar.Editor' }, 'the roles of the token are not a list of names'],
    [{ roles: [1] }, 'the roles of the token are not a list of names'],
    [{ oid: undefined, sub: undefined }, 'the token does not say whom it was issued for'],
  ];
  test('are named in the refusal', async () => {
    for (const [claims, reason] of cases) {
      const issuer = fileIssuer();
      const honest = claimsIn(issuer.issueToken(alice));
      const token = forge(issuer, honestHeader(issuer), JSON.stringify({ ...honest, ...claims }));
      expect(await refusalOf(verifierFor(issuer)(token)), JSON.stringify(claims)).toEqual(
        invalidToken(reason),
      );
    }
  });

  test('an expired token, with a code of its own', async () => {
    const issuer = fileIssuer();
    const token = issuer.issueToken({ ...alice, exp: now - 70 });
    expect(await refusalOf(verifierFor(issuer)(token))).toEqual(
      invalidToken('the token has expired', 'token-expired'),
    );
  });

  test('forms of the issuer that are close to the right one', async () => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer);
    const { iss } = claimsIn(issuer.issueToken(alice)) as { iss: string };
    const close = [`${iss}/`, iss.toUpperCase(), [iss], iss.replace('/v2.0', '/'), `${iss} `];
    const answers = close.map((value) => refusalOf(verify(issuer.issueToken({ ...alice, iss: value }))));
    expect(await Promise.all(answers)).toEqual(close.map(() => invalidToken(issuerReason)));
  });

  test('a version that is not that of the issuer', async () => {
    const issuer = fileIssuer();
    const { iss } = claimsIn(issuer.issueToken({ ver: '1.0' }));
    const token = issuer.issueToken({ ...alice, iss, ver: '2.0' });
    expect(await refusalOf(verifierFor(issuer)(token))).toEqual(invalidToken(issuerReason));
  });
});
