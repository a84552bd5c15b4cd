/** The self-signed certificate (RFC 5280) that the server shows, made when a connection is encrypted for the first time: Node makes keys, but no certificates. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

/** Tags of ASN.1's distinguished encoding (X.690). */
const Tag = {
  integer: 0x02,
  bitString: 0x03,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  time: 0x18,
} as const;
const VERSION_3 = Buffer.from('a003020102', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const YEAR = 365 * 86_400_000;

/** Creates a certificate for `localhost` that is valid for a year, and what TLS needs of it. */
export function selfSigned(): SecureContext {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const commonName = der(Tag.sequence, COMMON_NAME, der(Tag.utf8String, Buffer.from('localhost')));
  const name = der(Tag.sequence, der(Tag.set, commonName));
  const algorithm = der(Tag.sequence, ECDSA_WITH_SHA256);
  const content = der(
    Tag.sequence,
    VERSION_3,
    der(Tag.integer, Buffer.from([1])),
    algorithm,
    name,
    der(Tag.sequence, time(Date.now() - 60_000), time(Date.now() + YEAR)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(Tag.bitString, Buffer.from([0]), sign('sha256', content, privateKey));
  const certificate = der(Tag.sequence, content, algorithm, signature).toString('base64');
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return createSecureContext({
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    // Clients of TDS 7.4 end the handshake with the server's last flight; in TLS 1.3 it would be their own.
    maxVersion: 'TLSv1.2',
  });
}

function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function time(at: number): Buffer {
  return der(Tag.time, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\..*/g, '')}Z`));
}
