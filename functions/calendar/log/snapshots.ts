/**
 * Snapshots of a log in Blob Storage: the rows up to a version in one compressed blob, from which a cold process loads more quickly than from
 * the tables. The head of the log names the snapshot with a hash of its bytes. Why it can be trusted: `docs/decisions/calendar-log.md`.
 */

import { createHash, type Hash, hash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { CodedError } from '../../../shared/errors.ts';
import { logSnapshot } from '../../../shared/telemetry/log.ts';
import type { Change, SnapshotOptions } from './log.ts';
import type { Head, SnapshotRef } from './rows.ts';
import { changesSince } from './scan.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot-format.ts';
import type { Table } from './table.ts';

/** Name of the blob by which one process at a time writes. */
const lockName = 'lock';
/** Milliseconds between two attempts of a process to write one: an import moves the log on faster than it can be copied. */
const minIntervalMs = 10_000;
/** Versions after a snapshot up to which the next one is made of it and the rows since, which are in memory then. After more of them all rows are read. */
const maxTail = 20_000;
/** Milliseconds after which a snapshot that is not named any more is removed: nobody reads it then. */
const removalAge = 10 * 60_000;
/** Bytes that are decompressed at a time. */
const chunkSize = 256 * 1024;

export interface SnapshotsOptions extends SnapshotOptions {
  readonly table: Table;
  readonly calendar: string;
  /** Has the head of a log name a snapshot, also in place of the blob `damaged` of the same version; resolves with whether it does. */
  readonly nameInHead: (log: string, snapshot: SnapshotRef, damaged: string | undefined) => Promise<boolean>;
}

/** A snapshot that cannot be used: it cannot be read, is damaged, or another one than the head names. */
export class UnusableSnapshot extends Error {
  /** What is wrong with it. */
  readonly reason: string;

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Cannot use the snapshot of the calendar: ${reason}`, { cause });
    this.reason = reason;
  }
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  /** The blob that the head named when it was found missing or damaged: it is due to be replaced, however new it is. */
  #damaged: string | undefined;
  #isWriting = false;
  #nextAttempt = 0;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** Reads the changes of the snapshot that a head names, in portions. Throws an UnusableSnapshot, perhaps after some of them: they count once it has ended. */
  async *read(head: Head): AsyncGenerator<Change[]> {
    try {
      yield* this.#read(head);
    } catch (error) {
      // A storage that does not answer says nothing of the blob.
      if (!(error instanceof CodedError)) this.#damaged = head.snapshot?.blob;
      throw new UnusableSnapshot(error);
    }
  }

  async *#read({ log, snapshot, version: newest }: Head): AsyncGenerator<Change[]> {
    const { store, calendar } = this.#options;
    if (snapshot === undefined) throw new Error('the log has none');
    const { version, blob, sha256, bytes, unpackedBytes } = snapshot;
    if (version > newest) throw new Error(`its version ${version} is beyond that of the log, ${newest}`);
    const body = await store.open(blob);
    if (body === undefined) throw new Error('it does not exist');
    // Nothing is unpacked before its bytes are known to be those of the log: a few of them may unpack to any number.
    const packed = Buffer.concat(await Array.fromAsync(bounded(body, bytes)));
    if (hash('sha256', packed) !== sha256) throw new Error('its bytes are not those that the log names');
    const gunzip = createGunzip({ chunkSize });
    const end = pipeline(Readable.from([packed]), gunzip);
    // Whoever reads what comes out of it meets the failure.
    end.catch(() => {});
    let last = 0;
    for await (const changes of decodeSnapshot(bounded(gunzip, unpackedBytes), { calendar, log })) {
      last = changes.at(-1)?.version ?? last;
      yield changes;
    }
    await end;
    if (last !== version) throw new Error(`it ends with version ${last}, and not ${version}`);
  }

  /** Begins to write a snapshot where the log has moved on far enough from the last one. Nobody waits for it. */
  consider(head: Head): void {
    if (this.#isWriting || !this.#isDue(head) || performance.now() < this.#nextAttempt) return;
    this.#isWriting = true;
    void this.#write()
      .catch((error: unknown) => logSnapshot('not-written', { version: head.version }, error))
      .finally(() => {
        this.#isWriting = false;
        this.#nextAttempt = performance.now() + minIntervalMs;
      });
  }

  #isDue({ version, snapshot }: Head): boolean {
    if (snapshot !== undefined && snapshot.blob === this.#damaged) return true;
    return version - (snapshot?.version ?? 0) >= this.#options.after;
  }

  async #write(): Promise<void> {
    const { store, table, nameInHead } = this.#options;
    await store.runAlone(lockName, async () => {
      const startedAt = performance.now();
      const head = await table.head();
      // Another process may just have written one.
      if (!this.#isDue(head)) return;
      const snapshot = await this.#upload(head);
      if (!(await nameInHead(head.log, snapshot, this.#damaged))) return;
      const milliseconds = Math.round(performance.now() - startedAt);
      logSnapshot('written', { version: snapshot.version, milliseconds });
      // A process that has just read the head may still read the last one.
      await this.#removeOld(head.log, [snapshot.blob, head.snapshot?.blob, lockName]);
    });
  }

  /** Uploads a snapshot: of the last one and the rows since, or of all rows where that cannot be used. */
  async #upload(head: Head): Promise<SnapshotRef> {
    const tail = head.version - (head.snapshot?.version ?? 0);
    if (head.snapshot === undefined || tail > maxTail)
      return this.#store(head, changesSince(this.#options.table, 0, head.version));
    try {
      return await this.#store(head, this.#changesAfterSnapshot(head, head.snapshot));
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error;
      logSnapshot('ignored', { version: head.snapshot.version, reason: error.reason });
      return this.#store(head, changesSince(this.#options.table, 0, head.version));
    }
  }

  async *#changesAfterSnapshot(head: Head, snapshot: SnapshotRef): AsyncGenerator<Change[]> {
    const portions = changesSince(this.#options.table, snapshot.version, head.version);
    const tail = (await Array.fromAsync(portions)).flat();
    const changed = new Set(tail.map(({ key }) => key));
    for await (const changes of this.read(head)) yield changes.filter(({ key }) => !changed.has(key));
    yield tail;
  }

  async #store({ log, version }: Head, portions: AsyncIterable<Change[]>): Promise<SnapshotRef> {
    const { store, calendar } = this.#options;
    const blob = `${log}/${version}-${randomBytes(6).toString('hex')}`;
    const sha256 = createHash('sha256');
    const packed = { bytes: 0 };
    const unpacked = { bytes: 0 };
    let newest = 0;
    async function* noted() {
      for await (const changes of portions) {
        newest = changes.at(-1)?.version ?? newest;
        yield changes;
      }
    }
    await pipeline(
      counted(encodeSnapshot({ calendar, log }, noted()), unpacked),
      createGzip({ level: 1, chunkSize }),
      (chunks) => store.put(blob, counted(chunks, packed, sha256), 'application/gzip'),
    );
    if (newest < version)
      throw new Error(`the newest row of the log has version ${newest}, its head ${version}`);
    return {
      version: newest,
      blob,
      sha256: sha256.digest('hex'),
      bytes: packed.bytes,
      unpackedBytes: unpacked.bytes,
    };
  }

  /** Removes the old snapshots of this log. Another table may have a calendar of the same name, whose only snapshot may be as old. */
  async #removeOld(log: string, kept: readonly (string | undefined)[]): Promise<void> {
    const { store } = this.#options;
    for await (const { name, changed } of store.list()) {
      const isOld = name.startsWith(`${log}/`) && Date.now() - changed > removalAge;
      if (isOld && !kept.includes(name)) await store.delete(name);
    }
  }
}

/** Counts the bytes that pass, and adds them to a hash. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: { bytes: number },
  sha256?: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count.bytes += chunk.byteLength;
    sha256?.update(chunk);
    yield chunk;
  }
}

/** Ends with an error where more bytes pass than the log says. */
async function* bounded(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`it has more than the ${maxBytes} bytes that the log says`);
    yield chunk;
  }
}

/** Returns the folder of the snapshots of a calendar. No calendar's pictures are in it, since no encoded name has this sign. */
export function snapshotFolder(calendar: string): string {
  return `@snapshots/${encodeURIComponent(calendar)}`;
}
