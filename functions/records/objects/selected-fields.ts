/** The fields of objects that a query names, and what spreadsheets call them. */

import { CodedError, type FieldError } from '../../../shared/errors.ts';
import { nameRanges } from '../../../shared/text/name-ranges.ts';
import { splitList } from '../../../shared/text/split-list.ts';
import { withTwoDigits } from './bk-fields.ts';
import { recordFields } from './fields.ts';
import type { ObjectKind } from './kinds.ts';

/**
 * Returns the fields that a query names, in its order, bk-fields with two digits; all of the kind without a query. Throws
 * `invalid-parameters` for a field that the kind does not have, and for one that is named twice.
 */
export function selectedFields(kind: ObjectKind, values: readonly string[] | undefined): readonly string[] {
  const known = recordFields(kind);
  if (values === undefined) return known;
  const fields: string[] = [];
  const details = splitList(values).flatMap((name) => {
    const written = name.trim();
    const [field = ''] = Object.keys(withTwoDigits({ [written]: null }).columns);
    if (!known.includes(field)) return [`${JSON.stringify(written.slice(0, maxQuoted))} is no field`];
    if (fields.includes(field)) return [`names ${field} twice`];
    fields.push(field);
    return [];
  });
  if (details.length > 0) throw invalidFields(details, known);
  return fields;
}

/** Characters of a name that an error has, at most. */
const maxQuoted = 128;

/** Errors in one reply, at most. */
const maxErrors = 20;

function invalidFields(details: readonly string[], known: readonly string[]): CodedError {
  const errors: FieldError[] = [...new Set(details)].map((detail) => ({ pointer: 'query:fields', detail }));
  return new CodedError('invalid-parameters', 'Cannot read the fields: some are not known.', {
    errors: errors.slice(0, maxErrors),
    hint: `The fields are ${nameRanges(known)}.`,
  });
}
