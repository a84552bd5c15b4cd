import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { managedIdentity } from '../../../../shared/managed-identity.ts';
import { loadDriver } from '../../../../shared/sql/driver.ts';
import { createPool } from '../../../../shared/sql/pool.ts';
import { poolOptions } from '../../../../shared/sql/pool-options.ts';
import { settingsForPort } from '../../../support/database-settings.ts';
import { timerIsSet, useFakeTimeouts } from '../../../support/timers.ts';

/** Starts a server that takes connections and says nothing, and a pool that asks it. */
async function poolOfSilentServer() {
  await loadDriver();
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const config = readConfig(settingsForPort(port, { user: 'sa', password: 'x' }));
  return createPool(() => poolOptions(config, 'main', managedIdentity('')));
}

test.each([
  ['five seconds', 8_500, 5_000],
  ['no longer than its request has', 3_000, 3_000],
])('a pool waits for its first connection %s', async (_, timeout, waited) => {
  const pool = await poolOfSilentServer();
  useFakeTimeouts();
  let outcome: unknown;
  const asked = pool.request(timeout).catch((error: unknown) => {
    outcome = error;
  });
  await timerIsSet();
  await vi.advanceTimersByTimeAsync(waited - 1);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(outcome).toMatchObject({
    kind: 'unavailable',
    code: 'database-unavailable',
    message: 'Cannot use the database: it does not answer in time.',
    retryAfter: 5,
  });
});
