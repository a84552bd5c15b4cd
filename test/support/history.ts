/**
 * Histories of a calendar: the operations of readers and writers, their times, and their results. Checks whether all can have happened one
 * after the other, in an order that keeps to the clock (strict serialisability). Every write adds one to the record `n`, so that each
 * state has a number.
 */

import { createHash } from 'node:crypto';
import type { StoredRecord } from '../../functions/calendar/log/log.ts';
import type { TestLog } from './calendar-log.ts';

export type Action =
  | { readonly kind: 'read' }
  | { readonly kind: 'put' | 'delete'; readonly key: string }
  | { readonly kind: 'create' };

/** One action as it went. Times are nanoseconds on the machine's clock, the same for all its processes. */
export interface Step {
  readonly kind: Action['kind'];
  readonly start: string;
  readonly end: string;
  /** State that was read, or that a write was decided on: its number, and a digest of its records. */
  readonly number: number;
  readonly digest: string;
  readonly puts: readonly StoredRecord[];
  readonly deletes: readonly string[];
}

/** Does an action with a log and tells how it went. `value` makes what it writes unlike anything else. */
export async function act(log: TestLog, action: Action, value: string): Promise<Step> {
  const start = String(process.hrtime.bigint());
  const done = action.kind === 'read' ? await look(log) : await change(log, action, value);
  return { kind: action.kind, start, end: String(process.hrtime.bigint()), ...done };
}

type Seen = Omit<Step, 'kind' | 'start' | 'end'>;

async function look(log: TestLog): Promise<Seen> {
  await log.read();
  return { ...stateOf(log.replica.records), puts: [], deletes: [] };
}

function change(log: TestLog, action: Exclude<Action, { kind: 'read' }>, value: string): Promise<Seen> {
  return log.write((takeId) => {
    const seen = stateOf(log.replica.records);
    const counter = { key: 'n', json: String(seen.number + 1) };
    const key = action.kind === 'create' ? `event/${takeId('post')}` : action.key;
    const deletes = action.kind === 'delete' && log.replica.records.has(key) ? [key] : [];
    const puts = action.kind === 'delete' ? [counter] : [counter, { key, json: JSON.stringify(value) }];
    return { puts, deletes, result: { ...seen, puts, deletes } };
  });
}

/** The digest of all records is the sum of those of each, in any order. */
function stateOf(records: ReadonlyMap<string, string>): { number: number; digest: string } {
  let sum = 0n;
  for (const [key, json] of records) sum += digestOf(key, json);
  return { number: Number(records.get('n') ?? 0), digest: `${records.size} ${BigInt.asUintN(64, sum)}` };
}

/** The last text of each key with its digest: from one state to the next few records change. */
const lastDigests = new Map<string, { readonly json: string; readonly digest: bigint }>();

function digestOf(key: string, json: string): bigint {
  const last = lastDigests.get(key);
  if (last?.json === json) return last.digest;
  const digest = createHash('sha1').update(`${key} ${json}`).digest().readBigUInt64LE();
  lastDigests.set(key, { json, digest });
  return digest;
}

/**
 * Lists what cannot have happened; nothing when the history is in order. `final` is what the calendar holds at the end,
 * `initial` what it held before.
 */
export function violations(
  history: readonly Step[],
  final: ReadonlyMap<string, string>,
  initial: ReadonlyMap<string, string> = new Map(),
): string[] {
  const writes = history.filter((step) => step.kind !== 'read').sort((a, b) => a.number - b.number);
  const digests = replay(writes, initial);
  const order = writes.flatMap((step, index) =>
    step.number === index ? [] : [`write ${index} was decided on ${step.number}`],
  );
  const unseen = history.flatMap((step) =>
    step.digest === digests[step.number] ? [] : [`${step.kind} saw a state ${step.number} that never was`],
  );
  const end = stateOf(final).digest === digests.at(-1) ? [] : ['the calendar ends in another state'];
  return [...order, ...unseen, ...end, ...againstTheClock(history), ...twiceCreated(writes)];
}

/** Digest of the state with each number, when the writes happen in the order of their numbers. */
function replay(writes: readonly Step[], initial: ReadonlyMap<string, string>): string[] {
  const records = new Map(initial);
  const digests = [stateOf(records).digest];
  for (const { puts, deletes } of writes) {
    for (const { key, json } of puts) records.set(key, json);
    for (const key of deletes) records.delete(key);
    digests.push(stateOf(records).digest);
  }
  return digests;
}

/** Number of the state that an action leaves. */
const after = (step: Step) => (step.kind === 'read' ? step.number : step.number + 1);

function againstTheClock(history: readonly Step[]): string[] {
  return history.flatMap((later) => {
    const missed = history.find(
      (earlier) => BigInt(earlier.end) < BigInt(later.start) && after(earlier) > later.number,
    );
    return missed === undefined
      ? []
      : [`${later.kind} of state ${later.number} began after state ${after(missed)} was known`];
  });
}

function twiceCreated(writes: readonly Step[]): string[] {
  const created = writes
    .filter((step) => step.kind === 'create')
    .flatMap(({ puts }) => puts.slice(1).map(({ key }) => key));
  return created
    .filter((key, index) => created.indexOf(key) < index)
    .map((key) => `${key} was created twice`);
}
