/** A TCP proxy before the local SQL server, through which its databases have other names: an app that runs can be led to other ones. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface RenamingProxy {
  readonly port: number;
  /** Leads who asks for one database to another, whose name is as long, and cuts every connection. */
  leadTo(names: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

/** Type of the packet that names a database, the second of a conversation (MS-TDS 2.2.6.4). */
const login = 0x10;

/** Starts a proxy before a server on this machine, which speaks without encryption. */
export async function startRenamingProxy(targetPort: number): Promise<RenamingProxy> {
  const open = new Set<Socket>();
  let names: Readonly<Record<string, string>> = {};
  const listener = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    let isLoggedIn = false;
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket) && [client, server].map(cut));
    }
    client.on('data', (bytes) => {
      const isLogin = !isLoggedIn && bytes[0] === login;
      isLoggedIn ||= isLogin;
      server.write(isLogin ? renamed(bytes, names) : bytes);
    });
    server.pipe(client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cutAll = () => open.forEach(cut);
  return {
    port: (listener.address() as AddressInfo).port,
    leadTo(others) {
      names = others;
      cutAll();
    },
    async stop() {
      cutAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function cut(socket: Socket): void {
  socket.destroy();
}

/** Exchanges names in a packet, where they are UTF-16; its length stays the same. */
function renamed(packet: Buffer, names: Readonly<Record<string, string>>): Buffer {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1');
  let bytes = packet.toString('latin1');
  for (const [from, to] of Object.entries(names)) bytes = bytes.replaceAll(utf16(from), utf16(to));
  return Buffer.from(bytes, 'latin1');
}
