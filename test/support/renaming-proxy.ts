/** A TCP proxy before the local SQL server, through which its databases have other names: an app that runs can be led to other ones. */

import { startTcpProxy } from './tcp-proxy.ts';

export interface RenamingProxy {
  readonly port: number;
  /** Redirects a client from one database to another with a name of the same length, and cuts every connection. */
  leadTo(names: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

/** Type of the packet that names a database (MS-TDS 2.2.6.4). */
const login = 0x10;

/** Starts a proxy before a server on this machine, which speaks without encryption. */
export async function startRenamingProxy(targetPort: number): Promise<RenamingProxy> {
  const proxy = await startTcpProxy(targetPort);
  return {
    port: proxy.port,
    leadTo(names) {
      proxy.rewrite = (bytes) => (bytes[0] === login ? renamed(bytes, names) : bytes);
      proxy.cutAll();
    },
    stop: async () => proxy[Symbol.asyncDispose](),
  };
}

/** Exchanges names in a packet, where they are UTF-16; its length stays the same. */
function renamed(packet: Buffer, names: Readonly<Record<string, string>>): Buffer {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1');
  let bytes = packet.toString('latin1');
  for (const [from, to] of Object.entries(names)) bytes = bytes.replaceAll(utf16(from), utf16(to));
  return Buffer.from(bytes, 'latin1');
}
