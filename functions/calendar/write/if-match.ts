/** Optimistic locking of writes by `If-Match` and `If-None-Match` (RFC 9110 13.1). */

import { CodedError } from '../../../shared/errors.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import type { ReplicaContext } from '../replica/find.ts';

/**
 * Refuses a write of a record whose `If-Match` does not name the present version, or whose `If-None-Match` names it: tags read
 * `"<version>-<digest of the text>"`. A write compares the version only, so that linked records may change. A proxy that compresses a reply
 * makes its tag weak, which names the same version.
 */
export function mustMatch(version: number, { ifMatch, ifNoneMatch }: ReplicaContext): void {
  noteChange({ before: `"${version}"` });
  const namesVersion = (tags: readonly string[] | '*') =>
    tags === '*' || tags.some((tag) => versionOf(tag) === version);
  if (ifMatch !== undefined && !namesVersion(ifMatch))
    throw new CodedError(
      'precondition-failed',
      'Cannot write: the record has changed since the version that If-Match names.',
    );
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch))
    throw new CodedError(
      'precondition-failed',
      'Cannot write: If-None-Match names the present version of the record.',
    );
}

function versionOf(tag: string): number {
  return Number(/^(?:W\/)?"(\d+)-/.exec(tag)?.[1] ?? Number.NaN);
}
