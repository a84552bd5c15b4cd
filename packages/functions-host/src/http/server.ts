/** The HTTP server of the host: that of Node with Kestrel's limits, refusals and replies, and an orderly end. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { maxHeaderBytes, maxRequestLine, type ServerLimits } from './limits.ts';
import { createServer, STATUS_CODES } from './node-http.ts';
import { Rejection } from './rejection.ts';
import { type Reply, sendReply } from './reply.ts';
import { RequestBody } from './request-body.ts';
import { type RequestHead, readHead } from './request-head.ts';

export interface ServerRequest {
  readonly head: RequestHead;
  readonly body: RequestBody;
}

/** Answers a request; never rejects. */
export type Handler = (request: ServerRequest) => Promise<Reply>;

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
  const server = createServer({
    connectionsCheckingInterval: limits.tick,
    headersTimeout: limits.requestHead,
    keepAliveTimeout: limits.keepAlive,
    // A body must keep to its rate, however long it takes.
    requestTimeout: 0,
    maxHeaderSize: maxRequestLine + maxHeaderBytes,
    // The host refuses what Node would refuse otherwise.
    requireHostHeader: false,
  });
  // Node would drop what is too much.
  server.maxHeadersCount = 0;
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response, () => {});
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response, () => response.writeContinue());
  });
  /** The bodies that are being sent, by connection. */
  const bodies = new WeakMap<Socket, RequestBody>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const body = bodies.get(socket);
    const { code = '' } = error;
    // A caller who is gone in the middle of a body gets no answer; one whose chunks are none gets that of the function, which may not read them.
    if (body?.isIncomplete && code === 'HPE_INVALID_EOF_STATE') socket.destroy();
    else if (body?.isIncomplete && code.startsWith('HPE_INVALID_CHUNK')) body.break();
    else refuse(error, socket);
  });
  // A connection that cannot be accepted is its caller's alone; what keeps the server from listening is thrown below.
  server.on('error', () => {});
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse, sendContinue: () => void) {
    const body = new RequestBody(request, limits, sendContinue);
    bodies.set(request.socket, body);
    try {
      const head = readHead(request);
      const reply = await handler({ head, body });
      const close = reply.close === true || body.broken || !server.listening;
      await sendReply({ ...reply, close }, response);
    } catch (error) {
      // Else the client is gone, or a body that streams has broken off.
      if (error instanceof Rejection) await sendReply(error.reply, response).catch(() => response.destroy());
      else response.destroy();
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    async close(drainTime) {
      const closed = once(server, 'close');
      server.close();
      // Node takes these for requests on their way.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      const cut = setTimeout(() => server.closeAllConnections(), drainTime);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Answers what is no request, or none in time, and closes the connection. */
function refuse({ code }: NodeJS.ErrnoException, socket: Socket): void {
  const isIdle = code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (!socket.writable || isIdle) {
    socket.destroy();
    return;
  }
  const status = refusals[code ?? ''] ?? 400;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Length: 0',
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    'Server: Kestrel',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
}

/** What Kestrel answers where Node has an error of this code; 400 otherwise. */
const refusals: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_VERSION: 505,
};
