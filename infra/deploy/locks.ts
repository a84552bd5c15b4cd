/** Locks against deletion, on an environment and on what is around it. */

import type { Context } from './context.ts';

/** A lock as Azure lists it. */
export interface Lock {
  readonly id: string;
  readonly name: string;
  readonly level: string;
  readonly notes: string | null;
}

/** Names of the locks that the templates make, each on a resource of the group. */
const ofTemplates = ['keep-calendar', 'keep-backups', 'keep-database'];

/** Lists the locks of a group: those in it, and those around it, since they hold it as well. In a dry run none. */
export async function locksOf({ run }: Pick<Context, 'run'>, group: string): Promise<readonly Lock[]> {
  const words = ['lock', 'list', '--resource-group', group, '--output', 'json'];
  return JSON.parse((await run('az', words, { quiet: true })).trim() || '[]');
}

/** The id of what a lock is on. */
export const scopeOf = ({ id }: Lock): string =>
  id.replace(/\/providers\/Microsoft\.Authorization\/locks\/[^/]+$/i, '');

/** Checks whether a lock is one that the templates have made in a group. */
export const isOfTemplates = (lock: Lock, group: string): boolean =>
  ofTemplates.includes(lock.name) &&
  scopeOf(lock).toLowerCase().includes(`/resourcegroups/${group.toLowerCase()}/`);
