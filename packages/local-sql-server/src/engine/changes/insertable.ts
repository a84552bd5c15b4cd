/** Views as targets of INSERT: of one table, whose columns they show as they stand. */
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import type { Insert } from '../../tsql/statement-ast.ts';
import { type Module, sameName } from '../catalog.ts';
import { parsedView } from '../modules.ts';
import { type BaseRows, findObject, type TranslationContext } from '../translate/compilation.ts';
import { newCompilation, noScope } from './writer.ts';

/** An INSERT into the table behind a view, with the view; the same INSERT for a table. Throws 4403, 4405, 4406 for views that have no such table. */
export function insertBehindView(
  translationContext: TranslationContext,
  insert: Insert,
): { readonly insert: Insert; readonly view?: Module; readonly columns?: BaseRows['columns'] } {
  const { target, at } = insert;
  const object = target.kind === 'table' ? findObject(translationContext, target.name.parts, at) : undefined;
  if (target.kind !== 'table' || object?.kind !== 'view') return { insert };
  const columns = columnsOf(translationContext, object, insert);
  const { from } = selectOf(object, insert);
  if (from?.kind !== 'table') throw sqlErrorAt(at, 4405, object.name);
  const wanted = insert.columns ?? columns.map(({ name }) => name);
  const names = wanted.map((name) => {
    const found = columns.find((column) => sameName(column.name, name));
    if (!found) throw sqlErrorAt(at, 207, name);
    if (found.column === undefined) throw sqlErrorAt(at, 4406, object.name);
    return found.column;
  });
  const behind: Insert = { ...insert, target: { ...target, name: from.name }, columns: names };
  const further = insertBehindView(translationContext, behind);
  const shown = columns.flatMap(({ name, column }) => {
    const below = further.columns?.find((other) => sameName(other.name, column ?? '')) ?? { column };
    return below.column === undefined ? [] : [{ name, column: below.column }];
  });
  return { insert: further.insert, view: object, columns: shown };
}

function selectOf(view: Module, { at }: Insert) {
  const { body } = parsedView(view).query;
  if (body.kind !== 'select') throw sqlErrorAt(at, 4426, view.name);
  if (body.distinct || body.group.length || body.having) throw sqlErrorAt(at, 4403, view.name);
  return body;
}

/** The columns of a view, each with the column that it is in the source of the view. */
function columnsOf(
  translationContext: TranslationContext,
  view: Module,
  insert: Insert,
): { name: string; column: string | undefined }[] {
  const { query, columns: names } = parsedView(view);
  const { items, from } = selectOf(view, insert);
  const shown = newCompilation(translationContext).query(query, noScope).columns;
  const isStar = items.length === 1 && items[0]?.kind === 'star' && from?.kind === 'table';
  return shown.map(({ name }, index) => {
    const item = items[index];
    const isPlain = item?.kind === 'expression' && item.expression.kind === 'column';
    const column = isStar ? name : isPlain ? item.expression.parts.at(-1) : undefined;
    return { name: names?.[index] ?? name, column };
  });
}
