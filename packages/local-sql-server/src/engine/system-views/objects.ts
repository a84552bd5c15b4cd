/** The views of schema sys about objects and columns. */
import { type CatalogObject, constraintsOf, type Table, type TableColumn } from '../catalog.ts';
import { maximumLength } from '../functions/data-length.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { databaseNames, shownText } from '../functions/system.ts';
import { codeOfObject, parametersOf, parsedFunction } from '../modules.ts';
import { principalsOf } from '../security/principals.ts';
import type { SqlType } from '../session.ts';
import { resolveType } from '../type-names.ts';
import {
  asDecimal,
  type CharacterType,
  databaseDefault,
  factsOf,
  familyOf,
  isCharacter,
  typeIds,
} from '../types.ts';
import { type Cell, view } from './view.ts';

const constraintKinds: Readonly<Record<string, string>> = {
  PK: 'PRIMARY_KEY_CONSTRAINT',
  UQ: 'UNIQUE_CONSTRAINT',
  'C ': 'CHECK_CONSTRAINT',
  'F ': 'FOREIGN_KEY_CONSTRAINT',
  'D ': 'DEFAULT_CONSTRAINT',
};
export const shapeOfObject =
  'name:sysname object_id:int principal_id:int? schema_id:int parent_object_id:int type:char2 type_desc:nvarchar create_date:datetime modify_date:datetime is_ms_shipped:bit is_published:bit is_schema_published:bit';
const shapeOfType =
  'system_type_id:tinyint user_type_id:int max_length:smallint precision:tinyint scale:tinyint';

function schemaId({ catalog }: FunctionContext, name: string): number {
  return catalog.schema(name)?.id ?? 1;
}

function objectRow(context: FunctionContext, object: CatalogObject): Cell[] {
  return rowOf(context, object, object, 0, codeOfObject(object));
}

export function constraintRows(context: FunctionContext, table: Table): Cell[][] {
  return constraintsOf(table).map((constraint) =>
    rowOf(context, table, constraint, table.id, [constraint.type, constraintKinds[constraint.type] ?? '']),
  );
}

/** The cells of `shapeOfObject`; a constraint has the schema and the times of its table. */
function rowOf(
  context: FunctionContext,
  { schema, created, modified }: CatalogObject,
  { name, id }: { readonly name: string; readonly id: number },
  parent: number,
  [code, description]: readonly [string, string],
): Cell[] {
  const place = [schemaId(context, schema), parent];
  return [name, id, null, ...place, code, description, created, modified, 0, 0, 0];
}

function ofKind(kind: CatalogObject['kind']) {
  return (context: FunctionContext): Cell[][] =>
    context.catalog.objects
      .filter((object) => object.kind === kind)
      .map((object) => objectRow(context, object));
}

export function tablesOf({ catalog }: FunctionContext): Table[] {
  return catalog.objects.filter((object) => object.kind === 'table');
}

/** The five columns that describe a type. */
function typeCells(type: SqlType): Cell[] {
  const { id } = factsOf(type);
  const isExact = ['integer', 'decimal', 'money'].includes(familyOf(type));
  const { precision, scale } = isExact ? asDecimal(type) : fractionOf(type);
  return [id, id, maximumLength(type), precision, scale];
}

function fractionOf(type: SqlType): { precision: number; scale: number } {
  const fixed: Readonly<Record<string, [number, number]>> = {
    float: [53, 0],
    real: [24, 0],
    date: [10, 0],
    datetime: [23, 3],
    smalldatetime: [16, 0],
  };
  const base: Readonly<Record<string, number>> = { time: 8, datetime2: 19, datetimeoffset: 26 };
  const [precision, scale] =
    fixed[type.name] ??
    ('scale' in type ? [(base[type.name] ?? 0) + (type.scale ? type.scale + 1 : 0), type.scale] : [0, 0]);
  return { precision, scale };
}

function collationOf(
  { collation = databaseDefault }: CharacterType,
  { wholeCatalog }: FunctionContext,
): string {
  return collation === databaseDefault ? wholeCatalog.collation : collation;
}

/** The columns of tables and views alike. */
function columnsOf(context: FunctionContext, object: CatalogObject): readonly TableColumn[] {
  if (object.kind === 'table') return object.columns;
  if (object.kind !== 'view') return [];
  const none = { identity: undefined, default: undefined, computed: undefined };
  return context.viewColumns(object).map((column, index) => ({ ...column, ...none, id: index + 1 }));
}

function columnRows(context: FunctionContext): Cell[][] {
  return context.catalog.objects.flatMap((object) =>
    columnsOf(context, object).map((column) => [
      object.id,
      column.name,
      column.id,
      ...(column.rowVersion ? [189, 189, 8, 0, 0] : typeCells(column.type)),
      isCharacter(column.type) ? collationOf(column.type, context) : null,
      ...[column.nullable, true, false, column.identity, column.computed].map(Boolean).map(Number),
      column.default ? object.id * 1000 + column.id : 0,
    ]),
  );
}

function parameterRows({ catalog }: FunctionContext): Cell[][] {
  return catalog.objects.flatMap((object) => {
    const isCalled = object.kind === 'procedure' || object.kind === 'function';
    const parameters = isCalled ? parametersOf(object) : [];
    const { returns } = object.kind === 'function' ? parsedFunction(object) : {};
    const result: Cell[][] =
      returns?.kind === 'scalar'
        ? [[object.id, '', 0, ...typeCells(resolveType(returns.type)), 1, 0, 0, 0, null]]
        : [];
    const rows = parameters.map(({ name, type, output }, index) => {
      const place = index + 1;
      return [object.id, name, place, ...typeCells(resolveType(type, place)), Number(output), 0, 0, 0, null];
    });
    return [...result, ...rows];
  });
}

function typeRows({ wholeCatalog }: FunctionContext): Cell[][] {
  const rows = [...typeIds].map(([name, id]): Cell[] => {
    const type = resolveType({ name, arguments: [], at: { line: 0, column: 0 } });
    const [, , length = 0, ...rest] = typeCells(type);
    const collation = isCharacter(type) ? wholeCatalog.collation : null;
    return [name, id, id, 4, 'length' in type ? 8000 : length, ...rest, collation, 1, 0, 0, 0];
  });
  return [
    ...rows,
    ['numeric', 108, 108, 4, 17, 38, 38, null, 1, 0, 0, 0],
    ['timestamp', 189, 189, 4, 8, 0, 0, null, 0, 0, 0, 0],
    ['sysname', 231, 256, 4, 256, 0, 0, wholeCatalog.collation, 0, 0, 0, 0],
  ];
}

/** Views of SQL Server 2000 that tools still read, with the columns that they read. */
export const compatibilityViews = [
  view(
    'sys.sysobjects',
    'name:sysname id:int xtype:char2 uid:smallint? parent_obj:int crdate:datetime type:char2?',
    (context) =>
      context.catalog.objects.flatMap((object) =>
        [objectRow(context, object), ...(object.kind === 'table' ? constraintRows(context, object) : [])].map(
          ([name = null, id = null, , schema = null, parent = null, type = null, , created = null]) => [
            name,
            id,
            type,
            schema,
            parent,
            created,
            type,
          ],
        ),
      ),
  ),
  view('sys.sysdatabases', 'name:sysname dbid:smallint? crdate:datetime', (context) =>
    databaseNames(context).map((name, index) => [name, index + 1, firstTime]),
  ),
  view('sys.sysusers', 'uid:smallint? name:sysname? createdate:datetime updatedate:datetime', (context) =>
    principalsOf(context.catalog).map(({ id, name, created, modified }) => [id, name, created, modified]),
  ),
];

const firstTime = '2020-01-01 00:00:00.000';

/** Views of what this server does not have; clients read them all the same. */
export const emptyViews = [
  view(
    'sys.assemblies',
    'name:sysname assembly_id:int permission_set_desc:nvarchar? create_date:datetime',
    () => [],
  ),
  view(
    'sys.assembly_types',
    'name:sysname assembly_id:int assembly_class:sysname? is_fixed_length:bit max_length:smallint is_nullable:bit',
    () => [],
  ),
];

/** The views of schema sys. Only what is there of the columns of SQL Server is listed; another column is error 207. */
export const sysViews = [
  view('sys.objects', shapeOfObject, (context) =>
    context.catalog.objects.flatMap((object) => [
      objectRow(context, object),
      ...(object.kind === 'table' ? constraintRows(context, object) : []),
    ]),
  ),
  view('sys.tables', shapeOfObject, ofKind('table')),
  view('sys.views', shapeOfObject, ofKind('view')),
  view('sys.procedures', shapeOfObject, ofKind('procedure')),
  view('sys.schemas', 'name:sysname schema_id:int principal_id:int?', ({ catalog }) =>
    catalog.schemas.map(({ id, name }) => [name, id, 1]),
  ),
  view(
    'sys.columns',
    `object_id:int name:sysname? column_id:int ${shapeOfType} collation_name:sysname? is_nullable:bit? is_ansi_padded:bit is_rowguidcol:bit is_identity:bit is_computed:bit default_object_id:int`,
    columnRows,
  ),
  view(
    'sys.identity_columns',
    'object_id:int name:sysname column_id:int seed_value:decimal? increment_value:decimal? last_value:decimal?',
    (context) =>
      tablesOf(context).flatMap((table) =>
        table.columns.flatMap(({ name, id, identity }): Cell[][] => {
          const last = context.currentIdentity(table.id);
          return identity
            ? [[table.id, name, id, identity.seed, identity.increment, last === null ? null : String(last)]]
            : [];
        }),
      ),
  ),
  view(
    'sys.computed_columns',
    'object_id:int name:sysname column_id:int definition:text? is_persisted:bit',
    (context) =>
      tablesOf(context).flatMap((table) =>
        table.columns.flatMap(({ name, id, computed }): Cell[][] =>
          computed === undefined ? [] : [[table.id, name, id, `(${computed})`, 1]],
        ),
      ),
  ),
  view(
    'sys.parameters',
    `object_id:int name:sysname? parameter_id:int ${shapeOfType} is_output:bit is_cursor_ref:bit has_default_value:bit is_readonly:bit default_value:text?`,
    parameterRows,
  ),
  view(
    'sys.types',
    'name:sysname system_type_id:tinyint user_type_id:int schema_id:int max_length:smallint precision:tinyint scale:tinyint collation_name:sysname? is_nullable:bit? is_user_defined:bit is_assembly_type:bit is_table_type:bit',
    typeRows,
  ),
  view(
    'sys.sql_modules',
    'object_id:int definition:text? uses_ansi_nulls:bit? uses_quoted_identifier:bit? is_schema_bound:bit?',
    (context) =>
      context.catalog.objects.flatMap((object): Cell[][] =>
        object.kind === 'table' ? [] : [[object.id, shownText(context, object), 1, 1, 0]],
      ),
  ),
  view(
    'sys.databases',
    'name:sysname database_id:int create_date:datetime compatibility_level:tinyint collation_name:sysname? state:tinyint? state_desc:nvarchar? is_read_only:bit? is_read_committed_snapshot_on:bit? snapshot_isolation_state:tinyint?',
    (context) =>
      databaseNames(context).map((name, index): Cell[] => {
        return [name, index + 1, firstTime, 160, context.collationOf(name), 0, 'ONLINE', 0, 1, 1];
      }),
  ),
];
