/** Entity tags of records: `"<version>-<digest of the text>"`. A write asks for the version only, so that linked records may change. */

import { CodedError } from '../../errors.ts';

/** Refuses a write whose `If-Match` does not name the present version (RFC 9110 13.1.1). */
export function mustMatch(version: number, tags: readonly string[] | '*' | undefined): void {
  if (tags === undefined || tags === '*' || tags.some((tag) => versionOf(tag) === version)) return;
  throw new CodedError(
    'precondition-failed',
    'Cannot write: the record has changed since the version that If-Match names.',
  );
}

function versionOf(tag: string): number {
  return Number(/^"(\d+)-/.exec(tag)?.[1] ?? Number.NaN);
}
