/** Strong entity tags, made from content (RFC 9110 8.8.3). */

import { createHash, hash } from 'node:crypto';
import { CodedError } from '../errors.ts';
import { chunkLength, isLong, nextChunkEnd, yieldToEventLoop } from '../limits/chunks.ts';

/** The value of `If-Match`: entity tags, `*` for any, or undefined when the caller sets no condition. */
export type IfMatch = readonly string[] | '*' | undefined;

/** The value of `If-None-Match`, of the same form. */
export type IfNoneMatch = IfMatch;

/** Returns the strong entity tag of a text. */
export function entityTag(content: string): string {
  return tagOf(hash('sha256', content, 'base64url'));
}

/** A text that goes out as it is, or its bytes in UTF-8 where it is long, with its strong entity tag. */
export interface Tagged {
  readonly content: string | Uint8Array;
  readonly etag: string;
}

/** Joins texts to one, of any length, and tags it; `scope` begins its tag. A long one is turned into bytes and tagged in one pass, in chunks. */
export async function joinTagged(parts: readonly string[], scope = ''): Promise<Tagged> {
  if (!isLong({ length: parts.reduce((sum, { length }) => sum + length, 0) })) {
    const content = parts.join('');
    return { content, etag: tagOf(hash('sha256', content, 'base64url'), scope) };
  }
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  const digest = createHash('sha256');
  let bytesWritten = 0;
  let tagged = 0;
  for (const part of parts)
    for (let at = 0; at < part.length; ) {
      const end = nextChunkEnd(part, at);
      bytesWritten += bytes.write(part.slice(at, end), bytesWritten);
      at = end;
      if (bytesWritten - tagged < chunkLength) continue;
      digest.update(bytes.subarray(tagged, bytesWritten));
      tagged = bytesWritten;
      await yieldToEventLoop();
    }
  return { content: bytes, etag: tagOf(digest.update(bytes.subarray(tagged)).digest('base64url'), scope) };
}

function tagOf(digest: string, scope = ''): string {
  return `"${scope}${digest.slice(0, 27)}"`;
}

/**
 * Throws `precondition-failed` unless the current tag is among those of `If-Match`. Tags of records are strong, and a proxy that compresses a
 * reply makes them weak: the comparison is weak, since the tag that comes back still names one state alone.
 */
export async function checkIfMatch(ifMatch: IfMatch, current: () => string | Promise<string>): Promise<void> {
  if (ifMatch === undefined || ifMatch === '*' || namesState(ifMatch, await current())) return;
  throw changedMeanwhile();
}

/** Throws `precondition-failed` for a change of what exists when its current tag is among those of `If-None-Match` (weak comparison), or that is `*`. */
export async function checkIfNoneMatch(
  ifNoneMatch: IfNoneMatch,
  current: () => string | Promise<string>,
): Promise<void> {
  if (ifNoneMatch === undefined) return;
  if (ifNoneMatch === '*' || namesState(ifNoneMatch, await current())) throw existsAlready();
}

/** Throws `invalid-parameters` for an `If-None-Match` without any entity tag: as a condition of a change it would hold always. */
export function checkForm(ifNoneMatch: IfNoneMatch): void {
  if (ifNoneMatch === undefined || ifNoneMatch.length > 0) return;
  throw new CodedError('invalid-parameters', 'Cannot change the object: If-None-Match is not valid.', {
    errors: [{ pointer: 'header:If-None-Match', detail: 'must be * or entity tags in quotes' }],
  });
}

/** Checks whether a tag is among others (weak comparison, RFC 9110 8.8.3.2). */
export function namesState(tags: readonly string[], current: string): boolean {
  return tags.some((tag) => opaque(tag) === opaque(current));
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** The error for a state that `If-None-Match` excludes. */
export function existsAlready(): CodedError {
  return new CodedError(
    'precondition-failed',
    'Cannot change the object: If-None-Match names its present state.',
    { hint: 'If-None-Match: * stores only what is not there yet.' },
  );
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
