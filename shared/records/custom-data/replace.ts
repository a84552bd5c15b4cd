/** PUT of custom data: what is sent replaces the JSON rows, and every `_Set` call commits with them or not at all. */

import { isDeepStrictEqual } from 'node:util';
import { CodedError, type FieldError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { changedMeanwhile, checkIfMatch, type IfMatch } from '../entity-tag.ts';
import { comparable, customDataMembers, jsonPointer } from './body.ts';
import type { JsonMember } from './members.ts';
import { type CustomDataOf, compose, references } from './read.ts';
import { readWriteSnapshot, type WriteSnapshot } from './registrations.ts';
import { objectsIn, type SetCall, setProcedure, toSetCalls } from './set-calls.ts';
import { readSources } from './sources.ts';
import { storeCustomData } from './store.ts';

/** Attempts to store while registrations keep changing. */
const maxAttempts = 3;

/**
 * Replaces the custom data of an object with the properties of a JSON object, given as text: JSON rows that are not
 * in it go, REF and REF_RO registrations stay. Two round trips; one more to compare current values of sources, when
 * `ifMatch` or the body needs them. Throws `invalid-body`, `custom-data-read-only`, `custom-data-refused`,
 * `precondition-failed` and others; then nothing is changed.
 */
export async function replaceCustomData(
  customization: Database,
  of: CustomDataOf,
  body: string,
  ifMatch: IfMatch,
): Promise<void> {
  const members = customDataMembers(body);
  for (let number = 1; number <= maxAttempts; number++) {
    const snapshot = await readWriteSnapshot(customization, of.propID);
    const plan = planChange(members, snapshot);
    if (ifMatch !== undefined || plan.unchanged.length > 0)
      await checkCurrent(customization, of, snapshot, plan, ifMatch);
    const conditional = ifMatch !== undefined;
    const outcome = await storeCustomData(customization, of, { snapshot, conditional, ...plan });
    if (outcome === 'stored') return;
    if (conditional) throw changedMeanwhile();
  }
  throw new CodedError(
    'custom-data-busy',
    'Cannot store custom data: the registrations of the object keep changing.',
    { retryAfter: 1 },
  );
}

/** What a body means for the registrations as they are. */
interface Plan {
  readonly rows: readonly JsonMember[];
  readonly calls: readonly SetCall[];
  /** Values that must be equal to the current ones: REF_RO, and REF values without any row. */
  readonly unchanged: readonly JsonMember[];
}

function planChange(members: readonly JsonMember[], { registrations, setParameters }: WriteSnapshot): Plan {
  const registered = new Map(references(registrations).map((one) => [comparable(one.identifier), one]));
  const errors: FieldError[] = [];
  const rows: JsonMember[] = [];
  const calls: SetCall[] = [];
  const unchanged: JsonMember[] = [];
  for (const member of members) {
    const reference = registered.get(comparable(member.name));
    if (reference === undefined) rows.push(member);
    else if (reference.identifier !== member.name)
      errors.push({
        pointer: jsonPointer(member.name),
        detail: 'differs from a registration in trailing spaces',
      });
    else if (reference.kind === 'REF_RO' || member.text === 'null' || objectsIn(member.text)?.length === 0)
      unchanged.push(member);
    else calls.push(...toSetCalls(member, setParameters.get(member.name) ?? setMissing(member.name), errors));
  }
  if (errors.length > 0)
    throw new CodedError(
      'invalid-body',
      'Cannot store custom data: some properties do not fit what is registered for the object.',
      {
        errors: errors.slice(0, 20),
      },
    );
  return { rows, calls, unchanged };
}

function setMissing(identifier: string): never {
  throw new CodedError(
    'custom-data-source-missing',
    `Cannot store the custom data "${identifier}": the procedure ${setProcedure(identifier)} does not exist.`,
    {
      facts: { identifier },
      hint: 'Create it in the customization database, or register the identifier as REF_RO.',
    },
  );
}

async function checkCurrent(
  customization: Database,
  { propID, user }: CustomDataOf,
  { registrations }: WriteSnapshot,
  { unchanged }: Plan,
  ifMatch: IfMatch,
): Promise<void> {
  const names = new Set(unchanged.map(({ name }) => name));
  const needed = references(registrations).filter(
    ({ identifier }) => ifMatch !== undefined || names.has(identifier),
  );
  const { values: current } = await readSources(customization, needed, propID, user);
  checkIfMatch(ifMatch, () => compose(registrations, current).etag);
  const changed = unchanged.filter(({ name, text }) => !sameValue(text, current.get(name) ?? 'null'));
  if (changed.length > 0) throw readOnly(changed);
}

/** As a client sees them: a program that reads numbers as doubles sends back what it read. */
function sameValue(sent: string, current: string): boolean {
  return isDeepStrictEqual(withoutEmptyArray(sent), withoutEmptyArray(current));
}

function withoutEmptyArray(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) && value.length === 0 ? null : value;
}

function readOnly(members: readonly JsonMember[]): CodedError {
  return new CodedError(
    'custom-data-read-only',
    'Cannot store custom data: read-only values differ from the current ones.',
    {
      errors: members.map(({ name }) => ({
        pointer: jsonPointer(name),
        detail: 'is read-only here, or cannot be removed',
      })),
      hint: 'Leave these properties out, or send them as they were read.',
    },
  );
}
