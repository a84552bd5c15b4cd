/** A migration of databases that are there, as `npm run migrate` runs it. */

import { type MigrationOptions, migrateDatabases } from '../../scripts/migrate/migrate.ts';

/** Migrates, and returns the lines that it says. */
export async function linesOfMigration(
  settings: Readonly<Record<string, string>>,
  options: Omit<MigrationOptions, 'create' | 'say'>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  await migrateDatabases(settings, { ...options, create: false, say: (line) => lines.push(line) });
  return lines;
}
