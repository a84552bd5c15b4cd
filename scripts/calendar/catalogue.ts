/** The list of complete backups in an account, and the removal of old backups. */

import { odata, TableClient, TableServiceClient } from '@azure/data-tables';
import { DefaultAzureCredential } from '@azure/identity';
import type { Copied } from './backup.ts';
import { type PlaceName, placeName } from './place.ts';

/** The table with one row per complete backup, by calendar and table. An alert watches it (infra/queries/alerts.json). */
const catalogue = 'backups';
/** Names of the tables of daily backups. */
const dailyTable = /^backup\d{8}$/;

/** Records that a backup is complete. */
export async function recordBackup(place: string, { rows, version }: Copied): Promise<void> {
  const { calendar, tableName, ...account } = placeName(place);
  const table = openTable(account, catalogue);
  await table.createTable();
  await table.upsertEntity({ partitionKey: calendar, rowKey: tableName, rows, version }, 'Replace');
}

/** Removes the daily tables that are older than the newest `count` complete backups of a calendar. Returns their names. */
export async function prune(place: string, count: number): Promise<readonly string[]> {
  const { calendar, tableName: _, ...account } = placeName(place);
  const list = openTable(account, catalogue);
  const complete: string[] = [];
  for await (const { rowKey = '' } of list.listEntities({
    queryOptions: { filter: odata`PartitionKey eq ${calendar}`, select: ['RowKey'] },
  }))
    if (dailyTable.test(rowKey)) complete.push(rowKey);
  const oldest = complete.sort().at(-count);
  if (complete.length <= count || oldest === undefined) return [];
  const service = openService(account);
  const removed: string[] = [];
  for await (const { name = '' } of service.listTables())
    if (dailyTable.test(name) && name < oldest) removed.push(name);
  for (const name of removed.sort()) await service.deleteTable(name);
  for (const name of complete) if (name < oldest) await list.deleteEntity(calendar, name);
  return removed;
}

type Account = Pick<PlaceName, 'endpoint' | 'connectionString'>;

const openTable = ({ endpoint, connectionString }: Account, table: string) =>
  connectionString === ''
    ? new TableClient(endpoint, table, new DefaultAzureCredential())
    : TableClient.fromConnectionString(connectionString, table, { allowInsecureConnection: true });

const openService = ({ endpoint, connectionString }: Account) =>
  connectionString === ''
    ? new TableServiceClient(endpoint, new DefaultAzureCredential())
    : TableServiceClient.fromConnectionString(connectionString, { allowInsecureConnection: true });
