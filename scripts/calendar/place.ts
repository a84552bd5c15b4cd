/** The place of a calendar: a partition of a table of an account. */

import { odata, TableClient, type TableEntityResult } from '@azure/data-tables';
import { DefaultAzureCredential } from '@azure/identity';

/** A row with all properties, each with its type. */
export type Row = TableEntityResult<Record<string, unknown>>;

/** What a calendar is read from. */
export interface Source {
  readonly name: string;
  /** The row `head`; undefined where there is no calendar. */
  readonly head: () => Promise<Row | undefined>;
  /** Returns the rows whose keys are above `after` and at most `upTo`, in ascending order. */
  readonly rows: (after: string, upTo: string) => AsyncIterable<Row>;
}

/** What was copied: the number of rows, and the version of the calendar. */
export interface Copied {
  readonly rows: number;
  readonly version: number;
}

/** One calendar's partition. */
export interface Place extends Source {
  /** Creates the table if it does not exist. */
  readonly create: () => Promise<void>;
  /** Inserts or replaces rows in one transaction. */
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** Inserts the row `head`, which makes the calendar visible; gives false where there is another one. */
  readonly insertHead: (head: Row) => Promise<boolean>;
}

/** The key of the row that makes the calendar visible. */
export const headKey = 'head';
/** The bounds of the row keys of versions. */
export const firstKey = 'v|';
export const lastKey = 'v|~';

/** A place on the command line: the address of a table service, or a connection string. */
export interface PlaceName {
  readonly endpoint: string;
  readonly connectionString: string;
  readonly tableName: string;
  readonly calendar: string;
}

/** Parses the name of a place. Throws an Error for an invalid name. */
export function placeName(text: string): PlaceName {
  const [, connectionString = '', , endpoint = '', tableName = '', calendar = ''] =
    /^(?:(\S*AccountName=[^#]+)(#)|(https?:\/\/.+)\/)([A-Za-z][A-Za-z0-9]{2,62})\/([^/#?]+)$/.exec(text) ??
    [];
  if (tableName === '')
    throw new Error(
      `"${text}" is no place: it must be <address or connection string>, a table and a calendar.`,
    );
  return { endpoint, connectionString, tableName, calendar };
}

/** Opens the place that the command line names. */
export async function openPlace(text: string): Promise<Place> {
  const { endpoint, connectionString, tableName, calendar } = placeName(text);
  const client =
    connectionString === ''
      ? new TableClient(endpoint, tableName, new DefaultAzureCredential())
      : TableClient.fromConnectionString(connectionString, tableName, { allowInsecureConnection: true });
  return placeOf(client, `${tableName}/${calendar}`, calendar);
}

function placeOf(client: TableClient, name: string, calendar: string): Place {
  const entity = (row: Row) => ({ ...propertiesOf(row), partitionKey: calendar, rowKey: String(row.rowKey) });
  async function head(): Promise<Row | undefined> {
    try {
      return await client.getEntity(calendar, headKey);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }
  return {
    name,
    head,
    rows: (after, upTo) =>
      client.listEntities({
        queryOptions: {
          filter: odata`PartitionKey eq ${calendar} and RowKey gt ${after} and RowKey le ${upTo}`,
        },
      }),
    create: () => client.createTable(),
    async write(rows) {
      await client.submitTransaction(rows.map((row) => ['upsert', entity(row), 'Replace']));
    },
    async insertHead(row) {
      try {
        await client.createEntity({ ...entity(row), rowKey: headKey });
        return true;
      } catch (error) {
        // The client repeats a call whose answer was lost: then the head that is there is ours.
        if (statusOf(error) === 409) return (await head())?.['log'] === row['log'];
        throw error;
      }
    },
  };
}

/** Returns the properties of a row without those that the service adds. */
export function propertiesOf({ etag: _etag, timestamp: _time, ...rest }: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('odata.')));
}

function statusOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'statusCode' in error
    ? Number(error.statusCode)
    : undefined;
}

/** Returns the version of a head. */
export const versionOf = (head: Row): number => Number(head['version']);
