import { expect, test } from 'vitest';
import { TokenVerifier } from '../../../../shared/auth/token-verifier.ts';
import { alice, claimsIn, forge, honestHeader, issuerOfFile, segment } from '../../../support/issuer.ts';
import { anyText, fc, numRuns } from '../../../support/properties.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { settingsFor, verifierFor } from '../../../support/token-verifier.ts';

const fileIssuer = issuerOfFile();
const refused = { kind: 'unauthenticated', code: expect.any(String), challenge: expect.any(Object) };

test('whatever the Authorization header holds, the answer is a refusal', async () => {
  const verifier = new TokenVerifier(settingsFor(fileIssuer()));
  const text = anyText();
  const header = fc.oneof(
    text,
    text.map((token) => `Bearer ${token}`),
    fc.base64String().map((token) => `Bearer ${token}.${token}.${token}`),
  );
  await fc.assert(
    fc.asyncProperty(header, async (value) => {
      expect(await refusalOf(verifier.verify(value))).toEqual(refused);
    }),
    numRuns(300),
  );
});

test('whatever bytes the three parts hold, the answer is a refusal', async () => {
  const verify = verifierFor(fileIssuer());
  const part = fc.oneof(
    fc.uint8Array({ minLength: 1 }),
    fc.json().map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(part, part, part, async (...parts) => {
      expect(await refusalOf(verify(parts.map(segment).join('.')))).toEqual(refused);
    }),
    numRuns(300),
  );
});

test('whatever one claim or header member is replaced by, the answer is a caller or a refusal', async () => {
  const issuer = fileIssuer();
  const verify = verifierFor(issuer);
  const claims = claimsIn(issuer.issueToken(alice));
  const header: Record<string, unknown> = honestHeader(issuer);
  const change = fc.tuple(
    fc.constantFrom(...Object.keys(claims), ...Object.keys(header), '__proto__', 'toString'),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(change, async ([name, value]) => {
      const put = (object: Record<string, unknown>) =>
        Object.fromEntries([...Object.entries(object), [name, value]]);
      const token =
        name in header
          ? forge(issuer, put(header), JSON.stringify(claims))
          : forge(issuer, header, JSON.stringify(put(claims)));
      const outcome = await refusalOf(verify(token));
      expect([refused, { accepted: expect.objectContaining({ kind: 'user' }) }]).toContainEqual(outcome);
    }),
    numRuns(300),
  );
});
