/** Migrates the two databases of the settings to the state of folders of T-SQL scripts. */

import { join, resolve } from 'node:path';
import { type Environment, readConfig } from '../../shared/config.ts';
import type { Session } from '../sql/session.ts';
import { type ProgressOutput, showBatchProgress } from './batch-progress.ts';
import { mustBeOurs, mustBeProduct, objectNames, watchObjects } from './foreign.ts';
import {
  checkJournal,
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
import { lockSessions, type Sessions, unlockSessions, withSessions } from './sessions.ts';

/** The folder of the scripts of every installation. */
export const databaseScripts = join(import.meta.dirname, '..', '..', 'infra', 'database');

/**
 * The modes: `apply` runs scripts, `check` lists the scripts that it would run, `baseline` records all scripts as applied. `adopt`
 * installs on the database of an existing product.
 */
export type Mode = 'apply' | 'check' | 'baseline' | 'adopt';

export interface MigrationOptions {
  /** Folders with main/*.sql and customization/*.sql, in the order of their application. */
  readonly folders: readonly string[];
  readonly mode: Mode;
  /** Whether to create missing databases. */
  readonly create: boolean;
  /** The folder of every installation, to which `--adopt` applies. Default: infra/database. */
  readonly product?: string;
  /** Receives a line about every step. */
  readonly say: (line: string) => void;
  /** Output of the progress of slow scripts. Default: none. */
  readonly output?: ProgressOutput | undefined;
}

/** Applies new scripts of the folders, and repeatable scripts that have changed. */
export async function migrateDatabases(settings: Environment, options: MigrationOptions): Promise<void> {
  const { folders, mode, create, say, output, product = databaseScripts } = options;
  const config = readConfig(settings);
  // Throws for an invalid folder before the first change.
  const sets = folders.flatMap((folder) =>
    readScripts(folder).map((set) => ({ ...set, isProduct: resolve(folder) === resolve(product) })),
  );
  say(`server ${config.DB_SERVER}`);
  if (create && mode !== 'check') await createDatabases(config, say);
  let count = 0;
  await withSessions(config, say, async (sessions) => {
    if (mode !== 'check') await lockSessions(sessions, say);
    // Throws for databases of other programs before the first change.
    for (const set of sets) await inspectDatabase(sessions[set.database], set, mode);
    const before = mode === 'adopt' ? await namesIn(sessions) : undefined;
    for (const set of sets) count += await migrateSet(sessions[set.database], set, { mode, say, output });
    if (before !== undefined) sayInstalled(before, await namesIn(sessions), say);
    if (mode !== 'check') await unlockSessions(sessions);
  });
  say(summary(mode, count));
}

/** Creates the databases of a dev stack with the scripts of every installation and of further folders. */
export function prepareDatabases(settings: Environment, folders: readonly string[]): Promise<void> {
  return migrateDatabases(settings, {
    folders: [databaseScripts, ...folders],
    mode: 'apply',
    create: true,
    say: () => {},
  });
}

interface ProductSet extends ScriptSet {
  /** Whether every installation has these scripts. */
  readonly isProduct: boolean;
}

/** Throws where a database, or its journal, belongs to another program, and a mode does not fit it. */
async function inspectDatabase(session: Session, set: ProductSet, mode: Mode): Promise<void> {
  await checkJournal(session, set.database);
  const journal = await readJournal(session);
  if (!set.isProduct || mode === 'baseline' || isAdopted(journal, set)) return;
  if (mode !== 'adopt') {
    if (planOf(set, journal).every(({ action }) => action === 'apply')) await mustBeOurs(session, set);
  } else if (set.database === 'main') await mustBeProduct(session);
}

/** Returns the names of the objects of each database. */
async function namesIn({ main, customization }: Sessions): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map([['main', await objectNames(main)]]);
  if (customization !== main) names.set('customization', await objectNames(customization));
  return names;
}

/** Says which objects a run has created. */
function sayInstalled(
  before: ReadonlyMap<string, readonly string[]>,
  after: ReadonlyMap<string, readonly string[]>,
  say: MigrationOptions['say'],
): void {
  for (const [database, names] of after) {
    const created = names.filter((name) => !before.get(database)?.includes(name)).sort();
    say(
      `installed in the ${database} database: ${created.length === 0 ? 'nothing new' : created.join(', ')}`,
    );
  }
}

/** Migrates a database with the scripts of one folder. Returns the number of scripts that were applied or marked, or would be. */
async function migrateSet(
  session: Session,
  set: ProductSet,
  { mode, say, output }: Pick<MigrationOptions, 'mode' | 'say' | 'output'>,
): Promise<number> {
  if (mode !== 'check') await prepareJournal(session);
  const journal = await readJournal(session);
  if (mode === 'baseline') return markAll(session, set, journal, say);
  const isForeign = set.isProduct && (mode === 'adopt' || isAdopted(journal, set));
  if (mode === 'adopt' && set.isProduct) await recordAdopted(session, set, journal);
  if (isForeign && set.database === 'main') {
    say(`skip  ${set.prefix}: the main database belongs to an existing product`);
    return 0;
  }
  const plan = planOf(set, journal);
  for (const step of plan) {
    say(`${step.action.padEnd(5)} ${step.script.name}`);
    if (step.action !== 'skip' && mode !== 'check') await apply(session, step, { isForeign, output });
  }
  return plan.filter(({ action }) => action !== 'skip').length;
}

async function apply(
  session: Session,
  { script }: Step,
  { isForeign, output }: { isForeign: boolean; output: ProgressOutput | undefined },
): Promise<void> {
  const inspect = isForeign ? await watchObjects(session, script) : undefined;
  const batchProgress = output && showBatchProgress(output);
  try {
    await runScript(session, script, { inspect, onBatch: batchProgress?.at });
  } finally {
    batchProgress?.end();
  }
}

/** Records that a database belongs to an existing product. Throws for a database with applied scripts. */
async function recordAdopted(
  session: Session,
  set: ScriptSet,
  journal: readonly JournalEntry[],
): Promise<void> {
  if (isAdopted(journal, set)) return;
  const entry = journal.find(({ script }) => script.startsWith(set.prefix));
  if (entry !== undefined)
    throw new Error(
      `Cannot adopt the ${set.database} database: it is ours, since ${entry.script} was applied to it. Migrate it without --adopt.`,
    );
  await markAdopted(session, set);
}

/** Records every script of a folder as applied without running it, and removes deleted scripts from the journal. */
async function markAll(
  session: Session,
  { prefix, scripts }: ScriptSet,
  journal: readonly JournalEntry[],
  say: MigrationOptions['say'],
): Promise<number> {
  const names = new Set([prefix, ...scripts.map(({ name }) => name)]);
  const deletedEntries = journal.filter(({ script }) => script.startsWith(prefix) && !names.has(script));
  await session.batch('BEGIN TRANSACTION;');
  await forgetScripts(session, deletedEntries);
  for (const [index, script] of scripts.entries()) await writeJournal(session, script, index + 1);
  await session.batch('COMMIT TRANSACTION;');
  for (const { script } of deletedEntries) say(`forget ${script}`);
  for (const { name } of scripts) say(`mark  ${name}`);
  return scripts.length;
}

function summary(mode: Mode, count: number): string {
  if (count === 0) return 'Nothing to do: the databases are up to date.';
  const verb = { apply: 'Applied', adopt: 'Applied', check: 'Would apply', baseline: 'Marked' }[mode];
  return `${verb} ${count} script${count === 1 ? '' : 's'}.`;
}
