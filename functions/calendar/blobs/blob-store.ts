/** Blobs of a calendar: a folder in a container of Azure Blob Storage. The only importer of @azure/storage-blob, which is loaded on first use. */

import { Readable } from 'node:stream';
import type { BlobLeaseClient, BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { settingError } from '../../../shared/config.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { Credential } from '../../../shared/managed-identity.ts';
import { measure } from '../../../shared/telemetry/trace.ts';
import { withTimeout } from '../../../shared/timing.ts';

export interface BlobStoreSettings {
  readonly connectionString: string;
  readonly endpoint: string;
  readonly container: string;
  /** Path of the folder in the container, without a slash at the end. */
  readonly folder: string;
  /** What the blobs are, as errors call them. */
  readonly contents: 'pictures' | 'snapshots' | 'backups';
  /**
   * Milliseconds for which a call may take, and for which an upload, or what is read while it arrives, may stand still on the side of the
   * storage. Default: 4,000, so that a request is answered in its time.
   */
  readonly timeout?: number;
}

/** A part of a blob: from the first byte, and the number of bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly count: number;
}

export interface StoredBlob {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

export interface BlobStore {
  /** Stores a blob whole, or not at all where the chunks end with an error. */
  put(name: string, chunks: AsyncIterable<Uint8Array>, type: string): Promise<void>;
  /** Reads a blob, or a part; undefined for one that does not exist. */
  read(name: string, range?: ByteRange): Promise<Buffer | undefined>;
  /** Opens a blob, or a part, to be read while it arrives; undefined for one that does not exist. */
  open(name: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Deletes a blob, unless it does not exist. */
  delete(name: string): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
  /**
   * Runs work while no other process runs work under this name; undefined where one does. Should this process end meanwhile, the others
   * wait for a minute at most.
   */
  runAlone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** Bytes of a block, and blocks in flight; their product is the memory that an upload takes. */
const blockBytes = 1024 * 1024;
const maxBlocks = 2;
const defaultTimeout = 4_000;
/** Milliseconds for which a listing may take, which no caller waits for. */
const listTimeout = 600_000;
/** Seconds for which work keeps that of other processes out, at most. */
const leaseSeconds = 60;
/** Seconds after which a caller may retry. */
const retryAfter = 2;

/** Opens the store. Nothing is sent before the first call. */
export function openBlobStore(
  settings: BlobStoreSettings,
  credential: () => Credential | Promise<Credential>,
): BlobStore {
  let opened: Promise<ContainerClient> | undefined;
  const prefix = `${settings.folder}/`;
  const { timeout = defaultTimeout, contents } = settings;
  const unavailable = (cause?: unknown) => blobsUnavailable(contents, cause);

  /** Sends a call, which takes `timeout` at most unless it has a signal of its own. */
  async function call<T>(
    name: string,
    send: (container: ContainerClient, abortSignal: AbortSignal) => Promise<T>,
    ownSignal?: AbortSignal,
  ) {
    const signal = AbortSignal.timeout(timeout);
    opened ??= openContainer(settings, credential, signal);
    const facts = { 'db.system.name': 'azure.blobs', 'db.operation.name': name };
    try {
      const container = await withTimeout(timeout, opened, unavailable);
      return await measure('blobs', name, facts, () => {
        const answer = send(container, ownSignal ?? signal);
        // The client ends with its signal; the credential inside it may not.
        return ownSignal === undefined ? withTimeout(timeout, answer, unavailable) : answer;
      });
    } catch (error) {
      opened = undefined;
      throw storeError(error, settings);
    }
  }

  return {
    put: async (name, chunks, type) => {
      const stall = createStall(timeout, unavailable);
      const headers = { blobContentType: type, blobCacheControl: 'public, max-age=31536000, immutable' };
      await call(
        'put blob',
        async (container) => {
          const blob = container.getBlockBlobClient(prefix + name);
          const stream = Readable.from(stall.whileSending(chunks), { objectMode: false });
          // The client tells of an error while it reads; one that comes after it has given up is nobody's.
          stream.on('error', () => {});
          try {
            const { signal: abortSignal, restart: onProgress } = stall;
            const options = { abortSignal, onProgress, blobHTTPHeaders: headers };
            await stall.bound(blob.uploadStream(stream, blockBytes, maxBlocks, options));
          } finally {
            stall.end();
            stream.destroy();
          }
        },
        stall.signal,
      );
    },
    read: (name, { offset, count } = wholeRange) =>
      call('read blob', (container, abortSignal) => {
        const blob = container.getBlockBlobClient(prefix + name);
        return blob.downloadToBuffer(offset, count || undefined, { abortSignal }).catch(noBlob);
      }),
    open: (name, { offset, count } = wholeRange) => {
      const stop = new AbortController();
      const send = async (container: ContainerClient, abortSignal: AbortSignal) => {
        const blob = container.getBlockBlobClient(prefix + name);
        const response = await withTimeout(
          timeout,
          blob.download(offset, count || undefined, { abortSignal }),
          unavailable,
        ).catch((error: unknown) => {
          stop.abort();
          return noBlob(error);
        });
        const body = response?.readableStreamBody as Readable | undefined;
        return (
          body &&
          (Readable.toWeb(
            Readable.from(whileArriving(body, stop, timeout, unavailable)),
          ) as ReadableStream<Uint8Array>)
        );
      };
      return call('open blob', send, stop.signal);
    },
    delete: (name) =>
      call('delete blob', async (container, abortSignal) => {
        await container.getBlockBlobClient(prefix + name).deleteIfExists({ abortSignal });
      }),
    async runAlone(name, work) {
      const lease = await call('acquire lease', (container, abortSignal) =>
        acquireLease(container.getBlockBlobClient(prefix + name), abortSignal),
      );
      if (lease === undefined) return undefined;
      try {
        return await work();
      } finally {
        // A lease that cannot be given back ends by itself.
        await call('release lease', (_, abortSignal) => lease.releaseLease({ abortSignal })).catch(() => {});
      }
    },
    async *list() {
      const container = await call('list blobs', async (container) => container);
      try {
        const abortSignal = AbortSignal.timeout(listTimeout);
        for await (const { name, properties } of container.listBlobsFlat({ prefix, abortSignal }))
          yield { name: name.slice(prefix.length), changed: properties.lastModified.getTime() };
      } catch (error) {
        if (statusOf(error) !== 404) throw storeError(error, settings);
      }
    },
  };
}

/** Acquires the lease of a blob without content, which is created where it is missing; undefined where another process has it. */
async function acquireLease(
  blob: BlockBlobClient,
  abortSignal: AbortSignal,
): Promise<BlobLeaseClient | undefined> {
  const lease = blob.getBlobLeaseClient();
  try {
    await lease.acquireLease(leaseSeconds, { abortSignal });
    return lease;
  } catch (error) {
    if (statusOf(error) === 409) return undefined;
    if (statusOf(error) !== 404) throw error;
  }
  try {
    await blob.upload('', 0, { abortSignal, conditions: { ifNoneMatch: '*' } });
  } catch (error) {
    // Another process has created it meanwhile, and has its lease.
    if (statusOf(error) === 409 || statusOf(error) === 412) return undefined;
    throw error;
  }
  return acquireLease(blob, abortSignal);
}

/** Stops an upload that stands still for some milliseconds on the side of the storage. The time in which the caller sends does not count. */
function createStall(timeout: number, unavailable: () => CodedError) {
  const stop = new AbortController();
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(timer);
  const restart = () => {
    end();
    timer = setTimeout(() => {
      stop.abort();
      late.reject(unavailable());
    }, timeout);
  };
  return {
    signal: stop.signal,
    restart,
    end,
    /** Waits for the upload until it stands still. */
    bound: <T>(upload: Promise<T>): Promise<T> => Promise.race([upload, late.promise]),
    async *whileSending(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      end();
      for await (const chunk of chunks) {
        restart();
        yield chunk;
        end();
      }
      restart();
    },
  };
}

/** Yields the chunks of a body until one does not arrive within some milliseconds. The time in which the reader takes them does not count. */
async function* whileArriving(
  body: Readable,
  stop: AbortController,
  timeout: number,
  unavailable: () => CodedError,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withTimeout(timeout, iterator.next(), unavailable);
      if (done === true) return;
      yield value as Uint8Array;
    }
  } finally {
    stop.abort();
    body.destroy();
  }
}

/** The range of a whole blob. */
const wholeRange: ByteRange = { offset: 0, count: 0 };

function noBlob(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

async function openContainer(
  { connectionString, endpoint, container }: BlobStoreSettings,
  credential: () => Credential | Promise<Credential>,
  abortSignal: AbortSignal,
): Promise<ContainerClient> {
  if (connectionString === '' && endpoint === '')
    throw settingError(
      'CALENDAR_BLOB_ENDPOINT',
      'is missing, so that no pictures can be stored; without it CALENDAR_BLOB_CONNECTION_STRING must be set',
    );
  const { ContainerClient } = await import('@azure/storage-blob');
  const options = { retryOptions: { maxTries: 3, retryDelayInMs: 200 } };
  if (connectionString !== '')
    return created(new ContainerClient(connectionString, container, options), abortSignal);
  if (!endpoint.startsWith('https:'))
    throw settingError(
      'CALENDAR_BLOB_ENDPOINT',
      'is not usable: it must start with https:, because an access token is sent to it',
    );
  const url = `${endpoint.replace(/\/$/, '')}/${container}`;
  return created(new ContainerClient(url, await credential(), options), abortSignal);
}

/** Creates the container where it is missing. The templates create it, so that the app in Azure needs no right to do so. */
async function created(container: ContainerClient, abortSignal: AbortSignal): Promise<ContainerClient> {
  if (!(await container.exists({ abortSignal }))) await container.createIfNotExists({ abortSignal });
  return container;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined;
}

/** Translates what the client threw. An error of the chunks, and an unknown one, is returned unchanged. */
function storeError(error: unknown, { container, contents }: BlobStoreSettings): unknown {
  if (!(error instanceof Error) || error instanceof CodedError) return error;
  const status = statusOf(error);
  if (status === 401 || status === 403)
    return new CodedError(
      contents === 'pictures' ? 'pictures-access' : 'blobs-access',
      `Cannot use the ${contents} in the container "${container}": the blob storage refused access.`,
      {
        cause: error,
        hint: "Check the connection string, or give the app's identity the role Storage Blob Data Contributor.",
      },
    );
  return unreachableNames.has(error.name) ? blobsUnavailable(contents, error) : error;
}

/** Names of errors of a storage that does not answer, or of an identity endpoint that gives no token for it. */
const unreachableNames = new Set([
  'AbortError',
  'RestError',
  'TimeoutError',
  'TokenFailure',
  'CredentialUnavailableError',
]);

/** Creates the error of a storage that does not answer. */
export function blobsUnavailable(contents: BlobStoreSettings['contents'], cause?: unknown): CodedError {
  return new CodedError(
    contents === 'pictures' ? 'pictures-unavailable' : 'blobs-unavailable',
    `Cannot use the ${contents}: the blob storage does not answer.`,
    { cause, retryAfter },
  );
}
