/** The number of rows in TOP, OFFSET and FETCH. */
import type { Expression } from '../../tsql/ast.ts';
import { contains } from '../../tsql/contains.ts';
import { unsupported } from '../../tsql/sql-error.ts';
import type { Compilation, Scope } from './compilation.ts';
import { ExpressionTranslator } from './expressions.ts';

/** The SQL of a number of rows. Columns of an outer query in it are not supported, as SQLite's LIMIT reads none. */
export function rowLimit(compilation: Compilation, outer: Scope, expression: Expression): string {
  const { sql } = new ExpressionTranslator(compilation, outer).value(expression);
  const readsColumn = contains(
    expression,
    ({ kind, name }) => kind === 'column' || (kind === 'variable' && isColumn(compilation, String(name))),
    ({ kind }) => kind !== 'query',
  );
  if (readsColumn) throw unsupported('TOP of a column', expression.at);
  return sql;
}

/** Whether a parameter of an inlined function is given a column. */
function isColumn({ functionArguments }: Compilation, name: string): boolean {
  return /\bs\d+\./.test(functionArguments?.get(name.toLowerCase())?.sql ?? '');
}
