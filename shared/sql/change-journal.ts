/** The journals of changes: a row for each object with the number of its last change, in the order of commits. */

/** The journal of metadata, and that of custom data, which has the versions of conditional requests too. */
export const journals = { metadata: 'tObjectChanges', customData: 'tCustomDataVersions' } as const;

/** The row that counts. No object has this propID. */
const counter = 'propID = 0';

/**
 * Returns statements that note a change of `@propID` by `@usrPropID` in a journal. They come last in a transaction: the row that counts is
 * locked until it is committed, so numbers are committed in their order, and a reader misses no change that is committed late.
 */
function noted(table: string, version?: { readonly next: string; readonly first: string }): string {
  const [column, first] = version === undefined ? ['', ''] : ['version, ', `${version.first}, `];
  return `UPDATE dbo.${table} SET change = change + 1 WHERE ${counter};
UPDATE dbo.${table} SET ${version === undefined ? '' : `version = ${version.next}, `}change = (SELECT change FROM dbo.${table} WHERE ${counter}),
  changedBy = @usrPropID, changedAt = SYSUTCDATETIME()
WHERE propID = @propID;
IF @@ROWCOUNT = 0 INSERT INTO dbo.${table} (propID, ${column}change, changedBy, changedAt)
SELECT @propID, ${first}change, @usrPropID, SYSUTCDATETIME() FROM dbo.${table} WHERE ${counter};`;
}

/** Notes a replacement of custom data, which has the next version then. */
export const noteCustomDataChange = noted(journals.customData, { next: 'version + 1', first: '1' });

/** Notes a change of metadata, where the main database has the journal: that of an existing product may lack it. */
export const noteObjectChange = `IF OBJECT_ID(N'dbo.${journals.metadata}', N'U') IS NOT NULL
BEGIN
${noted(journals.metadata)}
END;`;

/**
 * Returns statements that read the changes of a journal above `@since`: first the newest number, then rows. The number is read first: all
 * changes up to it are committed then, while those above it may have gaps.
 */
export function readJournal(table: string): string {
  return `DECLARE @latest bigint = (SELECT change FROM dbo.${table} WHERE ${counter});
SELECT @latest AS latest;
SELECT TOP (@limit) propID, change, changedBy, changedAt FROM dbo.${table}
WHERE change > CAST(@since AS bigint) AND change <= @latest AND NOT ${counter}
ORDER BY change;`;
}

/** Returns a statement that reads the last change of `@propID` in a journal; nothing where the database lacks the journal. */
export function readLastChange(table: string): string {
  return `IF OBJECT_ID(N'dbo.${table}', N'U') IS NOT NULL
SELECT propID, change, changedBy, changedAt FROM dbo.${table} WHERE propID = @propID AND NOT ${counter};`;
}
