/** The list of whole backups in an account, and an end to old ones. */

import { odata, TableClient, TableServiceClient } from '@azure/data-tables';
import { DefaultAzureCredential } from '@azure/identity';
import type { Copied } from './backup.ts';
import { type PlaceName, placeName } from './place.ts';

/** The table that lists whole backups: a row each, by calendar and table. An alert looks for new ones (infra/queries/alerts.json). */
const catalogue = 'backups';
/** Names of tables that are backups, by day. */
const ofDay = /^backup\d{8}$/;

/** Notes that a backup is whole. */
export async function noteBackup(place: string, { rows, version }: Copied): Promise<void> {
  const { calendar, tableName, ...account } = placeName(place);
  const table = openTable(account, catalogue);
  await table.createTable();
  await table.upsertEntity({ partitionKey: calendar, rowKey: tableName, rows, version }, 'Replace');
}

/** Removes the tables of days before the newest whole backups of a calendar, as many of which are kept; gives their names. Others stay. */
export async function prune(place: string, keep: number): Promise<readonly string[]> {
  const { calendar, tableName: _, ...account } = placeName(place);
  const list = openTable(account, catalogue);
  const whole: string[] = [];
  for await (const { rowKey = '' } of list.listEntities({
    queryOptions: { filter: odata`PartitionKey eq ${calendar}`, select: ['RowKey'] },
  }))
    if (ofDay.test(rowKey)) whole.push(rowKey);
  const oldest = whole.sort().at(-keep);
  if (whole.length <= keep || oldest === undefined) return [];
  const service = openService(account);
  const old: string[] = [];
  for await (const { name = '' } of service.listTables())
    if (ofDay.test(name) && name < oldest) old.push(name);
  for (const name of old.sort()) await service.deleteTable(name);
  for (const name of whole) if (name < oldest) await list.deleteEntity(calendar, name);
  return old;
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
