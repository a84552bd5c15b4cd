/** PUT of one identifier of many objects (docs/records-contract.md, "Changing one value of many objects"). */

import { CodedError, isCodedError } from '../errors.ts';
import { changedMeanwhile, checkIfMatch, type IfMatch } from '../http/entity-tag.ts';
import { createTurns } from '../limits/turns.ts';
import type { Database } from '../sql/database.ts';
import { SqlFailure } from '../sql/failure.ts';
import { outcomeUnknown } from '../sql/outcome-unknown.ts';
import { timeoutOf, undoneStepOf } from '../sql/slow-statement.ts';
import { integer, type Row, rowsOf } from '../sql/values.ts';
import { logFailure } from '../telemetry/log.ts';
import { checkTexts, identifierFault, tooManyProperties } from './body.ts';
import { Comparison, type CurrentValues } from './current.ts';
import { explainFailure, slowProcedure } from './explain-failure.ts';
import { neededCalls, needsCurrent, type Plan, planChange, withoutCurrent } from './plan.ts';
import { checkStored, references, tagOfValue } from './read.ts';
import { listOf, type ManyValues, readSourceOfMany } from './read-many.ts';
import type { WriteSnapshot } from './registrations.ts';
import { isOfProcedure } from './replace.ts';
import { withPointersOfValue } from './replace-value.ts';
import { checkSpelling, invalidIdentifier } from './selection.ts';
import type { SetCall } from './set-calls.ts';
import { readWriteSnapshots } from './snapshot-many.ts';
import type { ActingUser } from './sources/read-sources.ts';
import type { Reference } from './sources/reference.ts';
import { objectBusy, partlyStored } from './store.ts';
import {
  type ChangeOfMany,
  type Handling,
  type OutcomeOfMany,
  stepsOfEach,
  storeMany,
} from './store-many.ts';
import { checkScope } from './tag-scopes.ts';

export type { Handling } from './store-many.ts';

/** The new value of one object. */
export interface ValueOfMany {
  readonly propID: number;
  /** The source text of the value. */
  readonly text: string;
  /** The state that it replaces; undefined: any. */
  readonly ifMatch: IfMatch;
}

/** Which identifier, of which type of objects, and for whom. */
export interface ValuesOf {
  readonly identifier: string;
  readonly typeID: number;
  readonly user: ActingUser;
  /** Returns the identifier by which callers know an object. */
  readonly idOf: (propID: number) => string;
}

/** What has become of the value of one object. */
export type AnswerOfMany =
  | {
      /** `unchanged`: it was the present value already, and nothing was stored. */
      readonly result: 'created' | 'stored' | 'unchanged';
      /** Undefined when others have changed it meanwhile, or its source cannot be read. */
      readonly etag: string | undefined;
      readonly before: string | undefined;
    }
  | { readonly error: CodedError };

/** Attempts to store while registrations or other values of the objects keep changing. */
const maxAttempts = 10;

/** Objects of one statement where each has a transaction: what is known of earlier ones stays known when a later statement fails. */
const objectsOfStatement = 250;

/** A change of one object, while it is tried. */
interface Attempt {
  readonly value: ValueOfMany;
  readonly snapshot: WriteSnapshot;
  readonly plan: Plan;
  /** Set where its procedure has failed: calls whose values are there already are left out. */
  readonly failure: CodedError | undefined;
}

/** A change that can be stored. */
interface Ready extends Attempt {
  readonly change: ChangeOfMany;
  readonly before: string | undefined;
}

/**
 * Replaces the value of one identifier of many objects, by the rules of `replaceValue` for each. `each`: the answers tell which were stored.
 * `all`: everything is stored together, or nothing; then each answer but those of objects that were refused is undefined. The number of
 * statements does not grow with the objects, but for procedures that read them, and 250 of `each`.
 */
export async function replaceManyValues(
  customization: Database,
  of: ValuesOf,
  values: readonly ValueOfMany[],
  handling: Handling,
): Promise<ReadonlyMap<number, AnswerOfMany>> {
  const fault = identifierFault(of.identifier);
  if (fault !== undefined) throw invalidIdentifier(fault);
  const work = new Work(customization, of, handling);
  // Always in one order, so that two callers do not wait for each other.
  let pending = values.toSorted((a, b) => a.propID - b.propID);
  for (let number = 1; pending.length > 0 && number <= maxAttempts; number++) {
    const ready = await work.prepare(pending).catch((error: unknown) => {
      // What an earlier attempt has stored is told all the same.
      if (handling === 'all' || number === 1 || !isCodedError(error)) throw error;
      for (const { propID } of pending) work.answers.set(propID, { error });
      return [];
    });
    if (handling === 'all' && work.isRefused) return work.answers;
    pending = await work.store(ready);
    if (handling === 'all' && work.isRefused) return work.answers;
    if (handling === 'all' && pending.length > 0) {
      work.answers.clear();
      pending = values.toSorted((a, b) => a.propID - b.propID);
    }
  }
  for (const { propID } of pending) work.answers.set(propID, { error: keepsChanging() });
  await work.readTags();
  return work.answers;
}

class Work {
  readonly answers = new Map<number, AnswerOfMany>();
  readonly #customization: Database;
  readonly #of: ValuesOf;
  readonly #handling: Handling;
  readonly #failures = new Map<number, CodedError>();
  /** Whether calls are left out whose values are there already: one transaction is not tried anew for each object whose procedure fails. */
  #leavesOut = false;
  /** Changes that are stored, whose value has to be read for its tag, with the version that they have made. */
  readonly #untagged = new Map<
    number,
    { readonly reference: Reference; readonly version: number | undefined }
  >();

  constructor(customization: Database, of: ValuesOf, handling: Handling) {
    this.#customization = customization;
    this.#of = of;
    this.#handling = handling;
  }

  get isRefused(): boolean {
    return [...this.answers.values()].some((answer) => 'error' in answer);
  }

  /** Decides on the newest state what is to be stored of values. Those that are refused, or there already, have their answer. */
  async prepare(values: readonly ValueOfMany[]): Promise<Ready[]> {
    const { identifier, typeID } = this.#of;
    const propIDs = values.map(({ propID }) => propID);
    const snapshots = await readWriteSnapshots(this.#customization, { propIDs, typeID, identifier });
    const turns = createTurns();
    const attempts: Attempt[] = [];
    for (const value of values) {
      const snapshot = snapshots.get(value.propID);
      if (snapshot === undefined) continue;
      const attempt = await this.#answering(value.propID, () => this.#plan(value, snapshot));
      if (attempt !== undefined) attempts.push(attempt);
      await turns.next();
    }
    const current = await this.#readCurrent(attempts.filter((attempt) => this.#isCompared(attempt)));
    const ready: Ready[] = [];
    for (const attempt of attempts) {
      const decided = await this.#answering(attempt.value.propID, () => this.#decide(attempt, current));
      if (decided !== undefined) ready.push(decided);
      await turns.next();
    }
    return ready;
  }

  async #plan(value: ValueOfMany, snapshot: WriteSnapshot): Promise<Attempt> {
    const { identifier } = this.#of;
    const members = [{ name: identifier, text: value.text }];
    checkTexts(members);
    checkSpelling({ propID: value.propID, identifiers: [identifier] }, snapshot.registrations);
    checkScope(value.ifMatch, 'one');
    if (snapshot.registrations.length === 0 && value.ifMatch !== undefined) throw changedMeanwhile();
    const plan = await planChange(members, snapshot);
    return { value, snapshot, plan, failure: this.#failures.get(value.propID) };
  }

  /** Reads the present values from their source, by propID. */
  async #readCurrent(attempts: readonly Attempt[]): Promise<ManyValues> {
    const ofSource = new Map(
      attempts.flatMap(({ value, snapshot }) => {
        const [reference] = references(snapshot.registrations);
        return reference === undefined ? [] : [[value.propID, reference] as const];
      }),
    );
    return this.#readSource(ofSource);
  }

  async #readSource(ofSource: ReadonlyMap<number, Reference>): Promise<ManyValues> {
    const [[, first] = []] = ofSource;
    if (first === undefined) return { values: new Map(), tabular: new Set(), columns: [], texts: new Set() };
    return readSourceOfMany(
      this.#customization,
      { ...this.#of, propIDs: [...ofSource.keys()], withColumns: false },
      (propID) => ofSource.get(propID) ?? first,
    );
  }

  /** Checks whether a value has to be compared with the present one. */
  #isCompared({ value, plan, failure }: Attempt): boolean {
    const leavesOut = failure !== undefined || (this.#leavesOut && plan.calls.length > 0);
    return value.ifMatch !== undefined || leavesOut || needsCurrent(plan);
  }

  /** Compares a value with the present one. Undefined where it is there already. */
  async #decide(attempt: Attempt, { values, texts }: ManyValues): Promise<Ready | undefined> {
    const { identifier } = this.#of;
    const { value, snapshot, plan, failure } = attempt;
    const { propID, ifMatch } = value;
    const conditional = ifMatch !== undefined;
    const [registration] = snapshot.registrations;
    const stored = registration?.kind === 'JSON' ? registration.customData : undefined;
    let before = stored === undefined ? undefined : await tagOfValue(stored);
    let { calls } = plan;
    if (registration !== undefined && this.#isCompared(attempt)) {
      await checkStored(snapshot.registrations);
      const text = stored ?? values.get(propID);
      if (text === undefined) throw forbidden(identifier);
      const tag = await tagOfValue(text);
      before = tag;
      await checkIfMatch(ifMatch, () => tag);
      const current: CurrentValues = {
        values: new Map([[identifier, text]]),
        texts: new Map([[identifier, texts]]),
      };
      if (
        conditional &&
        (await isSame(registration.kind, value.text, text, new Comparison(current), identifier))
      ) {
        this.answers.set(propID, { result: 'unchanged', etag: tag, before });
        return undefined;
      }
      if (registration.kind !== 'JSON') calls = await neededCalls(plan, current);
      if (failure !== undefined) calls = await withoutFailed(calls, failure, current);
      else if (this.#leavesOut && calls.length > 0) calls = await withoutCurrent(calls, everyCall, current);
    }
    const change = { propID, rows: plan.rows, calls, snapshot, conditional };
    return { ...attempt, change, before };
  }

  /** Stores what is ready, and returns what has to be decided anew. */
  async store(ready: readonly Ready[]): Promise<ValueOfMany[]> {
    const size = this.#handling === 'all' ? Math.max(ready.length, 1) : objectsOfStatement;
    const again: ValueOfMany[] = [];
    for (let at = 0; at < ready.length; at += size) {
      const part = ready.slice(at, at + size);
      try {
        const { again: changed, fault } = await this.#storePart(part);
        again.push(...changed);
        if (fault === undefined) continue;
        // The time of the request is over.
        for (const { value } of [...ready.slice(at + size), ...again.map((item) => ({ value: item }))])
          this.answers.set(value.propID, { error: notTried(fault) });
        return [];
      } catch (error) {
        if (this.#handling === 'all' || !isCodedError(error)) throw error;
        for (const { value } of part) this.answers.set(value.propID, { error });
        for (const { value } of ready.slice(at + size))
          this.answers.set(value.propID, { error: notTried(error) });
        break;
      }
    }
    return again;
  }

  async #storePart(
    part: readonly Ready[],
  ): Promise<{ readonly again: readonly ValueOfMany[]; readonly fault?: CodedError }> {
    const { identifier, typeID, user } = this.#of;
    const { outcomes, fault } = await storeMany(
      this.#customization,
      { typeID, user, identifiers: [identifier] },
      part.map(({ change }) => change),
      this.#handling,
    ).catch((error: unknown) =>
      explainFailure(
        error,
        part.flatMap(({ change }) => change.calls),
      ),
    );
    // What stands before a procedure that has committed by itself is stored with it.
    const isUndone =
      this.#handling === 'all' &&
      outcomes.some(({ outcome }) => outcome !== 'stored') &&
      outcomes.every(({ outcome }) => outcome !== 'committed');
    const again: ValueOfMany[] = [];
    for (const [index, item] of part.entries()) {
      const found = outcomes[index];
      if (found === undefined && fault === undefined) throw new TypeError('An object has no outcome');
      if (found === undefined) break;
      if (found.outcome === 'undone' || (isUndone && found.outcome === 'stored')) continue;
      if (await this.#isAnswered(item, found)) continue;
      again.push(item.value);
    }
    const [ended, ...rest] = part.slice(outcomes.length);
    if (fault === undefined || ended === undefined) return { again };
    const error = faultOf(fault, ended.change.calls);
    this.answers.set(ended.value.propID, { error });
    for (const { value } of rest) this.answers.set(value.propID, { error: notTried(error) });
    return { again, fault: error };
  }

  /** Answers an outcome; false where the change has to be decided anew. */
  async #isAnswered(item: Ready, { outcome, version, error }: OutcomeOfMany): Promise<boolean> {
    const { propID } = item.value;
    if (outcome === 'changed') return false;
    if (outcome === 'stored') {
      const [registration] = item.snapshot.registrations;
      const [reference] = references(item.snapshot.registrations);
      const [row] = item.plan.rows;
      const etag = row === undefined ? undefined : await tagOfValue(row.text);
      if (reference !== undefined) this.#untagged.set(propID, { reference, version });
      const result = registration === undefined ? 'created' : 'stored';
      this.answers.set(propID, { result, etag, before: item.before });
      return true;
    }
    const refused = this.#errorOf(outcome, error, item.change.calls);
    if (refused === undefined) return false;
    // What a procedure fails of may be there already: then its call is left out, once.
    const mayBeLeftOut = outcome === 'failed' && item.failure === undefined && item.change.calls.length > 0;
    if (mayBeLeftOut && isOfProcedure(refused)) {
      this.#failures.set(propID, refused);
      this.#leavesOut ||= this.#handling === 'all';
      return false;
    }
    this.answers.set(propID, { error: withPointersOfValue(refused, this.#of.identifier) });
    return true;
  }

  /** Returns the error of an outcome; undefined where another attempt is due. */
  #errorOf(outcome: string, row: Row, calls: readonly SetCall[]): CodedError | undefined {
    if (outcome === 'locked') return objectBusy();
    if (outcome === 'full') return tooManyProperties();
    const explained = outcome === 'committed' ? partlyStored(row, calls) : failureOf(row, calls);
    if (explained instanceof SqlFailure && passing.has(explained.number)) return undefined;
    if (isCodedError(explained)) return explained;
    throw explained;
  }

  /** Reads the tags of what sources give now. What is stored is stored: no fault here is an error of a change. */
  async readTags(): Promise<void> {
    if (this.#untagged.size === 0) return;
    try {
      const ofSource = new Map(Array.from(this.#untagged, ([propID, { reference }]) => [propID, reference]));
      const { values } = await this.#readSource(ofSource);
      const versions = await this.#versionsOf([...ofSource.keys()]);
      const turns = createTurns();
      for (const [propID, { version }] of this.#untagged) {
        const answer = this.answers.get(propID);
        const text = values.get(propID);
        if (answer === undefined || 'error' in answer || text === undefined) continue;
        if (versions.get(propID) === version)
          this.answers.set(propID, { ...answer, etag: await tagOfValue(text) });
        await turns.next();
      }
    } catch (error) {
      if (!isCodedError(error)) logFailure(undefined, error);
    }
  }

  async #versionsOf(propIDs: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const [found] = await this.#customization.query(
      `SELECT v.propID, v.version FROM OPENJSON(@propIDs) WITH (propID int '$') o
    JOIN dbo.tCustomDataVersions v ON v.propID = o.propID;`,
      { propIDs: listOf(propIDs) },
      { name: 'read versions' },
    );
    return new Map(rowsOf(found).map((row) => [integer(row, 'propID'), integer(row, 'version')]));
  }

  /** Does something about one object; a coded error of it is the answer. */
  async #answering<Result>(propID: number, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isCodedError(error)) throw error;
      this.answers.set(propID, { error: withPointersOfValue(error, this.#of.identifier) });
      return undefined;
    }
  }
}

/** Numbers of errors that pass: a deadlock, and a lock that was waited for too long. */
const passing = new Set([1205, 1222]);

/** What stands for a failure of any call. */
const everyCall = new CodedError('custom-data-busy', 'Cannot store custom data: a procedure has failed.');

/** A stored value is the same where each character is, since it comes back as it was written. */
async function isSame(
  kind: string,
  sent: string,
  present: string,
  comparison: Comparison,
  identifier: string,
): Promise<boolean> {
  return kind === 'JSON' ? sent === present : comparison.isCurrent(identifier, sent);
}

/** Returns the calls without those whose values are there already; throws what has failed where there are none. */
async function withoutFailed(
  calls: readonly SetCall[],
  failure: CodedError,
  current: CurrentValues,
): Promise<readonly SetCall[]> {
  const remaining = await withoutCurrent(calls, failure, current);
  if (remaining.length === calls.length) throw failure;
  return remaining;
}

function failureOf({ $number, $message, $procedure }: Row, calls: readonly SetCall[]): unknown {
  const procedure = typeof $procedure === 'string' ? $procedure : undefined;
  const failure = new SqlFailure(String($message), { number: Number($number), procedure });
  if (passing.has(failure.number)) return failure;
  try {
    return explainFailure(failure, calls);
  } catch (error) {
    return error;
  }
}

function forbidden(identifier: string): CodedError {
  return new CodedError(
    'custom-data-forbidden',
    `Cannot read the custom data "${identifier}": its procedure refuses the user.`,
    { facts: { identifier, number: 50_403 } },
  );
}

function keepsChanging(): CodedError {
  return new CodedError(
    'custom-data-busy',
    'Cannot store custom data: the registrations of the object keep changing.',
    { retryAfter: 1 },
  );
}

/** Returns the error of the object at which a statement was ended, since it took too long. */
function faultOf(fault: unknown, calls: readonly SetCall[]): CodedError {
  const step = undoneStepOf(fault);
  if (step === undefined) return outcomeUnknown('the database did not answer', fault);
  const timeout = timeoutOf(fault);
  const [call] = calls;
  if (step === stepsOfEach.wait || timeout === undefined || call === undefined) return objectBusy();
  return slowProcedure(timeout, call);
}

/** The error for objects behind a statement that failed: nobody has tried to store them. */
function notTried(cause: CodedError): CodedError {
  return new CodedError(
    'custom-data-busy',
    'Cannot store custom data: it was not tried, since the database has failed before.',
    {
      cause,
      retryAfter: 1,
    },
  );
}
