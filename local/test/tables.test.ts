import { existsSync } from 'node:fs';
import { cp, readFile, rm, symlink } from 'node:fs/promises';
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

// A file of the system into which nothing can be written, as on a full disk.
test.runIf(existsSync('/dev/full'))(
  'a full disk ends nothing: what was answered is kept, changes are refused until there is room, and then all is saved',
  async () => {
    const folder = newFolder();
    const tables = await startTables({ folder });
    onTestFinished(() => tables.stop());
    const client = TableClient.fromConnectionString(tables.connectionString, 'calendar', {
      allowInsecureConnection: true,
      retryOptions: { maxRetries: 0 },
    });
    await client.createTable();
    const saved = () => readFile(join(folder, 'tables.json'), 'utf8').catch(() => '');
    await expect.poll(saved, { interval: 20 }).toContain('calendar');
    await symlink('/dev/full', join(folder, 'tables.json~'));
    const answered: string[] = [];
    const write = async () => {
      const rowKey = `row${answered.length}`;
      await client.createEntity({ partitionKey: 'default', rowKey });
      answered.push(rowKey);
    };
    await write();
    await expect
      .poll(() => write().catch((error: { statusCode?: number }) => error.statusCode), { interval: 20 })
      .toBe(503);
    expect(tables.process.exitCode).toBeNull();
    expect(await client.getEntity('default', 'row0')).toMatchObject({ rowKey: 'row0' });
    expect(await saved()).not.toContain('row0');
    await rm(join(folder, 'tables.json~'));
    await expect
      .poll(() =>
        write().then(
          () => 'stored',
          (error: { statusCode?: number }) => error.statusCode,
        ),
      )
      .toBe('stored');
    await tables.stop();
    const text = await saved();
    for (const rowKey of answered) expect(text).toContain(rowKey);
  },
);
