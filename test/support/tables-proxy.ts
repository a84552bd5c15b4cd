/** A proxy over HTTP in front of the local tables, on a free port. What happens to a request is up to who starts it. */

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connectionString, endpointAt } from '../../local/index.ts';

export interface TablesReply {
  readonly status: number;
  readonly headers: string[];
  readonly body: Buffer;
}

/** One request that has come, read whole. */
export interface TablesRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  /** Sends it to the tables, at its own path or at another: its signature covers no parameters. */
  pass(path?: string): Promise<TablesReply>;
}

export interface TablesProxy {
  /** Connection string of the tables behind the proxy. */
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the tables at a port. The connection of a request whose handling fails is cut. */
export async function startTablesProxy(
  tablesPort: number,
  handle: (request: TablesRequest, response: ServerResponse) => Promise<void>,
): Promise<TablesProxy> {
  const agent = new Agent({ keepAlive: true });

  async function read(incoming: IncomingMessage): Promise<TablesRequest> {
    const { method = '', url = '', headers } = incoming;
    const { host: _, ...otherHeaders } = headers;
    const body = await buffer(incoming);
    return {
      method,
      url,
      body,
      async pass(path = url) {
        const to = { agent, host: '127.0.0.1', port: tablesPort, method, path, headers: otherHeaders };
        const forward = send(to).end(body);
        const [reply] = (await once(forward, 'response')) as [IncomingMessage];
        return { status: reply.statusCode ?? 0, headers: reply.rawHeaders, body: await buffer(reply) };
      },
    };
  }

  const server = createServer((incoming, response) => {
    read(incoming)
      .then((request) => handle(request, response))
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    connectionString: connectionString(endpointAt(port)),
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers in the place of the tables, in their form of an error. */
export function refuseAsTables(
  response: ServerResponse,
  {
    status,
    code,
    message,
    headers = {},
  }: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-ms-error-code': code, ...headers })
    .end(JSON.stringify({ 'odata.error': { code, message: { lang: 'en-US', value: message } } }));
}
