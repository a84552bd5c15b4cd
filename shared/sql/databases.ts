/** The two databases of the records service, each with a pool: Azure SQL Database has no cross-database queries. */

import type { Config } from '../config.ts';
import { byteLimit } from '../limits/budget.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import { answerTime } from '../limits/stall-detector.ts';
import { managedIdentity } from '../managed-identity.ts';
import { offerGauge } from '../telemetry/gauges.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import {
  createConnectionQueue,
  createStallDetector,
  type Database,
  margin,
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
  /** Returns the databases for a check of the service, on connections beyond the pools: it is answered while callers use all of those. */
  beyondPools(deadline: number): Databases;
  /** Whether callers use all connections to one of the databases. */
  readonly areInUse: boolean;
  /** Whether the last use of each database failed, or its statements have not been answered for some seconds. */
  readonly failing: Readonly<Record<keyof Databases, boolean>>;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Connections to each database beyond its pool: one for a check of the service, and one for the question whether the server is there. */
const connectionsBeyond = 2;

/** Creates the databases that the settings name. Nothing is opened, and the driver is not loaded, before the first statement. */
export function openDatabases(config: Config): DatabaseServer {
  const credential = managedIdentity(config.AZURE_CLIENT_ID);
  const servers: Server[] = [];

  /** Creates a pool of a database with `size` connections at most, and their queue. */
  function connectionsOf(
    key: string,
    name: () => string,
    size: () => number,
    label: () => string = name,
  ): Connections {
    let connections: FairQueue | undefined;
    const pool = createPool(() => poolOptions(config, name(), credential, size()));
    const labels = () => ({ 'db.client.connection.pool.name': label() });
    offerGauge('connections', key, () => [
      [pool.counts().used, { ...labels(), 'db.client.connection.state': 'used' }],
      [pool.counts().idle, { ...labels(), 'db.client.connection.state': 'idle' }],
    ]);
    offerGauge('connectionsPending', key, () => [
      [pool.counts().pending + (connections?.queued ?? 0), labels()],
    ]);
    return {
      pool,
      get connections() {
        connections ??= createConnectionQueue(size());
        return connections;
      },
    };
  }

  function server(key: keyof Databases, name: () => string): Server & { readonly beyond: Server } {
    const breaker = new CircuitBreaker();

    function created(own: Connections): Server {
      const one: Server = {
        pool: own.pool,
        breaker,
        stall: createStallDetector(),
        isAnswering,
        renew() {
          for (const server of servers) if (server.stall.isSilent) server.pool.renew();
        },
        get connections() {
          return own.connections;
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
      servers.push(one);
      return one;
    }

    const beyond = created(
      connectionsOf(
        `${key} beyond`,
        name,
        () => connectionsBeyond,
        () => `${name()} (checks)`,
      ),
    );
    async function isAnswering(): Promise<boolean> {
      const { stall, pool } = beyond;
      const database = new RequestDatabase(beyond, Date.now() + answerTime + margin, 'question');
      const isThere = await stall.answers(() => database.query('SELECT 1 AS answer;'));
      // The way of these connections may be forgotten.
      if (!isThere) pool.renew();
      return isThere;
    }
    return Object.assign(created(connectionsOf(key, name, () => config.DB_POOL_MAX)), { beyond });
  }

  const main = server('main', () => config.DB_NAME);
  const customization = server('customization', () => config.DB_CUSTOMIZATION_NAME);
  return {
    within: (deadline, caller) => ({
      main: new RequestDatabase(main, deadline, caller),
      customization: new RequestDatabase(customization, deadline, caller),
    }),
    beyondPools: (deadline) => ({
      main: new RequestDatabase(main.beyond, deadline, 'check'),
      customization: new RequestDatabase(customization.beyond, deadline, 'check'),
    }),
    get areInUse() {
      return [main, customization].some(({ pool }) => pool.counts().used >= config.DB_POOL_MAX);
    },
    failing: {
      get main() {
        return isFailing(main);
      },
      get customization() {
        return isFailing(customization);
      },
    },
    async close() {
      await Promise.all(servers.map(({ pool }) => pool.close()));
    },
  };
}

/** A pool, and the queue for its connections. */
type Connections = Pick<Server, 'pool' | 'connections'>;

function isFailing({ breaker, stall }: Server): boolean {
  return breaker.failing || stall.isStalled;
}
