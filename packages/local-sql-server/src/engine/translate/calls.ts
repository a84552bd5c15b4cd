/** Function calls. */
import type { Call, Expression } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { datePart, takesDatePart } from '../functions/date-parts.ts';
import type { ParameterKind, ScalarFunction } from '../functions/definition.ts';
import { isJsonText, jsonModify } from '../functions/json.ts';
import { isUnsupported, scalarFunction, sqliteName } from '../functions/library.ts';
import { parsedFunction } from '../modules.ts';
import { resolveType } from '../type-names.ts';
import { float, int, isCharacter, isNumeric, nvarchar, textMax, varchar } from '../types.ts';
import { aggregateCall, isAggregate } from './aggregates.ts';
import { choose, collatedLike, commonOf, rankOfAll } from './common.ts';
import { findObject } from './compilation.ts';
import { comparison } from './conditions.ts';
import { functionArguments } from './function-arguments.ts';
import type { Translator } from './translator.ts';
import { converted, cutText, derived, literal, nullTyped, type Typed, typeId } from './typed.ts';
import { isWindowFunction, windowCall } from './windows.ts';

type Located = Call & { readonly at: Position };
type Special = (translator: Translator, call: Located) => Typed;

/** Translates a function call: aggregate, window function, one that is SQL itself, or one of the library. */
export function translateCall(translator: Translator, call: Located): Typed {
  if (call.name === 'RAND' && call.arguments.length) throw unsupported('RAND of a seed', call.at);
  if (isUnsupported(call.name)) throw unsupported(call.name, call.at);
  if (call.over || isWindowFunction(call.name)) return windowCall(translator, call);
  if (isAggregate(call.name)) return aggregateCall(translator, call);
  if (call.star || call.distinct || call.withinGroup)
    throw sqlErrorAt(call.at, 102, call.star ? '*' : call.name);
  const special = Object.hasOwn(specials, call.name) ? specials[call.name] : undefined;
  if (special) return special(translator, call);
  const definition = scalarFunction(call.name);
  if (!definition) return moduleCall(translator, call) ?? unknownFunction(call);
  return libraryCall(definition, call, argumentsOf(translator, call));
}

/** Throws 195 for a function that SQL Server does not have; functions of schemas may come later. */
export function checkFunctionName({ name, at }: Pick<Located, 'name' | 'at'>): void {
  const isKnown = isWindowFunction(name) || isAggregate(name) || Object.hasOwn(specials, name);
  if (!isKnown && !isUnsupported(name) && !scalarFunction(name) && !name.includes('.'))
    unknownFunction({ name, at });
}

function unknownFunction({ name, at }: Pick<Located, 'name' | 'at'>): never {
  if (name.includes('.')) throw sqlErrorAt(at, 4121, name.split('.')[0] ?? '', name);
  throw sqlErrorAt(at, 195, name, 'built-in function name');
}

/** A call of a scalar function of a schema. */
function moduleCall(translator: Translator, call: Located): Typed | undefined {
  const { compilation } = translator;
  const parts = call.name.split('.');
  const found = parts.length > 1 ? findObject(compilation.translationContext, parts, call.at) : undefined;
  if (found?.kind !== 'function') return undefined;
  const { returns } = parsedFunction(found);
  if (returns.kind !== 'scalar') return undefined;
  if (compilation.viewDepth === 0) compilation.needs.push({ right: 'EXECUTE', object: found });
  const given = functionArguments(translator, found, call.arguments, call.at);
  const type = resolveType(returns.type);
  const sql = `call_function(${[found.id, ...given.values()].map((part) => (typeof part === 'number' ? part : part.sql)).join(', ')})`;
  return { sql, type, nullable: true };
}

function argumentsOf(translator: Translator, call: Located): Typed[] {
  const [first, ...rest] = call.arguments;
  if (!first || !takesDatePart.has(call.name))
    return call.arguments.map((argument) => translator.value(argument));
  if (first.kind !== 'column' || first.parts.length !== 1)
    throw sqlErrorAt(first.at, 1023, 1, call.name.toLowerCase());
  const part = datePart(first.parts[0] ?? '', call.name, first.at);
  return [
    { sql: literal(part), type: varchar(20), nullable: false },
    ...rest.map((argument) => translator.value(argument)),
  ];
}

/** A call of a function of the library, with its arguments converted. Throws 174 or 189 for their number. */
function libraryCall(
  definition: ScalarFunction,
  call: Pick<Located, 'name' | 'at'>,
  given: readonly Typed[],
): Typed {
  checkCount(definition, call, given.length);
  const values = given.map((typed, index) =>
    brought(typed, definition.parameters[index] ?? definition.parameters.at(-1) ?? 'any', index, call),
  );
  const declared = typeof definition.returns === 'function' ? definition.returns(values) : definition.returns;
  const returns = collatedLike(declared, values);
  const types = definition.run.length > 2 ? [literal(values.map(({ type }) => typeId(type)).join(','))] : [];
  const nullable = !definition.neverNull;
  const result = `${sqliteName(call.name)}(${[...types, ...values.map(({ sql }) => sql)].join(', ')})`;
  return {
    sql: definition.isCut && 'length' in returns ? cutText(result, returns.length) : result,
    type: returns,
    nullable,
    isJson: definition.isJson ?? false,
    collationRank: rankOfAll(values),
  };
}

/** An argument as the function wants it. Throws 8116 for a type that is no number where one must be. */
function brought(
  typed: Typed,
  kind: ParameterKind,
  index: number,
  { name, at }: Pick<Located, 'name' | 'at'>,
): Typed {
  if (kind === 'number') {
    if (typed.isNull || isNumeric(typed.type)) return { ...typed, isNull: false };
    if (!isCharacter(typed.type)) throw sqlErrorAt(at, 8116, typed.type.name, index + 1, name.toLowerCase());
    return converted(typed, float);
  }
  if (kind === 'any') return typed.isNull ? { ...nullTyped, isNull: false } : typed;
  if (kind !== 'text') return converted(typed, kind);
  if (typed.isNull) return { ...typed, type: nvarchar(1), isNull: false };
  return isCharacter(typed.type) ? typed : converted(typed, varchar(8000));
}

function checkCount(
  { parameters, optional = 0, variadic }: ScalarFunction,
  { name, at }: Pick<Located, 'name' | 'at'>,
  count: number,
): void {
  const minArguments = parameters.length - optional;
  const maxArguments = variadic ? Number.POSITIVE_INFINITY : parameters.length;
  if (count >= minArguments && count <= maxArguments) return;
  if (minArguments === maxArguments) throw sqlErrorAt(at, 174, name.toLowerCase(), minArguments);
  throw sqlErrorAt(at, 189, name.toLowerCase(), minArguments, variadic ? 254 : maxArguments);
}

function exactly(count: number, call: Located): void {
  if (call.arguments.length !== count) throw sqlErrorAt(call.at, 174, call.name.toLowerCase(), count);
}

/** Functions whose arguments are not simply values, so that each becomes special SQL. */
const specials: Readonly<Record<string, Special>> = {
  ISNULL: (translator, call) => {
    exactly(2, call);
    const [value = nullTyped, fallback = nullTyped] = call.arguments.map((argument) =>
      translator.value(argument),
    );
    const type = collatedLike(value.isNull ? fallback.type : value.type, [value, fallback]);
    const sql = `coalesce(${converted(value, type).sql}, ${converted(fallback, type).sql})`;
    const isNull = (value.isNull && fallback.isNull) ?? false;
    const nullable = value.nullable && fallback.nullable;
    return { sql, type, nullable, isNull, collationRank: rankOfAll([value, fallback]) };
  },
  COALESCE: (translator, call) => {
    const values = call.arguments.map((argument) => translator.value(argument));
    if (values.length < 2) throw sqlErrorAt(call.at, 102, ')');
    if (values.every(({ isNull }) => isNull)) throw sqlErrorAt(call.at, 4127);
    const type = commonOf(values, 'COALESCE');
    const sql = `coalesce(${values.map((value) => converted(value, type).sql).join(', ')})`;
    const nullable = values.every((value) => value.nullable);
    return { sql, type, nullable, collationRank: rankOfAll(values) };
  },
  NULLIF: (translator, call) => {
    exactly(2, call);
    const [left = nullTyped, right = nullTyped] = call.arguments.map((argument) =>
      translator.value(argument),
    );
    if (left.isNull) throw sqlErrorAt(call.at, 4151);
    return derived(left, {
      sql: `CASE WHEN ${comparison('=', left, right)} THEN NULL ELSE ${left.sql} END`,
      nullable: true,
    });
  },
  IIF: (translator, call) => {
    exactly(3, call);
    const [condition, yes, no] = call.arguments as [Expression, Expression, Expression];
    return choose([translator.condition(condition)], [translator.value(yes), translator.value(no)], true);
  },
  CHOOSE: (translator, call) => {
    const [index, ...values] = call.arguments;
    if (!index || !values.length) throw sqlErrorAt(call.at, 189, 'choose', 2, 254);
    const position = translator.as(index, int).sql;
    const conditions = values.map((_, place) => `${position} = ${place + 1}`);
    const typed = values.map((value) => translator.value(value));
    return choose(conditions, typed, false);
  },
  GREATEST: (translator, call) => extreme(translator, call, '>'),
  LEAST: (translator, call) => extreme(translator, call, '<'),
  ISJSON: (translator, call) => {
    const [json, kind] = call.arguments;
    if (kind && kind.kind !== 'column')
      throw sqlErrorAt(kind.at, 102, kind.kind === 'string' ? kind.value : ')');
    const value = kind && { ...kind, kind: 'string' as const, value: kind.parts.join('.'), unicode: false };
    const given = [json, value].flatMap((argument) => (argument ? [translator.value(argument)] : []));
    return libraryCall(isJsonText, call, given);
  },
  JSON_MODIFY: (translator, call) => {
    exactly(3, call);
    const given = call.arguments.map((argument) => translator.value(argument));
    const isJson: Typed = { sql: given[2]?.isJson ? '1' : '0', type: int, nullable: false };
    return libraryCall(jsonModify, call, [...given, isJson]);
  },
  ISNUMERIC: (translator, call) => {
    exactly(1, call);
    const [value = nullTyped] = call.arguments.map((argument) => translator.value(argument));
    const sql = `is_numeric(${value.sql}, ${typeId(value.isNull ? textMax : value.type)})`;
    return { sql, type: int, nullable: false };
  },
};

/** GREATEST and LEAST leave NULLs out. */
function extreme(translator: Translator, call: Located, operator: string): Typed {
  const values = call.arguments.map((argument) => translator.value(argument));
  if (!values.length) throw sqlErrorAt(call.at, 189, call.name.toLowerCase(), 1, 254);
  const type = commonOf(values, call.name);
  const better = (best: Typed, next: Typed): string =>
    `CASE WHEN ${best.sql} IS NULL OR ${comparison(operator, next, best)} THEN ${next.sql} ELSE ${best.sql} END`;
  const [first = nullTyped, ...rest] = values.map((value) => converted(value, type));
  let { sql } = first;
  for (const next of rest) sql = better({ ...first, sql }, next);
  return { sql, type, nullable: values.every(({ nullable }) => nullable), collationRank: rankOfAll(values) };
}
