/** What the records API answers when its settings or its databases are not right (docs/records-contract.md, "Errors"). */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectionString, type DevStack, endpointAt } from '../../local/index.ts';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { recordsAs } from '../support/records.ts';
import { createDatabases } from '../support/sample-databases.ts';
import { settingsOfLocalDatabases } from '../support/shared-emulators.ts';

const settings = settingsOfLocalDatabases();
beforeAll(() => createDatabases(settings));
const app = useApp({ settings, prepareDatabases: false });
const { main } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

/** Apps with other settings, by these: each is started once for all tests that want it. */
const otherApps = new Map<string, ReturnType<DevStack['startAnotherApp']>>();
afterAll(async () => {
  for (const host of otherApps.values()) await host.then(({ stop }) => stop());
});

/** Calls an app with other settings, and asks it for its health. */
async function withSettings(settings: Readonly<Record<string, string>>, path: string) {
  const key = JSON.stringify(settings);
  const starting = otherApps.get(key) ?? app.stack.startAnotherApp(settings);
  otherApps.set(key, starting);
  const { base } = await starting;
  const headers = { Authorization: `Bearer ${app.token('alice@example.org')}` };
  const reply = await fetch(base + path, { headers });
  const health = await fetch(`${base}/health`);
  return {
    status: reply.status,
    json: await reply.json(),
    headers: reply.headers,
    healthStatus: health.status,
    health: (await health.json()) as { ready: boolean; dependencies: Record<string, unknown> },
  };
}

/** Wrong settings of the databases, each with an unusable one of the calendar, which the databases do not ask for: one app is started for both. */
const unusable = {
  server: { DB_SERVER: 'no-such-server.invalid', CALENDAR_TIME_ZONE: 'Europe/Nowhere' },
  login: { DB_PASSWORD: 'wrong-password', CALENDAR_TABLE_CONNECTION_STRING: 'AccountName=secret' },
  password: { DB_PASSWORD: '', CALENDAR_TABLE_NAME: 'my-table' },
};

const refusing = { DB_SERVER: '127.0.0.1,1' };
/** No account of the service's own, and a table storage that is away: health says each by itself. */
const noAccount = {
  SERVICE_API_USERNAME: 'nobody',
  CALENDAR_TABLE_CONNECTION_STRING: connectionString(endpointAt(1)),
};

describe('a wrong setting', () => {
  test.each([
    ['a server that does not exist', unusable.server, 'DB_SERVER'],
    ['a refused login', unusable.login, 'DB_USER'],
    ['no password', unusable.password, 'DB_PASSWORD'],
  ])('such as %s answers 500 and names the setting, never its value', async (_, settings, setting) => {
    const { status, json, health, healthStatus } = await withSettings(settings, '/v7/diaries');
    expect({ status, json }).toMatchObject({
      status: 500,
      json: { code: 'database-connection', detail: expect.stringContaining(setting) },
    });
    expect({ status: healthStatus, health }).toMatchObject({
      status: 503,
      health: {
        live: true,
        ready: false,
        dependencies: { database: { state: 'failing', code: 'database-connection' } },
      },
    });
    for (const value of Object.values(settings).filter(Boolean))
      expect(JSON.stringify({ json, health })).not.toContain(value);
  });

  test('such as a server that refuses connections answers 503 with a time to come back', async () => {
    const { status, json, headers, health } = await withSettings(refusing, '/v7/diaries');
    const detail = expect.stringContaining('see the setting DB_SERVER.');
    expect({ status, json, wait: headers.get('retry-after') }).toMatchObject({
      status: 503,
      json: { code: 'database-unavailable', detail },
      wait: '5',
    });
    expect(health.dependencies['database']).toMatchObject({ code: 'database-unavailable', detail });
    expect(JSON.stringify(json)).not.toContain('127.0.0.1');
  });

  test('such as an account that is not in tUserSettings answers 500 and says so', async () => {
    const { status, json, health } = await withSettings(noAccount, '/v7/reference-data/countries');
    expect({ status, json }).toMatchObject({
      status: 500,
      json: { code: 'service-account-missing', detail: expect.stringContaining('tUserSettings') },
    });
    expect(health).toMatchObject({ dependencies: { database: { code: 'service-account-missing' } } });
  });
});

describe('an unusable setting', () => {
  test.each([
    ['CALENDAR_TIME_ZONE', unusable.server, '/tribe/events/v1/events', 'calendar'],
    ['CALENDAR_TABLE_CONNECTION_STRING', unusable.login, '/tribe/events/v1/venues', 'calendar'],
    ['CALENDAR_TABLE_NAME', unusable.password, '/tribe/events/v1/events', 'calendar'],
    [
      'AppRegistration__TenantId',
      { AppRegistration__TenantId: 'example.onmicrosoft.com' },
      '/v7/authorized',
      'identity-provider',
    ],
    [
      'AppRegistration__Authority',
      { AppRegistration__Authority: 'https://login.example.org' },
      '/v7/authorized',
      'identity-provider',
    ],
  ])('%s answers 500 and is named, and its value is not', async (name, settings, path, dependency) => {
    const value = (settings as Readonly<Record<string, string>>)[name] ?? '';
    const { status, json, health } = await withSettings(settings, path);
    expect({ status, json, health }).toMatchObject({
      status: 500,
      json: { code: 'configuration' },
      health: { dependencies: { [dependency]: { state: 'failing', code: 'configuration' } } },
    });
    expect(JSON.stringify(json)).toContain(`The setting ${name} is not usable: it must `);
    expect(JSON.stringify({ json, health })).not.toContain(value);
  });
});

/** No identity provider, and no customization database: health says each by itself. */
const missing = {
  AppRegistration__Authority: 'http://127.0.0.1:1/tenant',
  DB_CUSTOMIZATION_NAME: 'nothing',
};

describe('GET /health answers 503 while', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['the database server refuses connections', refusing, { database: 'database-unavailable' }],
    [
      "the service's own account is missing, and the table storage is away",
      noAccount,
      { database: 'service-account-missing', calendar: 'calendar-unavailable' },
    ],
    [
      'the identity provider is away, and only the customization database is missing',
      missing,
      { database: 'database-unavailable', 'identity-provider': 'signing-keys-unavailable' },
    ],
  ])('%s', async (_, settings, failing) => {
    const since = expect.any(String);
    const stateOf = (name: string) =>
      failing[name] === undefined
        ? { state: 'ready', since }
        : { state: 'failing', code: failing[name], detail: expect.any(String), since };
    const read = async () => {
      const { healthStatus, health } = await withSettings(settings, '/health');
      return { healthStatus, health };
    };
    // The others may not be ready at once where the machine is busy.
    await expect.poll(read).toEqual({
      healthStatus: 503,
      health: {
        live: true,
        ready: false,
        dependencies: Object.fromEntries(
          ['database', 'identity-provider', 'calendar'].map((name) => [name, stateOf(name)]),
        ),
      },
    });
  });
});

test('GET /health answers a token as it answers everybody while nobody can tell whether it is good', async () => {
  const dependencies = {
    'identity-provider': { code: 'signing-keys-unavailable' },
    database: { code: 'database-unavailable' },
    calendar: { state: 'ready' },
  };
  await expect
    .poll(() => withSettings(missing, '/health'))
    .toMatchObject({ status: 503, json: { live: true, ready: false, dependencies } });
});

/** A separate address, and a managed identity. */
const deployed = { PUBLIC_BASE_URL: 'https://api.example.org/records/', ...inject('managedIdentity') };

test('links stand under PUBLIC_BASE_URL when it is set, in the version of the request', async () => {
  // The first request may come before a busy machine has connected.
  const read = async () => (await withSettings(deployed, '/v8.0/reference-data/custom')).json;
  await expect.poll(read).toMatchObject({
    _links: [{ href: 'https://api.example.org/records/v8.0/reference-data/custom/departments' }, {}],
  });
});

test('a managed identity signs in with DB_TRUSTED_CONNECTION', async () => {
  await expect
    .poll(() => withSettings(deployed, '/v7/diaries'))
    .toMatchObject({ status: 200, healthStatus: 200, health: { ready: true } });
});

test('without pStructureObjectInfoGet it answers 500 that says to install it', async () => {
  const [{ definition } = {}] = await main(
    `SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbo.pStructureObjectInfoGet')) AS definition`,
  );
  await main('DROP PROCEDURE dbo.pStructureObjectInfoGet');
  const reply = await alice('GET', '/v7/deeds/deed-complaint');
  await main(String(definition));
  expect({ status: reply.status, json: reply.json }).toMatchObject({
    status: 500,
    json: {
      code: 'object-info-procedure-missing',
      detail: expect.stringContaining('pStructureObjectInfoGet'),
    },
  });
  expect((await alice('GET', '/v7/deeds/deed-complaint')).status).toBe(200);
});

test('a pStructureObjectInfoGet that fails is a failure like any other, and not missing', async () => {
  const [{ definition } = {}] = await main(
    `SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbo.pStructureObjectInfoGet')) AS definition`,
  );
  await main('ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS SELECT 1 / 0 AS propID');
  const reply = await alice('GET', '/v7/documents/document-large');
  await main(String(definition).replace(/CREATE( OR ALTER)? PROCEDURE/i, 'ALTER PROCEDURE'));
  expect({ status: reply.status, json: reply.json }).toMatchObject({
    status: 500,
    json: { code: 'internal-error' },
  });
  expect(reply.text).not.toMatch(/8134|pStructureObjectInfoGet/);
  expect((await alice('GET', '/v7/documents/document-large')).status).toBe(200);
});
