/** A TCP proxy that breaks connections on purpose: between a client and a server, for tests of faults. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Decides about bytes on their way: pass them on, cut the connection instead or right after, or hold what the client sends from here on until `release`. */
export type Verdict = 'pass' | 'cut' | 'pass-then-cut' | 'hold';

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  readonly accepted: number;
  /** Watches what clients send (all bytes of a connection since this was set), and on which connection; undefined passes everything. */
  onRequest: ((bytes: Buffer, connection: object) => Verdict) | undefined;
  /** Watches the chunks that the server answers, and on which connection; undefined passes all on. */
  onReply: ((connection: object, chunk: Buffer) => Verdict) | undefined;
  /** Rewrites each chunk that clients send; undefined leaves all as they are. */
  rewrite: ((chunk: Buffer) => Buffer) | undefined;
  /** While true, new connections are cut at once, as by a server that is gone. */
  gone: boolean;
  /** While true, connections are accepted, and nothing is passed on; or nothing of what clients send, or of what the server answers. */
  silent: boolean | 'requests' | 'replies';
  cutAll(): void;
  /** Passes on nothing more of the connections that are open, as a way does that has forgotten them; new ones are served. */
  silenceOpen(): void;
  release(): void;
}

/** Starts a proxy in front of a server on this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const delayed = new Map<Socket, Buffer[]>();
  const forgotten = new WeakSet<Socket>();
  let accepted = 0;
  const listener = createServer((client) => {
    accepted += 1;
    const server = connect(targetPort, '127.0.0.1');
    for (const socket of [client, server]) {
      open.add(socket);
      // Else Nagle's algorithm keeps the last part of a message for 40 ms.
      socket.setNoDelay(true);
      socket.on('close', () => open.delete(socket)).on('error', () => cut());
    }
    const cut = () => {
      client.resetAndDestroy();
      server.destroy();
    };
    client.on('end', cut);
    server.on('end', cut);
    if (proxy.gone) cut();
    else relay(client, server, cut);
  });

  function relay(client: Socket, server: Socket, cut: () => void): void {
    let received: Buffer = Buffer.alloc(0);
    let watcher = proxy.onRequest;
    client.on('data', (sent) => {
      if (proxy.silent === true || proxy.silent === 'requests' || forgotten.has(client)) return;
      const chunk = proxy.rewrite?.(sent) ?? sent;
      const waiting = delayed.get(server);
      if (waiting !== undefined) return void waiting.push(chunk);
      if (proxy.onRequest === undefined) received = Buffer.alloc(0);
      else received = watcher === proxy.onRequest ? Buffer.concat([received, chunk]) : chunk;
      watcher = proxy.onRequest;
      const verdict = watcher?.(received, client) ?? 'pass';
      if (verdict === 'hold') delayed.set(server, [chunk]);
      else pass(chunk, server, verdict, cut);
    });
    server.on('data', (chunk) => {
      if ((proxy.silent === false || proxy.silent === 'requests') && !forgotten.has(client))
        pass(chunk, client, proxy.onReply?.(client, chunk) ?? 'pass', cut);
    });
  }

  const proxy: TcpProxy = {
    get port() {
      return (listener.address() as AddressInfo).port;
    },
    get accepted() {
      return accepted;
    },
    onRequest: undefined,
    onReply: undefined,
    rewrite: undefined,
    gone: false,
    silent: false,
    cutAll() {
      for (const socket of open) socket.destroy();
    },
    silenceOpen() {
      for (const socket of open) forgotten.add(socket);
    },
    release() {
      for (const [server, chunks] of delayed) for (const chunk of chunks) server.write(chunk);
      delayed.clear();
    },
    async [Symbol.asyncDispose]() {
      proxy.cutAll();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return proxy;
}

function pass(chunk: Buffer, to: Socket, verdict: Verdict, cut: () => void): void {
  if (verdict === 'cut') {
    cut();
    return;
  }
  to.write(chunk, () => {
    if (verdict === 'pass-then-cut') cut();
  });
}

/** Checks whether bytes of a TDS conversation contain a text of a statement (UTF-16, MS-TDS 2.2.6.7). */
export function containsStatement(bytes: Buffer, text: string): boolean {
  return bytes.includes(Buffer.from(text, 'utf16le'));
}
