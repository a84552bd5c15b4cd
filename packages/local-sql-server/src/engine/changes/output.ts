/** The OUTPUT clause. */
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import type { Output } from '../../tsql/statement-ast.ts';
import { sameName, type Table } from '../catalog.ts';
import type { Row } from '../run/connection.ts';
import type { SqlValue } from '../session.ts';
import { tableSource } from '../translate/columns.ts';
import type { BaseRows, Scope, Source, TranslationContext } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { selectItems } from '../translate/select.ts';
import type { OutputColumn } from '../translate/typed.ts';
import type { ChangedRow, ChangeRuntime } from './runtime.ts';
import { newCompilation, noScope, overRow } from './writer.ts';

/** A compiled OUTPUT clause: a SELECT over one changed row, whose values are bound first. */
export interface OutputPlan {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
  readonly variables: readonly string[];
  readonly width: number;
}

/** Compiles OUTPUT over `inserted`, `deleted` and the other sources of the statement. */
export function compileOutput(
  translationContext: TranslationContext,
  { items }: Output,
  { table, columns: shown }: { readonly table: Table; readonly columns?: BaseRows['columns'] | undefined },
  fromSources: readonly Source[],
  change: 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE',
): OutputPlan {
  const compilation = newCompilation(translationContext);
  const width = table.columns.length;
  const first = change === 'DELETE' ? [] : [rowSource('inserted', table, 0, shown)];
  const second = change === 'INSERT' ? [] : [rowSource('deleted', table, width, shown)];
  const rest = otherSources(fromSources, width * 2);
  const total = width * 2 + fromSources.reduce((sum, { fields }) => sum + fields.length, 0);
  compilation.parameterOffset = total;
  const scope: Scope = { ...noScope, sources: [...first, ...second, ...rest] };
  const translator = new ExpressionTranslator(compilation, scope);
  const translated = items.flatMap((item) => {
    if (item.kind === 'assign') throw sqlErrorAt(item.at, 102, item.variable);
    return selectItems(item, translator, scope.sources);
  });
  const sql = overRow(`SELECT ${translated.map(({ typed }) => typed.sql).join(', ')}`, total);
  const columns = translated.map(({ name, typed }) => ({ name, type: typed.type, nullable: typed.nullable }));
  return { sql, columns, variables: compilation.parameters, width: total };
}

/** `inserted` or `deleted`: the columns of the table, as a view or CTE in front of it shows and names them. */
function rowSource(name: string, { columns }: Table, offset: number, shown?: BaseRows['columns']): Source {
  const nullable = columns.map((column) => ({ ...column, nullable: true }));
  const source = tableSource({ name, columns: nullable }, (_, index) => `?${offset + index + 1}`);
  if (!shown) return source;
  const fields = shown.flatMap(({ name: shownName, column }) => {
    const found = source.fields.find((field) => sameName(field.name, column));
    return found ? [{ ...found, name: shownName }] : [];
  });
  return { ...source, fields };
}

function otherSources(sources: readonly Source[], offset: number): Source[] {
  let place = offset;
  return sources.map((source) => ({
    ...source,
    fields: source.fields.map((field) => ({ ...field, typed: { ...field.typed, sql: `?${++place}` } })),
  }));
}

/** The rows of OUTPUT for changed rows. */
export function outputRows(
  runtime: ChangeRuntime,
  plan: OutputPlan,
  table: Table,
  changed: readonly ChangedRow[],
): Row[] {
  const nothing: SqlValue[] = table.columns.map(() => null);
  const variables = runtime.values(plan.variables);
  const types = plan.columns.map(({ type }) => type);
  return changed.flatMap(({ inserted, deleted, fromValues }) => {
    const bound = [...(inserted ?? nothing), ...(deleted ?? nothing), ...fromValues];
    return runtime.connection.query(plan.sql, [...bound, ...variables], types);
  });
}
