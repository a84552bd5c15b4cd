/** A self-signed certificate for 127.0.0.1 (X.509 version 3, RFC 5280), because Node makes keys but no certificates. */

import { generateKeyPairSync, sign } from 'node:crypto';

/** Tags of ASN.1's distinguished encoding (X.690). */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  generalizedTime: 0x18,
  /** Context-specific: the address in a subject alternative name. */
  ipAddress: 0x87,
  /** Context-specific, constructed. */
  version: 0xa0,
  extensions: 0xa3,
};

/** Object identifiers, encoded. */
const identifiers = {
  ecdsaWithSha256: Buffer.from('2a8648ce3d040302', 'hex'),
  commonName: Buffer.from('550403', 'hex'),
  subjectAlternativeName: Buffer.from('551d11', 'hex'),
  basicConstraints: Buffer.from('551d13', 'hex'),
};

function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? Buffer.from([body.length]) : longLength(body.length);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

function longLength(length: number): Buffer {
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

const sequence = (...content: Uint8Array[]) => der(tags.sequence, ...content);
const identifier = (bytes: Uint8Array) => der(tags.objectIdentifier, bytes);
const time = (date: Date) =>
  der(tags.generalizedTime, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`));

function extension(name: Uint8Array, value: Buffer): Buffer {
  return sequence(identifier(name), der(tags.octetString, value));
}

/** Creates a certificate that is valid for a day, and its key; both as PEM. */
export function selfSignedCertificate(): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    der(
      tags.set,
      sequence(identifier(identifiers.commonName), der(tags.utf8String, Buffer.from('127.0.0.1'))),
    ),
  );
  const algorithm = sequence(identifier(identifiers.ecdsaWithSha256));
  const content = sequence(
    der(tags.version, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - 60_000)), time(new Date(Date.now() + 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      tags.extensions,
      sequence(
        extension(
          identifiers.subjectAlternativeName,
          sequence(der(tags.ipAddress, Buffer.from([127, 0, 0, 1]))),
        ),
        extension(identifiers.basicConstraints, sequence(der(tags.boolean, Buffer.from([0xff])))),
      ),
    ),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, algorithm, der(tags.bitString, Buffer.from([0]), signature));
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
