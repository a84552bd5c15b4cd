/** What columns of a table are made by. */
import type { Expression } from '../../tsql/ast.ts';
import { type Position, unsupported } from '../../tsql/sql-error.ts';
import type { Table, TableColumn } from '../catalog.ts';
import { newCompilation, noScope } from '../changes/writer.ts';
import { tableSource } from '../translate/columns.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { serverCollation } from '../types.ts';
import type { ColumnRules } from './build-table.ts';

/** Texts of a temporary table have the collation of the server, unless they name one. */
export function columnRules(
  translationContext: TranslationContext,
  { temporary }: Pick<Table, 'temporary'>,
): ColumnRules {
  const database = translationContext.catalog.collation;
  return {
    database,
    unnamed: temporary === 'temp' ? serverCollation : database,
    computed: ({ computed, at }, columns) =>
      computedShape(translationContext, computed?.expression, columns, at),
  };
}

/** Returns the type and nullability of an expression over the columns of a table. */
function computedShape(
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
