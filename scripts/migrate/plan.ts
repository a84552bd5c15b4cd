/** Decides what is to be done with each script, from the folder and the journal alone. */

import type { JournalEntry } from './journal.ts';
import type { Script, ScriptSet } from './scripts.ts';

/** `again`: it is repeatable, and has changed. */
export type Action = 'apply' | 'again' | 'skip';

export interface Step {
  readonly script: Script;
  readonly action: Action;
}

/**
 * Decides about the scripts of a set, in their order. Throws when the journal differs from the folder: a script has changed without being
 * repeatable, is missing, or comes before one that was applied earlier.
 */
export function planOf({ prefix, scripts }: ScriptSet, journal: readonly JournalEntry[]): Step[] {
  const applied = journal.filter(({ script }) => script.startsWith(prefix) && script !== prefix);
  mustBeThere(scripts, applied);
  mustBeInOrder(scripts, applied);
  const entries = new Map(applied.map((entry) => [entry.script, entry]));
  return scripts.map((script) => ({ script, action: actionFor(script, entries.get(script.name)) }));
}

function actionFor(script: Script, entry: JournalEntry | undefined): Action {
  if (entry === undefined) return 'apply';
  if (entry.digest === script.digest) return 'skip';
  if (script.repeatable) return 'again';
  throw new Error(
    `Cannot migrate: ${script.name} has changed since it was applied${onDay(entry)}. Undo the change and put it into a new script with a higher number; only a script whose first line is "-- repeatable" may change.`,
  );
}

function mustBeThere(scripts: readonly Script[], applied: readonly JournalEntry[]): void {
  const names = new Set(scripts.map(({ name }) => name));
  const gone = applied.find(({ script }) => !names.has(script));
  if (gone === undefined) return;
  const appliedNames = new Set(applied.map(({ script }) => script));
  const renamed = scripts.find(({ name, digest }) => digest === gone.digest && !appliedNames.has(name));
  throw new Error(
    `Cannot migrate: ${gone.script} was applied${onDay(gone)}, but is missing${renamed === undefined ? '' : `; ${renamed.name} is the same script under another name`}. Scripts that were applied stay, under their names.`,
  );
}

function mustBeInOrder(scripts: readonly Script[], applied: readonly JournalEntry[]): void {
  const positions = new Map(applied.map(({ script, position }) => [script, position]));
  let last: { name: string; position: number } | undefined;
  for (const { name } of scripts.toReversed()) {
    const position = positions.get(name);
    if (position === undefined && last === undefined) continue;
    if (last !== undefined && (position === undefined || position > last.position))
      throw new Error(
        `Cannot migrate: ${name} comes before ${last.name}, which was applied earlier. A new script comes last: give it a higher number.`,
      );
    if (position !== undefined) last = { name, position };
  }
}

function onDay({ appliedAt }: JournalEntry): string {
  return appliedAt === undefined ? '' : ` on ${appliedAt.toISOString().slice(0, 10)}`;
}
