/** The client of Azure Tables, and how it reads the answer to a query. */

import type { ListTableEntitiesOptions, TableClient } from '@azure/data-tables';
import { settingError } from '../../config.ts';
import { TableFailure } from './failure.ts';
import type { Credential, LogOptions, LogSettings } from './log.ts';
import { versionKey } from './rows.ts';

/** Opens the client. It never tries again by itself: after a lost answer only the log knows what that would mean. */
export async function openClient(
  settings: LogSettings,
  credential: LogOptions['credential'],
): Promise<TableClient> {
  const { connectionString, endpoint, tableName } = settings;
  const { TableClient } = await import('@azure/data-tables');
  const retryOptions = { maxRetries: 0 };
  if (connectionString !== '') {
    const allowInsecureConnection = /(^|;)(DefaultEndpointsProtocol=http;|TableEndpoint=http:)/i.test(
      connectionString,
    );
    return TableClient.fromConnectionString(connectionString, tableName, {
      retryOptions,
      allowInsecureConnection,
    });
  }
  if (endpoint === '' || credential === undefined)
    throw settingError(
      'CALENDAR_TABLE_ENDPOINT',
      'is missing; without it CALENDAR_TABLE_CONNECTION_STRING must be set',
    );
  if (!endpoint.startsWith('https:'))
    throw settingError(
      'CALENDAR_TABLE_ENDPOINT',
      'is not usable: it must start with https:, because an access token is sent to it',
    );
  return new TableClient(endpoint, tableName, failingAsUnreachable(await credential()), { retryOptions });
}

/** Creates every failure to get a token one that passes: an identity endpoint that is down is like storage that is down. */
function failingAsUnreachable(credential: Credential): Credential {
  return {
    getToken: (...request) =>
      credential.getToken(...request).catch((cause: unknown) => {
        throw new TableFailure('unreachable', false, cause);
      }),
  };
}

/** What a query answers, as the client reads it: with the names of its headers in its own case. */
interface QueryReply {
  value?: Readonly<Record<string, unknown>>[];
  xMsContinuationNextPartitionKey?: string | undefined;
  xMsContinuationNextRowKey?: string | undefined;
}

/**
 * Returns options of a query, and a list that receives its entities as the service sends them. The client would convert each of their
 * properties twice, a fifth of a load.
 */
export function plainEntities() {
  const entities: Readonly<Record<string, unknown>>[] = [];
  const options: ListTableEntitiesOptions = {
    requestOptions: { shouldDeserialize: ({ status }) => status !== 200 },
    onResponse({ status, headers }, reply) {
      if (status !== 200) return;
      const { value = [] } = reply as QueryReply;
      for (const entity of value) entities.push(entity);
      Object.assign(reply as QueryReply, {
        value: [],
        xMsContinuationNextPartitionKey: headers.get('x-ms-continuation-nextpartitionkey'),
        xMsContinuationNextRowKey: headers.get('x-ms-continuation-nextrowkey'),
      } satisfies QueryReply);
    },
  };
  return { options, entities };
}

/** Returns the filter of the rows with versions above `after` and up to `upTo`. */
export async function rangeFilter(calendar: string, after: number, upTo: number): Promise<string> {
  const { odata } = await import('@azure/data-tables');
  return odata`PartitionKey eq ${calendar} and RowKey gt ${versionKey(after)} and RowKey le ${versionKey(upTo)}`;
}
