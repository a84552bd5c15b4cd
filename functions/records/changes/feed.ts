/** The change feed of records: which objects changed after a position, who changed them and when. */

import { CodedError } from '../../../shared/errors.ts';
import { LongPoll, type Polled } from '../../../shared/limits/long-poll.ts';
import { journals, readJournal, readLastChange } from '../../../shared/sql/change-journal.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { explainContract } from '../../../shared/sql/database-contract.ts';
import type { DatabaseServer, Databases } from '../../../shared/sql/databases.ts';
import { int, integer, nvarchar, type Row, rowsOf, text } from '../../../shared/sql/values.ts';
import { readNames } from './names.ts';

/** What of an object has changed. */
export type Changed = keyof typeof journals;

/** Numbers of the last change in each journal that a follower knows. */
export type Position = Readonly<Record<Changed, number>>;

export interface ObjectChange {
  readonly what: Changed;
  readonly objectID: string;
  readonly typeID: number;
  /** Account of the user; undefined where the user no longer exists. */
  readonly changedBy: string | undefined;
  readonly changedAt: Date;
}

export interface ObjectChangePage {
  readonly changes: readonly ObjectChange[];
  /** Position up to which the page is complete. */
  readonly position: Position;
  /** Position of the newest changes. */
  readonly latest: Position;
}

interface JournalRow {
  readonly propID: number;
  readonly change: number;
  readonly changedBy: number | null;
  readonly changedAt: Date;
}

interface JournalPage {
  readonly latest: number;
  readonly rows: readonly JournalRow[];
}

/** The start of both journals. */
export const start: Position = { metadata: 0, customData: 0 };

/** Checks whether the main database has the journal of metadata. That of an existing product may lack it. */
export async function hasMetadataJournal(main: Database): Promise<boolean> {
  const [found] = await main.query(
    `SELECT OBJECT_ID(N'dbo.${journals.metadata}', N'U') AS id;`,
    {},
    { name: 'find journal' },
  );
  return rowsOf(found)[0]?.['id'] !== null;
}

/** Which changes a caller asks for. */
interface ChangesQuery {
  readonly since: Position;
  readonly limit: number;
}

/** For whom and how long an empty page may wait. */
interface Wait {
  readonly caller: string;
  readonly waitMs: number;
}

/** The change feed of the databases, and the callers who wait for the next change. */
export class ObjectChangeFeed {
  readonly #followers: LongPoll;

  constructor(databases: DatabaseServer, maxWaiting: number) {
    const look = async () => textOf(await readLatest(databases.within(Date.now() + lookTime)));
    this.#followers = new LongPoll({ name: 'callers that wait for records', maxWaiting, look });
  }

  /** Reads changes. Where there are none yet, waits for the first one. Throws as `readChanges` does. */
  read(
    databases: Databases,
    { since, limit }: ChangesQuery,
    { caller, waitMs }: Wait,
  ): Promise<Polled<ObjectChangePage>> {
    return this.#followers.read(caller, waitMs, async () => {
      const value = await readChanges(databases, since, limit);
      return { value, state: textOf(value.latest), isFound: value.changes.length > 0 };
    });
  }
}

/** Milliseconds for one look at both journals. */
const lookTime = 5_000;

/** Writes a position as a text. */
export function textOf({ metadata, customData }: Position): string {
  return `${metadata}-${customData}`;
}

/** Reads the position of the newest changes. */
async function readLatest(databases: Databases): Promise<Position> {
  const newest = { metadata: Number.MAX_SAFE_INTEGER, customData: Number.MAX_SAFE_INTEGER };
  const [metadata, customData] = await readPages(databases, newest, 1);
  return { metadata: metadata.latest, customData: customData.latest };
}

/**
 * Reads the changes after a position, at most `limit`, those of metadata first. Objects that the product hides, or that are no longer
 * there, are left out. Throws `changes-gone` for a position beyond the newest change.
 */
export async function readChanges(
  { main, customization }: Databases,
  since: Position,
  limit: number,
): Promise<ObjectChangePage> {
  const [metadata, customData] = await readPages({ main, customization }, since, limit);
  const latest = { metadata: metadata.latest, customData: customData.latest };
  if (since.metadata > latest.metadata || since.customData > latest.customData) throw changesGone();
  const first = takeRows(metadata, limit);
  const second = takeRows(customData, limit - first.rows.length);
  const position = {
    metadata: first.end ?? since.metadata,
    customData: second.end ?? since.customData,
  };
  const rows = [
    ...first.rows.map((row) => ({ ...row, what: 'metadata' as const })),
    ...second.rows.map((row) => ({ ...row, what: 'customData' as const })),
  ];
  return { changes: await withNames(main, rows), position, latest };
}

/** Reads the last change of an object's metadata, where the main database has their journal, and of its custom data. */
export async function readChangesOf(
  { main, customization }: Databases,
  propID: number,
): Promise<readonly ObjectChange[]> {
  const read = async (database: Database, what: Changed) => {
    const statement = readLastChange(journals[what]);
    const [found] = await database
      .query(statement, { propID: int(propID) }, { name: 'read last change' })
      .catch(explainContract);
    return rowsOf(found).map((row) => ({ ...toJournalRow(row), what }));
  };
  const rows = await Promise.all([read(main, 'metadata'), read(customization, 'customData')]);
  return withNames(main, rows.flat());
}

function readPages({ main, customization }: Databases, since: Position, limit: number) {
  const ofMetadata = async (): Promise<JournalPage> =>
    (await hasMetadataJournal(main)) ? readPage(main, 'metadata', since, limit) : { latest: 0, rows: [] };
  return Promise.all([ofMetadata(), readPage(customization, 'customData', since, limit)]);
}

/** Takes rows of a page, and the number up to which they are complete; undefined where nothing may be taken. */
function takeRows({ latest, rows }: JournalPage, limit: number) {
  const part = rows.slice(0, limit);
  const isAll = part.length === rows.length && rows.length < limit;
  return { rows: part, end: isAll ? latest : part.at(-1)?.change };
}

async function readPage(
  database: Database,
  what: Changed,
  since: Position,
  limit: number,
): Promise<JournalPage> {
  const parameters = { since: nvarchar(String(since[what]), 20), limit: int(limit) };
  const [counter, found] = await database
    .query(readJournal(journals[what]), parameters, { name: 'read changes' })
    .catch(explainContract);
  return { latest: numberOf(rowsOf(counter)[0], 'latest'), rows: rowsOf(found).map(toJournalRow) };
}

/** Adds identifiers and accounts. */
async function withNames(
  main: Database,
  rows: readonly (JournalRow & { readonly what: Changed })[],
): Promise<readonly ObjectChange[]> {
  if (rows.length === 0) return [];
  const { objects, accounts } = await readNames(main, rows);
  return rows.flatMap(({ propID, what, changedBy, changedAt }) => {
    const object = objects.get(propID);
    return object === undefined
      ? []
      : [{ ...object, what, changedBy: accounts.get(changedBy ?? 0), changedAt }];
  });
}

/** A bigint arrives as a text. */
function numberOf(row: Row = {}, column: string): number {
  return Number(text(row, column));
}

function toJournalRow(row: Row): JournalRow {
  const { changedBy, changedAt } = row;
  if (!(changedAt instanceof Date)) throw new TypeError('Column changedAt is no date');
  return {
    propID: integer(row, 'propID'),
    change: numberOf(row, 'change'),
    changedBy: changedBy === null ? null : integer(row, 'changedBy'),
    changedAt,
  };
}

function changesGone(): CodedError {
  return new CodedError(
    'changes-gone',
    'Cannot list the changes: the databases are older than this position; they were restored. Start over without since.',
  );
}
