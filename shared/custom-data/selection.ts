/** The identifiers of custom data that a caller asks for, instead of all. */

import { CodedError, type FieldError } from '../errors.ts';
import { splitList } from '../text/split-list.ts';
import type { RegisteredObject, Registration } from './registrations.ts';

/** Errors in one reply, at most. */
const maxErrors = 20;

/** Splits the values of a query parameter at commas. Throws `invalid-parameters` for an empty identifier, and for one that is given twice. */
export function selectionOf(values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined) return undefined;
  const identifiers = splitList(values);
  const errors = identifiers.flatMap((identifier, index) => {
    if (identifier === '') return ['has an empty identifier'];
    return identifiers.indexOf(identifier) < index ? [`names ${inQuotes(identifier)} twice`] : [];
  });
  if (errors.length > 0) throw invalidSelection([...new Set(errors)]);
  return identifiers;
}

/** Throws the error for the identifiers that are selected and not registered. The server ignores trailing spaces, identifiers are exact. */
export function checkSelection(
  { identifiers = [] }: RegisteredObject,
  registrations: readonly Registration[],
  error: (unregistered: readonly string[]) => CodedError,
): void {
  const registeredNames = new Set(registrations.map(({ identifier }) => identifier));
  const unregistered = identifiers.filter((identifier) => !registeredNames.has(identifier));
  if (unregistered.length > 0) throw error(unregistered);
}

/** Throws `invalid-parameters` where a registration differs from what is selected in trailing spaces alone: the key of the table is the same. */
export function checkSpelling(
  { identifiers }: RegisteredObject,
  registrations: readonly Registration[],
): void {
  if (identifiers === undefined) return;
  if (registrations.every(({ identifier }) => identifiers.includes(identifier))) return;
  throw invalidIdentifier('differs from a registration in trailing spaces');
}

/** The error for an identifier in a path that no value can have. */
export function invalidIdentifier(detail: string): CodedError {
  return new CodedError('invalid-parameters', 'Cannot store custom data: the identifier is not valid.', {
    errors: [{ pointer: 'path:identifier', detail }],
  });
}

/** The error for identifiers in a query that the object does not have. */
export function notRegistered(identifiers: readonly string[]): CodedError {
  return invalidSelection(
    identifiers.map((identifier) => `${inQuotes(identifier)} is not registered for this object`),
  );
}

/** The error for an identifier in a path that the object does not have. */
export function valueNotFound([identifier = '']: readonly string[]): CodedError {
  return new CodedError(
    'custom-data-not-found',
    `Cannot read the custom data ${inQuotes(identifier)}: it is not registered for this object.`,
    { hint: 'The identifiers of an object are listed by GET custom-data/sources.' },
  );
}

function invalidSelection(details: readonly string[]): CodedError {
  const errors: FieldError[] = details.map((detail) => ({ pointer: 'query:identifiers', detail }));
  return new CodedError('invalid-parameters', 'Cannot read custom data: the identifiers are not valid.', {
    errors: errors.slice(0, maxErrors),
    hint: 'The identifiers of an object are listed by GET custom-data/sources.',
  });
}

/** Characters of an identifier that an error has, at most. */
const maxQuoted = 128;

function inQuotes(identifier: string): string {
  return JSON.stringify(identifier.slice(0, maxQuoted));
}
