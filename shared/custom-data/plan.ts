/** What a body means for the registrations of an object as they are. */

import { CodedError, type FieldError } from '../errors.ts';
import { comparable, jsonPointer } from './body.ts';
import { type CurrentValues, errorsOf, isCurrent, passesCurrent } from './current.ts';
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
export function planChange(
  members: readonly JsonMember[],
  { registrations, setParameters }: WriteSnapshot,
): Plan {
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
    else calls.push(...toSetCalls(member, parameters));
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
export function neededCalls(
  { calls, readOnly, removals, unwritable }: Plan,
  current: CurrentValues,
): SetCall[] {
  const isChanged = ({ name, text }: JsonMember) => !isCurrent(name, text, current);
  const changedMembers = readOnly.filter(isChanged);
  const removed = removals.filter(isChanged);
  if (changedMembers.length + removed.length > 0) throw readOnlyChanged(changedMembers, removed);
  const [missing] = unwritable.filter(isChanged);
  if (missing !== undefined) throw setMissing(missing.name);
  const errors = calls.flatMap((call) => errorsOf(call, current));
  if (errors.length > 0) throw invalid(errors);
  return calls.filter((call) => call.errors.length === 0);
}

/** Returns the calls that are left when those of a procedure that has failed are taken out, as far as their values are there already. */
export function withoutCurrent(
  calls: readonly SetCall[],
  failure: CodedError,
  current: CurrentValues,
): SetCall[] {
  const [{ pointer } = { pointer: '' }] = failure.errors ?? [];
  return calls.filter((call) => !isOf(call, pointer) || !passesCurrent(call, current));
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
