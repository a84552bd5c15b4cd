/** Conditions and order of objects by the rows of a custom view (docs/records-contract.md, "One value of many objects"). */

import { CodedError, type FieldError } from '../errors.ts';
import type { Database } from '../sql/database.ts';
import { explainContract } from '../sql/database-contract.ts';
import { behindKey, keyColumns, keyOf, type OrderColumn, orderBy } from '../sql/keyset.ts';
import { quoteName } from '../sql/transaction.ts';
import { int, integer, nvarchar, type Parameters, type Row, rowsOf, text } from '../sql/values.ts';
import {
  type ColumnCondition,
  columnCondition,
  comparisonsOfColumn,
  intKey,
  type SortedColumn,
  sortedColumn,
  type ViewColumn,
} from './column-types.ts';
import { checkRegistered, selectOfType } from './read-many.ts';
import { customView, exact, toSource } from './registrations.ts';
import { explainFailure } from './sources/read-sources.ts';
import { checkSource, getProcedure, type Reference } from './sources/reference.ts';
import { declared } from './sources/source-columns.ts';

/** Objects that a search looks through, at most: those that a view names for a condition, or that are put into an order. */
export const maxObjects = 100_000;

/** A view whose rows objects are found by. */
export interface SearchedView {
  readonly identifier: string;
  readonly columns: readonly ViewColumn[];
  /** For errors of the view. */
  readonly reference: Reference;
  /** Whether the identifier is registered for the type of the objects. */
  readonly isOfType: boolean;
}

/** A condition of a query: the parameter as it was written, and its value. */
export interface WrittenCondition {
  readonly parameter: string;
  readonly column: string;
  readonly comparison: string;
  readonly value: string;
}

const selectView = `SET NOCOUNT ON;
${selectOfType}
SELECT c.name, ISNULL(t.name, N'') AS type, c.max_length AS maxLength, c.[precision], c.scale
FROM (SELECT @identifier ${exact} AS identifier) r JOIN sys.columns c ON c.object_id = OBJECT_ID(${customView}, N'V')
    LEFT JOIN sys.types t ON t.user_type_id = c.system_type_id
WHERE c.name <> N'propID' ORDER BY c.column_id;`;

/** Whose values are searched, and by which part of the request. */
interface SearchedValues {
  readonly identifier: string;
  readonly typeID: number;
  readonly place: FieldError;
}

/** Finds the view of an identifier. Throws `custom-data-not-searchable` where values do not come from a view, `custom-data-not-found`, and the errors of reading a view. */
export async function findSearchedView(
  customization: Database,
  { identifier, typeID, place }: SearchedValues,
): Promise<SearchedView> {
  const [found, catalog] = await customization
    .query(
      selectView,
      { identifier: nvarchar(identifier, Math.max(identifier.length, 1)), typeID: int(typeID) },
      { name: 'read columns of a view' },
    )
    .catch(explainContract);
  const [ofType = {}] = rowsOf(found);
  const source = toSource(ofType);
  const isOfType = ofType['identifier'] === identifier && ofType['kind'] !== 'JSON';
  const reference: Reference = { identifier, kind: 'REF', shape: undefined, source };
  if (source.hasProcedure || source.view === 'missing') {
    if (!isOfType) await checkRegistered(customization, identifier);
    if (isOfType) checkSource(reference);
    throw notSearchable(identifier, source.hasProcedure, place);
  }
  checkSource(reference);
  return { identifier, columns: rowsOf(catalog).map(toColumn), reference, isOfType };
}

function toColumn(row: Row): ViewColumn {
  const type = text(row, 'type');
  return {
    name: text(row, 'name'),
    type,
    sqlType: declared(type, row),
    maxLength: integer(row, 'maxLength'),
    precision: integer(row, 'precision'),
    scale: integer(row, 'scale'),
  };
}

function notSearchable(identifier: string, hasProcedure: boolean, place: FieldError): CodedError {
  const reason = hasProcedure
    ? `they come from the procedure ${getProcedure(identifier)}, which has to be called for each object`
    : 'they are stored as JSON, and do not come from a view';
  return new CodedError(
    'custom-data-not-searchable',
    `Cannot find or sort objects by the values of "${identifier}": ${reason}.`,
    {
      facts: { identifier },
      errors: [{ ...place, detail: `${place.detail}, and needs a view behind the custom data` }],
      hint: hasProcedure
        ? 'Let a view give the values of all objects, or read them all and look through them.'
        : 'Read them all, and look through them.',
    },
  );
}

function invalidQuery(errors: readonly FieldError[]): CodedError {
  return new CodedError('invalid-parameters', 'Cannot read the request: its parameters are not valid.', {
    errors: errors.slice(0, 20),
  });
}

const shownNames = 50;

function unknownColumn({ columns, identifier }: SearchedView, name: string): string {
  const names = columns.slice(0, shownNames).map((column) => column.name);
  return `"${name.slice(0, 128)}" is not a column of CustomData_${identifier}, which has ${names.join(', ')}${columns.length > shownNames ? ', ...' : ''}`;
}

/** Conditions that one row has to meet, all of them. */
export type Conditions = readonly Exclude<ColumnCondition, { readonly error: string }>[];

/** Returns conditions in the types of their columns. Throws `invalid-parameters`. */
export function toConditions(view: SearchedView, written: readonly WrittenCondition[]): Conditions {
  const results = written.map((condition) => ({ condition, result: toCondition(view, condition) }));
  const errors = results.flatMap(({ condition, result }) =>
    'error' in result ? [{ pointer: `query:${condition.parameter}`, detail: result.error }] : [],
  );
  if (errors.length > 0) throw invalidQuery(errors);
  return results.flatMap(({ result }) => ('error' in result ? [] : [result]));
}

function toCondition(
  view: SearchedView,
  { column: name, comparison, value }: WrittenCondition,
): ColumnCondition {
  const column = view.columns.find((item) => item.name === name);
  if (column === undefined) return { error: unknownColumn(view, name) };
  const allowed = comparisonsOfColumn(column);
  if (allowed.length === 0)
    return { error: `is of a column of the type ${typeOf(column)}, which is not compared` };
  const known = allowed.find((item) => item === comparison);
  if (known === undefined)
    return {
      error: `has the comparison "${comparison.slice(0, 128)}"; a column of the type ${typeOf(column)} has ${allowed.join(', ')}`,
    };
  return columnCondition(column, known, value);
}

function typeOf({ sqlType }: ViewColumn): string {
  return sqlType === '' ? 'of its own' : sqlType;
}

/** An order of objects by columns of a view. */
export interface ViewOrder {
  /** As it was written. */
  readonly sort: readonly string[];
  readonly columns: readonly (SortedColumn & { readonly isDescending: boolean })[];
}

/** Returns the order by columns, with `-` before those that descend; `<identifier>.` may stand before a name. Throws `invalid-parameters`. */
export function toOrder(view: SearchedView, sort: readonly string[]): ViewOrder {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const columns = sort.flatMap((written) => {
    const name = columnOfSort(view.identifier, written);
    const column = view.columns.find((item) => item.name === name);
    const sorted = column && sortedColumn(column);
    const fault =
      column === undefined
        ? `${unknownColumn(view, name)}; and it is not a field to sort by`
        : sorted === undefined
          ? `sorts by "${name}" of the type ${typeOf(column)}, which has no order`
          : names.has(name)
            ? `names ${name} twice`
            : undefined;
    if (fault !== undefined) errors.push({ pointer: 'query:sort', detail: fault });
    names.add(name);
    return sorted === undefined ? [] : [{ ...sorted, isDescending: written.startsWith('-') }];
  });
  if (errors.length > 0) throw invalidQuery(errors);
  return { sort, columns };
}

/** Returns the name of a column in a sort. */
export function columnOfSort(identifier: string, written: string): string {
  const name = written.replace(/^-/, '');
  return name.startsWith(`${identifier}.`) ? name.slice(identifier.length + 1) : name;
}

/** Rows of a view `v` count for the objects whose value comes from it. */
function isOfSource({ isOfType }: SearchedView): string {
  const own = (kind: string) => `EXISTS (SELECT 1 FROM dbo.tCustomData d
    WHERE d.propID = v.propID AND d.customDataIdentifier ${exact} + N'.' = @identifier + N'.' AND d.kind ${kind} 'JSON')`;
  return isOfType ? `NOT ${own('=')}` : own('<>');
}

function rowsThat(view: SearchedView, conditions: Conditions): string {
  const all = [isOfSource(view), ...conditions.map(({ condition }, index) => condition(`@c${index}`))];
  return `FROM dbo.${quoteName(`CustomData_${view.identifier}`)} v WHERE ${all.join('\n    AND ')}`;
}

function parametersOf({ identifier }: SearchedView, conditions: Conditions): Parameters {
  return {
    identifier: nvarchar(identifier, Math.max(identifier.length, 1)),
    ...Object.fromEntries(conditions.map(({ parameter }, index) => [`c${index}`, parameter])),
  };
}

/** Returns the propIDs of the objects of which one row meets all conditions, as a JSON array. Throws `too-many-objects` and the errors of the view. */
export async function findMatching(
  customization: Database,
  view: SearchedView,
  conditions: Conditions,
): Promise<string> {
  const [found] = await customization
    .query(
      `SELECT COUNT(*) AS found, ISNULL(N'[' + STRING_AGG(CONVERT(nvarchar(max), propID), N',') + N']', N'[]') AS propIDs
FROM (SELECT DISTINCT TOP (${maxObjects + 1}) v.propID ${rowsThat(view, conditions)}) m;`,
      parametersOf(view, conditions),
      { name: 'find objects by a view' },
    )
    .catch((error: unknown) => explainFailure(error, [view.reference], {}));
  const [row = {}] = rowsOf(found);
  if (integer(row, 'found') > maxObjects)
    throw tooManyObjects(`more than ${maxObjects} objects meet the conditions on "${view.identifier}"`);
  return text(row, 'propIDs');
}

/** The error for more objects than a search looks through. */
export function tooManyObjects(reason: string): CodedError {
  return new CodedError('too-many-objects', `Cannot find or sort the objects: ${reason}.`, {
    facts: { limit: maxObjects },
    hint: 'Narrow it by a further condition.',
  });
}

/** A part of objects in an order. */
export interface OrderedPart {
  /** In their order. */
  readonly propIDs: readonly number[];
  /** Returns the key of one of them, behind which another part can begin. */
  readonly keyOf: (index: number) => string;
}

interface PartOfOrder {
  /** The propIDs of the objects, as a JSON array. */
  readonly among: string;
  readonly conditions: Conditions;
  readonly order: ViewOrder;
  readonly page: { readonly limit: number; readonly offset: number; readonly after?: string | undefined };
}

/**
 * Puts objects into the order of the rows of a view. Of the rows that meet the conditions the first in the order counts for its object; an
 * object without one has NULL in all columns. Equal ones are in the order of their propIDs. Throws the errors of the view.
 */
export async function orderByView(
  customization: Database,
  view: SearchedView,
  { among, conditions, order: { sort, columns }, page: { limit, offset, after } }: PartOfOrder,
): Promise<OrderedPart> {
  const name = (index: number) => `[$sort${index}]`;
  const direction = ({ isDescending }: { readonly isDescending: boolean }) => (isDescending ? ' DESC' : '');
  const order: OrderColumn[] = [
    ...columns.map(({ type, isDescending }, index) => ({
      expression: `f.${name(index)}`,
      type,
      isDescending,
    })),
    { expression: 'o.propID', type: intKey, isDescending: false },
  ];
  const behind = after === undefined ? undefined : behindKey(sort, order, after);
  const [found] = await customization
    .query(
      // The variable tells how many objects there are, and the statement is compiled for that number.
      `SET NOCOUNT ON;
DECLARE @objects TABLE (propID int NOT NULL PRIMARY KEY);
INSERT INTO @objects (propID) SELECT DISTINCT propID FROM OPENJSON(@among) WITH (propID int '$') WHERE propID IS NOT NULL;
SELECT o.propID, ${keyColumns(order).join(', ')}
FROM @objects o LEFT JOIN (
    SELECT r.propID, ${columns.map((_, index) => `r.${name(index)}`).join(', ')},
        ROW_NUMBER() OVER (PARTITION BY r.propID ORDER BY ${columns.map((column, index) => `r.${name(index)}${direction(column)}`).join(', ')}) AS position
    FROM (SELECT v.propID, ${columns.map(({ expression }, index) => `${expression} AS ${name(index)}`).join(', ')}
    ${rowsThat(view, conditions)}) r
) f ON f.propID = o.propID AND f.position = 1
${behind === undefined ? '' : `WHERE ${behind.condition}`}
ORDER BY ${orderBy(order)} OFFSET @offset ROWS FETCH NEXT @limit ROWS ONLY OPTION (RECOMPILE);`,
      {
        ...parametersOf(view, conditions),
        ...behind?.parameters,
        among: nvarchar(among),
        offset: int(offset),
        limit: int(limit),
      },
      { name: 'sort objects by a view' },
    )
    .catch((error: unknown) => explainFailure(error, [view.reference], {}));
  const rows = rowsOf(found);
  return {
    propIDs: rows.map((row) => integer(row, 'propID')),
    keyOf: (index) => keyOf(sort, order, rows[index] ?? {}),
  };
}
