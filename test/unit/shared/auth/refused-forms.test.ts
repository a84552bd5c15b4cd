import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Identity } from '../../../../local/index.ts';
import { alice, forge, honestHeader, honestPayload, issuerOfFile, segment } from '../../../support/issuer.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';
import { verifierFor } from '../../../support/token-verifier.ts';

const fileIssuer = issuerOfFile();

describe('headers and payloads that are refused, although the signature is right', () => {
  const algorithm = 'the signature algorithm of the token is not accepted';
  const extension = 'the token header has an extension that is not accepted';
  const key = 'the token does not name its key';
  const type = 'the type of the token is not accepted';
  const headers: [Record<string, unknown>, string][] = [
    [{ alg: 'none' }, algorithm],
    [{ alg: 'None' }, algorithm],
    [{ alg: 'HS256' }, algorithm],
    [{ alg: 'RS512' }, algorithm],
    [{ alg: 'PS256' }, algorithm],
    [{ alg: 'rs256' }, algorithm],
    [{ alg: ['RS256'] }, algorithm],
    [{ alg: null }, algorithm],
    [{ alg: undefined }, algorithm],
    [{ crit: ['b64'] }, extension],
    [{ crit: [] }, extension],
    [{ crit: 'exp' }, extension],
    [{ b64: false }, extension],
    [{ zip: 'DEF' }, extension],
    [{ enc: 'A256GCM' }, extension],
    [{ kid: undefined }, key],
    [{ kid: '' }, key],
    [{ kid: 7 }, key],
    [{ kid: {} }, key],
    [{ kid: 'a b' }, key],
    [{ kid: 'k'.repeat(257) }, key],
    [{ typ: 'JWE' }, type],
    [{ typ: 'jwt' }, type],
    [{ typ: null }, type],
    [{ kid: 'unknown' }, 'the token is signed with an unknown key'],
  ];
  test('headers are refused', async () => {
    for (const [members, reason] of headers) {
      const issuer = fileIssuer();
      const token = forge(issuer, { ...honestHeader(issuer), ...members }, honestPayload(issuer));
      expect(await refusalOf(verifierFor(issuer)(token))).toEqual(invalidToken(reason));
    }
  });

  const notJson = invalidToken('the token is not made of JSON objects');
  test('payloads are refused', async () => {
    for (const payload of ['null', '[]', '"text"', '5', 'not json', '{', '{}\u0000']) {
      const issuer = fileIssuer();
      expect(await refusalOf(verifierFor(issuer)(forge(issuer, honestHeader(issuer), payload)))).toEqual(
        notJson,
      );
    }
  });

  test('a payload that starts with a byte order mark, or is not UTF-8', async () => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer);
    const marked = forge(issuer, honestHeader(issuer), `\uFEFF${honestPayload(issuer)}`);
    const broken = Buffer.from(honestPayload(issuer).replace('Alice Archer', 'Alice \u0001'));
    broken[broken.indexOf(1)] = 0xff;
    const answers = [marked, forge(issuer, honestHeader(issuer), broken)].map((token) =>
      refusalOf(verify(token)),
    );
    expect(await Promise.all(answers)).toEqual([notJson, notJson]);
  });

  test('header texts are refused', async () => {
    for (const header of ['null', '[]', 'text', '"RS256"']) {
      const issuer = fileIssuer();
      const token = `${segment(header)}.${segment(honestPayload(issuer))}.AAAA`;
      expect(await refusalOf(verifierFor(issuer)(token))).toEqual(notJson);
    }
  });

  test('keys that the header brings along are never used', async () => {
    const issuer = fileIssuer();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const header = {
      ...honestHeader(issuer),
      jwk: publicKey.export({ format: 'jwk' }),
      jku: 'http://127.0.0.1:1/',
      x5u: 'http://127.0.0.1:1/',
    };
    const signed = `${segment(JSON.stringify(header))}.${segment(honestPayload(issuer))}`;
    const token = `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
    expect(await refusalOf(verifierFor(issuer)(token))).toEqual(
      invalidToken('the signature of the token is not valid'),
    );
  });
});

describe('signatures that are refused', () => {
  const parts = (token: string) => token.split('.') as [string, string, string];
  const publicPem = (issuer: Identity) =>
    issuer.keyRing.current().publicKey.export({ type: 'spki', format: 'pem' });
  const cases: [string, (token: string, issuer: Identity) => string][] = [
    [
      'another payload',
      (token, issuer) =>
        parts(token)
          .with(1, segment(honestPayload(issuer).replace('token', 'other')))
          .join('.'),
    ],
    [
      'one bit changed',
      (token) =>
        token.replace(/.(.{20})$/, (_all, rest: string) => `${token.at(-21) === 'A' ? 'B' : 'A'}${rest}`),
    ],
    [
      'the same signature in another text',
      (token) => {
        const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        return token.slice(0, -1) + digits[digits.indexOf(token.at(-1) ?? '') ^ 1];
      },
    ],
    [
      'of another token',
      (token, issuer) =>
        parts(token)
          .with(2, parts(issuer.issueToken({ uti: 'x' }))[2])
          .join('.'),
    ],
    ['too short', (token) => parts(token).with(2, 'AAAA').join('.')],
    [
      'HMAC with the public key under RS256',
      (token, issuer) => {
        const [header, payload] = parts(token);
        const mac = createHmac('sha256', publicPem(issuer)).update(`${header}.${payload}`);
        return `${header}.${payload}.${mac.digest('base64url')}`;
      },
    ],
  ];
  test('changed tokens are refused', async () => {
    for (const [name, change] of cases) {
      const issuer = fileIssuer();
      const token = change(issuer.issueToken(alice), issuer);
      expect(await refusalOf(verifierFor(issuer)(token)), name).toEqual(
        invalidToken('the signature of the token is not valid'),
      );
    }
  });
});
