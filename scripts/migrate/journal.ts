/** The journal of a database: the applied scripts with their order, digest and time. */

import { int, nvarchar, type ResultSet, rowsOf, text } from '../../shared/sql/values.ts';
import type { Session } from '../sql/session.ts';
import type { Script, ScriptSet } from './scripts.ts';

export interface JournalEntry {
  /** Name of the script. */
  readonly script: string;
  readonly digest: string;
  /** Increases with every script that is applied for the first time. */
  readonly position: number;
  readonly appliedAt: Date | undefined;
}

const create = `
IF OBJECT_ID(N'dbo.tSchemaJournal', N'U') IS NULL
CREATE TABLE dbo.tSchemaJournal (
    script nvarchar(200) NOT NULL,
    digest nvarchar(64) NOT NULL,
    appliedAt datetime2(3) NOT NULL CONSTRAINT DF_tSchemaJournal_appliedAt DEFAULT SYSUTCDATETIME(),
    position int NOT NULL,
    CONSTRAINT PK_tSchemaJournal PRIMARY KEY (script)
);`;

/** The first journals had no positions; their scripts were applied in the order of their names. */
const addPositions = `
IF COL_LENGTH(N'dbo.tSchemaJournal', N'position') IS NULL
BEGIN
    ALTER TABLE dbo.tSchemaJournal ADD position int NOT NULL CONSTRAINT DF_tSchemaJournal_position DEFAULT 0;
    EXEC (N'UPDATE dbo.tSchemaJournal SET position = (SELECT COUNT(*) FROM dbo.tSchemaJournal earlier WHERE earlier.script <= tSchemaJournal.script);');
END;`;

/** Throws where the journal is a table of another program: it lacks columns of ours, or cannot be filled by us. */
export async function checkJournal(session: Session, database: string): Promise<void> {
  const [result] = await session.batch(
    `SELECT c.name, CAST(CASE WHEN c.is_nullable = 1 OR c.is_identity = 1 OR c.default_object_id <> 0 THEN 0 ELSE 1 END AS int) AS isRequired
FROM sys.columns c WHERE c.object_id = OBJECT_ID(N'dbo.tSchemaJournal');`,
  );
  const columns = new Map(rowsOf(result).map((row) => [text(row, 'name'), Number(row['isRequired']) === 1]));
  if (columns.size === 0) return;
  const missing = ['script', 'digest', 'appliedAt'].filter((name) => !columns.has(name));
  const foreignColumns = [...columns].filter(([name, isRequired]) => isRequired && !journalColumns.has(name));
  if (missing.length === 0 && foreignColumns.length === 0) return;
  throw new Error(
    `Cannot migrate: the table dbo.tSchemaJournal of the ${database} database belongs to another program (its columns are ${[...columns.keys()].join(', ')}). Rename it, or use another database.`,
  );
}

const journalColumns = new Set(['script', 'digest', 'appliedAt', 'position']);

/** Creates a missing journal and updates an old one, in one transaction and one round trip. */
export async function prepareJournal(session: Session): Promise<void> {
  await session.batch(`SET XACT_ABORT ON;\nBEGIN TRANSACTION;${create}${addPositions}\nCOMMIT TRANSACTION;`);
}

/** Reads the journal; empty where it does not exist. */
export async function readJournal(session: Session): Promise<JournalEntry[]> {
  // Every column, since an old journal has no positions.
  const [result] = await session.batch(
    "IF OBJECT_ID(N'dbo.tSchemaJournal', N'U') IS NOT NULL SELECT * FROM dbo.tSchemaJournal ORDER BY script;",
  );
  return toEntries(result);
}

function toEntries(result: ResultSet | undefined): JournalEntry[] {
  return rowsOf(result).map((row, index) => ({
    script: text(row, 'script'),
    digest: text(row, 'digest'),
    position: Number(row['position'] ?? index + 1),
    appliedAt: row['appliedAt'] instanceof Date ? row['appliedAt'] : undefined,
  }));
}

const write = `
UPDATE dbo.tSchemaJournal SET digest = @digest, appliedAt = SYSUTCDATETIME(), position = ISNULL(@position, position) WHERE script = @script;
IF @@ROWCOUNT = 0 INSERT INTO dbo.tSchemaJournal (script, digest, position)
SELECT @script, @digest, ISNULL(@position, ISNULL(MAX(position), 0) + 1) FROM dbo.tSchemaJournal;`;

/** Records that a script is applied in its current state: a new script last, or at the given position. */
export async function writeJournal(
  session: Session,
  { name, digest }: Pick<Script, 'name' | 'digest'>,
  position: number | null = null,
): Promise<void> {
  await session.query(write, {
    script: nvarchar(name, 200),
    digest: nvarchar(digest, 64),
    position: int(position),
  });
}

/** The digest of the entry of a set in the database of an existing product. */
const adoptedDigest = 'adopted';

/** Checks whether an earlier run has recorded that a database belongs to an existing product. */
export function isAdopted(journal: readonly JournalEntry[], { prefix }: Pick<ScriptSet, 'prefix'>): boolean {
  return journal.some(({ script, digest }) => script === prefix && digest === adoptedDigest);
}

/** Records that a database belongs to an existing product. */
export function markAdopted(session: Session, { prefix }: Pick<ScriptSet, 'prefix'>): Promise<void> {
  return writeJournal(session, { name: prefix, digest: adoptedDigest }, 0);
}

/** Removes scripts from the journal. */
export async function forgetScripts(session: Session, entries: readonly JournalEntry[]): Promise<void> {
  for (const { script } of entries)
    await session.query('DELETE FROM dbo.tSchemaJournal WHERE script = @script;', {
      script: nvarchar(script, 200),
    });
}
