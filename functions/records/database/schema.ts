/** The state of the schema that this version of the service was made for, compared with that of the databases. */

import { CodedError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import type { Databases } from '../../../shared/sql/databases.ts';
import { SqlFailure } from '../../../shared/sql/failure.ts';
import { rowsOf, text } from '../../../shared/sql/values.ts';

/** Numbers of the last scripts of infra/database. A test compares them with the folder. */
export const schemaVersions: Readonly<Record<keyof Databases, number>> = { main: 150, customization: 50 };

/** What health says of a database that newer scripts have changed: the code before and after a change of the schema can both run. */
export const schemaAhead = {
  code: 'schema-ahead',
  detail: 'The databases are newer than this version of the service.',
} as const;

/** Numbers of the last script that has run on a database (0: none), and of the last that is needed. */
export interface SchemaVersion {
  readonly applied: number;
  readonly expected: number;
}

/** Reads the schema version of each database from its journal. */
export async function readSchemaVersions({
  main,
  customization,
}: Databases): Promise<Record<keyof Databases, SchemaVersion>> {
  const applied = await Promise.all([versionOf(main, 'main'), versionOf(customization, 'customization')]);
  return {
    main: { applied: applied[0], expected: schemaVersions.main },
    customization: { applied: applied[1], expected: schemaVersions.customization },
  };
}

/** Compares the journals with `schemaVersions`. Returns whether a database is ahead; throws `schema-behind`. */
export async function isSchemaAhead(databases: Databases): Promise<boolean> {
  const kinds = ['main', 'customization'] as const;
  const versions = await readSchemaVersions(databases);
  const behind = kinds.find((kind) => versions[kind].applied < versions[kind].expected);
  if (behind !== undefined)
    throw new CodedError(
      'schema-behind',
      `The ${behind} database is older than this version of the service: its last script is ${versions[behind].applied || 'none'}, and ${versions[behind].expected} is needed.`,
      { hint: 'Run "npm run migrate".' },
    );
  return kinds.some((kind) => versions[kind].applied > versions[kind].expected);
}

const invalidObject = 208;

/** The number of the last script; 0 for a database without a journal. That of an existing product's main database is always right: no script of ours runs there. */
async function versionOf(database: Database, kind: keyof Databases): Promise<number> {
  const prefix = `database/${kind}/`;
  const [found] = await database
    .query(
      `SELECT script FROM dbo.tSchemaJournal WHERE LEFT(script, ${prefix.length}) = N'${prefix}'`,
      {},
      { name: 'read schema version' },
    )
    .catch(noJournal);
  const scripts = rowsOf(found).map((row) => text(row, 'script').slice(prefix.length));
  if (kind === 'main' && scripts.includes('')) return schemaVersions.main;
  return Math.max(0, ...scripts.map((script) => Number.parseInt(script, 10) || 0));
}

function noJournal(error: unknown): [] {
  if (error instanceof SqlFailure && error.number === invalidObject) return [];
  throw error;
}
