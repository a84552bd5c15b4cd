/** The settings of the environment as options of `mssql` and tedious. */

import type { config as DriverConfig } from 'mssql';
import { serverAddress } from '../config/parsers.ts';
import { type Config, settingError } from '../config.ts';
import type { Credential } from '../managed-identity.ts';

/** Milliseconds. An overloaded pool answers quickly; a connection may take longer than one request waits for it. */
const timeouts = { acquire: 4_000, connect: 15_000, cancel: 1_000, idle: 30_000 };

/**
 * Returns the options of a pool for one database of the server. `credential` is used when DB_TRUSTED_CONNECTION is true.
 * `connections` are those of the pool, at most; default: DB_POOL_MAX.
 */
export function poolOptions(
  config: Config,
  database: string,
  credential: Credential,
  connections: number = config.DB_POOL_MAX,
): DriverConfig {
  const { host, port, instance } = serverAddress(config.DB_SERVER);
  return {
    server: host,
    database,
    ...(port === undefined ? {} : { port }),
    ...signIn(config, credential),
    arrayRowMode: true,
    // No statement per acquire: a dead connection shows itself, and what is safe to repeat is repeated.
    validateConnection: false,
    pool: {
      max: connections,
      min: 0,
      acquireTimeoutMillis: timeouts.acquire,
      idleTimeoutMillis: timeouts.idle,
    },
    options: {
      ...(instance === undefined ? {} : { instanceName: instance }),
      appName: 'records-service',
      encrypt: config.DB_ENCRYPT,
      trustServerCertificate: config.DB_TRUST_SERVER_CERTIFICATE,
      abortTransactionOnError: true,
      connectTimeout: timeouts.connect,
      cancelTimeout: timeouts.cancel,
      maxRetriesOnTransientErrors: 0,
      useUTC: true,
    },
  };
}

function signIn(config: Config, credential: Credential): Partial<DriverConfig> {
  if (config.DB_TRUSTED_CONNECTION)
    return { authentication: { type: 'token-credential', options: { credential } } };
  return { user: required(config, 'DB_USER'), password: required(config, 'DB_PASSWORD') };
}

function required(config: Config, setting: 'DB_USER' | 'DB_PASSWORD'): string {
  if (config[setting] !== '') return config[setting];
  throw settingError(setting, 'is missing; without it DB_TRUSTED_CONNECTION must be true');
}
