import { expect, test } from 'vitest';
import type { Identity } from '../../../../local/index.ts';
import { TokenVerifier } from '../../../../shared/auth/token-verifier.ts';
import { alice, forge, honestHeader, honestPayload, startIssuer } from '../../../support/issuer.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';
import { aliceAsCaller, settingsFor, verifierFor } from '../../../support/token-verifier.ts';

const unknownKey = invalidToken('the token is signed with an unknown key');
const unavailable = { kind: 'unavailable', code: 'signing-keys-unavailable', challenge: undefined };
const minute = 60_000;

/** An issuer, a verifier that already knows its keys, and a clock to turn. */
async function started() {
  const clock = { time: Date.now() };
  const issuer = await startIssuer({ now: () => clock.time });
  const failures: unknown[] = [];
  const verify = verifierFor(
    issuer,
    {},
    { now: () => clock.time, onKeySourceFailure: (error) => failures.push(error) },
  );
  await verify(issuer.issueToken(alice));
  return { issuer, verify, clock, failures };
}

function withUnknownKey(issuer: Identity, keyId: string): string {
  return forge(issuer, { ...honestHeader(issuer), kid: keyId }, honestPayload(issuer));
}

test('fifty first tokens at once cause one load', async () => {
  const issuer = await startIssuer();
  const verify = verifierFor(issuer);
  const callers = await Promise.all(Array.from({ length: 50 }, () => verify(issuer.issueToken(alice))));
  expect(callers).toEqual(Array.from({ length: 50 }, () => aliceAsCaller));
  expect(issuer.requests).toMatchObject({ metadata: 1, keys: 1 });
});

test('a first token with an unknown key causes one load, not two', async () => {
  const issuer = await startIssuer();
  expect(await refusalOf(verifierFor(issuer)(withUnknownKey(issuer, 'unknown')))).toEqual(unknownKey);
  expect(issuer.requests.keys).toBe(1);
});

test('a flood of unknown key ids causes one load per cool-down, and nobody else waits or is refused', async () => {
  const { issuer, verify, clock } = await started();
  const flood = Array.from({ length: 200 }, (_, index) =>
    refusalOf(verify(withUnknownKey(issuer, `unknown-${index}`))),
  );
  const good = Array.from({ length: 20 }, () => verify(issuer.issueToken(alice)));
  expect(await Promise.all(good)).toEqual(good.map(() => aliceAsCaller));
  expect(await Promise.all(flood)).toEqual(flood.map(() => unknownKey));
  for (let index = 0; index < 50; index += 1)
    await refusalOf(verify(withUnknownKey(issuer, `later-${index}`)));
  expect(issuer.requests.keys).toBe(2);
  clock.time += minute;
  for (let index = 0; index < 50; index += 1)
    await refusalOf(verify(withUnknownKey(issuer, `again-${index}`)));
  expect(issuer.requests.keys).toBe(3);
});

test('users with known keys go on while the load for a flood hangs', async () => {
  const { issuer, verify } = await started();
  issuer.intercept = () => true;
  const flood = refusalOf(verify(withUnknownKey(issuer, 'unknown')));
  expect(await verify(issuer.issueToken(alice))).toEqual(aliceAsCaller);
  await issuer.stop();
  expect(await flood).toEqual(unavailable);
});

test('a new key is found at once, and the old one stays good', async () => {
  const { issuer, verify } = await started();
  const old = issuer.issueToken(alice);
  issuer.keyRing.rotate();
  const tokens = [issuer.issueToken(alice), old, issuer.issueToken({ ...alice, ver: '1.0' })];
  expect(await Promise.all(tokens.map(verify))).toEqual(tokens.map(() => aliceAsCaller));
});

test('ready() waits for the keys, also of an issuer that knows one version only, and reports an outage', async () => {
  const issuer = await startIssuer();
  issuer.intercept = (endpoint, request, response) => {
    const hidden = endpoint === 'metadata' && !request.url?.includes('v2.0');
    if (hidden) response.writeHead(404).end();
    return hidden;
  };
  const verifier = new TokenVerifier(settingsFor(issuer));
  await verifier.ready();
  expect(issuer.requests.keys).toBe(1);
  verifier.close();
  await issuer.stop();
  const late = new TokenVerifier(settingsFor(issuer));
  expect(await refusalOf(late.ready())).toEqual(unavailable);
  late.close();
});
