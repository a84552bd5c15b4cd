/** The journal: which scripts a database has seen, in which order, in which state and when. */

import type { Session } from '../../shared/sql/session.ts';
import { int, nvarchar, type ResultSet, rowsOf, text } from '../../shared/sql/values.ts';
import type { Script, ScriptSet } from './scripts.ts';

export interface JournalEntry {
  /** Name of the script. */
  readonly script: string;
  readonly digest: string;
  /** Rises with every script that is applied for the first time. */
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

/** Creates the journal where it is missing, and gives an old one what it lacks: all of it or nothing, in one round trip. */
export async function prepareJournal(session: Session): Promise<void> {
  await session.batch(`SET XACT_ABORT ON;\nBEGIN TRANSACTION;${create}${addPositions}\nCOMMIT TRANSACTION;`);
}

/** Reads the journal; empty without one. */
export async function readJournal(session: Session): Promise<JournalEntry[]> {
  // Every column, since an old journal lacks one.
  const [found] = await session.batch(
    "IF OBJECT_ID(N'dbo.tSchemaJournal', N'U') IS NOT NULL SELECT * FROM dbo.tSchemaJournal ORDER BY script;",
  );
  return toEntries(found);
}

function toEntries(found: ResultSet | undefined): JournalEntry[] {
  return rowsOf(found).map((row, index) => ({
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

/** Notes that a script is applied in its present state: behind all others if it is new, unless a position is given. */
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

/** Stands in the journal, under the name of a set, for a database that belongs to an existing product. */
const adoptedDigest = 'adopted';

/** Checks whether a database belongs to an existing product, as an earlier run has noted. */
export function isAdopted(journal: readonly JournalEntry[], { prefix }: Pick<ScriptSet, 'prefix'>): boolean {
  return journal.some(({ script, digest }) => script === prefix && digest === adoptedDigest);
}

/** Notes that a database belongs to an existing product. */
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
