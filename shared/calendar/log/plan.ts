import { randomUUID } from 'node:crypto';
import type { Held } from './held.ts';
import { spellJson } from './json-spelling.ts';
import { checkEntity, checkTransaction } from './limits.ts';
import type { Change, Decision, IdSpace } from './log.ts';
import { changeToEntity, type Head, headToEntity, versionKey } from './rows.ts';
import type { Operation } from './table.ts';

/** How many writers the head remembers. A lost answer can be made up for until so many other writers have written. */
export const maximumMarks = 64;

/** A transaction that is ready to be sent, any number of times: it takes effect at most once, on the head it was planned on. */
export interface Plan {
  /** Head that it was planned on. */
  readonly base: Head;
  /** Head that it leaves, without its tag. */
  readonly head: Omit<Head, 'etag'>;
  /** `<writer>:<number of its write>`, found in the head once it took effect. */
  readonly mark: string;
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
}

export interface PlanRequest {
  readonly held: Held;
  /** Partition of the calendar. */
  readonly calendar: string;
  readonly writer: string;
  /** Number of the write, of this writer. */
  readonly sequence: number;
  readonly decision: Decision<unknown>;
  readonly nextIds: Head['nextIds'];
}

/**
 * Plans the transaction that carries out a decision: the head, the new rows, and the rows that they replace.
 * Throws `too-large` or `invalid` beyond the limits of Azure Tables, and a TypeError for a decision that contradicts itself.
 */
export function planCommit({ held, calendar, writer, sequence, decision, nextIds }: PlanRequest): Plan {
  const base = held.head;
  const changes = changesOf(decision, base.version);
  const mark = `${writer}:${sequence}`;
  const head = {
    log: base.log === '' ? randomUUID() : base.log,
    version: base.version + changes.length,
    nextIds,
    marks: [mark, ...base.marks.filter((other) => !other.startsWith(`${writer}:`))].slice(0, maximumMarks),
  };
  const operations = [
    headOperation(base, headToEntity(calendar, head)),
    ...changes.flatMap((change) => rowOperations(held, calendar, change)),
  ];
  checkTransaction(operations.map(({ entity }) => entity));
  return { base, head, mark, changes, operations };
}

function changesOf({ puts, deletes }: Decision<unknown>, version: number): Change[] {
  const spelt = puts.map(({ key, json }) => ({ key, json: spellJson(json) }));
  const contents = [...spelt, ...deletes.map((key) => ({ key, json: null }))];
  if (new Set(contents.map(({ key }) => key)).size < contents.length)
    throw new TypeError('A decision puts or deletes the same record twice');
  return contents.map(({ key, json }, index) => ({ key, json, version: version + 1 + index }));
}

function headOperation({ etag }: Head, entity: Operation['entity']): Operation {
  return etag === '' ? { kind: 'create', entity } : { kind: 'update', entity, etag };
}

function rowOperations(held: Held, calendar: string, change: Change): Operation[] {
  const entity = changeToEntity(calendar, change);
  checkEntity(change.key, entity);
  const version = held.versionOf(change.key);
  if (version === undefined && change.json === null)
    throw new TypeError(`A decision deletes ${change.key}, which is not there`);
  const create: Operation = { kind: 'create', entity };
  if (version === undefined) return [create];
  return [create, { kind: 'delete', entity: { partitionKey: calendar, rowKey: versionKey(version) } }];
}

/** Draws ids from the head's counters; what was drawn counts once the plan is committed. */
export function drawIds(head: Head): {
  takeId: (space: IdSpace) => number;
  nextIds: Record<IdSpace, number>;
} {
  const nextIds = { ...head.nextIds };
  return { nextIds, takeId: (space) => nextIds[space]++ };
}
