/** Expressions in SQLite's words. */
import type { Case, Cast, Expression } from '../../tsql/ast.ts';
import { isCondition, noArguments } from '../../tsql/ast.ts';
import { SqlError, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { isUnsupported, scalarFunction } from '../functions/library.ts';
import type { SqlType } from '../session.ts';
import { resolveType } from '../type-names.ts';
import { databaseDefault, familyOf, int, isCharacter, nvarchar, typeName } from '../types.ts';
import { collationNamed } from '../values/collation.ts';
import { arithmetic, negated } from './arithmetic.ts';
import { translateCall } from './calls.ts';
import { columnReference } from './columns.ts';
import { choose } from './common.ts';
import type { Compilation, Scope } from './compilation.ts';
import { translateCondition } from './conditions.ts';
import { binaryLiteral, numberLiteral, stringLiteral } from './literals.ts';
import type { Translator } from './translator.ts';
import { columnValue, converted, derived, literal, nullTyped, type Typed } from './typed.ts';

/** Translates expressions to SQLite, and infers their types. */
export class ExpressionTranslator implements Translator {
  readonly compilation: Compilation;
  readonly scope: Scope;

  constructor(compilation: Compilation, scope: Scope) {
    this.compilation = compilation;
    this.scope = scope;
  }

  in(scope: Scope): ExpressionTranslator {
    return new ExpressionTranslator(this.compilation, scope);
  }

  condition(expression: Expression): string {
    return translateCondition(this, expression);
  }

  as(expression: Expression, type: SqlType): Typed {
    return converted(this.value(expression), type);
  }

  value(expression: Expression): Typed {
    const grouped = this.#groupingKey(expression);
    if (grouped) return grouped;
    switch (expression.kind) {
      case 'null':
        return nullTyped;
      case 'number':
        return numberLiteral(expression.form, expression.text);
      case 'string':
        return stringLiteral(expression.value, expression.unicode);
      case 'binary':
        return binaryLiteral(expression.hex);
      case 'variable':
        return this.#variable(expression);
      case 'global':
        return this.#global(expression);
      case 'column':
        return columnReference(this.scope, expression.parts, expression.at);
      case 'unary':
        return negated(expression.operator, this.value(expression.operand));
      case 'arithmetic':
        return arithmetic(expression.operator, this.value(expression.left), this.value(expression.right));
      case 'case':
        return this.#case(expression);
      case 'cast':
        return this.#cast(expression);
      case 'collate':
        return this.#collate(expression);
      case 'call':
        return translateCall(this, expression);
      case 'subquery':
        return this.#subquery(expression);
      case 'default':
        throw sqlErrorAt(expression.at, 156, 'DEFAULT');
      default:
        throw unsupported(`${expression.kind} as a value`, expression.at);
    }
  }

  /** In a grouped query, an expression that is one of the GROUP BY expressions may be used whole. */
  #groupingKey(expression: Expression): Typed | undefined {
    const { grouping } = this.scope;
    if (!grouping?.keys.size || isCondition(expression) || plainKinds.has(expression.kind)) return undefined;
    const { grouping: _grouping, ...ungrouped } = this.scope;
    try {
      const typed = this.in(ungrouped).value(expression);
      return grouping.keys.has(typed.sql) ? typed : undefined;
    } catch (error) {
      // Its faults are reported when it is translated by itself.
      if (error instanceof SqlError) return undefined;
      throw error;
    }
  }

  #variable({ name, at }: Expression & { kind: 'variable' }): Typed {
    const argument = this.compilation.functionArguments?.get(name.toLowerCase());
    if (argument) return argument;
    const type = this.compilation.variableType(name, at);
    if (this.compilation.volatileVariables.has(name.toLowerCase()))
      return { sql: `variable_value(${literal(name.toLowerCase())})`, type, nullable: true };
    return { sql: this.compilation.parameter(name), type, nullable: true };
  }

  #global({ name, at }: Expression & { kind: 'global' }): Typed {
    if (!scalarFunction(name) && !isUnsupported(name)) throw sqlErrorAt(at, 137, name);
    return translateCall(this, { ...noArguments, name, at });
  }

  /** CASE gives the highest type of its branches; without ELSE it may be NULL. */
  #case({ operand, branches, otherwise, at }: Case & Expression): Typed {
    const results = [...branches.map(({ result }) => result), ...(otherwise ? [otherwise] : [])].map(
      (result) => this.value(result),
    );
    const whens = branches.map(({ when }) =>
      operand
        ? this.condition({ kind: 'compare', operator: '=', left: operand, right: when, at })
        : this.condition(when),
    );
    if (results.every(({ isNull }) => isNull)) throw sqlErrorAt(at, 8133);
    return choose(whens, results, otherwise !== undefined);
  }

  #cast({ form, type, operand, style }: Cast): Typed {
    const target = resolveType(type, 0, 30);
    const value = this.value(operand);
    const styleSql = style ? this.as(style, int).sql : undefined;
    if (value.isNull) return { ...nullTyped, type: target, isNull: false };
    if (style && isCharacter(target) && familyOf(value.type) === 'float')
      throw unsupported(`a style of ${value.type.name}`, type.at);
    const cast = converted({ ...value, isNull: false }, target, 'explicit', styleSql);
    const sql = form.startsWith('TRY_') ? tryConversion(cast.sql, value.sql) : cast.sql;
    // CAST of text keeps a column's collation, otherwise the result has the default one.
    const result =
      isCharacter(target) && !isCharacter(value.type) ? { ...target, collation: databaseDefault } : cast.type;
    return derived(cast, { sql, type: result, nullable: value.nullable || form.startsWith('TRY_') });
  }

  #collate({ operand, collation, at }: Expression & { kind: 'collate' }): Typed {
    const value = this.value(operand);
    const { catalog } = this.compilation.translationContext;
    const named = collationNamed(collation, catalog.collation);
    if (!isCharacter(value.type) && !value.isNull) throw sqlErrorAt(at, 447, typeName(value.type));
    const type = isCharacter(value.type) ? { ...value.type, collation: named } : nvarchar(1);
    return { ...value, type, collationRank: 2 };
  }

  #subquery({ query, at }: Expression & { kind: 'subquery' }): Typed {
    const translated = this.compilation.query(query, this.scope);
    const [column] = translated.columns;
    if (!column || translated.columns.length !== 1) throw sqlErrorAt(at, 116);
    const sql = translated.atMostOneRow
      ? `(${translated.sql})`
      : `(SELECT only_value(count(*), c0) FROM (${translated.sql}))`;
    return { ...columnValue(column, sql), nullable: true, isNull: false };
  }
}

const plainKinds = new Set(['null', 'number', 'string', 'binary', 'variable', 'global', 'default']);

/** TRY_CAST and TRY_CONVERT: the same conversion by the function that gives NULL instead of an error. */
function tryConversion(sql: string, unchanged: string): string {
  return sql === unchanged ? sql : sql.replace(/^convert_value\(/, 'try_convert_value(');
}
