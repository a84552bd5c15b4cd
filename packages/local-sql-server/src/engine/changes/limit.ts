/** TOP of a change. */
import { unsupported } from '../../tsql/sql-error.ts';
import type { Delete, Insert, Update } from '../../tsql/statement-ast.ts';
import type { Compilation } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { noScope } from './writer.ts';

/** The limit that TOP sets to a change. */
export function limitOf(
  compilation: Compilation,
  { top, at }: Pick<Insert | Update | Delete, 'top' | 'at'>,
): string {
  if (!top) return '';
  if (top.percent || top.withTies) throw unsupported('TOP PERCENT in a change', at);
  return ` LIMIT row_limit(${new ExpressionTranslator(compilation, noScope).value(top.count).sql})`;
}
