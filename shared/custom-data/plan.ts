/** What a body means for the registrations of an object as they are. */

import { CodedError, type FieldError } from '../errors.ts';
import { createTurns } from '../limits/turns.ts';
import { comparable, jsonPointer } from './body.ts';
import { Comparison, type CurrentValues } from './current.ts';
import type { JsonMember } from './members.ts';
import { references } from './read.ts';
import type { WriteSnapshot } from './registrations.ts';
import { objectsIn, type SetCall, setProcedure, takesWhole, toSetCalls } from './set-calls.ts';

export interface Plan {
  readonly rows: readonly JsonMember[];
  readonly calls: readonly SetCall[];
  /** REF_RO values, which must be equal to the current ones. */
  readonly readOnly: readonly JsonMember[];
  /** REF values without any row, which no procedure takes; they too must be equal. */
  readonly removals: readonly JsonMember[];
  /** REF values without a procedure that takes them; they too must be equal. */
  readonly unwritable: readonly JsonMember[];
}

/** Sorts the properties of a body by what is registered. Throws `invalid-body`. */
export async function planChange(
  members: readonly JsonMember[],
  { registrations, setParameters }: WriteSnapshot,
): Promise<Plan> {
  const referencesByName = new Map(
    references(registrations).map((item) => [comparable(item.identifier), item]),
  );
  const errors: FieldError[] = [];
  const rows: JsonMember[] = [];
  const calls: SetCall[] = [];
  const readOnly: JsonMember[] = [];
  const removals: JsonMember[] = [];
  const unwritable: JsonMember[] = [];
  for (const member of members) {
    const reference = referencesByName.get(comparable(member.name));
    const parameters = setParameters.get(member.name);
    if (reference === undefined) rows.push(member);
    else if (reference.identifier !== member.name)
      errors.push({
        pointer: jsonPointer(member.name),
        detail: 'differs from a registration in trailing spaces',
      });
    else if (reference.kind === 'REF_RO') readOnly.push(member);
    else if (hasNoRow(member) && !takesWhole(parameters)) removals.push(member);
    else if (parameters === undefined) unwritable.push(member);
    else calls.push(...(await toSetCalls(member, parameters)));
  }
  if (errors.length > 0) throw invalid(errors);
  return { rows, calls, readOnly, removals, unwritable };
}

function hasNoRow({ text }: JsonMember): boolean {
  return text === 'null' || objectsIn(text)?.length === 0;
}

/** Checks whether a plan can only be carried out once the current values are known. */
export function needsCurrent({ calls, readOnly, removals, unwritable }: Plan): boolean {
  const compared = readOnly.length + removals.length + unwritable.length;
  return compared > 0 || calls.some((call) => !isValidCall(call));
}

function isValidCall({ unknown, errors }: SetCall): boolean {
  return unknown.length === 0 && errors.length === 0;
}

/**
 * Returns the calls that a plan needs: all that fit, and of those that do not none whose value is there already. Throws
 * `custom-data-read-only`, `custom-data-source-missing` and `invalid-body` for values that are neither.
 */
export async function neededCalls(
  { calls, readOnly, removals, unwritable }: Plan,
  current: CurrentValues,
): Promise<SetCall[]> {
  const comparison = new Comparison(current);
  const isChanged = async ({ name, text }: JsonMember) => !(await comparison.isCurrent(name, text));
  const changedMembers = await filtered(readOnly, isChanged);
  const removed = await filtered(removals, isChanged);
  if (changedMembers.length + removed.length > 0) throw readOnlyChanged(changedMembers, removed);
  const [missing] = await filtered(unwritable, isChanged);
  if (missing !== undefined) throw setMissing(missing.name);
  const turns = createTurns();
  const errors: FieldError[] = [];
  for (const call of calls) {
    errors.push(...(await comparison.errorsOf(call)));
    await turns.next();
  }
  if (errors.length > 0) throw invalid(errors);
  return calls.filter((call) => call.errors.length === 0);
}

/** Returns the calls that are left when those of a procedure that has failed are taken out, as far as their values are there already. */
export async function withoutCurrent(
  calls: readonly SetCall[],
  failure: CodedError,
  current: CurrentValues,
): Promise<SetCall[]> {
  const [{ pointer } = { pointer: '' }] = failure.errors ?? [];
  const comparison = new Comparison(current);
  return filtered(calls, async (call) => !isOf(call, pointer) || !(await comparison.passesCurrent(call)));
}

/** Returns the items that a question is true for. Others get turns between them. */
async function filtered<Item>(
  items: readonly Item[],
  isKept: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const turns = createTurns();
  const kept: Item[] = [];
  for (const item of items) {
    if (await isKept(item)) kept.push(item);
    await turns.next();
  }
  return kept;
}

function isOf({ identifier }: SetCall, pointer: string): boolean {
  const pointerOfCall = jsonPointer(identifier);
  return pointer === '' || pointer === pointerOfCall || pointer.startsWith(`${pointerOfCall}/`);
}

function invalid(errors: readonly FieldError[]): CodedError {
  return new CodedError('invalid-body', 'Cannot store custom data: some values are not valid.', {
    errors: errors.slice(0, 20),
  });
}

function setMissing(identifier: string): CodedError {
  return new CodedError(
    'custom-data-source-missing',
    `Cannot store the custom data "${identifier}": the procedure ${setProcedure(identifier)} does not exist.`,
    {
      facts: { identifier },
      hint: 'Create it in the customization database, give the user of the service the right to execute it, or register the identifier as REF_RO.',
    },
  );
}

function readOnlyChanged(members: readonly JsonMember[], removed: readonly JsonMember[]): CodedError {
  return new CodedError(
    'custom-data-read-only',
    members.length === 0
      ? 'Cannot store custom data: what a source gives cannot be removed.'
      : 'Cannot store custom data: read-only values differ from the current ones.',
    {
      errors: [
        ...members.map(({ name }) => ({ pointer: jsonPointer(name), detail: 'is read-only' })),
        ...removed.map(({ name }) => ({
          pointer: jsonPointer(name),
          detail: `cannot be removed: a procedure ${setProcedure(name)} with the parameter @json would get the null or [] that is sent, and could`,
        })),
      ],
      hint: 'Leave these properties out, or send them as they were read.',
    },
  );
}
