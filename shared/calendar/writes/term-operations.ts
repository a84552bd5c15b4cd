/** What callers do to categories and tags: the rights are asked here (behaviour sections 12 to 14). */

import type { TermKind, TermRecord } from '../model/records.ts';
import { mayManageTerms } from '../model/rights.ts';
import { readParameters, type Sent } from '../parameters/parameter.ts';
import { categoryFields, tagFields } from '../parameters/term-fields.ts';
import { invalidParameter, notAllowed } from '../problems.ts';
import { createTerm, deleteTerm, updateTerm } from './save-term.ts';
import type { Write } from './write.ts';

/** The fields of each kind, in the order of the specification. */
export const termFields = { category: categoryFields, tag: tagFields } as const;

/** Creates a category or tag; gives its record. */
export function addTerm(write: Write, kind: TermKind, sent: Sent): TermRecord {
  mustBeSignedIn(write, kind);
  const values = readParameters(termFields[kind], sent, write.surroundings, { isCreate: true });
  // Known behaviour of a create, which an update does not share: what is sent must say something.
  if (values.description === '') throw invalidParameter('description', 'must be a text that is not empty');
  if ('parent' in values && values.parent === 0)
    throw invalidParameter('parent', 'must be the id of an existing category');
  mustManage(write, kind);
  return createTerm(write, kind, values);
}

/** Updates a category or tag: what is not sent stays as it was. */
export function changeTerm(write: Write, term: TermRecord, sent: Sent): TermRecord {
  mustBeSignedIn(write, term.kind);
  const values = readParameters(termFields[term.kind], sent, write.surroundings);
  mustManage(write, term.kind);
  return updateTerm(write, term, values);
}

/** Deletes a category or tag for good. */
export function removeTerm(write: Write, term: TermRecord): void {
  mustManage(write, term.kind);
  deleteTerm(write, term);
}

function mustBeSignedIn({ surroundings: { caller } }: Write, kind: TermKind): void {
  if (caller.subject === undefined) throw notAllowed(caller, `write the ${kind}`);
}

function mustManage({ surroundings: { caller } }: Write, kind: TermKind): void {
  if (!mayManageTerms(caller, kind)) throw notAllowed(caller, `write the ${kind}`);
}
