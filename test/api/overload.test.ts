/** More requests at once than one process takes, while the database holds them all up. */

import { startSqlServer } from 'local-sql-server';
import { afterAll, expect, test } from 'vitest';
import { databases, sqlLogin, sqlServerSettings } from '../../local/defaults.ts';
import { useApp } from '../support/app.ts';
import { recordsAs } from '../support/records.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const server = await startSqlServer({
  databases: Object.values(databases),
  users: { [sqlLogin.user]: sqlLogin.password },
});
const proxy = await startTcpProxy(server.port);
const app = useApp({ settings: { ...sqlServerSettings, DB_SERVER: `127.0.0.1,${proxy.port}` } });
const alice = recordsAs(app, 'alice@example.org');

afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server.stop();
});

test('of 520 requests of one caller that the database holds up, those that find no place are refused at once with a problem, as the host would not', async () => {
  await alice('GET', '/v7/diaries');
  const statuses = new Map<string, number>();
  const token = app.token('alice@example.org');
  const call = async () => {
    const { status, headers, json } = await alice('GET', '/v7/diaries', { token });
    const { code = '' } = json as { code?: string };
    const outcome = `${status} ${code} ${headers.get('retry-after') ?? ''}`.trim();
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
  };
  proxy.silent = true;
  const calls = Array.from({ length: 520 }, call);
  const refused = () => (statuses.get('503 database-busy 1') ?? 0) + (statuses.get('503 overloaded 1') ?? 0);
  await expect.poll(refused, { timeout: 3_500 }).toBeGreaterThanOrEqual(20);
  proxy.silent = false;
  proxy.cutAll();
  await Promise.all(calls);
  await expect.poll(async () => (await alice('GET', '/v7/diaries')).status, { timeout: 15_000 }).toBe(200);
});
