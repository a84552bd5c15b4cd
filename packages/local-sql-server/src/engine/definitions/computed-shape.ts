/** The type of a computed column. */
import type { Expression } from '../../tsql/ast.ts';
import { type Position, unsupported } from '../../tsql/sql-error.ts';
import type { TableColumn } from '../catalog.ts';
import { newCompilation, noScope } from '../changes/writer.ts';
import { tableSource } from '../translate/columns.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';

/** Returns the type and nullability of an expression over the columns of a table. */
export function computedShape(
  translationContext: TranslationContext,
  expression: Expression | undefined,
  columns: readonly TableColumn[],
  at: Position,
): Pick<TableColumn, 'type' | 'nullable'> {
  if (!expression) throw unsupported('a column without a type', at);
  const scope = { ...noScope, sources: [tableSource({ name: '', columns }, () => 'NULL')] };
  const { type, nullable } = new ExpressionTranslator(newCompilation(translationContext), scope).value(
    expression,
  );
  return { type, nullable };
}
