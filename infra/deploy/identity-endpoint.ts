/** A managed identity endpoint on this machine that answers with the deployer's token, so that `npm run migrate` can sign in. */

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

// An `import` of it loads the whole of fetch, which takes longer than a bare start of Node.
const { createServer } = process.getBuiltinModule('node:http');

/** The variables by which `@azure/identity` finds the endpoint. */
export interface IdentityVariables extends Readonly<Record<string, string>> {
  readonly IDENTITY_ENDPOINT: string;
  readonly IDENTITY_HEADER: string;
}

/**
 * Serves a token, in the form of the App Service managed identity endpoint (2019-08-01), while `work` runs. Only this machine can reach
 * it, and only requests with the header get an answer.
 */
export async function withIdentityEndpoint(
  token: string,
  work: (variables: IdentityVariables) => Promise<void>,
): Promise<void> {
  const header = randomUUID();
  const server = createServer((request, response) => {
    const isAuthorized = request.headers['x-identity-header'] === header;
    response.writeHead(isAuthorized ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAuthorized ? reply(token) : { statusCode: 401, message: 'Wrong header.' }));
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    await work({ IDENTITY_ENDPOINT: `http://127.0.0.1:${port}/msi/token`, IDENTITY_HEADER: header });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const reply = (token: string) => ({
  access_token: token,
  expires_on: String(Math.floor(Date.now() / 1000) + 3600),
  resource: 'https://database.windows.net/',
  token_type: 'Bearer',
});
