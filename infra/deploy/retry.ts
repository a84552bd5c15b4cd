/** Waiting for what Azure does only after a while. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, commandLine, Interrupted, ToolFailure } from './context.ts';
import { classify } from './hints.ts';

type Voice = Pick<Context, 'options' | 'say' | 'signal'>;

/** Checks whether a failure is one that goes away by itself. */
export function mayGoAway(error: unknown): boolean {
  return error instanceof ToolFailure && classify(error.complaint) === 'transient';
}

/** How often a call is made whose failure nobody knows: 409, 429, 500, a time limit of the service and the like are mostly gone the next time. */
const triesOfUnknown = 3;

const isUnknown = (error: unknown): error is ToolFailure =>
  error instanceof ToolFailure && classify(error.complaint) === 'unknown';

/** How often a call of Resource Manager is made that fails so. */
function triesFor(error: unknown, maxAttempts: number): number {
  if (mayGoAway(error)) return maxAttempts;
  return isUnknown(error) ? Math.min(triesOfUnknown, maxAttempts) : 1;
}

const isBusy = (error: unknown): error is ToolFailure =>
  error instanceof ToolFailure && classify(error.complaint) === 'busy';
const notEnding = (what: string, error: ToolFailure) =>
  new Error(
    `${what}: gave up waiting for the work of somebody else, which does not end. ${error.complaint.trim()}`,
    { cause: error },
  );
/** How often someone else's work is looked at: an hour, 15 seconds apart. */
const turns = 240;

/**
 * Does something again while it fails in a way that may go away, as often and as slowly as the options say, and three times in all where
 * nobody knows the failure; `again` says otherwise what goes away. While another deployment is at work it waits, for about an hour at most;
 * then it throws an error that says whose work it is.
 */
export async function retry<T>(
  context: Voice,
  what: string,
  work: () => Promise<T>,
  again?: (error: unknown) => boolean,
): Promise<T> {
  const { maxAttempts, wait } = context.options;
  let failures = 0;
  let waited = 0;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isBusy(error)) {
        waited += 1;
        if (waited > turns) throw notEnding(what, error);
        if (waited === 1) context.say(`${what}: another deployment is at work; waiting until it ends ...`);
      } else {
        const tries = again === undefined ? triesFor(error, maxAttempts) : again(error) ? maxAttempts : 1;
        if (++failures >= tries) throw error;
        context.say(`${what}: not yet (try ${failures} of ${tries}); again in ${wait} s ...`);
      }
      await pause(context, wait);
    }
  }
}

/** What is not there, which several steps ask for, and who is not signed in to GitHub: the next time it is the same. */
const theSame = /\b404\b|NotFound\b|not be found|gh auth login/;

const mayPass = (error: unknown) =>
  error instanceof ToolFailure && (mayGoAway(error) || isUnknown(error)) && !theSame.test(error.complaint);

/** Whether a tool asks Azure or GitHub something, and not its own machine. */
const isRemote = (command: string, [noun = '']: readonly string[]) =>
  command === 'gh' || (command === 'az' && noun !== 'version' && noun !== 'bicep');

/** A call without its options, for who waits. */
function nameOf(command: string, parameters: readonly string[]): string {
  const first = parameters.findIndex((word) => word.startsWith('-'));
  return commandLine(command, first < 0 ? parameters : parameters.slice(0, first));
}

/**
 * Returns a context of which each call of Azure and GitHub is made three times in all where it fails in a way that may go away, and waits for the
 * work of others. What takes away what must not stay is tried again although the run shall end.
 */
export function patient(context: Context): Context {
  const never = new AbortController().signal;
  return {
    ...context,
    run(command, parameters, options = {}) {
      const call = () => context.run(command, parameters, options);
      if (options.once === true || !isRemote(command, parameters)) return call();
      const voice: Voice = {
        say: context.say,
        signal: options.cleanup === true ? never : context.signal,
        options: { ...context.options, maxAttempts: Math.min(triesOfUnknown, context.options.maxAttempts) },
      };
      return retry(voice, nameOf(command, parameters), call, mayPass);
    },
  };
}

/** Waits for some seconds. Throws Interrupted when the run shall end. */
export async function pause({ signal }: Pick<Context, 'signal'>, seconds: number): Promise<void> {
  try {
    await sleep(seconds * 1000, undefined, { signal });
  } catch {
    throw new Interrupted();
  }
}

/** The same as the work, but ends at once when the run shall end. */
export async function unlessInterrupted<T>(
  { signal }: Pick<Context, 'signal'>,
  work: Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new Interrupted();
  let interrupt = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new Interrupted());
    signal.addEventListener('abort', interrupt, { once: true });
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
