/** What categories and tags have alike. */

import type { TermKind } from '../../shared/calendar/model/records.ts';
import { type Caller, mayManageTerms } from '../../shared/calendar/model/rights.ts';
import { listTerms } from '../../shared/calendar/operations/lists.ts';
import {
  createTermOf,
  deleteTermOf,
  readTerm,
  updateTermOf,
} from '../../shared/calendar/operations/terms.ts';
import type { Resource } from './resource.ts';

/** Gives the part of a resource whose records are terms. */
export function termResource(kind: TermKind) {
  return {
    kind,
    operations: {
      list: (calendar, request) => listTerms(kind, calendar, request),
      create: (calendar, request) => createTermOf(kind, calendar, request),
      read: (named, calendar, request) => readTerm(kind, named, calendar, request),
      update: (named, calendar, request) => updateTermOf(kind, named, calendar, request),
      remove: (named, calendar, request) => deleteTermOf(kind, named, calendar, request),
    },
    mayWrite: (caller: Caller) => mayManageTerms(caller, kind),
    by: ['id'],
    itemMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    sendsLocation: true,
    deletion: 'Deletes it for good. Children of a category move to its parent; events lose the term.',
  } satisfies Partial<Resource>;
}
