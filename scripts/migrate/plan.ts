/** Decides the action for each script from the folder and the journal alone. */

import type { JournalEntry } from './journal.ts';
import type { Script, ScriptSet } from './scripts.ts';

/** `again`: the script is repeatable and has changed. */
export type Action = 'apply' | 'again' | 'skip';

export interface Step {
  readonly script: Script;
  readonly action: Action;
}

/**
 * Decides the actions for the scripts of a set, in order. Throws when the journal contradicts the folder: an applied script is missing
 * or has changed without being repeatable, or a new script comes before an applied one.
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
  const missingEntry = applied.find(({ script }) => !names.has(script));
  if (missingEntry === undefined) return;
  const appliedNames = new Set(applied.map(({ script }) => script));
  const renamedScript = scripts.find(
    ({ name, digest }) => digest === missingEntry.digest && !appliedNames.has(name),
  );
  throw new Error(
    `Cannot migrate: ${missingEntry.script} was applied${onDay(missingEntry)}, but is missing${renamedScript === undefined ? '' : `; ${renamedScript.name} is the same script under another name`}. Scripts that were applied stay, under their names.`,
  );
}

function mustBeInOrder(scripts: readonly Script[], applied: readonly JournalEntry[]): void {
  const positions = new Map(applied.map(({ script, position }) => [script, position]));
  let successor: { name: string; position: number } | undefined;
  for (const { name } of scripts.toReversed()) {
    const position = positions.get(name);
    if (position === undefined && successor === undefined) continue;
    if (successor !== undefined && (position === undefined || position > successor.position))
      throw new Error(
        `Cannot migrate: ${name} comes before ${successor.name}, which was applied earlier. A new script comes last: give it a higher number.`,
      );
    if (position !== undefined) successor = { name, position };
  }
}

function onDay({ appliedAt }: JournalEntry): string {
  return appliedAt === undefined ? '' : ` on ${appliedAt.toISOString().slice(0, 10)}`;
}
