/** Table-valued functions. */
import type { JsonColumn, TableSource } from '../../tsql/ast.ts';
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { parsedFunction } from '../modules.ts';
import type { SqlType } from '../session.ts';
import { resolveType } from '../type-names.ts';
import { bigint, familyOf, nvarchar, textMax, typeName } from '../types.ts';
import { commonOf } from './common.ts';
import {
  type Compilation,
  type Field,
  findObject,
  type Scope,
  type TranslatedQuery,
  type TranslatedSource,
} from './compilation.ts';
import { ExpressionTranslator } from './expressions.ts';
import { functionArguments } from './function-arguments.ts';
import { literal, type Typed, typeId } from './typed.ts';

type FunctionSource = TableSource & { kind: 'function' };

/** The query of a table function of a schema, with its arguments; `scope` is where these are read. Undefined for what is none. */
export function inlinedFunction(
  compilation: Compilation,
  source: FunctionSource,
  scope: Scope,
): TranslatedQuery | undefined {
  const parts = source.name.split('.');
  const found = parts.length > 1 ? findObject(compilation.translationContext, parts, source.at) : undefined;
  if (found?.kind !== 'function') return undefined;
  const { returns } = parsedFunction(found);
  if (returns.kind !== 'table') return undefined;
  if (compilation.viewDepth === 0) compilation.needs.push({ right: 'SELECT', object: found });
  const translator = new ExpressionTranslator(compilation, scope);
  const given = functionArguments(translator, found, source.arguments, source.at);
  if (++compilation.viewDepth > 32) throw sqlErrorAt(source.at, 217);
  const { functionArguments: outer } = compilation;
  compilation.functionArguments = given;
  const query = compilation.query(returns.query, { sources: [], parent: undefined, ctes: undefined });
  compilation.functionArguments = outer;
  compilation.viewDepth--;
  return query;
}

/**
 * OPENJSON and STRING_SPLIT: a JavaScript function gives the rows as JSON, SQLite takes them apart. Throws 208 for a function of a schema,
 * since none is supported.
 */
export function tableFunction(
  compilation: Compilation,
  scope: Scope,
  source: FunctionSource,
): TranslatedSource {
  if (source.name.includes('.')) throw sqlErrorAt(source.at, 208, source.name.toLowerCase());
  const translator = new ExpressionTranslator(compilation, scope);
  const given = source.arguments.map((argument) => translator.value(argument));
  const alias = compilation.alias();
  const { call, fields } = rows(source, given);
  const columns = fields.map(
    ({ name, type, raw }, index): Field => ({
      name: source.columns?.[index] ?? name,
      typed: { sql: raw(`${alias}.value ->> ${index}`), type, nullable: true },
    }),
  );
  return {
    sql: `json_each(${call}) AS ${alias}`,
    sources: [{ name: source.alias ?? source.name.toLowerCase(), schema: undefined, fields: columns, alias }],
  };
}

/**
 * A table function in FROM, whose rows are made once: SQLite looks them up by their columns, where it would call the function again for each
 * row of the source beside it. The limit, which limits nothing, keeps it from moving the function out of the subquery.
 */
export function tableOnce(compilation: Compilation, scope: Scope, source: FunctionSource): TranslatedSource {
  const { sql, sources } = tableFunction(compilation, scope, source);
  const alias = compilation.alias();
  const [{ fields = [] } = {}] = sources;
  const columns = fields.map(({ typed }, index) => `${typed.sql} AS c${index}`);
  return {
    sql: `(SELECT ${columns.join(', ')} FROM ${sql} LIMIT -1) AS ${alias}`,
    sources: sources.map((found) => ({
      ...found,
      alias,
      fields: fields.map((field, index) => ({
        ...field,
        typed: { ...field.typed, sql: `${alias}.c${index}` },
      })),
    })),
  };
}

interface RowField {
  readonly name: string;
  readonly type: SqlType;
  raw(sql: string): string;
}

const asIs = (sql: string): string => sql;

function rows(source: FunctionSource, given: readonly Typed[]): { call: string; fields: RowField[] } {
  const { name, at } = source;
  const texts = given.map((typed) => typed.sql);
  if (name === 'OPENJSON') return openJson(source, given);
  if (name === 'STRING_SPLIT') {
    if (given.length < 2 || given.length > 3) throw sqlErrorAt(at, 189, 'STRING_SPLIT', 2, 3);
    const value: RowField = { name: 'value', type: given[0]?.type ?? nvarchar(4000), raw: asIs };
    const hasOrdinal = given[2]?.sql === '1';
    return {
      call: `split_rows(${texts.slice(0, 2).join(', ')})`,
      fields: [value, ...(hasOrdinal ? [{ name: 'ordinal', type: bigint, raw: asIs }] : [])],
    };
  }
  if (name === 'GENERATE_SERIES') {
    if (given.length < 2 || given.length > 3) throw sqlErrorAt(at, 189, 'GENERATE_SERIES', 2, 3);
    const type = commonOf(given, 'GENERATE_SERIES');
    if (familyOf(type) !== 'integer') throw unsupported('GENERATE_SERIES of numbers with decimals', at);
    return { call: `series_rows(${texts.join(', ')})`, fields: [{ name: 'value', type, raw: asIs }] };
  }
  throw unsupported(`table-valued function ${name}`, at);
}

/** Without a schema: key, value and type of each member; with one: a column for each path. */
function openJson(
  { schema, at }: FunctionSource,
  given: readonly Typed[],
): { call: string; fields: RowField[] } {
  const [json, path] = given;
  if (!json || given.length > 2) throw sqlErrorAt(at, 189, 'OPENJSON', 1, 2);
  const start = path?.sql ?? "'$'";
  if (!schema)
    return {
      call: `openjson_rows(${json.sql}, ${start})`,
      fields: [
        { name: 'key', type: { ...nvarchar(4000), collation: 'Latin1_General_BIN2' } as SqlType, raw: asIs },
        { name: 'value', type: textMax, raw: asIs },
        { name: 'type', type: { name: 'tinyint' }, raw: asIs },
      ],
    };
  const columns = schema.map((column) => ({
    path: column.path ?? `$.${JSON.stringify(column.name)}`,
    asJson: column.asJson,
  }));
  return {
    call: `openjson_columns(${json.sql}, ${start}, ${literal(JSON.stringify(columns))})`,
    fields: schema.map(schemaField),
  };
}

function schemaField(column: JsonColumn): RowField {
  const type = resolveType(column.type);
  if (column.asJson && !(type.name === 'nvarchar' && type.length === 'max'))
    throw sqlErrorAt(column.type.at, 13618, typeName(type));
  if (familyOf(type) === 'binary')
    throw unsupported(`OPENJSON with a column of ${type.name}`, column.type.at);
  return {
    name: column.name,
    type,
    raw: (sql) => `convert_value(${sql}, ${typeId(textMax)}, ${typeId(type)}, NULL, 0)`,
  };
}
