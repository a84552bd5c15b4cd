import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { EndpointName, Identity } from '../../../../local/index.ts';
import { TokenVerifier } from '../../../../shared/auth/token-verifier.ts';
import { alice, issuerOfFile, startIssuer, tenantId } from '../../../support/issuer.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';
import { scaledByLoad } from '../../../support/scaled-by-load.ts';
import { aliceAsCaller, settingsFor, verifierFor } from '../../../support/token-verifier.ts';

const unavailable = { kind: 'unavailable', code: 'signing-keys-unavailable', challenge: undefined };

const fileIssuer = issuerOfFile();
afterEach(() => {
  fileIssuer().intercept = undefined;
});

/** Lets an endpoint of the issuer answer something else. */
function replace(issuer: Identity, name: EndpointName, respond: (response: ServerResponse) => void): void {
  issuer.intercept = (endpoint, _request, response) => {
    if (endpoint === name) respond(response);
    return endpoint === name;
  };
}

const sendJson = (value: unknown) => (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
};

const sendStatus = (status: number) => (response: ServerResponse) => response.writeHead(status).end('{}');

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

describe('an issuer that fails before any key is known is reported as unavailable, and used again once it is well', () => {
  const faults: [string, EndpointName, (response: ServerResponse, issuer: Identity) => void][] = [
    ['metadata: 500', 'metadata', sendStatus(500)],
    ['metadata: not JSON', 'metadata', (response) => response.end('<html>')],
    ['metadata: null', 'metadata', sendJson(null)],
    ['metadata: no issuer', 'metadata', (response, { url }) => sendJson({ jwks_uri: `${url}/k` })(response)],
    ['metadata: no keys address', 'metadata', sendJson({ issuer: 'x' })],
    [
      'metadata: keys on another host',
      'metadata',
      sendJson({ issuer: 'x', jwks_uri: 'http://127.0.0.2:1/keys' }),
    ],
    [
      'metadata: keys on another port',
      'metadata',
      sendJson({ issuer: 'x', jwks_uri: 'http://127.0.0.1:1/keys' }),
    ],
    [
      'metadata: keys under another scheme',
      'metadata',
      (response, { url }) =>
        sendJson({ issuer: 'x', jwks_uri: `${url.replace('http', 'https')}/k` })(response),
    ],
    ['metadata: connection closed', 'metadata', (response) => response.destroy()],
    ['keys: 404', 'keys', sendStatus(404)],
    ['keys: not JSON', 'keys', (response) => response.end('keys')],
    ['keys: none', 'keys', sendJson({ keys: [] })],
    ['keys: no list', 'keys', sendJson({ keys: { kid: 'a' } })],
    ['keys: a list alone', 'keys', sendJson([])],
    [
      'keys: not UTF-8 inside a text',
      'keys',
      (response, { keyRing }) =>
        response.end(Buffer.from(JSON.stringify({ ...keyRing.document(), note: '\u00ff' }), 'latin1')),
    ],
    [
      'keys: more than 1 MiB',
      'keys',
      (response, { keyRing }) => sendJson({ ...keyRing.document(), more: 'x'.repeat(1024 * 1024) })(response),
    ],
    ['keys: never answered', 'keys', () => {}],
    ['keys: an endless slow body', 'keys', drip],
  ];
  test.each(faults)('%s', async (_name, endpoint, respond) => {
    const issuer = fileIssuer();
    const verify = verifierFor(issuer, {}, { timing: { timeout: scaledByLoad(2_000), pause: 0 } });
    const token = issuer.issueToken(alice);
    replace(issuer, endpoint, (response) => respond(response, issuer));
    expect(await refusalOf(verify(token))).toEqual(unavailable);
    issuer.intercept = undefined;
    expect(await verify(token)).toEqual(aliceAsCaller);
  });

  test('keys: moved, even to where they are', async () => {
    const issuer = fileIssuer();
    issuer.intercept = (endpoint, { url = '' }, response) => {
      const moved = endpoint === 'keys' && !url.endsWith('?moved');
      if (moved) response.writeHead(302, { location: `${url}?moved` }).end();
      return moved;
    };
    expect(await refusalOf(verifierFor(issuer)(issuer.issueToken(alice)))).toEqual(unavailable);
  });

  test('but not for a long text, which arrives in pieces that end inside of characters', async () => {
    const issuer = fileIssuer();
    replace(issuer, 'keys', sendJson({ ...issuer.keyRing.document(), note: '€'.repeat(300_000) }));
    expect(await verifierFor(issuer)(issuer.issueToken(alice))).toEqual(aliceAsCaller);
  });

  test('with the time after which to try again', async () => {
    const issuer = await startIssuer();
    const token = issuer.issueToken(alice);
    await issuer.stop();
    await expect(verifierFor(issuer)(token)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });
});

describe('keys that may not verify are passed over', () => {
  const unknownKey = invalidToken('the token is signed with an unknown key');
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const good = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });

  /** Publishes the issuer's key with changes, next to another key that is good. */
  async function answerWith(changes: (jwk: JsonWebKey) => Record<string, unknown>) {
    const issuer = fileIssuer();
    const [jwk = {}] = issuer.keyRing.document().keys;
    replace(issuer, 'keys', sendJson({ keys: [null, 'key', { ...good, kid: 'other' }, changes(jwk)] }));
    return refusalOf(verifierFor(issuer)(issuer.issueToken(alice)));
  }

  test('other keys are left out', async () => {
    const rows: readonly [string, Record<string, unknown>][] = [
      ['of 1024 bits', weak],
      ['for encryption', { use: 'enc' }],
      ['for signing only', { key_ops: ['sign'] }],
      ['with operations that are no list', { key_ops: 'verify' }],
      ['of another kind', elliptic],
      ['symmetric', { kty: 'oct', k: 'AAAA' }],
      ['for another algorithm', { alg: 'RS512' }],
      ['with exponent 1', { e: 'AQ' }],
      ['with an even exponent', { e: 'AQAA' }],
      ['without modulus', { n: undefined }],
      ['with a modulus that is no text', { n: 5 }],
      [
        'bound to another tenant',
        { issuer: 'https://login.example/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0' },
      ],
      ['bound to something that is no address', { issuer: 7 }],
      ['without id', { kid: undefined }],
      ['with an id that is no text', { kid: 5 }],
    ];
    for (const [_name, members] of rows) {
      expect(await answerWith((jwk) => ({ ...jwk, ...members })), _name).toEqual(unknownKey);
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['said to verify', { key_ops: ['verify'] }],
    ['for RS256', { alg: 'RS256' }],
    ['without use', { use: undefined }],
    ['bound to every tenant', { issuer: 'https://login.example/{tenantid}/v2.0' }],
    ['bound to our tenant', { issuer: `https://login.example/${tenantId}/v2.0` }],
  ])('but not one %s', async (_name, members) => {
    expect(await answerWith((jwk) => ({ ...jwk, ...members }))).toEqual({ accepted: aliceAsCaller });
  });
});

describe('the issuer and the keys that the metadata name', () => {
  /** Publishes other metadata, and verifies a token that fits its issuer. */
  function answerWith(
    metadata: (base: string) => { issuer: string; jwks_uri: string },
    tokenIssuer?: string,
  ) {
    const issuer = fileIssuer();
    const published = metadata(`${issuer.url}/${tenantId}`);
    replace(issuer, 'metadata', sendJson(published));
    return refusalOf(
      verifierFor(issuer)(issuer.issueToken({ ...alice, iss: tokenIssuer ?? published.issuer })),
    );
  }

  test('a template stands for the tenant', async () => {
    const issuer = fileIssuer().authority.replace(tenantId, '{tenantid}');
    const metadata = (base: string) => ({ issuer, jwks_uri: `${base}/discovery/v2.0/keys` });
    expect(await answerWith(metadata, fileIssuer().authority)).toEqual({ accepted: aliceAsCaller });
  });

  test('an issuer of another tenant is refused, even when token and metadata agree on it', async () => {
    const issuer = 'https://login.example/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
    const metadata = (base: string) => ({ issuer, jwks_uri: `${base}/discovery/v2.0/keys` });
    expect(await answerWith(metadata)).toEqual(invalidToken('the tenant of the token is not accepted'));
  });

  test('keys under another name of the same machine are not fetched', async () => {
    const metadata = (base: string) => ({
      issuer: `${base}/v2.0`,
      jwks_uri: `${base.replace('127.0.0.1', 'localhost')}/discovery/v2.0/keys`,
    });
    const before = fileIssuer().requests.keys;
    expect(await answerWith(metadata)).toEqual(unavailable);
    expect(fileIssuer().requests.keys).toBe(before);
  });
});

test('an Authority whose issuer is of another tenant refuses every token, and ready() names both settings', async () => {
  const issuer = await startIssuer();
  const metadata = sendJson({
    issuer: `${issuer.url}/99999999-2222-4333-8444-555555555555/v2.0`,
    jwks_uri: `${issuer.authority.replace(/\/v2\.0$/, '')}/discovery/v2.0/keys`,
  });
  replace(issuer, 'metadata', metadata);
  const verifier = new TokenVerifier(settingsFor(issuer));
  onTestFinished(() => verifier.close());
  await expect(verifier.ready()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringMatching(/AppRegistration__TenantId.*AppRegistration__Authority/),
  });
  await expect(verifier.verify(`Bearer ${issuer.issueToken(alice)}`)).rejects.toMatchObject({
    code: 'token-invalid',
  });
});
