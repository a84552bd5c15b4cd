import { describe, expect, test } from 'vitest';
import { type EndpointName, type Identity, openKeyRing } from '../../../../local/index.ts';
import { TokenVerifier } from '../../../../shared/auth/token-verifier.ts';
import { readConfig } from '../../../../shared/config.ts';
import {
  alice,
  claimsIn,
  clientId,
  forge,
  honestHeader,
  honestPayload,
  issuerOfFile,
  segment,
  startIssuer,
  tenantId,
} from '../../../support/issuer.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';
import { aliceAsCaller, settingsFor, verifierFor } from '../../../support/token-verifier.ts';

const fileIssuer = issuerOfFile();
const now = Math.floor(Date.now() / 1000);

describe('a good token gives the caller', () => {
  const cases: [string, (issuer: Identity) => Record<string, unknown>][] = [
    ['version 2.0', () => ({})],
    ['version 1.0 for the client id', () => ({ ver: '1.0' })],
    ['version 1.0 for the application id URI', () => ({ ver: '1.0', aud: `api://${clientId}` })],
    ['several audiences, ours among them', () => ({ aud: ['https://elsewhere.example', clientId] })],
    ['the e-mail in capitals', () => ({ email: 'ALICE@example.org' })],
    ['a clock that is 50 s ahead of ours', () => ({ iat: now + 50, nbf: now + 50 })],
    ['an expiry 50 s ago', () => ({ exp: now - 50 })],
    ['a verified domain', () => ({ xms_edov: true })],
    ['a verified domain, as number', () => ({ xms_edov: 1 })],
    ['a verified domain, as text', () => ({ xms_edov: 'true' })],
    ['a verified domain, as a number in text', () => ({ xms_edov: '1' })],
    ['a claim called __proto__', () => JSON.parse('{ "__proto__": { "roles": ["Calendar.Editor", "x"] } }')],
  ];
  test.each(cases)('%s', async (_name, claims) => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer);
    expect(await verify(issuer.issueToken({ ...alice, ...claims(issuer) }))).toEqual(aliceAsCaller);
  });

  test('without roles, name or e-mail claim', async () => {
    const issuer = fileIssuer();
    const token = issuer.issueToken({ ...alice, roles: undefined, name: undefined, email: undefined });
    const { email: _email, name: _name, ...caller } = { ...aliceAsCaller, roles: [] };
    expect(await verifierFor(issuer)(token)).toEqual(caller);
  });

  test('with an e-mail address of 254 characters', async () => {
    const issuer = fileIssuer();
    const email = `${'a'.repeat(242)}@example.org`;
    expect(await verifierFor(issuer)(issuer.issueToken({ ...alice, email }))).toMatchObject({ email });
  });

  test('with the typ of RFC 9068', async () => {
    const issuer = fileIssuer();
    const token = forge(issuer, { ...honestHeader(issuer), typ: 'at+jwt' }, honestPayload(issuer));
    expect(await verifierFor(issuer)(token)).toEqual(aliceAsCaller);
  });

  test('with the e-mail in another claim, when the settings name it', async () => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer, { AppRegistration__EmailClaim: 'upn' });
    expect(await verify(issuer.issueToken({ ...alice, upn: 'Upn@example.org' }))).toMatchObject({
      email: 'upn@example.org',
    });
  });

  test('when the settings write the tenant in capitals', async () => {
    const issuer = fileIssuer();
    const { AppRegistration__TenantId } = readConfig({ AppRegistration__TenantId: tenantId.toUpperCase() });
    const verify = verifierFor(issuer, { AppRegistration__TenantId });
    expect(await verify(issuer.issueToken(alice))).toEqual(aliceAsCaller);
  });

  test('with the id by which the issuer has the token in its logs', async () => {
    const issuer = fileIssuer();
    const tokenIdOf = async (claims: object) =>
      (await verifierFor(issuer)(issuer.issueToken({ ...alice, ...claims }))).tokenId;
    expect(await tokenIdOf({ uti: 'of-entra', jti: 'of-others' })).toBe('of-entra');
    expect(await tokenIdOf({ uti: '', jti: 'of-others' })).toBe('of-others');
  });

  test('with a further audience, when the settings name it', async () => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer, { AppRegistration__Audiences: ['https://api.example.org'] });
    expect(await verify(issuer.issueToken({ ...alice, aud: 'https://api.example.org' }))).toEqual(
      aliceAsCaller,
    );
  });

  test('at an Authority for many tenants, narrowed to the tenant', async () => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer, { AppRegistration__Authority: `${issuer.url}/common/v2.0` });
    expect(await verify(issuer.issueToken(alice))).toEqual(aliceAsCaller);
  });
});

describe('an app-only token gives an application', () => {
  test.each([
    ['idtyp says so', { idtyp: 'app', roles: ['Service.Access'] }],
    ['no claim speaks of a user', { idtyp: 'app', roles: ['Service.Access'], strip: true }],
    ['version 1.0', { idtyp: 'app', ver: '1.0', roles: ['Service.Access'] }],
    ['an e-mail in it is not used', { idtyp: 'app', roles: ['Service.Access'], email: 'alice@example.org' }],
  ])('%s', async (_name, { strip, ...claims }: Record<string, unknown>) => {
    const issuer = fileIssuer();
    const honest = claimsIn(issuer.issueToken({ ...claims, uti: 'token', oid: 'app', sub: 'app' }));
    const { idtyp: _idtyp, ...withoutType } = honest;
    const token = forge(issuer, honestHeader(issuer), JSON.stringify(strip ? withoutType : honest));
    expect(await verifierFor(issuer)(token)).toEqual({
      kind: 'application',
      roles: ['Service.Access'],
      objectId: 'app',
      tenantId,
      tokenId: 'token',
    });
  });

  test.each([
    { scp: 'access_as_user' },
    { upn: 'a@example.org' },
    { preferred_username: 'a@example.org' },
    { email: 'a@example.org' },
    { sub: 'another' },
    { idtyp: 'user' },
    { idtyp: 'device' },
  ])('but not with %j', async (sign) => {
    const issuer = fileIssuer();
    const { idtyp: _idtyp, ...honest } = claimsIn(issuer.issueToken({ idtyp: 'app', oid: 'o', sub: 'o' }));
    const token = forge(issuer, honestHeader(issuer), JSON.stringify({ ...honest, ...sign }));
    expect(await verifierFor(issuer)(token)).toMatchObject({ kind: 'user' });
  });
});

/** An issuer and its verifier on one clock, and a way to have the keys loaded again: a token of an unknown key. */
async function issuerWithClock() {
  let time = Date.now();
  const issuer = await startIssuer({ now: () => time });
  const verify = verifierFor(issuer, {}, { now: () => time });
  return {
    issuer,
    verify,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    reload: () =>
      refusalOf(verify(forge(issuer, { ...honestHeader(issuer), kid: 'unknown' }, honestPayload(issuer)))),
  };
}

/** Lets an endpoint of the issuer answer another document. */
function publish(issuer: Identity, name: EndpointName, document: unknown): void {
  issuer.intercept = (endpoint, _request, response) => {
    if (endpoint === name) response.end(JSON.stringify(document));
    return endpoint === name;
  };
}

describe('a verified token is remembered', () => {
  test('until it expires, without asking the issuer again', async () => {
    let time = Date.now();
    const issuer = await startIssuer();
    const verify = verifierFor(issuer, {}, { now: () => time });
    const token = issuer.issueToken(alice);
    const first = await verify(token);
    expect(await verify(token)).toBe(first);
    time += 3 * 60 * 60 * 1000;
    expect(await refusalOf(verify(token))).toEqual(invalidToken('the token has expired', 'token-expired'));
    expect(issuer.requests).toMatchObject({ metadata: 1, keys: 1 });
  });

  test('for the minute by which clocks may differ, and no longer', async () => {
    let time = Date.parse('2026-11-21T10:00:00Z');
    const issuer = await startIssuer({ now: () => time });
    const verify = verifierFor(issuer, {}, { now: () => time });
    const token = issuer.issueToken({ ...alice, exp: time / 1000 + 600 });
    const first = await verify(token);
    time += 659_000;
    expect(await verify(token)).toBe(first);
    time += 1_000;
    expect(await refusalOf(verify(token))).toEqual(invalidToken('the token has expired', 'token-expired'));
  });

  test('only while its issuer is the same', async () => {
    const { issuer, verify, reload } = await issuerWithClock();
    const token = issuer.issueToken(alice);
    expect(await verify(token)).toEqual(aliceAsCaller);
    publish(issuer, 'metadata', {
      issuer: issuer.authority.replace(issuer.url, 'https://login.example'),
      jwks_uri: `${issuer.url}/${tenantId}/discovery/v2.0/keys`,
    });
    await reload();
    expect(await refusalOf(verify(token))).toEqual(invalidToken('the issuer of the token is not accepted'));
  });

  test('by all of its text: another signature under the same claims is refused', async () => {
    const issuer = await startIssuer();
    const verify = verifierFor(issuer);
    const token = issuer.issueToken(alice);
    await verify(token);
    const changed = token.replace(/\.[^.]+$/, `.${segment('x'.repeat(256))}`);
    expect(await refusalOf(verify(changed))).toEqual(invalidToken('the signature of the token is not valid'));
  });

  test('no longer than its key is published', async () => {
    const issuer = await startIssuer();
    const verify = verifierFor(issuer);
    const withdrawn = issuer.issueToken(alice);
    await verify(withdrawn);
    issuer.keyRing.rotate({ withdraw: true });
    await verify(issuer.issueToken(alice));
    expect(await refusalOf(verify(withdrawn))).toEqual(
      invalidToken('the token is signed with an unknown key'),
    );
  });
});

describe('a refused token', () => {
  test('is refused again, and accepted once its time has come', async () => {
    let time = Date.now();
    const issuer = fileIssuer();
    const verify = verifierFor(issuer, {}, { now: () => time });
    const token = issuer.issueToken({ ...alice, nbf: Math.floor(time / 1000) + 70 });
    const answers = [await refusalOf(verify(token)), await refusalOf(verify(token))];
    expect(answers).toEqual([
      invalidToken('the token is not valid yet'),
      invalidToken('the token is not valid yet'),
    ]);
    time += 11_000;
    expect(await verify(token)).toEqual(aliceAsCaller);
  });

  test('is refused for ten seconds without being looked at again', async () => {
    const { issuer, verify, wait } = await issuerWithClock();
    const token = issuer.issueToken({ ...alice, nbf: Math.floor(Date.now() / 1000) + 62 });
    await refusalOf(verify(token));
    wait(9_999);
    expect(await refusalOf(verify(token))).toEqual(invalidToken('the token is not valid yet'));
    wait(1);
    expect(await verify(token)).toEqual(aliceAsCaller);
  });

  test('is one of 1,000 that are refused without being looked at again', async () => {
    for (const [otherCount, answer] of [
      [999, invalidToken('the token is not valid yet')],
      [1_000, { accepted: aliceAsCaller }],
    ] as const) {
      const { issuer, verify, wait } = await issuerWithClock();
      const token = issuer.issueToken({ ...alice, nbf: Math.floor(Date.now() / 1000) + 62 });
      await refusalOf(verify(token));
      const [head = '', claims = ''] = token.split('.');
      for (let other = 0; other < otherCount; other++)
        await refusalOf(verify(`${head}.${claims}.${segment(`${other}`.padEnd(256, 'x'))}`));
      wait(5_000);
      expect(await refusalOf(verify(token))).toEqual(answer);
    }
  });

  test('is looked at again when the keys have changed', async () => {
    const { issuer, verify, reload } = await issuerWithClock();
    const [other = {}] = openKeyRing().document().keys;
    publish(issuer, 'keys', { keys: [{ ...other, kid: issuer.keyRing.current().keyId }] });
    const token = issuer.issueToken(alice);
    expect(await refusalOf(verify(token))).toEqual(invalidToken('the signature of the token is not valid'));
    issuer.intercept = undefined;
    await reload();
    expect(await verify(token)).toEqual(aliceAsCaller);
  });

  test('is refused for the id of another key of the issuer, which does not touch the honest one', async () => {
    const issuer = await startIssuer();
    const verify = verifierFor(issuer);
    await verify(issuer.issueToken(alice));
    const { keyId } = issuer.keyRing.current();
    issuer.keyRing.rotate();
    const signed = issuer.issueToken(alice);
    const [, payload = '', signature = ''] = signed.split('.');
    const header = segment(JSON.stringify({ ...honestHeader(issuer), kid: keyId }));
    const underOldKey = `${header}.${payload}.${signature}`;
    expect(await refusalOf(verify(underOldKey))).toEqual(
      invalidToken('the signature of the token is not valid'),
    );
    expect(await verify(signed)).toEqual(aliceAsCaller);
  });
});

test('settings that are missing are reported as such, not as a bad token', async () => {
  const issuer = fileIssuer();
  const token = issuer.issueToken(alice);
  const { AppRegistration__TenantId, AppRegistration__Authority } = settingsFor(issuer);
  const verifier = new TokenVerifier(readConfig({ AppRegistration__TenantId, AppRegistration__Authority }));
  const answers = [
    await refusalOf(verifier.verify(`Bearer ${token}`)),
    await refusalOf(verifier.verify(`Bearer ${token}`)),
  ];
  const problem = { kind: 'misconfigured', code: 'configuration', challenge: undefined };
  expect(answers).toEqual([problem, problem]);
  expect(await refusalOf(new TokenVerifier(readConfig({})).verify(`Bearer ${token}`))).toEqual(problem);
  verifier.close();
});
