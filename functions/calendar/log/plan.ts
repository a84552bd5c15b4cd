/**
 * The transaction that carries out a decision, within the limits of Azure Tables, which Azurite does not hold.
 * Source of the limits: Microsoft, "Understanding the Table service data model" and "Performing entity group transactions".
 */

import { randomUUID } from 'node:crypto';
import { CodedError } from '../../../shared/errors.ts';
import type { LocalLog } from './local-log.ts';
import type { Change, Decision, IdSpace } from './log.ts';
import {
  changeToEntity,
  type Entity,
  type Head,
  headToEntity,
  pastToEntity,
  type SnapshotRef,
  spellJson,
  versionKey,
} from './rows.ts';
import type { Operation } from './table.ts';

/** The number of writers that the head remembers. The outcome of a lost answer can be learnt until that many other writers have written. */
export const maxRecentWriteIds = 64;

const maxProperties = 252;
const maxEntityBytes = 1_048_576;
const maxOperations = 100;
const maxTransactionBytes = 4 * 1_048_576;
/** What the multipart envelope adds to an operation, at most: its two boundaries, request line and headers. */
const envelopeBytes = 2_048;

/** A transaction that is ready to be sent, any number of times: it takes effect at most once, on the head it was planned on. */
export interface Plan {
  /** Head that it was planned on. */
  readonly base: Head;
  /** Head that it leaves, without its tag. */
  readonly head: Omit<Head, 'etag'>;
  /** `<writer>:<number of its write>`, found in the head once it took effect. */
  readonly writeId: string;
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
}

export interface PlanRequest {
  readonly local: LocalLog;
  /** Partition of the calendar. */
  readonly calendar: string;
  readonly writer: string;
  /** Number of the write, of this writer. */
  readonly sequence: number;
  readonly decision: Decision<unknown>;
  readonly nextIds: Head['nextIds'];
  /** A new snapshot that the head is to name. Default: the one that it names. */
  readonly snapshot?: SnapshotRef | undefined;
}

/**
 * Plans the transaction that carries out a decision: the head, the new rows, and the rows that they replace.
 * Throws `too-large` or `invalid` beyond the limits of Azure Tables, and a TypeError for a decision that contradicts itself.
 */
export function planCommit({
  local,
  calendar,
  writer,
  sequence,
  decision,
  nextIds,
  snapshot,
}: PlanRequest): Plan {
  const base = local.head;
  const changes = changesOf(decision, base.version);
  const writeId = `${writer}:${sequence}`;
  const head = {
    log: base.log === '' ? randomUUID() : base.log,
    version: base.version + changes.length,
    nextIds: idsAfter(nextIds, decision.usedIds),
    ...changedAfter(base, changes),
    recentWriteIds: [
      writeId,
      ...base.recentWriteIds.filter((other) => !other.startsWith(`${writer}:`)),
    ].slice(0, maxRecentWriteIds),
    snapshot: snapshot ?? base.snapshot,
  };
  const replacedAt = Math.floor(Date.now() / 1_000);
  const operations = [
    headOperation(base, headToEntity(calendar, head)),
    ...changes.flatMap((change) => rowOperations(local, calendar, change)),
    ...(decision.replaced ?? []).map(
      (past): Operation => ({ kind: 'put', entity: pastToEntity(calendar, past, replacedAt, head.log) }),
    ),
  ];
  // The time of a write has its place among the bytes of the envelope.
  checkTransaction(operations.map(({ entity: { changed: _changed, ...entity } }) => entity as Entity));
  return { base, head, writeId, changes, operations };
}

function changesOf({ puts, deletes }: Decision<unknown>, version: number): Change[] {
  const spelled = puts.map(({ key, json }) => ({ key, json: spellJson(json) }));
  const contents = [...spelled, ...deletes.map((key) => ({ key, json: null }))];
  if (new Set(contents.map(({ key }) => key)).size < contents.length)
    throw new TypeError('A decision puts or deletes the same record twice');
  return contents.map(({ key, json }, index) => ({ key, json, version: version + 1 + index }));
}

/** The instant of the latest write never goes back, also where the clocks of processes differ. */
function changedAfter({ changed }: Head, changes: readonly Change[]): Pick<Head, 'changed'> {
  if (changes.length > 0) return { changed: Math.max(changed ?? 0, Math.floor(Date.now() / 1_000)) };
  return changed === undefined ? {} : { changed };
}

function idsAfter(nextIds: Head['nextIds'], used: Decision<unknown>['usedIds'] = {}): Head['nextIds'] {
  const firstUnused = (space: IdSpace) => Math.max(nextIds[space], (used[space] ?? 0) + 1);
  return { post: firstUnused('post'), term: firstUnused('term'), user: firstUnused('user') };
}

function headOperation({ etag }: Head, entity: Operation['entity']): Operation {
  return etag === '' ? { kind: 'create', entity } : { kind: 'update', entity, etag };
}

function rowOperations(local: LocalLog, calendar: string, change: Change): Operation[] {
  const entity = changeToEntity(calendar, change);
  checkEntity(change.key, entity);
  const version = local.versionOf(change.key);
  if (version === undefined && change.json === null)
    throw new TypeError(`A decision deletes ${change.key}, which is not there`);
  const create: Operation = { kind: 'create', entity };
  if (version === undefined) return [create];
  return [create, { kind: 'delete', entity: { partitionKey: calendar, rowKey: versionKey(version) } }];
}

/**
 * Draws ids from the head's counters; what was drawn counts once the plan is committed. Throws `ids-exhausted` where the next number
 * would not be exact: two records would get the same id.
 */
export function drawIds(head: Head): {
  takeId: (space: IdSpace) => number;
  nextIds: Record<IdSpace, number>;
} {
  const nextIds = { ...head.nextIds };
  const takeId = (space: IdSpace) => {
    if (nextIds[space] >= Number.MAX_SAFE_INTEGER)
      throw new CodedError('ids-exhausted', `Cannot create the record: the ids of "${space}" are exhausted.`);
    return nextIds[space]++;
  };
  return { nextIds, takeId };
}

/** Throws `too-large` or `invalid` when a record's entity is more than Azure stores. */
export function checkEntity(key: string, entity: Entity): void {
  const properties = Object.entries(entity).filter(([name]) => name !== 'partitionKey' && name !== 'rowKey');
  if (!properties.every(([, value]) => typeof value !== 'string' || value.isWellFormed()))
    throw new CodedError('record-not-text', `Cannot save ${key}: it holds a lone surrogate.`, {
      facts: { record: key },
    });
  const bytes = entityBytes(entity.partitionKey + entity.rowKey, properties);
  if (bytes > maxEntityBytes || properties.length > maxProperties)
    throw new CodedError(
      'record-too-large',
      `Cannot save ${key}: it takes ${bytes} bytes, and a record may take ${maxEntityBytes}.`,
      { facts: { record: key, bytes, maximum: maxEntityBytes }, hint: 'Shorten its texts.' },
    );
}

/** Size of an entity by Microsoft's formula: 4 + keys + per property 8 + name + value, two bytes per code unit. */
function entityBytes(keys: string, properties: readonly (readonly [string, string | bigint])[]): number {
  const sizes = properties.map(
    ([name, value]) => 8 + 2 * name.length + (typeof value === 'string' ? 4 + 2 * value.length : 8),
  );
  return sizes.reduce((sum, size) => sum + size, 4 + 2 * keys.length);
}

/** Throws `too-large` when a write has more records than one transaction takes. Call it before the work of the next record is done. */
export function checkRecords(count: number): void {
  if (count >= maxOperations)
    throw tooLarge(
      `it has more than ${maxOperations - 1} records, and one change may touch ${maxOperations} rows`,
    );
}

/** Throws `too-large` when a write touches more rows, or sends more bytes, than one transaction takes. */
export function checkTransaction(entities: readonly Entity[]): void {
  if (entities.length > maxOperations)
    throw tooLarge(`it touches ${entities.length} rows, and one change may touch ${maxOperations}`);
  const bytes = entities.reduce((sum, entity) => sum + envelopeBytes + payloadBytes(entity), 0);
  if (bytes > maxTransactionBytes)
    throw tooLarge(`it sends ${bytes} bytes, and one change may send ${maxTransactionBytes}`);
}

function payloadBytes(entity: Entity): number {
  return Buffer.byteLength(
    JSON.stringify(entity, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
}

function tooLarge(found: string): CodedError {
  return new CodedError('change-too-large', `Cannot save the change: ${found}.`);
}
