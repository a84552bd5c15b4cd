/** Optimistic locking of writes by `If-Match` (RFC 9110 13.1.1). */

import { CodedError } from '../../../shared/errors.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import type { ReplicaContext } from '../replica/find.ts';

/** Refuses a write whose `If-Match` does not name the present version (RFC 9110 13.1.1): tags read `"<version>-<digest of the text>"`. A write compares the version only, so that linked records may change. */
export function mustMatch(version: number, { ifMatch }: ReplicaContext): void {
  noteChange({ before: `"${version}"` });
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.some((tag) => versionOf(tag) === version)) return;
  throw new CodedError(
    'precondition-failed',
    'Cannot write: the record has changed since the version that If-Match names.',
  );
}

function versionOf(tag: string): number {
  return Number(/^"(\d+)-/.exec(tag)?.[1] ?? Number.NaN);
}
