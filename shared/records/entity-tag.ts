/** Strong entity tags, made from content (RFC 9110 8.8.3). */

import { createHash, hash } from 'node:crypto';
import { CodedError } from '../errors.ts';
import { endOfSlice, isLong, pause } from '../waiting.ts';

/** The value of `If-Match`: entity tags, `*` for any, or undefined when the caller sets no condition. */
export type IfMatch = readonly string[] | '*' | undefined;

/** Returns the strong entity tag of a text. */
export function entityTag(content: string): string {
  return tagOf(hash('sha256', content, 'base64url'));
}

/** Returns the strong entity tag of a text of any length. */
export async function entityTagInSlices(content: string): Promise<string> {
  if (!isLong(content)) return entityTag(content);
  const digest = createHash('sha256');
  for (let at = 0; at < content.length; ) {
    await pause();
    const end = endOfSlice(content, at);
    digest.update(content.slice(at, end));
    at = end;
  }
  return tagOf(digest.digest('base64url'));
}

function tagOf(digest: string): string {
  return `"${digest.slice(0, 27)}"`;
}

/** Throws `precondition-failed` unless the current tag is among those of `If-Match` (strong comparison). */
export async function checkIfMatch(ifMatch: IfMatch, current: () => string | Promise<string>): Promise<void> {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(await current())) return;
  throw changedMeanwhile();
}

/** The error for a condition that does not hold, or no longer. */
export function changedMeanwhile(): CodedError {
  return new CodedError(
    'precondition-failed',
    'Cannot change the object: it was changed since you read it.',
    {
      hint: 'Read it again, and send its new ETag in If-Match.',
    },
  );
}
