import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TableClient } from '@azure/data-tables';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../test/support/temporary-folder.ts';
import { startTables } from '../tables/start-tables.ts';

async function tablesIn(folder: string): Promise<TableClient> {
  const tables = await startTables({ folder });
  onTestFinished(() => tables.stop());
  return TableClient.fromConnectionString(tables.connectionString, 'calendar', {
    allowInsecureConnection: true,
  });
}

test('startTables() saves a write soon, so that a copy of its folder at any time has it, as after a hard kill', async () => {
  const folder = newFolder();
  const client = await tablesIn(folder);
  await client.createTable();
  await client.createEntity({ partitionKey: 'default', rowKey: 'one', text: 'kept' });
  const saved = () => readFile(join(folder, 'tables.json'), 'utf8');
  await expect.poll(saved, { interval: 20 }).toContain('kept');
  const copy = newFolder();
  await cp(folder, copy, { recursive: true });
  expect(await (await tablesIn(copy)).getEntity('default', 'one')).toMatchObject({ text: 'kept' });
});
