/** What the endpoints of custom data have in common: the object that a call is about, and the errors of a replacement. */

import type { KindName } from '../objects/kinds.ts';
import { objectKinds } from '../objects/kinds.ts';
import { type CallOfStatements, databasesFor, type RecordsService } from './records-service.ts';

/** Finds an object, and returns it with the user of the call and the database of its custom data; throws `object-not-found`. */
export async function findCustomData(
  { databases, objects }: RecordsService,
  name: KindName,
  id: string,
  call: CallOfStatements,
) {
  const { main, customization } = databasesFor(databases, call);
  const kind = objectKinds[name];
  const propID = await objects.propIdOf(main, kind, id);
  return { customization, of: { propID, typeID: objects.typeOf(kind), user: call.caller.user } };
}

/** Errors of replacing custom data, whole or one value. */
export const replaceProblems = {
  400: 'invalid-body, custom-data-value',
  403: 'custom-data-forbidden',
  404: 'object-not-found',
  409: 'custom-data-conflict',
  412: 'precondition-failed',
  413: 'too-many-properties, too-many-values',
  422: 'custom-data-read-only, custom-data-refused',
  500: 'custom-data-source-missing, custom-data-source-failed, custom-source-timeout',
} as const;
