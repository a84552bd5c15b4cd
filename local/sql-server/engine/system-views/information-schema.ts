import { constraintsOf } from '../catalog.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { parametersOf } from '../modules.ts';
import type { SqlType } from '../session.ts';
import { resolveType } from '../type-names.ts';
import { asDecimal, defaultCollation, isCharacter, isUnicode } from '../types.ts';
import { columnsOf, tablesOf } from './objects.ts';
import { type Cell, view } from './view.ts';

const numericShape =
  'CHARACTER_MAXIMUM_LENGTH:int? CHARACTER_OCTET_LENGTH:int? NUMERIC_PRECISION:tinyint? NUMERIC_PRECISION_RADIX:smallint? NUMERIC_SCALE:int? DATETIME_PRECISION:smallint? CHARACTER_SET_NAME:sysname? COLLATION_NAME:sysname?';

/** Sizes of a type, as INFORMATION_SCHEMA gives them. */
function sizeCells(type: SqlType): Cell[] {
  const length = 'length' in type ? (type.length === 'max' ? -1 : type.length) : null;
  const octets = length === null || length < 0 ? length : isUnicode(type) ? length * 2 : length;
  const isExact = ['int', 'bigint', 'smallint', 'tinyint', 'decimal', 'money', 'smallmoney'].includes(
    type.name,
  );
  const exact = isExact ? asDecimal(type) : undefined;
  const precision = exact?.precision ?? (type.name === 'float' ? 53 : type.name === 'real' ? 24 : null);
  const radix = exact ? 10 : precision === null ? null : 2;
  const fraction =
    type.name === 'datetime'
      ? 3
      : type.name === 'date' || type.name === 'smalldatetime'
        ? 0
        : type.name.startsWith('time') || type.name.startsWith('datetime')
          ? 'scale' in type
            ? type.scale
            : 0
          : null;
  const characterSet = isCharacter(type) ? (isUnicode(type) ? 'UNICODE' : 'iso_1') : null;
  return [
    length,
    octets,
    precision,
    radix,
    exact?.scale ?? null,
    fraction,
    characterSet,
    isCharacter(type) ? (type.collation ?? defaultCollation) : null,
  ];
}

function columnRows(context: FunctionContext): Cell[][] {
  return context.catalog.objects.flatMap((object) =>
    columnsOf(context, object).map((column, index) => [
      context.database,
      object.schema,
      object.name,
      column.name,
      index + 1,
      column.default === undefined ? null : `(${column.default})`,
      column.nullable ? 'YES' : 'NO',
      column.type.name,
      ...sizeCells(column.type),
    ]),
  );
}

function parameterRows(context: FunctionContext): Cell[][] {
  return context.catalog.objects.flatMap((object) =>
    object.kind !== 'procedure'
      ? []
      : parametersOf(object).map((parameter, index): Cell[] => {
          const type = resolveType(parameter.type, index + 1);
          return [
            context.database,
            object.schema,
            object.name,
            index + 1,
            parameter.output ? 'INOUT' : 'IN',
            'NO',
            parameter.name,
            type.name,
            ...sizeCells(type),
          ];
        }),
  );
}

const constraintNames: Readonly<Record<string, string>> = {
  PK: 'PRIMARY KEY',
  UQ: 'UNIQUE',
  'C ': 'CHECK',
  'F ': 'FOREIGN KEY',
};

function constraintRows(context: FunctionContext): Cell[][] {
  return tablesOf(context).flatMap((table) =>
    constraintsOf(table)
      .filter(({ type }) => type in constraintNames)
      .map(({ name, type }) => [
        context.database,
        table.schema,
        name,
        context.database,
        table.schema,
        table.name,
        constraintNames[type] ?? '',
        'NO',
        'NO',
      ]),
  );
}

function keyColumnRows(context: FunctionContext): Cell[][] {
  return tablesOf(context).flatMap((table) =>
    [
      ...table.keys
        .filter(({ form }) => form !== 'INDEX')
        .map((key) => ({ name: key.name, columns: key.columns.map(({ name }) => name) })),
      ...table.foreignKeys,
    ].flatMap(({ name, columns }) =>
      columns.map((column, index): Cell[] => [
        context.database,
        table.schema,
        name,
        context.database,
        table.schema,
        table.name,
        column,
        index + 1,
      ]),
    ),
  );
}

/** The views of schema INFORMATION_SCHEMA. */
export const informationSchemaViews = [
  view(
    'information_schema.tables',
    'TABLE_CATALOG:nvarchar? TABLE_SCHEMA:sysname? TABLE_NAME:sysname TABLE_TYPE:varchar?',
    (context) =>
      context.catalog.objects
        .filter(({ kind }) => kind !== 'procedure')
        .map(({ schema, name, kind }) => [
          context.database,
          schema,
          name,
          kind === 'table' ? 'BASE TABLE' : 'VIEW',
        ]),
  ),
  view(
    'information_schema.views',
    'TABLE_CATALOG:nvarchar? TABLE_SCHEMA:sysname? TABLE_NAME:sysname VIEW_DEFINITION:text? CHECK_OPTION:varchar? IS_UPDATABLE:varchar',
    (context) =>
      context.catalog.objects.flatMap((object): Cell[][] =>
        object.kind === 'view'
          ? [[context.database, object.schema, object.name, object.text, 'NONE', 'NO']]
          : [],
      ),
  ),
  view(
    'information_schema.columns',
    `TABLE_CATALOG:nvarchar? TABLE_SCHEMA:sysname? TABLE_NAME:sysname COLUMN_NAME:sysname? ORDINAL_POSITION:int? COLUMN_DEFAULT:text? IS_NULLABLE:varchar? DATA_TYPE:nvarchar? ${numericShape}`,
    columnRows,
  ),
  view(
    'information_schema.routines',
    'SPECIFIC_CATALOG:nvarchar? SPECIFIC_SCHEMA:sysname? SPECIFIC_NAME:sysname ROUTINE_CATALOG:nvarchar? ROUTINE_SCHEMA:sysname? ROUTINE_NAME:sysname ROUTINE_TYPE:varchar? ROUTINE_DEFINITION:text? CREATED:datetime LAST_ALTERED:datetime',
    (context) =>
      context.catalog.objects.flatMap((object): Cell[][] =>
        object.kind === 'procedure'
          ? [
              [
                context.database,
                object.schema,
                object.name,
                context.database,
                object.schema,
                object.name,
                'PROCEDURE',
                object.text,
                object.created,
                object.modified,
              ],
            ]
          : [],
      ),
  ),
  view(
    'information_schema.parameters',
    `SPECIFIC_CATALOG:nvarchar? SPECIFIC_SCHEMA:sysname? SPECIFIC_NAME:sysname ORDINAL_POSITION:int PARAMETER_MODE:varchar? IS_RESULT:varchar? PARAMETER_NAME:sysname? DATA_TYPE:nvarchar? ${numericShape}`,
    parameterRows,
  ),
  view(
    'information_schema.schemata',
    'CATALOG_NAME:sysname? SCHEMA_NAME:sysname SCHEMA_OWNER:sysname?',
    (context) => context.catalog.schemas.map(({ name }) => [context.database, name, 'dbo']),
  ),
  view(
    'information_schema.table_constraints',
    'CONSTRAINT_CATALOG:nvarchar? CONSTRAINT_SCHEMA:sysname? CONSTRAINT_NAME:sysname TABLE_CATALOG:nvarchar? TABLE_SCHEMA:sysname? TABLE_NAME:sysname? CONSTRAINT_TYPE:varchar? IS_DEFERRABLE:varchar INITIALLY_DEFERRED:varchar',
    constraintRows,
  ),
  view(
    'information_schema.key_column_usage',
    'CONSTRAINT_CATALOG:nvarchar? CONSTRAINT_SCHEMA:sysname? CONSTRAINT_NAME:sysname TABLE_CATALOG:nvarchar? TABLE_SCHEMA:sysname? TABLE_NAME:sysname? COLUMN_NAME:sysname? ORDINAL_POSITION:int',
    keyColumnRows,
  ),
];
