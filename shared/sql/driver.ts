/** The driver and its pool of connections, loaded on first use: it is the heaviest package of the app, and only records need it. */

import type { Connection, ConnectionPool, config as DriverConfig } from 'mssql';

type Driver = typeof import('mssql');

let driver: Driver | undefined;

/** Returns `mssql`. */
export async function loadDriver(): Promise<Driver> {
  driver ??= (await import('mssql')).default;
  return driver;
}

/** What the driver's types lack: how its pool opens and closes connections. */
interface Internals {
  _poolCreate(): Promise<Connection>;
  _poolDestroy(connection: Connection): Promise<void>;
}
type PoolConstructor = new (config: DriverConfig) => ConnectionPool & Internals;

/**
 * Creates a pool that reuses its first connection. The driver opens one to try the settings, closes it, and opens another for the first
 * statement; a login costs several round trips. The first connection may idle as long as any other.
 */
export async function createDriverPool(config: DriverConfig): Promise<ConnectionPool> {
  const Base = (await loadDriver()).ConnectionPool as unknown as PoolConstructor;
  class DriverPool extends Base {
    #first: Connection | undefined;
    #idle: NodeJS.Timeout | undefined;
    #isTried = false;

    override async _poolCreate(): Promise<Connection> {
      return this.#takeFirst() ?? super._poolCreate();
    }

    override async _poolDestroy(connection: Connection): Promise<void> {
      if (this.#isTried) return super._poolDestroy(connection);
      this.#isTried = true;
      this.#first = connection;
      this.#idle = setTimeout(() => void this.#closeFirst(), config.pool?.idleTimeoutMillis).unref();
    }

    override async close(): Promise<void> {
      await Promise.all([this.#closeFirst(), super.close()]);
    }

    #takeFirst(): Connection | undefined {
      const first = this.#first;
      this.#first = undefined;
      clearTimeout(this.#idle);
      return first;
    }

    async #closeFirst(): Promise<void> {
      const first = this.#takeFirst();
      if (first !== undefined) await super._poolDestroy(first);
    }
  }
  return new DriverPool(config);
}
