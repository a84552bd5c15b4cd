/** Waiting for what Azure does only after a while. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from './context.ts';
import { ToolFailure } from './context.ts';

/**
 * Messages of tools that mean: not yet. New roles spread within minutes; so do new entries of the directory and removed locks. The
 * platform lets go of the subnet of a deleted app only minutes later. The deployment endpoint of an app that was just made, or just restarted, answers 502 to 504 for a while.
 */
const notYet =
  /\b403\b|Forbidden|AuthorizationFailed|AuthorizationPermissionMismatch|does not have authorization|PrincipalNotFound|ScopeLocked|InUseSubnetCannotBeDeleted|queried reference-property objects are not present|Request_ResourceNotFound|(?:status(?: code)?:? |\()50[234]\b|Bad Gateway|Service Unavailable|Site Unavailable|Gateway Time-?out/i;

/** Tells whether a failure may go away by itself. */
export function mayGoAway(error: unknown): boolean {
  return error instanceof ToolFailure && notYet.test(error.output);
}

/** Does something again while it fails in a way that may go away, as often and as slowly as the options say. */
export async function retry<T>(
  context: Pick<Context, 'options' | 'say'>,
  what: string,
  work: () => Promise<T>,
  again: (error: unknown) => boolean = mayGoAway,
): Promise<T> {
  const { tries, wait } = context.options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= tries || !again(error)) throw error;
      context.say(`${what}: not yet (try ${attempt} of ${tries}); again in ${wait} s ...`);
      await sleep(wait * 1000);
    }
  }
}
