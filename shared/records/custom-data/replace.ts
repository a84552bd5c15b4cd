/** PUT of custom data: what is sent replaces the JSON rows, and every `_Set` call commits with them or not at all. */

import { CodedError, isCodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { noteChange } from '../../telemetry/trace.ts';
import { changedMeanwhile, checkIfMatch, type IfMatch } from '../entity-tag.ts';
import { customDataMembers } from './body.ts';
import type { CurrentValues } from './current.ts';
import type { JsonMember } from './members.ts';
import { neededCalls, needsCurrent, type Plan, planChange, withoutCurrent } from './plan.ts';
import { type CustomDataOf, checkStored, compose, references } from './read.ts';
import { type Registration, readWriteSnapshot, type WriteSnapshot } from './registrations.ts';
import type { SetCall } from './set-calls.ts';
import { readSources, toSourceValues } from './sources.ts';
import { type Stored, storeCustomData } from './store.ts';

/** Attempts to store while registrations keep changing. */
const maxAttempts = 3;

/** A change of the custom data of one object, while it is tried. */
interface Attempt {
  readonly customization: Database;
  readonly of: CustomDataOf;
  readonly snapshot: WriteSnapshot;
  readonly plan: Plan;
  readonly ifMatch: IfMatch;
}

/**
 * Replaces the custom data of an object with the properties of a JSON object, given as text: JSON rows that are not in it go, REF and
 * REF_RO registrations stay. Returns the entity tag of the new state; undefined when others have changed it meanwhile, or a source
 * cannot be read. Two round trips; one more to compare current values of sources, when `ifMatch` or the body needs them. Throws `invalid-body`, `custom-data-read-only`, `custom-data-refused`, `precondition-failed` and others; then nothing is changed.
 */
export async function replaceCustomData(
  customization: Database,
  of: CustomDataOf,
  body: string,
  ifMatch: IfMatch,
): Promise<string | undefined> {
  const members = customDataMembers(body);
  noteChange({ names: members.map(({ name }) => name) });
  for (let number = 1; number <= maxAttempts; number++) {
    const snapshot = await readWriteSnapshot(customization, of);
    noteChange({ before: await tagBefore(snapshot) });
    const attempt = { customization, of, snapshot, plan: planChange(members, snapshot), ifMatch };
    const stored = await store(attempt);
    if (stored !== undefined) return newTag(attempt, stored);
    if (ifMatch !== undefined) throw changedMeanwhile();
  }
  throw new CodedError(
    'custom-data-busy',
    'Cannot store custom data: the registrations of the object keep changing.',
    { retryAfter: 1 },
  );
}

/** Returns the entity tag of the state before, for the audit, whether it is JSON or not; undefined where sources would have to be read. */
async function tagBefore({ registrations }: WriteSnapshot): Promise<string | undefined> {
  if (references(registrations).length > 0) return undefined;
  return (await compose(registrations, new Map())).etag;
}

/** Stores what is planned; undefined when the registrations have changed meanwhile. */
async function store(attempt: Attempt): Promise<Stored | undefined> {
  const { snapshot, plan, ifMatch } = attempt;
  if (ifMatch === undefined && !needsCurrent(plan)) return storeCalls(attempt, plan.calls);
  const current = await currentValues(attempt);
  await checkIfMatch(ifMatch, async () => {
    await checkStored(snapshot.registrations);
    return (await compose(snapshot.registrations, current)).etag;
  });
  return storeCalls(attempt, neededCalls(plan, current));
}

/** Runs the calls. When a procedure fails on a value that is unchanged, that value is left out and the others are stored. */
async function storeCalls(attempt: Attempt, calls: readonly SetCall[]): Promise<Stored | undefined> {
  const { customization, of, snapshot, plan, ifMatch } = attempt;
  try {
    const change = { rows: plan.rows, calls, snapshot, conditional: ifMatch !== undefined };
    return await storeCustomData(customization, of, change);
  } catch (error) {
    if (calls.length === 0 || !isCodedError(error) || !isOfProcedure(error)) throw error;
    const remaining = withoutCurrent(calls, error, await currentValues(attempt));
    if (remaining.length === calls.length) throw error;
    return storeCalls(attempt, remaining);
  }
}

function isOfProcedure({ code }: CodedError): boolean {
  return code === 'invalid-body' || /^custom-data-(?:value|conflict|refused|source-failed)$/.test(code);
}

/** Reads the sources that the body has values for, or all of them for an entity tag. */
async function currentValues({
  customization,
  of,
  snapshot,
  plan,
  ifMatch,
}: Attempt): Promise<CurrentValues> {
  const names = new Set([
    ...[...plan.readOnly, ...plan.unwritable].map(({ name }) => name),
    ...plan.calls.map(({ identifier }) => identifier),
  ]);
  const needed = references(snapshot.registrations).filter(
    ({ identifier }) => ifMatch !== undefined || names.has(identifier),
  );
  return (await readSources(customization, needed, of)).values;
}

async function newTag({ snapshot, plan }: Attempt, stored: Stored): Promise<string | undefined> {
  const sources = references(snapshot.registrations);
  const rows = plan.rows.map(toRegistration);
  if (sources.length === 0) return (await compose(inOrder(rows), new Map())).etag;
  if (stored.sources.length === 0) return undefined;
  try {
    const { values, version } = toSourceValues(sources, stored.sources);
    if (version !== stored.version) return undefined;
    return (await compose(inOrder([...rows, ...sources]), values)).etag;
  } catch (error) {
    // What is stored is stored: a source that cannot be read now is not an error of the change.
    if (!isCodedError(error, 'custom-data-source-failed')) throw error;
    return undefined;
  }
}

function toRegistration({ name, text }: JsonMember): Registration {
  return { identifier: name, kind: 'JSON', customData: text };
}

/** As the binary collation of the statement that reads them puts them: by UTF-16 code unit. */
function inOrder(registrations: readonly Registration[]): Registration[] {
  return registrations.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
}
