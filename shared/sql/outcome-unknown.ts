/** What callers are told of a change that was sent, and of which nobody can say whether it was stored. */

import { CodedError } from '../errors.ts';

/** The error for such a change, with what was found. */
export function outcomeUnknown(found: string, cause?: unknown): CodedError {
  return new CodedError('outcome-unknown', `Cannot tell whether the change was stored: ${found}.`, {
    cause,
    retryAfter: 5,
    hint: 'Read the object before you repeat the change; it was stored as a whole or not at all.',
  });
}

/** The error for a change that was sent again after a lost connection, behind which others have stored. */
export function changedSince(): CodedError {
  return outcomeUnknown('the connection was lost, and others have changed it since');
}
