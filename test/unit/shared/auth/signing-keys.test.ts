/** Where the keys of an issuer may come from: over https, on a port that answers http too. */

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { loadSigningKeys } from '../../../../shared/auth/signing-keys.ts';
import { issuerOfFile, tenantId } from '../../../support/issuer.ts';
import { selfSignedCertificate } from '../../../support/self-signed-certificate.ts';

const issuer = issuerOfFile();
const { certificate, key } = selfSignedCertificate();
const trusted = getCACertificates('default');
setDefaultCACertificates([...trusted, certificate]);
afterAll(() => setDefaultCACertificates(trusted));

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Starts an issuer that answers https and http on one port. `keysAddress` says where its metadata send for the keys. */
async function issuerOnOnePort(keysAddress: (port: number) => string) {
  const asked: string[] = [];
  const respond = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${scheme}${request.url}`);
    const metadata = { issuer: 'https://issuer.example', jwks_uri: keysAddress(port) };
    response.end(JSON.stringify(request.url === '/keys' ? issuer().keyRing.document() : metadata));
  };
  const https = createHttpsServer({ cert: certificate, key }, respond('https'));
  const http = createHttpServer(respond('http'));
  const server = createServer((socket) => {
    socket.once('data', (first) => {
      // A TLS conversation begins with a record of type handshake.
      const target = connect(portOf(first[0] === 0x16 ? https : http), '127.0.0.1');
      target.write(first);
      socket.pipe(target).pipe(socket);
      for (const end of [socket, target]) end.on('error', () => undefined);
    });
  });
  for (const item of [https, http, server])
    await new Promise<void>((resolve) => item.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    https.closeAllConnections();
    http.closeAllConnections();
    for (const item of [https, http, server]) item.close();
  });
  const port = portOf(server);
  const load = (scheme: string) =>
    loadSigningKeys(new URL(`${scheme}://127.0.0.1:${port}/metadata`), tenantId, AbortSignal.timeout(60_000));
  return { asked, load };
}

test.each(['https', 'http'])(
  'loadSigningKeys() fetches keys over %s where the metadata are',
  async (scheme) => {
    const { asked, load } = await issuerOnOnePort((port) => `${scheme}://127.0.0.1:${port}/keys`);
    expect([...(await load(scheme)).keys.keys()]).toEqual([issuer().keyRing.current().keyId]);
    expect(asked).toEqual([`${scheme}/metadata`, `${scheme}/keys`]);
  },
);

test.each([
  ['https', 'http'],
  ['http', 'https'],
])('loadSigningKeys() from %s never fetches keys over %s', async (scheme, other) => {
  const { asked, load } = await issuerOnOnePort((port) => `${other}://127.0.0.1:${port}/keys`);
  await expect(load(scheme)).rejects.toThrow('Cannot use the issuer metadata: its keys are on another host');
  expect(asked).toEqual([`${scheme}/metadata`]);
});
