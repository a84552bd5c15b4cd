/** Brings the two databases that settings name to the state of folders of T-SQL scripts. */

import { join, resolve } from 'node:path';
import { type Environment, readConfig } from '../../shared/config.ts';
import type { Session } from '../../shared/sql/session.ts';
import { type ProgressOutput, showBatchProgress } from './batch-progress.ts';
import { mustBeOurs, watchObjects } from './foreign.ts';
import {
  forgetScripts,
  isAdopted,
  type JournalEntry,
  markAdopted,
  prepareJournal,
  readJournal,
  writeJournal,
} from './journal.ts';
import { planOf, type Step } from './plan.ts';
import { runScript } from './run-script.ts';
import { readScripts, type ScriptSet } from './scripts.ts';
import { createDatabases } from './server.ts';
import { lockSessions, unlockSessions, withSessions } from './sessions.ts';

/** The folder of the scripts that every installation has. */
export const databaseScripts = join(import.meta.dirname, '..', '..', 'infra', 'database');

/**
 * The modes. `apply` runs scripts; `check` reports which would run; `baseline` records the present state as applied; `adopt` installs on
 * an existing product's database.
 */
export type Mode = 'apply' | 'check' | 'baseline' | 'adopt';

export interface MigrationOptions {
  /** Folders with main/*.sql and customization/*.sql, in the order in which they are applied. */
  readonly folders: readonly string[];
  readonly mode: Mode;
  /** Whether to create the databases where they are missing. */
  readonly create: boolean;
  /** Which of them every installation has: that of `--adopt`. Default: infra/database. */
  readonly product?: string;
  /** Takes a line about every step. */
  readonly say: (line: string) => void;
  /** Where it shows how far a long script is. Default: nowhere. */
  readonly output?: ProgressOutput | undefined;
}

/** Applies the scripts of the folders that were not applied before, and the repeatable ones that have changed since. */
export async function migrateDatabases(settings: Environment, options: MigrationOptions): Promise<void> {
  const { folders, mode, create, say, output, product = databaseScripts } = options;
  const config = readConfig(settings);
  // A folder that is wrong is found before anything is changed.
  const sets = folders.flatMap((folder) =>
    readScripts(folder).map((set) => ({ ...set, isProduct: resolve(folder) === resolve(product) })),
  );
  say(`server ${config.DB_SERVER}`);
  if (create && mode !== 'check') await createDatabases(config, say);
  let changed = 0;
  await withSessions(config, say, async (sessions) => {
    if (mode !== 'check') await lockSessions(sessions, say);
    for (const set of sets) changed += await migrateSet(sessions[set.database], set, { mode, say, output });
    if (mode !== 'check') await unlockSessions(sessions);
  });
  say(summary(mode, changed));
}

/** Creates the databases of a dev stack: those of every installation, with the scripts of more folders. */
export function prepareDatabases(settings: Environment, folders: readonly string[]): Promise<void> {
  return migrateDatabases(settings, {
    folders: [databaseScripts, ...folders],
    mode: 'apply',
    create: true,
    say: () => {},
  });
}

interface ProductSet extends ScriptSet {
  /** Whether these are the scripts that every installation has. */
  readonly isProduct: boolean;
}

/** Does what the mode says with the scripts of one folder. Returns how many were applied, marked, or would be. */
async function migrateSet(
  session: Session,
  set: ProductSet,
  { mode, say, output }: Pick<MigrationOptions, 'mode' | 'say' | 'output'>,
): Promise<number> {
  if (mode !== 'check') await prepareJournal(session);
  const journal = await readJournal(session);
  if (mode === 'baseline') return markAll(session, set, journal, say);
  const adopted = set.isProduct && (mode === 'adopt' || isAdopted(journal, set));
  if (mode === 'adopt' && set.isProduct) await recordAdopted(session, set, journal);
  if (adopted && set.database === 'main') {
    say(`skip  ${set.prefix}: the main database belongs to an existing product`);
    return 0;
  }
  const plan = planOf(set, journal);
  if (!adopted && set.isProduct && plan.every(({ action }) => action === 'apply'))
    await mustBeOurs(session, set);
  for (const step of plan) {
    say(`${step.action.padEnd(5)} ${step.script.name}`);
    if (step.action !== 'skip' && mode !== 'check') await apply(session, step, { adopted, output });
  }
  return plan.filter(({ action }) => action !== 'skip').length;
}

async function apply(
  session: Session,
  { script }: Step,
  { adopted, output }: { adopted: boolean; output: ProgressOutput | undefined },
): Promise<void> {
  const inspect = adopted ? await watchObjects(session, script) : undefined;
  const batchProgress = output && showBatchProgress(output);
  try {
    await runScript(session, script, { inspect, onBatch: batchProgress?.at });
  } finally {
    batchProgress?.end();
  }
}

/** Notes that a database belongs to an existing product. Throws for one that the scripts have made. */
async function recordAdopted(
  session: Session,
  set: ScriptSet,
  journal: readonly JournalEntry[],
): Promise<void> {
  if (isAdopted(journal, set)) return;
  const applied = journal.find(({ script }) => script.startsWith(set.prefix));
  if (applied !== undefined)
    throw new Error(
      `Cannot adopt the ${set.database} database: it is ours, since ${applied.script} was applied to it. Migrate it without --adopt.`,
    );
  await markAdopted(session, set);
}

/** Notes every script of a folder as applied in its present state, without running it, and forgets those that are gone. */
async function markAll(
  session: Session,
  { prefix, scripts }: ScriptSet,
  journal: readonly JournalEntry[],
  say: MigrationOptions['say'],
): Promise<number> {
  const names = new Set([prefix, ...scripts.map(({ name }) => name)]);
  const gone = journal.filter(({ script }) => script.startsWith(prefix) && !names.has(script));
  await session.batch('BEGIN TRANSACTION;');
  await forgetScripts(session, gone);
  for (const [index, script] of scripts.entries()) await writeJournal(session, script, index + 1);
  await session.batch('COMMIT TRANSACTION;');
  for (const { script } of gone) say(`forget ${script}`);
  for (const { name } of scripts) say(`mark  ${name}`);
  return scripts.length;
}

function summary(mode: Mode, count: number): string {
  if (count === 0) return 'Nothing to do: the databases are up to date.';
  const done = { apply: 'Applied', adopt: 'Applied', check: 'Would apply', baseline: 'Marked' }[mode];
  return `${done} ${count} script${count === 1 ? '' : 's'}.`;
}
