/** GET /health over time: what fails after it was ready is noticed, and so is its recovery. */

import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { startFaultProxy } from '../support/http-fault-proxy.ts';
import { recordsAs } from '../support/records.ts';
import { createDatabasesBehindProxy } from '../support/sql-server-behind-proxy.ts';
import { containsStatement } from '../support/tcp-proxy.ts';

const { proxy: sqlProxy, settings } = await createDatabasesBehindProxy();
const tablesProxy = await startFaultProxy(inject('tablesPort'));
const app = useApp({
  settings: { ...settings, CALENDAR_TABLE_CONNECTION_STRING: tablesProxy.connectionString },
  prepareDatabases: false,
});
const alice = recordsAs(app, 'alice@example.org');

afterEach(() => {
  tablesProxy.always(null);
});
afterAll(() => tablesProxy.stop());

/** Returns the status of GET /health, and what it says of each dependency that fails. */
async function health() {
  const { status, json } = await app.call('GET', '/health');
  const { dependencies } = json as { dependencies: Record<string, { code?: string }> };
  const failing = Object.entries(dependencies).flatMap(([name, { code }]) => (code ? [[name, code]] : []));
  return { status, failing: Object.fromEntries(failing) as Record<string, string> };
}

const ready = { status: 200, failing: {} };

/** Cuts every connection to one of the databases, whose name is in its login. */
function cutDatabase(name: 'main' | 'customization'): void {
  sqlProxy.onRequest = (bytes) =>
    containsStatement(bytes, settings.DB_CUSTOMIZATION_NAME) === (name === 'customization') ? 'cut' : 'pass';
  sqlProxy.cutAll();
}

describe('GET /health', () => {
  test.each(['main', 'customization'] as const)(
    'asks again after the %s database has failed in use, and after five seconds once more',
    async (name) => {
      await expect.poll(health, { interval: 250 }).toEqual(ready);
      cutDatabase(name);
      // It was found ready before, and no request has failed yet.
      expect(await health()).toEqual(ready);
      expect((await alice('GET', '/v7/documents/document-letter/custom-data')).status).toBe(503);
      expect(await health()).toEqual({ status: 503, failing: { database: 'database-unavailable' } });
      sqlProxy.onRequest = undefined;
      await expect.poll(health, { interval: 250 }).toEqual(ready);
    },
  );

  test('asks the table storage each time', async () => {
    await expect.poll(health, { interval: 250 }).toEqual(ready);
    tablesProxy.always({ cut: 'request' });
    expect(await health()).toEqual({ status: 503, failing: { calendar: expect.any(String) } });
    tablesProxy.always(null);
    await expect.poll(health, { interval: 250 }).toEqual(ready);
  });
});
