/** The HTTP server of the host: connections, their time limits, and an orderly end. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Connection, type Handler } from './connection.ts';
import type { ServerLimits } from './limits.ts';

export interface HttpServer {
  readonly port: number;
  /** Takes no new connections, lets requests in flight end within a number of milliseconds, and cuts what is left. */
  close(drainTime: number): Promise<void>;
}

/** Starts a server on the loopback address; port 0 for any free one. */
export async function startHttpServer(
  handler: Handler,
  port: number,
  limits: ServerLimits,
): Promise<HttpServer> {
  const connections = new Set<Connection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = new Connection(socket, handler, limits);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
    void connection.serve();
  });
  const timer = setInterval(() => {
    const now = Date.now();
    for (const connection of connections) connection.check(now);
  }, limits.tick);
  timer.unref();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(drainTime) {
      await drain(server, connections, drainTime);
      clearInterval(timer);
    },
  };
}

async function drain(server: Server, connections: ReadonlySet<Connection>, time: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const connection of connections) connection.stop();
  const cut = setTimeout(() => {
    for (const connection of connections) connection.destroy();
  }, time);
  await closed;
  clearTimeout(cut);
}
