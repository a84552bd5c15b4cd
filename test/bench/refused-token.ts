/** What refusing a bad token costs: no statement is sent, the issuer is not asked, and nearly nothing is computed. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { startFunctionsHost } from '@records-and-calendar/functions-host';
import {
  clientId,
  fixedSettings,
  sampleUsers,
  sqlServerSettings,
  startIdentity,
  tenantId,
} from '../../local/index.ts';
import { type Benchmark, comparison } from './benchmark.ts';
import { startConstantApp } from './constant-app.ts';
import { throughputs } from './throughput.ts';

const root = join(import.meta.dirname, '..', '..');

export const refusedToken: Benchmark = async () => {
  const identity = await startIdentity({ tenantId, clientId, users: sampleUsers });
  const database = await startDeafDatabase();
  const app = await startFunctionsHost({
    app: root,
    port: 0,
    settings: {
      ...sqlServerSettings,
      ...fixedSettings,
      DB_SERVER: `127.0.0.1,${database.port}`,
      AppRegistration__Authority: identity.authority,
    },
  });
  const constant = await startConstantApp();
  try {
    const url = `${app.url}/api/v8.0/authorized`;
    const headers = { Authorization: `Bearer ${withOtherSignature(identity.issueToken())}` };
    const body = await (await fetch(url, { headers })).arrayBuffer();
    const before = { ...identity.requests };
    const [refused = Number.NaN, served = Number.NaN] = await throughputs([
      { url, headers, status: 401 },
      { url: `${constant.url}/api/constant/${body.byteLength}`, headers },
    ]);
    mustBeIdle(JSON.stringify(before) === JSON.stringify(identity.requests), 'the issuer was asked');
    mustBeIdle(database.connections === 0, 'the database was asked');
    return [
      comparison(
        'GET refused for a bad token, 32 connections',
        refused,
        'requests/s',
        { name: 'constant reply to the same request', value: served },
        'at least 0.7',
      ),
    ];
  } finally {
    await Promise.all([app.stop(), constant.stop(), identity.stop()]);
    database.server.close();
  }
};

/** A database server that only counts connections. */
async function startDeafDatabase(): Promise<{ server: Server; port: number; connections: number }> {
  const server = createServer((socket) => {
    database.connections += 1;
    socket.destroy();
  });
  const database = { server, port: 0, connections: 0 };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') database.port = address.port;
  return database;
}

function withOtherSignature(token: string): string {
  return token.replace(/\.[^.]+$/, `.${Buffer.alloc(256, 7).toString('base64url')}`);
}

function mustBeIdle(idle: boolean, problem: string): void {
  if (!idle) throw new Error(`Refusing a bad token is not cheap: ${problem}.`);
}
