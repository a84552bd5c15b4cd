/** What the customer calls the fields of a kind, for a call. */

import type { ObjectKind } from '../objects/kinds.ts';
import { readLabels } from '../objects/labels.ts';
import { type CallOfStatements, databasesFor, type RecordsService } from './records-service.ts';

/** Reads the labels of the fields of a kind in a language: that of the caller unless told. */
export function labelsFor(
  { databases, objects }: RecordsService,
  kind: ObjectKind,
  call: CallOfStatements,
  langID = call.caller.user.langID,
): Promise<Readonly<Record<string, string>>> {
  return readLabels(databasesFor(databases, call).customization, { typeID: objects.typeOf(kind), langID });
}
