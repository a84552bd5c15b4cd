/** Optimistic locking of writes by `If-Match` and `If-None-Match` (RFC 9110 13.1). */

import { CodedError } from '../../../shared/errors.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import type { ReplicaContext } from '../replica/find.ts';

/**
 * Refuses a write of a record whose `If-Match` does not name the present version, or whose `If-None-Match` names it: tags read
 * `"<version>-<digest of the text>"`. A write compares the version only, so that linked records may change.
 */
export function mustMatch(version: number, context: ReplicaContext): void {
  noteChange({ before: `"${version}"` });
  checkTags((tag) => versionOf(tag) === version, context);
}

/** Refuses a write of two records together, whose tags may name the present version of either, likewise. */
export function mustMatchOne(versions: readonly number[], context: ReplicaContext): void {
  noteChange({ before: versions.map((version) => `"${version}"`).join(', ') });
  checkTags((tag) => versions.includes(versionOf(tag)), context);
}

/** Refuses a write of a record that has one tag for its whole content, likewise. */
export function mustMatchTag(current: string, context: ReplicaContext): void {
  noteChange({ before: current });
  checkTags((tag) => tag === current, context);
}

/** A proxy that compresses a reply makes its tag weak, which names the same version. */
function checkTags(isPresent: (tag: string) => boolean, { ifMatch, ifNoneMatch }: ReplicaContext): void {
  const nameIt = (tags: readonly string[] | '*') =>
    tags === '*' || tags.some((tag) => isPresent(tag.replace(/^W\//, '')));
  if (ifMatch !== undefined && !nameIt(ifMatch))
    throw new CodedError(
      'precondition-failed',
      'Cannot write: the record has changed since the version that If-Match names.',
    );
  if (ifNoneMatch !== undefined && nameIt(ifNoneMatch))
    throw new CodedError(
      'precondition-failed',
      'Cannot write: If-None-Match names the present version of the record.',
    );
}

function versionOf(tag: string): number {
  return Number(/^"(\d+)-/.exec(tag)?.[1] ?? Number.NaN);
}
