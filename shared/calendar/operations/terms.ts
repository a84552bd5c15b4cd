/** Reading and writing one category or tag. */

import type { Answered, Calendar, CalendarRequest, Desk } from '../calendar.ts';
import type { TermKind, TermRecord } from '../model/records.ts';
import type { Sent } from '../parameters/parameter.ts';
import { addTerm, changeTerm, removeTerm } from '../writes/term-operations.ts';
import type { Write } from '../writes/write.ts';
import { findTerm, type Named } from './find.ts';
import type { Item } from './item.ts';
import { mustMatch } from './match.ts';

/** Reads a term. */
export function readTerm(
  kind: TermKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Answered<Item>> {
  return calendar.read(request, (desk) => itemOf(findTerm(kind, named, desk.surroundings), desk));
}

/** Creates a term. */
export function createTermOf(kind: TermKind, calendar: Calendar, request: CalendarRequest): Promise<Item> {
  return calendar.write(request, (write) => addTerm(write, kind, request.sent), itemOf);
}

/** Updates a term. */
export function updateTermOf(
  kind: TermKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Item> {
  const { sent } = request;
  return writeTo(kind, named, calendar, request, (write, term) => changeTerm(write, term, sent), sent);
}

/** Deletes a term for good; answers it as it was, with the number of events that it had. */
export function deleteTermOf(
  kind: TermKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
): Promise<Item> {
  return writeTo(kind, named, calendar, request, (write, term) => {
    removeTerm(write, term);
    return term;
  });
}

/** Writes to a term that exists, and answers the record that the write gives. `sent` are the fields to change. */
function writeTo(
  kind: TermKind,
  named: Named,
  calendar: Calendar,
  request: CalendarRequest,
  change: (write: Write, term: TermRecord) => TermRecord,
  sent: Sent = {},
): Promise<Item> {
  return calendar.write(
    request,
    (write) => {
      const term = findTerm(kind, named, write.surroundings, sent);
      const changed = change(write, term);
      mustMatch(write.surroundings.replica.terms.versionOf(term.id), request.ifMatch);
      return changed;
    },
    itemOf,
  );
}

function itemOf(term: TermRecord, { surroundings, renderer }: Desk): Item {
  const version = surroundings.replica.terms.versionOf(term.id);
  return { id: term.id, text: renderer.term(term), version };
}
