/**
 * Taking away role assignments that the templates no longer list. A lock against deletion holds the assignments below it as well: that of
 * the templates is lifted meanwhile, and Terraform, whose apply such a lock has ended, finds them gone when it goes on.
 */

import { type Context, commandLine, ToolFailure } from '../context.ts';
import { mustAgree } from '../deployed-as.ts';
import { isOfTemplates, type Lock, locksOf, scopeOf } from '../locks.ts';
import { UsageError } from '../options.ts';
import type { Outputs } from '../outputs.ts';
import { mustBeTheOnlyOne } from '../resource-groups.ts';
import { retry } from '../retry.ts';
import { describeRoles, type FoundAssignment, isCovered, roleChanges } from '../role-changes.ts';
import { assignmentsIn } from '../role-commands.ts';
import { stackOf } from '../stacks/index.ts';
import { mustBeItsSubscription } from '../stacks/subscription.ts';

/** Removes them, after a question. Throws a UsageError without an answer, and for a lock of somebody else that holds one. */
export async function revoke(context: Context): Promise<void> {
  const { say, ask, options } = context;
  await mustBeItsSubscription(context);
  await mustBeTheOnlyOne(context, stackOf(context).outputs);
  const outputs = await newestOutputs(context);
  const { stray } = await roleChanges(context, outputs);
  if (options.dryRun) return say('Which locks and assignments are meant is known only where Azure is asked.');
  if (stray.length === 0)
    return say('The identities of the environment have no role in its group but those of the templates.');
  for (const line of describeRoles({ stray, missing: [] })) say(line);
  const locks = await locksOver(context, stray);
  if (!options.yes && !(await ask('Take them away? (y/n)')))
    throw new UsageError('Nothing was taken away: somebody must answer yes, or --yes be given.');
  await whileUnlocked(context, locks, async () => {
    for (const { id } of stray)
      await retry(
        context,
        'az role assignment delete',
        () => context.run('az', ['role', 'assignment', 'delete', '--ids', id]),
        isLocked,
      );
  });
  say(`Taken away: ${stray.length}. Terraform, where a lock has ended its apply, goes on with provision.`);
}

/** Those of the deployment itself: a variable that a pipeline was given may be older than what provision has assigned since. */
async function newestOutputs(context: Context): Promise<Outputs> {
  const outputs = await stackOf(context).outputs();
  mustAgree(context, outputs);
  if (context.options.dryRun) return new Map([['AZURE_RESOURCE_GROUP', '<AZURE_RESOURCE_GROUP>']]);
  if (assignmentsIn(outputs).length === 0)
    throw new UsageError(
      'The last deployment lists no roles, so that each would be taken away: run provision first.',
    );
  return outputs;
}

/** A lock that was lifted may hold for some minutes. */
const isLocked = (error: unknown) => error instanceof ToolFailure && error.complaint.includes('ScopeLocked');

/** The locks that hold assignments. Throws a UsageError for one that the templates have not made. */
async function locksOver(context: Context, assignments: readonly FoundAssignment[]): Promise<Lock[]> {
  const group = assignments[0]?.scope.split('/')[4] ?? '';
  const all = await locksOf(context, group);
  const over = all.filter((lock) => assignments.some(({ scope }) => isCovered(scope, scopeOf(lock))));
  const others = over.filter((lock) => !isOfTemplates(lock, group));
  if (others.length === 0) return over;
  throw new UsageError(
    `Locks that the templates have not made hold these: ${others.map(({ id }) => id).join(', ')}. Ask who made them. Nothing was taken away.`,
  );
}

/** Lifts locks, works, and puts them back as they were, also when the work fails or is ended. */
async function whileUnlocked(
  context: Context,
  locks: readonly Lock[],
  work: () => Promise<void>,
): Promise<void> {
  if (locks.length === 0) return work();
  try {
    await context.run('az', ['lock', 'delete', '--ids', ...locks.map(({ id }) => id)]);
    await work();
  } finally {
    await Promise.all(locks.map((lock) => lockAgain(context, lock)));
  }
}

async function lockAgain({ run, say }: Context, lock: Lock): Promise<void> {
  const notes = lock.notes ? ['--notes', lock.notes] : [];
  const place = ['--lock-type', lock.level, '--resource', scopeOf(lock)];
  const words = ['lock', 'create', '--name', lock.name, ...place, ...notes];
  try {
    await run('az', words, { cleanup: true });
  } catch (error) {
    say(`The lock ${lock.name} may be missing. Put it back: ${commandLine('az', words)}`);
    throw error;
  }
}
