/** A plain HTTP client whose connections stay open: as cheap as Node has one, since it shares the machine with what it measures. */

import { Agent, request } from 'node:http';

export interface HostileRequest {
  readonly method: string;
  /** Below the url of the app. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request and resolves with its status once the reply is read, or with the code of what went wrong. */
export type Send = (request: HostileRequest) => Promise<string>;

/** Creates a client of an app with so many connections at most. */
export function createClient(url: string, connections: number): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send: Send = ({ method, path, headers = {}, body }) =>
    new Promise((resolve) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const call = request(
        `${url}${path}`,
        { method, agent, headers: { ...type, ...length, ...headers } },
        (reply) => {
          reply.resume();
          reply.once('close', () => resolve(String(reply.statusCode)));
        },
      );
      call.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
      call.end(body);
    });
  return { send, close: () => agent.destroy() };
}
