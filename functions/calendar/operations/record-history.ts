/** The history of records: their earlier versions, which are read from beside the log, for those who may edit the record now. */

import { CodedError } from '../../../shared/errors.ts';
import { logFailure } from '../../../shared/telemetry/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import type { AnyPost, AuthorRecord } from '../model/records.ts';
import { anonymous } from '../model/rights.ts';
import type { PostKind } from '../model/values.ts';
import {
  authorName,
  editablePost,
  type NumberedRecord,
  pastRecord,
  tellDifferences,
  tellVersions,
  type Version,
  type VersionDifferences,
} from '../read/history.ts';
import type { ReadResult } from '../read/read-context.ts';
import { keyOf, type PostEntry } from '../replica/entries.ts';
import type { RecordRef } from '../replica/find.ts';
import { withContentOf } from '../write/restore.ts';
import type { ReplicaSession } from './replica-session.ts';

export interface VersionPage {
  readonly versions: readonly Version[];
  /** Version before which there are more; undefined where there are none. */
  readonly before: number | undefined;
}

export interface VersionRange {
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Milliseconds between two attempts of one process to sweep. */
const sweepInterval = 24 * 60 * 60 * 1000;
/** Names that one write takes away, at most: each takes two rows. */
const maxNames = 40;

export class RecordHistories {
  readonly #session: ReplicaSession;
  #nextSweep = 0;

  constructor(session: ReplicaSession) {
    this.#session = session;
  }

  /** Lists the versions of a record, the newest first. */
  async list(
    kind: PostKind,
    ref: RecordRef,
    { before, limit }: VersionRange,
    request: CalendarRequest,
  ): Promise<ReadResult<VersionPage>> {
    const { entry } = (await this.#session.read(request, (context) => editablePost(kind, ref, context)))
      .value;
    const present = before === undefined || before > entry.version ? [{ ...entry }] : [];
    const past = await this.#past(kind, entry, Math.min(before ?? entry.version, entry.version), limit + 1);
    const records = [...present, ...past];
    // The right may have gone while they were read.
    return this.#session.read(request, (context) => {
      const versions = tellVersions(editablePost(kind, ref, context), records, limit, context);
      const last = versions.at(-1);
      return { versions, before: records.length > limit ? last?.version : undefined };
    });
  }

  /** Tells what putting a version back would change. Throws `version-not-kept` where there is none of that number. */
  async differences(
    kind: PostKind,
    ref: RecordRef,
    version: number,
    request: CalendarRequest,
  ): Promise<ReadResult<VersionDifferences>> {
    const record = await this.version(kind, ref, version, request);
    return this.#session.read(request, (context) => {
      const proof = editablePost(kind, ref, context);
      const restored = withContentOf(record, proof.entry, context);
      return tellDifferences(proof, { version, record }, restored, context);
    });
  }

  /** Reads a version of a record. Throws `version-not-kept` where there is none of that number. */
  async version(kind: PostKind, ref: RecordRef, version: number, request: CalendarRequest): Promise<AnyPost> {
    const { entry } = (await this.#session.read(request, (context) => editablePost(kind, ref, context)))
      .value;
    if (entry.version === version) return entry.record;
    const [found] = version < entry.version ? await this.#past(kind, entry, version + 1, 1) : [];
    if (found?.version !== version)
      throw new CodedError(
        'version-not-kept',
        `Cannot show the version: none of number ${version} is kept of the ${kind}.`,
      );
    return found.record;
  }

  /** Begins to remove what is not kept any longer, at most once a day. No caller waits for it. */
  sweepDaily(): void {
    const now = Date.now();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + sweepInterval;
    this.sweep().catch((error: unknown) => logFailure(undefined, error));
  }

  /** Removes what is not kept any longer: versions, unless another process has done it in the last day, and names. */
  async sweep(): Promise<void> {
    await this.#session.history?.sweep();
    const request = { caller: anonymous, parameters: {}, root: '', language: undefined };
    while (this.#oldNames(request).length > 0)
      await this.#session.commit(request, true, (write) => {
        for (const { name: _name, seen: _seen, ...author } of this.#oldNames(request)) write.put(author);
      });
  }

  #oldNames(request: CalendarRequest): readonly AuthorRecord[] {
    const context = this.#session.context(request);
    return context.replica
      .authors()
      .filter(({ id, name }) => name !== undefined && authorName(id, context) === undefined)
      .slice(0, maxNames);
  }

  async #past(
    kind: PostKind,
    { record }: PostEntry,
    before: number,
    limit: number,
  ): Promise<NumberedRecord[]> {
    const rows = (await this.#session.history?.list(keyOf(record), { before, limit })) ?? [];
    return rows.flatMap((row) => {
      const past = pastRecord(row, kind, record.id);
      return past === undefined ? [] : [{ version: row.version, record: past }];
    });
  }
}
