/** One local SQL server, with an issuer that it trusts, and one process of tables for all test files; each file has its own databases and its own table in them. */

import { randomUUID } from 'node:crypto';
import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import {
  blobConnectionString,
  clientId,
  connectionString,
  endpointAt,
  sampleUsers,
  sqlLogin,
  startBlobs,
  startIdentity,
  startTables,
  tenantId,
} from '../../local/index.ts';
import { buildApp } from '../../scripts/build.ts';
import { settingsForPort, settingsOfRealServer, sqlUsers } from './database-settings.ts';
import { prepareSampleDatabases } from './sample-databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sqlServerPort: number;
    tablesPort: number;
    blobsPort: number;
    /** Settings of an app that signs in to the server with a managed identity. */
    managedIdentity: Readonly<Record<string, string>>;
  }
}

/** Starts them before the first test file, while the app is built that runs over them, and stops them after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const identity = await startIdentity({ tenantId, clientId, users: sampleUsers });
  const [sqlServer, tables, blobs] = await Promise.all([
    startWithSamples(identity.authority),
    startTables(),
    startBlobs(),
    buildApp(),
  ]);
  project.provide('sqlServerPort', sqlServer.port);
  project.provide('tablesPort', tables.port);
  project.provide('blobsPort', blobs.port);
  project.provide('managedIdentity', {
    DB_TRUSTED_CONNECTION: 'true',
    DB_USER: '',
    DB_PASSWORD: '',
    IDENTITY_ENDPOINT: identity.identityEndpoint,
    IDENTITY_HEADER: identity.identityHeader,
  });
  return async () => {
    await Promise.all([sqlServer.stop(), tables.stop(), blobs.stop(), identity.stop()]);
  };
}

async function startWithSamples(issuer: string) {
  // Tests try logins that are refused.
  const log = (line: string) => {
    if (!line.startsWith('Login refused')) process.stderr.write(`${line}\n`);
  };
  const sqlServer = await startSqlServer({ databases: ['own'], users: sqlUsers, issuer, log });
  await prepareSampleDatabases(sqlServer.port);
  return sqlServer;
}

/** Returns settings of two new databases, on the server that TEST_DB_SERVER names, else on the local one. They do not exist yet. */
export function settingsOfOwnDatabases(): Readonly<Record<string, string>> {
  const local = settingsOfLocalDatabases();
  const { DB_NAME, DB_CUSTOMIZATION_NAME } = local;
  const real = settingsOfRealServer();
  return real === undefined ? local : { ...real, DB_NAME, DB_CUSTOMIZATION_NAME };
}

/** Returns settings of two new databases, always on the local server. They do not exist yet. */
export function settingsOfLocalDatabases() {
  const id = randomUUID().slice(0, 8);
  return {
    ...settingsForPort(inject('sqlServerPort'), sqlLogin),
    DB_NAME: `records_${id}`,
    DB_CUSTOMIZATION_NAME: `customization_${id}`,
  };
}

/** Returns the connection string of the local tables. */
export const localTables = () => connectionString(endpointAt(inject('tablesPort')));

/**
 * Returns the connection string of the tables in which a test makes new calendars: those that TEST_TABLE_CONNECTION_STRING names, else the
 * local ones.
 */
export function connectionStringOfTables(): string {
  return process.env['TEST_TABLE_CONNECTION_STRING'] ?? localTables();
}

/** Returns the connection string of the local blobs. */
export const localBlobs = () => blobConnectionString(endpointAt(inject('blobsPort')));

/** Returns settings of a new table, and of a new container of pictures. Neither exists yet. */
export function settingsOfOwnTable() {
  return {
    CALENDAR_TABLE_CONNECTION_STRING: localTables(),
    CALENDAR_TABLE_NAME: `calendar${randomUUID().slice(0, 8)}`,
    CALENDAR_BLOB_CONNECTION_STRING: localBlobs(),
    CALENDAR_BLOB_CONTAINER: `pictures-${randomUUID().slice(0, 8)}`,
    // Tests write behind an app and between apps, and look at once; the files about the setting set it.
    CALENDAR_READ_STALENESS_MS: '0',
  };
}
