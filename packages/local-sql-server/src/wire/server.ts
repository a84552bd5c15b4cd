/** The TCP server: accepts connections and ends them when it stops. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Engine } from '../engine/session.ts';
import { tokenVerifier } from './access-token.ts';
import { selfSigned } from './certificate.ts';
import { serveConnection } from './connection.ts';
import type { Access } from './login.ts';

const HOST = '127.0.0.1';

export interface ServerOptions {
  readonly engine: Engine;
  /** 0 for any free port. */
  readonly port: number;
  /** Passwords by SQL login. */
  readonly users: Readonly<Record<string, string>>;
  /** The address of the issuer of Entra ID tokens; without it only SQL logins work. */
  readonly issuer?: string | undefined;
  /** Takes lines for the server's log; silent by default. */
  readonly log?: (line: string) => void;
}

export interface RunningServer {
  readonly port: number;
  /** Ends all connections, which rolls back what they had open; the engine stays open. */
  stop(): Promise<void>;
}

/** Starts to listen on the loopback address; rejects when the port is taken. */
export async function listen(options: ServerOptions): Promise<RunningServer> {
  const access = accessOf(options);
  const connections = new Map<Socket, Promise<void>>();
  let lastProcessId = 50;
  const server = createServer((socket) => {
    const served = serveConnection(socket, ++lastProcessId, access);
    connections.set(socket, served);
    served.finally(() => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    // Later it is a connection that cannot be accepted, which is its caller's alone.
    server.on('error', reject);
    server.listen(options.port, HOST, resolve);
  });
  const stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const served = [...connections.values()];
    for (const socket of connections.keys()) socket.destroy();
    await Promise.all([closed, ...served]);
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

function accessOf({ engine, users, issuer, log = () => {} }: ServerOptions): Access {
  let secureContext: SecureContext | undefined;
  return {
    engine,
    users: new Map(Object.entries(users).map(([user, password]) => [user.toLowerCase(), password])),
    /** Made for the first connection that is encrypted. */
    get secureContext() {
      secureContext ??= selfSigned();
      return secureContext;
    },
    issuer: issuer === undefined ? undefined : { url: issuer, verify: tokenVerifier(issuer) },
    log,
  };
}
