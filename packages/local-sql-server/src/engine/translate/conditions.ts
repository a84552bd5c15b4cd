/** Conditions in SQLite's words. */
import type { Expression, Query } from '../../tsql/ast.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';
import { isCharacter, isUnicode, nvarchar } from '../types.ts';
import { commonOf } from './common.ts';
import type { Translator } from './translator.ts';
import {
  columnValue,
  converted,
  equalityKey,
  orderKey,
  sharedCollation,
  type Typed,
  typeId,
  unified,
} from './typed.ts';

/** Translates a condition; SQLite's three-valued logic is T-SQL's. */
export function translateCondition(translator: Translator, expression: Expression): string {
  const value = (inner: Expression): Typed => translator.value(inner);
  switch (expression.kind) {
    case 'compare':
      return comparison(expression.operator, value(expression.left), value(expression.right));
    case 'logic':
      return `(${translator.condition(expression.left)} ${expression.operator} ${translator.condition(expression.right)})`;
    case 'not':
      return `(NOT ${translator.condition(expression.operand)})`;
    case 'isNull':
      return `(${value(expression.operand).sql} IS ${expression.negated ? 'NOT ' : ''}NULL)`;
    case 'between': {
      const left = value(expression.left);
      const inside = `(${comparison('>=', left, value(expression.low))} AND ${comparison('<=', left, value(expression.high))})`;
      return expression.negated ? `(NOT ${inside})` : inside;
    }
    case 'like':
      return like(translator, expression);
    case 'in':
      return 'kind' in expression.list
        ? inQuery(translator, expression.left, expression.list, expression.negated)
        : inList(value(expression.left), expression.list.map(value), expression.negated);
    case 'exists':
      return `EXISTS (${translator.compilation.query(expression.query, translator.scope).sql})`;
    case 'quantified':
      return quantified(translator, expression);
    default:
      throw sqlErrorAt(expression.at, 4145, expression.kind);
  }
}

/** IS compares as = does, and NULLs too: IS NOT DISTINCT FROM. */
const equalities = new Set(['=', '<>', 'IS', 'IS NOT']);

export function comparison(operator: string, left: Typed, right: Typed): string {
  const name = equalities.has(operator)
    ? operator === '='
      ? 'equal to'
      : 'not equal to'
    : operator === '<'
      ? 'less than'
      : 'greater than';
  const [a, b, type] = unified(left, right, name);
  const key = equalities.has(operator) ? equalityKey : orderKey;
  return `(${key(a.sql, type)} ${operator} ${key(b.sql, type)})`;
}

function like(translator: Translator, expression: Expression & { kind: 'like' }): string {
  const left = textOf(translator.value(expression.left));
  const pattern = textOf(translator.value(expression.pattern));
  // Blanks at the end count where one of the two is Unicode.
  const name = isUnicode(left.type) || isUnicode(pattern.type) ? 'nvarchar' : 'varchar';
  const type = { name, length: 'max', collation: sharedCollation(left, pattern, 'like') } as SqlType;
  const escaping = expression.escape ? textOf(translator.value(expression.escape)).sql : "''";
  const sql = `is_like(${left.sql}, ${pattern.sql}, ${escaping}, ${typeId(type)})`;
  return expression.negated ? `(NOT ${sql})` : sql;
}

function textOf(typed: Typed): Typed {
  return isCharacter(typed.type) && !typed.isNull ? typed : converted(typed, nvarchar(4000));
}

function inList(left: Typed, list: readonly Typed[], negated: boolean): string {
  const type = commonOf([left, ...list], 'equal to');
  const key = (typed: Typed): string => equalityKey(converted(typed, type).sql, type);
  return `(${key(left)} ${negated ? 'NOT ' : ''}IN (${list.map(key).join(', ')}))`;
}

function inQuery(translator: Translator, left: Expression, query: Query, negated: boolean): string {
  const { column, source } = singleColumn(translator, query);
  const [a, b, type] = unified(translator.value(left), column, 'equal to');
  return `(${equalityKey(a.sql, type)} ${negated ? 'NOT ' : ''}IN (SELECT ${equalityKey(b.sql, type)} FROM ${source}))`;
}

/** ALL: false if one is false, else unknown if one is unknown, else true. ANY is true if one is true. */
function quantified(
  translator: Translator,
  { operator, all, left, query }: Expression & { kind: 'quantified' },
): string {
  const { column, source } = singleColumn(translator, query);
  const test = comparison(operator, translator.value(left), column);
  const [decisive, result] = all ? [`NOT ${test}`, 0] : [test, 1];
  const exists = (condition: string): string => `EXISTS (SELECT 1 FROM ${source} WHERE ${condition})`;
  return `(CASE WHEN ${exists(decisive)} THEN ${result} WHEN ${exists(`${test} IS NULL`)} THEN NULL ELSE ${1 - result} END)`;
}

function singleColumn(translator: Translator, query: Query): { column: Typed; source: string } {
  const translated = translator.compilation.query(query, translator.scope);
  const [column] = translated.columns;
  if (!column || translated.columns.length !== 1) throw sqlErrorAt(query.at, 116);
  const alias = translator.compilation.alias();
  return { column: columnValue(column, `${alias}.c0`), source: `(${translated.sql}) AS ${alias}` };
}
