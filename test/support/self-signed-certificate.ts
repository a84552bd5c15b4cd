/** A self-signed certificate for 127.0.0.1 (X.509 version 3, RFC 5280), because Node makes keys but no certificates. */

import { generateKeyPairSync, sign } from 'node:crypto';

const der = (hex: string) => Buffer.from(hex, 'hex');

/** What is the same in all certificates, in ASN.1's distinguished encoding (X.690), lengths included. */
const parts = {
  versionAndSerialNumber: der('a003020102020101'),
  ecdsaWithSha256: der('300a06082a8648ce3d040302'),
  commonName: der('30143112301006035504030c093132372e302e302e31'),
  from2020To2120: der('3022180f32303230303130313030303030305a180f32313230303130313030303030305a'),
  addressAndBasicConstraints: der('a321301f300f0603551d110408300687047f000001300c0603551d13040530030101ff'),
};

/** Creates a certificate and its key; both as PEM. */
export function selfSignedCertificate(): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = Buffer.concat([
    der('3081e2'),
    parts.versionAndSerialNumber,
    parts.ecdsaWithSha256,
    parts.commonName,
    parts.from2020To2120,
    parts.commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    parts.addressAndBasicConstraints,
  ]);
  const signature = sign('sha256', content, privateKey);
  const signed = Buffer.concat([
    content,
    parts.ecdsaWithSha256,
    Buffer.from([0x03, signature.length + 1, 0]),
    signature,
  ]);
  const certificate = Buffer.concat([
    Buffer.from([0x30, 0x82, signed.length >> 8, signed.length & 0xff]),
    signed,
  ]);
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
