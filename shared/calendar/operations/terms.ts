/** Reading and writing one category or tag. */

import type { Answered, Calendar, CalendarRequest, Desk } from '../calendar.ts';
import type { TermKind, TermRecord } from '../records.ts';
import { addTerm, changeTerm, removeTerm } from '../writes/term-operations.ts';
import { findTerm } from './find.ts';
import { mustMatch } from './match.ts';
import type { Item } from './posts.ts';

/** An id and its term as JSON text. */
export type TermItem = Item & { readonly id: number };

/** Reads a term. */
export function readTerm(
  kind: TermKind,
  id: number,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Answered<TermItem>> {
  return calendar.read(request, (desk) => itemOf(findTerm(kind, id, desk.surroundings), desk));
}

/** Creates a term. */
export function createTermOf(
  kind: TermKind,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<TermItem> {
  return calendar.write(request, (write) => addTerm(write, kind, request.sent), itemOf);
}

/** Updates a term. */
export function updateTermOf(
  kind: TermKind,
  id: number,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<TermItem> {
  return calendar.write(
    request,
    (write) => {
      const term = findTerm(kind, id, write.surroundings);
      const changed = changeTerm(write, term, request.sent);
      mustMatch(write.surroundings.replica.terms.versionOf(id), request.ifMatch);
      return changed;
    },
    itemOf,
  );
}

/** Deletes a term for good; answers it as it was, with the number of events that it had. */
export function deleteTermOf(
  kind: TermKind,
  id: number,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<TermItem> {
  return calendar.write(
    request,
    (write) => {
      const term = findTerm(kind, id, write.surroundings);
      removeTerm(write, term);
      mustMatch(write.surroundings.replica.terms.versionOf(id), request.ifMatch);
      return term;
    },
    itemOf,
  );
}

function itemOf(term: TermRecord, { surroundings, renderer }: Desk): TermItem {
  return { id: term.id, text: renderer.term(term), version: surroundings.replica.terms.versionOf(term.id) };
}
