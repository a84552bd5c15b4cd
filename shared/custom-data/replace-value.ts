/** PUT of one value of custom data: a JSON value replaces the one that is stored, a REF value is passed to its procedure. */

import { type CodedError, isCodedError } from '../errors.ts';
import type { IfMatch, IfNoneMatch } from '../http/entity-tag.ts';
import type { Database } from '../sql/database.ts';
import { checkTexts, identifierFault, jsonPointer } from './body.ts';
import type { CustomDataOf } from './read.ts';
import { type Replaced, replaceMembers } from './replace.ts';
import { invalidIdentifier } from './selection.ts';

/**
 * Replaces the value of one identifier with a JSON text, and creates it where it is not registered. Other values are neither changed nor
 * read. Throws the errors of `replaceCustomData`; their pointers are those of the value.
 */
export async function replaceValue(
  customization: Database,
  of: CustomDataOf,
  { identifier, text }: { readonly identifier: string; readonly text: string },
  ifMatch: IfMatch,
  ifNoneMatch?: IfNoneMatch,
): Promise<Replaced> {
  const fault = identifierFault(identifier);
  if (fault !== undefined) throw invalidIdentifier(fault);
  const members = [{ name: identifier, text: text.trim() }];
  try {
    checkTexts(members);
    return await replaceMembers(
      customization,
      { ...of, identifiers: [identifier] },
      members,
      ifMatch,
      ifNoneMatch,
    );
  } catch (error) {
    throw isCodedError(error) ? withPointersOfValue(error, identifier) : error;
  }
}

/** Pointers of the whole custom data begin with the identifier. */
export function withPointersOfValue(error: CodedError, identifier: string): CodedError {
  const prefix = jsonPointer(identifier);
  const errors = error.errors?.map((item) => ({
    ...item,
    pointer: item.pointer.startsWith(prefix) ? item.pointer.slice(prefix.length) : item.pointer,
  }));
  return errors === undefined ? error : Object.assign(error, { errors });
}
