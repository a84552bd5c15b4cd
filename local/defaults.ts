/** Fixed values of the dev stack: nothing here is a secret, since all of it listens on this machine only. */

import { blobConnectionString, connectionString, endpointAt } from './azurite/address.ts';

/** Ports that `npm start` uses when they are free; tests take any. local.settings.json.example names the same ones. */
export const preferredPorts = {
  app: 7071,
  identity: 7072,
  sqlServer: 14330,
  tables: 10002,
  blobs: 10000,
} as const;

export const tenantId = '11111111-1111-4111-8111-111111111111';
export const clientId = '22222222-2222-4222-8222-222222222222';

/** Id of every request that a start makes itself, by which its lines in the log are known. */
export const startRequestId = 'npm-start';

export const sqlLogin = { user: 'sa', password: 'Local-only-1' } as const;

export const databases = { main: 'records', customization: 'customization' } as const;

const tablesEndpoint = endpointAt(preferredPorts.tables);
const blobsEndpoint = endpointAt(preferredPorts.blobs);

/** Where the emulators are when their preferred ports are free. A setting with one of these values asks for the emulator, not for another server. */
export const emulatorAddresses: Readonly<Record<string, string>> = {
  DB_SERVER: `localhost,${preferredPorts.sqlServer}`,
  AppRegistration__Authority: `http://127.0.0.1:${preferredPorts.identity}/${tenantId}/v2.0`,
  CALENDAR_TABLE_ENDPOINT: tablesEndpoint,
  CALENDAR_TABLE_CONNECTION_STRING: connectionString(tablesEndpoint),
  CALENDAR_BLOB_ENDPOINT: blobsEndpoint,
  CALENDAR_BLOB_CONNECTION_STRING: blobConnectionString(blobsEndpoint),
};

/** Settings of the app that go with the local SQL server. */
export const sqlServerSettings: Readonly<Record<string, string>> = {
  DB_TRUSTED_CONNECTION: 'false',
  DB_USER: sqlLogin.user,
  DB_PASSWORD: sqlLogin.password,
  DB_NAME: databases.main,
  DB_CUSTOMIZATION_NAME: databases.customization,
  DB_ENCRYPT: 'false',
};

/** Settings of the app that are the same wherever the emulators listen. */
export const fixedSettings: Readonly<Record<string, string>> = {
  SERVICE_API_USERNAME: 'records-service',
  SERVICE_API_BASE_URL: '/api',
  AppRegistration__ClientId: clientId,
  AppRegistration__ClientSecret: 'unused',
  AppRegistration__TenantId: tenantId,
};
