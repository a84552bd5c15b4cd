/** One identifier of the custom data of many objects (docs/records-contract.md, "One value of many objects"). */

import { CodedError } from '../errors.ts';
import { isLong, yieldToEventLoop } from '../limits/chunks.ts';
import { createTurns } from '../limits/turns.ts';
import type { Database } from '../sql/database.ts';
import { explainContract } from '../sql/database-contract.ts';
import { SqlFailure } from '../sql/failure.ts';
import { callForAll } from '../sql/foreign-procedures.ts';
import { endOpenTransaction, refuseOpenTransaction } from '../sql/transaction.ts';
import { int, integer, nvarchar, type ResultSet, type Row, rowsOf, text } from '../sql/values.ts';
import { filterColumn, readView, viewRows, viewVariables } from '../sql/view-rows.ts';
import { isJson } from './members.ts';
import { notJson } from './read.ts';
import { customView, exact, procedureId, type Shape, toSource, viewPropID } from './registrations.ts';
import { type ActingUser, explainFailure } from './sources/read-sources.ts';
import { checkSource, forbiddenByProcedures, type Reference } from './sources/reference.ts';
import { markerOf, resultsBySource } from './sources/source-results.ts';
import { callOf } from './sources/source-statements.ts';
import { columnNames, resultOf, resultValue, textColumns } from './sources/source-values.ts';

/** Which identifier of which objects, all of one type, and for whom. */
export interface ManyObjects {
  readonly propIDs: readonly number[];
  /** Returns the identifier by which callers know one of them. */
  readonly idOf: (propID: number) => string;
  readonly typeID: number;
  readonly identifier: string;
  readonly user: ActingUser;
  /** Whether the columns of a procedure are wanted where no object has a value from it. */
  readonly withColumns: boolean;
}

/** Objects without the identifier, and those that a procedure refuses, have no value. */
export interface ManyValues {
  /** By propID, as JSON text. */
  readonly values: ReadonlyMap<number, string>;
  /** Whose values are rows of `columns`: neither stored, nor JSON that a source gives itself. */
  readonly tabular: ReadonlySet<number>;
  /** The columns of the source of the identifier, with or without values from it. */
  readonly columns: readonly string[];
  /** Those of texts among them, whose values are the same where they are equal. */
  readonly texts: ReadonlySet<string>;
}

/** No object has this propID: a procedure that is called for it gives its columns without rows. */
const noObject = 0;

/** Calls of a procedure in one reply, at most: it is called once for each object. */
export const maxCalls = 100;

/** Returns the statement that reads what is registered of `@identifier` for the type `@typeID`, and what the catalog knows of its source. */
export const selectOfType = `SELECT s.customDataIdentifier AS identifier, s.kind, s.shape, ${procedureId('_Get')} AS getProcedure,
    OBJECT_ID(${customView}, N'V') AS customView, ${viewPropID} AS viewPropID
FROM (SELECT @identifier ${exact} AS identifier) r
    LEFT JOIN dbo.tCustomDataTypes s ON s.typeID = @typeID AND s.customDataIdentifier = r.identifier;`;

/** Reads what is registered of `@identifier` for the objects `@propIDs`, of the type `@typeID`, stored values included. The benchmark gives it to the bare driver. */
export const selectOfMany = `SET NOCOUNT ON;
${selectOfType}
SELECT c.name FROM (SELECT @identifier ${exact} AS identifier) r JOIN sys.columns c ON c.object_id = OBJECT_ID(${customView}, N'V')
WHERE c.name <> N'propID' ORDER BY c.column_id;
SELECT d.propID, d.kind ${exact} AS kind, d.customDataIdentifier AS identifier, d.customData
FROM OPENJSON(@propIDs) WITH (propID int '$') o JOIN dbo.tCustomData d ON d.propID = o.propID
WHERE d.customDataIdentifier ${exact} = @identifier;`;

/**
 * Reads the value of one identifier of each object: stored values in one statement, those of a view in one more, and one call of a procedure
 * for each object; one for none, which gives the columns, where none is called. Throws `custom-data-many-calls` and the errors of reading one value.
 */
export async function readManyValues(customization: Database, many: ManyObjects): Promise<ManyValues> {
  const { identifier } = many;
  const [found, viewColumns, own] = await customization
    .query(
      selectOfMany,
      {
        identifier: nvarchar(identifier, Math.max(identifier.length, 1)),
        typeID: int(many.typeID),
        propIDs: listOf(many.propIDs),
      },
      { name: 'read registrations' },
    )
    .catch(explainContract);
  const [ofType = {}] = rowsOf(found);
  const rows = new Map(rowsOf(own).map((item) => [integer(item, 'propID'), item]));
  // The server ignores trailing spaces, identifiers are exact.
  const values = await storedValues(rows, many);
  const fromSource = many.propIDs.filter((propID) => {
    const item = rows.get(propID);
    return (item ?? ofType)['identifier'] === identifier && item?.['kind'] !== 'JSON';
  });
  if (values.size + fromSource.length === 0 && ofType['identifier'] !== identifier)
    await checkRegistered(customization, identifier);
  const { hasProcedure } = toSource(ofType);
  if (hasProcedure && fromSource.length > maxCalls) throw tooManyCalls(identifier);
  const ofSource = { ...many, propIDs: fromSource };
  if (fromSource.length === 0) {
    const columns = hasProcedure
      ? await columnsOfProcedure(customization, ofSource)
      : rowsOf(viewColumns).map((row) => text(row, 'name'));
    return { values, tabular: new Set(), columns, texts: new Set() };
  }
  const reference = (propID: number) => toReference(identifier, ofType, rows.get(propID));
  const sources = await readSourceOfMany(customization, ofSource, reference);
  return { ...sources, values: new Map([...values, ...sources.values]) };
}

/** Throws `custom-data-not-found` for an identifier that no object has. Asked only where a page has no value of it. */
export async function checkRegistered(customization: Database, identifier: string): Promise<void> {
  const [found] = await customization.query(
    `SELECT TOP (1) 1 AS isRegistered FROM dbo.tCustomData
WHERE customDataIdentifier ${exact} + N'.' = @identifier + N'.'`,
    { identifier: nvarchar(identifier) },
    { name: 'find identifier' },
  );
  if (rowsOf(found).length === 0)
    throw new CodedError(
      'custom-data-not-found',
      `Cannot read the custom data ${JSON.stringify(identifier.slice(0, 128))}: no object has it.`,
      { hint: 'The identifiers of an object are listed by GET custom-data/sources.' },
    );
}

/** Returns the columns of a procedure that is called for no object of a page; none where it fails without one. */
async function columnsOfProcedure(customization: Database, many: ManyObjects): Promise<readonly string[]> {
  if (!many.withColumns) return [];
  try {
    const [[result] = []] = await callInOneBatch(customization, { ...many, propIDs: [noObject] });
    return result === undefined || isRefusal(result) ? [] : columnNames(result);
  } catch (error) {
    if (error instanceof SqlFailure) return [];
    throw error;
  }
}

/** Reads the values of objects whose value comes from the source of the identifier: of a view by one statement, of a procedure by one for each `maxCalls`. */
export async function readSourceOfMany(
  customization: Database,
  many: ManyObjects,
  reference: ReferenceOf,
): Promise<ManyValues> {
  const first = reference(many.propIDs[0] ?? noObject);
  checkSource(first);
  return (first.source.hasProcedure ? callForEach : readOfView)(customization, many, reference);
}

/** Returns a JSON array of propIDs as a parameter. */
export function listOf(propIDs: readonly number[]) {
  return nvarchar(JSON.stringify(propIDs));
}

/** Returns what is registered for an object: by its type, and by its own row. */
export function toReference(identifier: string, ofType: Row, own: Row | undefined): Reference {
  const kind = (own ?? ofType)['kind'];
  if (kind !== 'REF' && kind !== 'REF_RO') throw new TypeError(`Registration of unknown kind ${kind}`);
  const shape = (ofType['shape'] ?? undefined) as Shape | undefined;
  return { identifier, kind, shape, source: toSource(ofType) };
}

async function storedValues(
  rows: ReadonlyMap<number, Row>,
  { identifier, idOf }: Pick<ManyObjects, 'identifier' | 'idOf'>,
): Promise<Map<number, string>> {
  const values = new Map<number, string>();
  let length = 0;
  for (const [propID, row] of rows) {
    if (row['kind'] !== 'JSON' || row['identifier'] !== identifier) continue;
    const value = String(row['customData'] ?? null);
    if (!isJson(value)) throw notJson(identifier, ` of "${idOf(propID)}"`);
    values.set(propID, value);
    length += value.length;
    if (!isLong({ length })) continue;
    length = 0;
    await yieldToEventLoop();
  }
  return values;
}

type ReferenceOf = (propID: number) => Reference;

async function readOfView(
  customization: Database,
  { propIDs, identifier }: ManyObjects,
  reference: ReferenceOf,
): Promise<ManyValues> {
  const filter = { column: 'propID', values: '@propIDs' } as const;
  const results = await customization
    .query(
      ['SET NOCOUNT ON;', viewVariables, readView({ view: '@view', filter, filterRequired: true })].join(
        '\n',
      ),
      { view: nvarchar(`CustomData_${identifier}`, 128), propIDs: listOf(propIDs) },
      { name: 'read view of many' },
    )
    .catch((error: unknown) => explainFailure(error, propIDs.slice(0, 1).map(reference), hintOfMany));
  const { columns: all, rows } = viewRows(results) ?? { columns: [], rows: [] };
  const columns = all.filter(({ name }) => name !== filterColumn);
  const byObject = Map.groupBy(rows, ([propID]) => Number(propID));
  const turns = createTurns();
  const values = new Map<number, string>();
  for (const propID of propIDs) {
    const itsRows = (byObject.get(propID) ?? []).map((row) => row.slice(1));
    values.set(propID, await resultValue(reference(propID), { columns, rows: itsRows }, turns));
  }
  return {
    values,
    tabular: new Set(propIDs),
    columns: columns.map(({ name }) => name),
    texts: textColumns({ columns, rows: [] }),
  };
}

const refusedColumn = '$refused';

interface ReadValue {
  readonly propID: number;
  readonly value: string;
  readonly columns: readonly string[];
  readonly texts: ReadonlySet<string>;
}

async function callForEach(
  customization: Database,
  many: ManyObjects,
  reference: ReferenceOf,
): Promise<ManyValues> {
  const { propIDs } = many;
  const groups: ResultSet[][] = [];
  for (let at = 0; at < propIDs.length; at += maxCalls) {
    const ofBatch = await callForAll(propIDs.slice(at, at + maxCalls), (some) =>
      callInOneBatch(customization, { ...many, propIDs: some }),
    ).catch((error: unknown) => explainFailure(error, propIDs.slice(0, 1).map(reference), hintOfMany));
    groups.push(...ofBatch);
  }
  const turns = createTurns();
  const read: ReadValue[] = [];
  for (const [index, propID] of propIDs.entries()) {
    const group = groups[index] ?? [];
    if (group.some(isRefusal)) continue;
    const result = resultOf(reference(propID), group);
    const value = await resultValue(reference(propID), result, turns);
    read.push({ propID, value, columns: columnNames(result), texts: textColumns(result) });
  }
  const called = [...new Set(read.flatMap(({ columns }) => columns))];
  return {
    values: new Map(read.map(({ propID, value }) => [propID, value])),
    tabular: new Set(read.flatMap(({ propID, columns }) => (columns.length === 0 ? [] : [propID]))),
    columns: read.length === 0 ? await columnsOfProcedure(customization, many) : called,
    texts: new Set(read.flatMap(({ texts }) => [...texts])),
  };
}

/** Calls the procedure of each object, and returns the results of each call. */
async function callInOneBatch(
  customization: Database,
  { propIDs, identifier, user }: ManyObjects,
): Promise<ResultSet[][]> {
  const calls = propIDs.map(
    (_, index) => `${markerOf(index)}
BEGIN TRY
${callOf(identifier, `@object${index}`)}
END TRY
BEGIN CATCH
${endOpenTransaction}
IF ERROR_NUMBER() <> ${forbiddenByProcedures} THROW;
SELECT 1 AS [${refusedColumn}];
END CATCH;
${endOpenTransaction}`,
  );
  const objects = propIDs.map((propID, index) => [`object${index}`, int(propID)] as const);
  const results = await customization.query(
    ['SET NOCOUNT ON;', refuseOpenTransaction, ...calls, markerOf(calls.length), 'SELECT 1 AS [$end];'].join(
      '\n',
    ),
    { ...Object.fromEntries(objects), usrPropID: int(user.usrPropID), langID: int(user.langID) },
    { name: 'call procedure of many' },
  );
  // The marker behind the last call begins a group of nothing.
  return resultsBySource(results).slice(0, propIDs.length);
}

function isRefusal({ columns: [column, ...more] }: ResultSet): boolean {
  return column?.name === refusedColumn && more.length === 0;
}

const hintOfMany = {
  hint: 'It fails for one of the objects at least: smaller pages (limit) and conditions tell which, and leave it out.',
};

function tooManyCalls(identifier: string): CodedError {
  return new CodedError(
    'custom-data-many-calls',
    `Cannot read the custom data "${identifier}" of more than ${maxCalls} objects at once: its procedure is called for each of them.`,
    {
      facts: { identifier },
      errors: [{ pointer: 'query:limit', detail: `must be at most ${maxCalls} for this identifier` }],
      hint: 'Ask for smaller pages, or let a view give the values of all objects.',
    },
  );
}
