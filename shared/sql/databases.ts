/** The two databases of the records service, each with a pool: Azure SQL Database has no cross-database queries. */

import type { Config } from '../config.ts';
import { byteLimit } from '../limits/budget.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import { managedIdentity } from '../managed-identity.ts';
import { offerGauge } from '../telemetry/gauges.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import {
  createConnectionQueue,
  createStallDetector,
  type Database,
  RequestDatabase,
  type Server,
} from './database.ts';
import { createPool } from './pool.ts';
import { poolOptions } from './pool-options.ts';

/** The databases as one request uses them. */
export interface Databases {
  readonly main: Database;
  readonly customization: Database;
}

/** The databases of the process. */
export interface DatabaseServer {
  /** Returns the databases for one request, whose statements must be done by `deadline` (milliseconds since epoch). They wait for a connection as work of `caller`. */
  within(deadline: number, caller?: string | number): Databases;
  /** Whether the last use of each database failed, or its statements have not been answered for some seconds. */
  readonly failing: Readonly<Record<keyof Databases, boolean>>;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Creates the databases that the settings name. Nothing is opened, and the driver is not loaded, before the first statement. */
export function openDatabases(config: Config): DatabaseServer {
  const credential = managedIdentity(config.AZURE_CLIENT_ID);
  const servers: Server[] = [];

  function server(key: keyof Databases, name: () => string): Server {
    let connections: FairQueue | undefined;
    const pool = createPool(() => poolOptions(config, name(), credential));
    const labels = () => ({ 'db.client.connection.pool.name': name() });
    offerGauge('connections', key, () => [
      [pool.counts().used, { ...labels(), 'db.client.connection.state': 'used' }],
      [pool.counts().idle, { ...labels(), 'db.client.connection.state': 'idle' }],
    ]);
    offerGauge('connectionsPending', key, () => [
      [pool.counts().pending + (connections?.queued ?? 0), labels()],
    ]);
    const created: Server = {
      pool,
      breaker: new CircuitBreaker(),
      stall: createStallDetector(),
      renew() {
        for (const server of servers) if (server.stall.isSilent) server.pool.renew();
      },
      get maxConnections() {
        return config.DB_POOL_MAX;
      },
      get connections() {
        connections ??= createConnectionQueue(config.DB_POOL_MAX);
        return connections;
      },
      get maxResultBytes() {
        return byteLimit(config.BODY_BYTES_IN_FLIGHT);
      },
      // Both databases are on one server.
      get wasReached() {
        return servers.some(({ pool }) => pool.wasReached);
      },
      get database() {
        return name();
      },
      get trusted() {
        return config.DB_TRUSTED_CONNECTION;
      },
    };
    servers.push(created);
    return created;
  }

  const main = server('main', () => config.DB_NAME);
  const customization = server('customization', () => config.DB_CUSTOMIZATION_NAME);
  return {
    within: (deadline, caller) => ({
      main: new RequestDatabase(main, deadline, caller),
      customization: new RequestDatabase(customization, deadline, caller),
    }),
    failing: {
      get main() {
        return isFailing(main);
      },
      get customization() {
        return isFailing(customization);
      },
    },
    async close() {
      await Promise.all([main.pool.close(), customization.pool.close()]);
    },
  };
}

function isFailing({ breaker, stall }: Server): boolean {
  return breaker.failing || stall.isStalled;
}
