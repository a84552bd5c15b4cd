/** Our words for Azure Tables. Its client is loaded on first use. */

import type { TableClient, TransactionAction } from '@azure/data-tables';
import { settingError } from '../../../shared/config.ts';
import type { Credential } from '../../../shared/managed-identity.ts';
import type { Attributes } from '../../../shared/telemetry/measurement.ts';
import { measure } from '../../../shared/telemetry/trace.ts';
import { withTimeout } from '../../../shared/timing.ts';
import { TableFailure, toTableError, unavailable } from './failure.ts';
import type { Change, DraftRow, LogOptions, LogSettings, PastRecord } from './log.ts';
import {
  draftKeyOf,
  draftToEntity,
  type Entity,
  entityToChange,
  entityToHead,
  entityToPast,
  type Head,
  headKey,
  type KeyRange,
  noHead,
  versionKey,
} from './rows.ts';

/** One operation of a transaction. `update` names the tag that the row must still have; `delete` needs the row to be there, `put` does not mind. */
export type Operation =
  | { readonly kind: 'create' | 'delete' | 'put'; readonly entity: Entity }
  | { readonly kind: 'update'; readonly entity: Entity; readonly etag: string };

/** Rows of one answer, in ascending order of version; `next` is the continuation token, which an empty page may have too. */
export interface Page {
  readonly changes: readonly Change[];
  readonly next: string | undefined;
}

export interface PastQuery {
  readonly keys: KeyRange;
  /** Rows of another history are left out, where it is named; and those replaced before an instant, in seconds. */
  readonly log?: string;
  readonly since?: number;
  readonly pageSize: number;
  /** Whether the texts are left out. */
  readonly isBare?: boolean;
}

/** An earlier version as a row. */
export interface PastRow {
  readonly rowKey: string;
  /** When it was replaced, in seconds. */
  readonly at: number;
  readonly past: PastRecord;
}

export interface PastPage {
  readonly rows: readonly PastRow[];
  readonly next: string | undefined;
}

/** One calendar's partition. Calls fail with a `TableFailure` or a CodedError. */
export interface Table {
  /** Reads the head with one point read; `noHead` when the calendar was never written to. */
  head(): Promise<Head>;
  /** Reads one page of the rows with versions above `after` and up to `upTo`, from `next` of the page before. */
  page(after: number, upTo: number, next: string | undefined): Promise<Page>;
  /** Carries out all operations or none, within a timeout in milliseconds; resolves with the new tag of the first one's row. */
  commit(operations: readonly Operation[], timeout: number): Promise<string>;
  /** Reads one page of the earlier versions of records, or only of their keys. Those of another history, and those replaced before `since`, are left out. */
  past(query: PastQuery, next: string | undefined): Promise<PastPage>;
  /** Removes rows by their keys, 100 at most; fails where one is not there. */
  remove(rowKeys: readonly string[]): Promise<void>;
  /** Reads the draft of a record; undefined where there is none. */
  draft(key: string): Promise<DraftRow | undefined>;
  /** Puts a draft where the row has a tag, or is not there; `json` null removes it. Fails with `conflict` or `no-row` otherwise. */
  putDraft(key: string, json: string | null, etag: string | undefined): Promise<void>;
  /** Notes an instant, in seconds, unless one after `unlessAfter` is noted; resolves with whether it did. Of several at once one does. */
  noteSweep(at: number, unlessAfter: number): Promise<boolean>;
  /** Creates the table, unless it is there. */
  create(): Promise<void>;
  close(): void;
}

/** Key of the row that says when the earlier versions were last swept. No range of versions has it. */
const sweepKey = 'swept';

type Send<T> = (client: TableClient, abortSignal: AbortSignal, facts: Attributes) => Promise<T>;

/** One calendar's partition over the client of Azure Tables; nothing is loaded or sent before the first call. */
export class AzureTable implements Table {
  readonly #settings: LogSettings;
  readonly #credential: LogOptions['credential'];
  /** Milliseconds of one call, at most. */
  readonly #callTimeout: number;
  readonly #inFlight = new Set<AbortController>();
  #closed = false;
  #client: Promise<TableClient> | undefined;

  constructor(settings: LogSettings, credential: LogOptions['credential'], callTimeout: number) {
    this.#settings = settings;
    this.#credential = credential;
    this.#callTimeout = callTimeout;
  }

  head(): Promise<Head> {
    return this.#read('read head', async (table, abortSignal) =>
      entityToHead(await table.getEntity(this.#settings.calendar, headKey, { abortSignal })),
    ).catch(noHeadWhenRowIsMissing);
  }

  page(after: number, upTo: number, next: string | undefined): Promise<Page> {
    return this.#read('read rows', async (table, abortSignal, facts) => {
      const filter = await rangeFilter(this.#settings.calendar, after, upTo);
      const pages = table.listEntities({ queryOptions: { filter }, abortSignal });
      const { value: page = [] } = await pages
        .byPage(next === undefined ? {} : { continuationToken: next })
        .next();
      facts['db.response.returned_rows'] = page.length;
      return { changes: page.map(entityToChange), next: page.continuationToken };
    });
  }

  commit(operations: readonly Operation[], timeout: number): Promise<string> {
    const send: Send<string> = async (table, abortSignal, facts) => {
      facts['db.operation.batch.size'] = operations.length;
      const { subResponses } = await table.submitTransaction(operations.map(toAction), { abortSignal });
      const etag = subResponses[0]?.etag;
      if (etag !== undefined && subResponses.length === operations.length) return etag;
      throw new TableFailure('unreachable', true, new Error('The answer to a transaction is cut short'));
    };
    return this.#call('commit', send, Math.min(timeout, this.#callTimeout));
  }

  past({ keys, log, since = 0, pageSize, isBare = false }: PastQuery, next: string | undefined) {
    return this.#read('read earlier versions', async (table, abortSignal, facts): Promise<PastPage> => {
      const { odata } = await import('@azure/data-tables');
      const { calendar } = this.#settings;
      const range = odata`PartitionKey eq ${calendar} and RowKey gt ${keys.after} and RowKey lt ${keys.upTo}`;
      const filter = [
        range,
        ...(log === undefined ? [] : [odata`log eq ${log}`]),
        ...(since === 0 ? [] : [odata`at ge ${BigInt(since)}`]),
      ].join(' and ');
      const select = isBare ? { select: ['PartitionKey', 'RowKey', 'key', 'at'] } : {};
      const pages = table.listEntities({ queryOptions: { filter, ...select }, abortSignal });
      const { value: page = [] } = await pages
        .byPage({ maxPageSize: pageSize, ...(next === undefined ? {} : { continuationToken: next }) })
        .next();
      facts['db.response.returned_rows'] = page.length;
      const rows = page.map((entity: Record<string, unknown>) => ({
        rowKey: String(entity['rowKey']),
        at: Number(entity['at']),
        past: entityToPast(entity),
      }));
      return { rows, next: page.continuationToken };
    });
  }

  async remove(rowKeys: readonly string[]): Promise<void> {
    const partitionKey = this.#settings.calendar;
    await this.#call('remove earlier versions', (table, abortSignal) =>
      table.submitTransaction(
        rowKeys.map((rowKey) => ['delete', { partitionKey, rowKey }]),
        { abortSignal },
      ),
    );
  }

  draft(key: string): Promise<DraftRow | undefined> {
    return this.#read('read draft', async (table, abortSignal) => {
      const entity = await table.getEntity(this.#settings.calendar, draftKeyOf(key), { abortSignal });
      return { json: entityToChange(entity).json ?? '', etag: String(entity.etag) };
    }).catch(undefinedWhenRowIsMissing);
  }

  async putDraft(key: string, json: string | null, etag: string | undefined): Promise<void> {
    const partitionKey = this.#settings.calendar;
    await this.#call('put draft', async (table, abortSignal) => {
      if (json === null)
        return table.deleteEntity(partitionKey, draftKeyOf(key), { etag: etag ?? '*', abortSignal });
      const entity = draftToEntity(partitionKey, key, json);
      return etag === undefined
        ? table.createEntity(entity, { abortSignal })
        : table.updateEntity(entity, 'Replace', { etag, abortSignal });
    });
  }

  async noteSweep(at: number, unlessAfter: number): Promise<boolean> {
    const partitionKey = this.#settings.calendar;
    const entity = { partitionKey, rowKey: sweepKey, at: BigInt(at) };
    try {
      const noted = await this.#read('read sweep', (table, abortSignal) =>
        table.getEntity(partitionKey, sweepKey, { abortSignal }),
      ).catch(undefinedWhenRowIsMissing);
      if (noted !== undefined && Number(noted['at']) > unlessAfter) return false;
      await this.#call('note sweep', async (table, abortSignal) =>
        noted === undefined
          ? table.createEntity(entity, { abortSignal })
          : table.updateEntity(entity, 'Replace', { etag: noted.etag, abortSignal }),
      );
      return true;
    } catch (error) {
      if (error instanceof TableFailure && error.reason === 'conflict') return false;
      throw error;
    }
  }

  create(): Promise<void> {
    return this.#call('create table', (table, abortSignal) => table.createTable({ abortSignal }));
  }

  close(): void {
    this.#closed = true;
    for (const call of this.#inFlight) call.abort();
  }

  #call<T>(name: string, send: Send<T>, timeout = this.#callTimeout): Promise<T> {
    const facts = {
      'db.system.name': 'azure.tables',
      'db.collection.name': this.#settings.tableName,
      'db.operation.name': name,
    };
    return measure('tables', name, facts, ({ attributes }) => this.#send(send, timeout, attributes));
  }

  /** Calls for a read. It has no condition that could fail: a service that says so is not well. */
  #read<T>(name: string, send: Send<T>): Promise<T> {
    return this.#call(name, send).catch((error: unknown) => {
      if (!(error instanceof TableFailure && error.reason === 'conflict')) throw error;
      throw new TableFailure('unreachable', false, error);
    });
  }

  async #send<T>(send: Send<T>, timeout: number, facts: Attributes): Promise<T> {
    const stop = new AbortController();
    this.#inFlight.add(stop);
    try {
      if (this.#closed) throw new Error('The table is closed');
      const response = send(await this.#opened(), stop.signal, facts);
      // The client ends with its signal; the credential inside it may not, so the wait has a timeout too.
      return await withTimeout(
        timeout,
        response,
        () => new TableFailure('unreachable', true, new Error('No answer in time')),
      );
    } catch (error) {
      stop.abort();
      if (this.#closed) throw unavailable('use the calendar', 'the service is shutting down', error);
      throw toTableError(error, this.#settings.tableName);
    } finally {
      this.#inFlight.delete(stop);
    }
  }

  #opened(): Promise<TableClient> {
    this.#client ??= openClient(this.#settings, this.#credential).catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }
}

function noHeadWhenRowIsMissing(error: unknown): Head {
  if (error instanceof TableFailure && error.reason === 'no-row') return noHead;
  throw error;
}

function undefinedWhenRowIsMissing(error: unknown): undefined {
  if (error instanceof TableFailure && error.reason === 'no-row') return undefined;
  throw error;
}

function toAction(operation: Operation): TransactionAction {
  if (operation.kind === 'update') return ['update', operation.entity, 'Replace', { etag: operation.etag }];
  if (operation.kind === 'put') return ['upsert', operation.entity, 'Replace'];
  return [operation.kind, operation.entity];
}

/** Opens the client. It never tries again by itself: after a lost answer only the log knows what that would mean. */
async function openClient(settings: LogSettings, credential: LogOptions['credential']): Promise<TableClient> {
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

/** Treats every failure to get a token as transient: an identity endpoint that is down is like storage that is down. */
function failingAsUnreachable(credential: Credential): Credential {
  return {
    getToken: (...request) =>
      credential.getToken(...request).catch((cause: unknown) => {
        throw new TableFailure('unreachable', false, cause);
      }),
  };
}

/** Returns the filter of the rows with versions above `after` and up to `upTo`. */
async function rangeFilter(calendar: string, after: number, upTo: number): Promise<string> {
  const { odata } = await import('@azure/data-tables');
  return odata`PartitionKey eq ${calendar} and RowKey gt ${versionKey(after)} and RowKey le ${versionKey(upTo)}`;
}
