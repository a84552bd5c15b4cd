/** PUT of custom data: what is sent replaces the JSON rows, and every `_Set` call commits with them or not at all. */

import { CodedError, isCodedError } from '../errors.ts';
import {
  changedMeanwhile,
  checkForm,
  checkIfMatch,
  checkIfNoneMatch,
  existsAlready,
  type IfMatch,
  type IfNoneMatch,
  type Tagged,
} from '../http/entity-tag.ts';
import type { Database } from '../sql/database.ts';
import { logFailure } from '../telemetry/log.ts';
import { noteChange } from '../telemetry/trace.ts';
import { customDataMembers } from './body.ts';
import type { CurrentValues } from './current.ts';
import type { JsonMember } from './members.ts';
import { neededCalls, needsCurrent, type Plan, planChange, withoutCurrent } from './plan.ts';
import { type CustomDataOf, checkStored, compose, composeValue, references } from './read.ts';
import { type Registration, readWriteSnapshot, type WriteSnapshot } from './registrations.ts';
import { checkSpelling } from './selection.ts';
import type { SetCall } from './set-calls.ts';
import { readSources } from './sources/read-sources.ts';
import { toSourceValues } from './sources/source-values.ts';
import { PartlyStored, type Stored, storeCustomData } from './store.ts';
import { checkScope } from './tag-scopes.ts';

/** Attempts to store while registrations keep changing. Changes of other values of the object are changes too for one value. */
const maxAttempts = { all: 3, one: 10 } as const;

/** A change of the custom data of one object, while it is tried. */
interface Attempt {
  readonly customization: Database;
  readonly of: CustomDataOf;
  readonly snapshot: WriteSnapshot;
  readonly plan: Plan;
  readonly ifMatch: IfMatch;
  readonly ifNoneMatch: IfNoneMatch;
  /** Whether the custom data must not have been replaced since it was read. */
  readonly conditional: boolean;
  /** Whether what is replaced does not exist yet. */
  readonly isNew: boolean;
  /** Composes what is replaced: the object, or one value of it. */
  readonly represent: typeof compose;
}

/** What is there once a change is stored. */
export interface Replaced {
  /** Undefined when others have changed it meanwhile, or a source cannot be read. */
  readonly state: Tagged | undefined;
  /** Whether what was replaced did not exist before. */
  readonly isNew: boolean;
}

/**
 * Replaces the custom data of an object with the properties of a JSON object, given as text: JSON rows that are not in it go, REF and
 * REF_RO registrations stay. Two round trips; one more to compare current values of sources, when a condition or the body needs them.
 * Throws `invalid-body`, `custom-data-read-only`, `custom-data-refused`, `precondition-failed` and others; then nothing is changed.
 */
export async function replaceCustomData(
  customization: Database,
  of: CustomDataOf,
  body: string,
  ifMatch: IfMatch,
  ifNoneMatch?: IfNoneMatch,
): Promise<Replaced> {
  return replaceMembers(customization, of, customDataMembers(body), ifMatch, ifNoneMatch);
}

/** Replaces the values of members: of `of.identifiers`, or of the whole object. */
export async function replaceMembers(
  customization: Database,
  of: CustomDataOf,
  members: readonly JsonMember[],
  ifMatch: IfMatch,
  ifNoneMatch?: IfNoneMatch,
): Promise<Replaced> {
  checkForm(ifNoneMatch);
  const conditional = ifMatch !== undefined || ifNoneMatch !== undefined;
  noteChange({ names: members.map(({ name }) => name) });
  const isWhole = of.identifiers === undefined;
  const represent = isWhole ? compose : composeValue;
  for (let number = 1; number <= maxAttempts[isWhole ? 'all' : 'one']; number++) {
    const snapshot = await readWriteSnapshot(customization, of);
    checkSpelling(of, snapshot.registrations);
    const isNew = !isWhole && snapshot.registrations.length === 0;
    checkScope(ifMatch, isWhole ? 'all' : 'one');
    if (isNew && ifMatch !== undefined) throw changedMeanwhile();
    if (!isNew) noteChange({ before: await tagBefore(snapshot, represent) });
    const plan = await planChange(members, snapshot);
    const attempt = {
      customization,
      of,
      snapshot,
      plan,
      ifMatch,
      ifNoneMatch,
      conditional,
      isNew,
      represent,
    };
    const result = await store(attempt);
    if (result !== undefined) return { state: await newState(attempt, result), isNew };
    if (isWhole && conditional) throw changedMeanwhile();
  }
  throw new CodedError(
    'custom-data-busy',
    'Cannot store custom data: the registrations of the object keep changing.',
    { retryAfter: 1 },
  );
}

/** Returns the entity tag of the state before, for the audit, whether it is JSON or not; undefined where sources would have to be read. */
async function tagBefore(
  { registrations }: WriteSnapshot,
  represent: typeof compose,
): Promise<string | undefined> {
  if (references(registrations).length > 0) return undefined;
  return (await represent(registrations, new Map())).etag;
}

/** Stores what is planned; undefined when the registrations have changed meanwhile. */
async function store(attempt: Attempt): Promise<Stored | undefined> {
  const { snapshot, plan, ifMatch, ifNoneMatch, conditional, isNew, represent } = attempt;
  if (ifNoneMatch === '*' && !isNew) throw existsAlready();
  if (!conditional && !needsCurrent(plan)) return storeCalls(attempt, plan.calls);
  const current = await currentValues(attempt);
  const etag = async () => {
    await checkStored(snapshot.registrations);
    return (await represent(snapshot.registrations, current.values)).etag;
  };
  await checkIfMatch(ifMatch, etag);
  if (!isNew) await checkIfNoneMatch(ifNoneMatch, etag);
  return storeCalls(attempt, await neededCalls(plan, current));
}

/** Runs the calls. When a procedure fails on a value that is unchanged, that value is left out and the others are stored. */
async function storeCalls(attempt: Attempt, calls: readonly SetCall[]): Promise<Stored | undefined> {
  const { customization, of, snapshot, plan, conditional } = attempt;
  try {
    const change = { rows: plan.rows, calls, snapshot, conditional };
    return await storeCustomData(customization, of, change);
  } catch (error) {
    if (calls.length === 0 || !isCodedError(error) || !isOfProcedure(error)) throw error;
    if (error instanceof PartlyStored) throw error;
    const current = await currentValues(attempt).catch((unreadable: unknown) => {
      // What the procedure says is the answer, where nothing can be compared.
      throw isCodedError(unreadable) ? error : unreadable;
    });
    const remaining = await withoutCurrent(calls, error, current);
    if (remaining.length === calls.length) throw error;
    return storeCalls(attempt, remaining);
  }
}

/** Checks whether an error is of a procedure, or of a value that it was given. */
export function isOfProcedure({ code }: CodedError): boolean {
  return (
    code === 'invalid-body' || /^custom-data-(?:value|conflict|refused|forbidden|source-failed)$/.test(code)
  );
}

/** Reads the sources that the body has values for, or all of them for an entity tag. */
async function currentValues({
  customization,
  of,
  snapshot,
  plan,
  conditional,
}: Attempt): Promise<CurrentValues> {
  const names = new Set([
    ...[...plan.readOnly, ...plan.removals, ...plan.unwritable].map(({ name }) => name),
    ...plan.calls.map(({ identifier }) => identifier),
  ]);
  const needed = references(snapshot.registrations).filter(
    ({ identifier }) => conditional || names.has(identifier),
  );
  return readSources(customization, needed, of);
}

/** What is stored is stored: no fault in finding out what is there now is an error of the change. */
async function newState(attempt: Attempt, stored: Stored): Promise<Tagged | undefined> {
  try {
    return await representationOf(attempt, stored);
  } catch (error) {
    if (!isCodedError(error, 'custom-data-source-failed')) logFailure(undefined, error);
    return undefined;
  }
}

async function representationOf(
  { snapshot, plan, represent }: Attempt,
  stored: Stored,
): Promise<Tagged | undefined> {
  const sources = references(snapshot.registrations);
  const rows = plan.rows.map(toRegistration);
  if (sources.length === 0) return represent(inOrder(rows), new Map());
  if (stored.sources.length === 0) return undefined;
  const { values, version } = await toSourceValues(sources, stored.sources);
  if (version !== stored.version) return undefined;
  return represent(inOrder([...rows, ...sources]), values);
}

function toRegistration({ name, text }: JsonMember): Registration {
  return { identifier: name, kind: 'JSON', customData: text };
}

/** As the binary collation of the statement that reads them puts them: by UTF-16 code unit. */
function inOrder(registrations: readonly Registration[]): Registration[] {
  return registrations.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
}
