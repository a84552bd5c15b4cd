/** The body of a PUT of custom data: a JSON object whose root properties are looked at one by one, as source text. */

import { CodedError, type FieldError } from '../errors.ts';
import { isStorable, unstorable } from '../text/storable-text.ts';
import { type JsonMember, jsonMembers } from './members.ts';

/** Limits of one object's custom data. */
export const customDataLimits = { properties: 10_000, identifierLength: 128 } as const;

/**
 * Splits the text of a JSON object into identifiers and the source text of their values. Throws `invalid-body` with a
 * field error for each identifier that is not valid, and `too-many-properties`. The text must be valid JSON, not too deep.
 */
export function customDataMembers(body: string): JsonMember[] {
  const members = jsonMembers(body, customDataLimits.properties + 1);
  if (members.length > customDataLimits.properties) throw tooManyProperties();
  const errors = [...members.flatMap(({ name }) => unusable(name)), ...ambiguous(members)];
  if (errors.length > 0)
    throw new CodedError('invalid-body', 'Cannot store custom data: some identifiers are not valid.', {
      errors: errors.slice(0, 20),
    });
  checkTexts(members);
  return members;
}

/** How JSON writes the characters that no text may have: only so can they be in a body of UTF-8. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** Throws `invalid-body` for texts and names in values that cannot be stored. */
export function checkTexts(members: readonly JsonMember[]): void {
  const errors = members
    .filter(({ text }) => unstorableEscape.test(text))
    .flatMap(({ name, text }) => unstorableTexts(JSON.parse(text), jsonPointer(name)));
  if (errors.length > 0)
    throw new CodedError('invalid-body', 'Cannot store custom data: some values are not valid.', {
      errors: errors.slice(0, 20),
    });
}

/** A body has 100 levels at most. */
function unstorableTexts(value: unknown, pointer: string): FieldError[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [{ pointer, detail: unstorable }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    isStorable(name)
      ? unstorableTexts(inner, pointer + jsonPointer(name))
      : [{ pointer, detail: unstorable }],
  );
}

/** The error for an object that would have more JSON values than the limit. */
export function tooManyProperties(): CodedError {
  return new CodedError(
    'too-many-properties',
    `Cannot store custom data: there are more than ${customDataLimits.properties} root properties.`,
  );
}

function unusable(name: string): FieldError[] {
  const detail = identifierFault(name);
  return detail === undefined ? [] : [{ pointer: pointerTo(name), detail }];
}

/** Returns why a name cannot be an identifier; undefined when it can. */
export function identifierFault(name: string): string | undefined {
  if (name === '') return 'must have at least 1 character';
  if (name.length > customDataLimits.identifierLength)
    return `must not have more than ${customDataLimits.identifierLength} characters`;
  return isStorable(name) ? undefined : unstorable;
}

/** Returns the JSON pointer of a name that is not usable, and may be as long as the body: then of its start. */
function pointerTo(name: string): string {
  return jsonPointer(name.slice(0, 2 * customDataLimits.identifierLength));
}

/** Returns an identifier as SQL Server compares it: without trailing spaces, in binary collations too. */
export function comparable(identifier: string): string {
  let end = identifier.length;
  // The pattern / +$/ would take quadratic time.
  while (identifier[end - 1] === ' ') end--;
  return identifier.slice(0, end);
}

function ambiguous(members: readonly JsonMember[]): FieldError[] {
  const names = new Set<string>();
  return members.flatMap(({ name }) => {
    const key = comparable(name);
    if (!names.has(key)) {
      names.add(key);
      return [];
    }
    return [{ pointer: pointerTo(name), detail: 'is given twice (trailing spaces do not count)' }];
  });
}

/** Returns the JSON pointer (RFC 6901) of nested names. */
export function jsonPointer(...names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
