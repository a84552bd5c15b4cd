/** An app in Azure as a deployment meets it: its deployment endpoint takes packages, and it answers the calls of the smoke test. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeployedApp {
  readonly url: string;
  readonly close: () => void;
}

const deployment = '034b9835-723a-4c45-a879-a921f13df306';

/** Starts an app on a free port. */
export async function startDeployedApp(): Promise<DeployedApp> {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const path = request.url ?? '';
    if (request.method === 'OPTIONS')
      return response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
    if (path.startsWith('/api/publish')) return response.writeHead(202).end(JSON.stringify(deployment));
    if (path.startsWith('/api/deployments/')) return response.end(JSON.stringify({ status: 4 }));
    const refused = path.startsWith('/api/v8.0/') && request.headers.authorization !== 'Bearer the-token';
    return response.writeHead(refused ? 401 : 200, refused ? { 'www-authenticate': 'Bearer' } : {}).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
