/** FOR JSON. */
import type { ForJson, Query } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { type Compilation, findObject } from './compilation.ts';
import { type OutputColumn, typeId } from './typed.ts';

/** What the aggregate that writes JSON must know: the shape of a row, and the options. */
export interface JsonSpecification extends ForJson {
  readonly columns: readonly {
    readonly path: readonly string[];
    readonly type: number;
    readonly isJson: boolean;
  }[];
}

/** The specification as text. Throws 13605 for a column without a name, 13601 for paths that clash. */
export function jsonSpecification(columns: readonly OutputColumn[], options: ForJson, at: Position): string {
  const shape = columns.map(({ name, type, isJson = false }) => {
    if (name === '') throw sqlErrorAt(at, 13605);
    return { path: options.isAuto ? [name] : name.split('.'), type: typeId(type), isJson };
  });
  checkClashes(
    shape.map(({ path }) => path),
    at,
  );
  const specification: JsonSpecification = { ...options, columns: shape };
  return JSON.stringify(specification);
}

/** Checks that a query with AUTO reads one table, whose rows are not nested. Throws 13600 for a query without FROM. */
export function mustReadOneTable({ translationContext }: Compilation, { body, with: ctes, at }: Query): void {
  const from = body.kind === 'select' ? body.from : undefined;
  if (body.kind === 'select' && !from) throw sqlErrorAt(at, 13600);
  const isTable =
    from?.kind === 'table' && findObject(translationContext, from.name.parts, at)?.kind === 'table';
  if (!isTable || ctes.length) throw unsupported('FOR JSON AUTO of more than one table', at);
}

/** A path may not come twice, nor be both a value and an object; the parts of an object must stand together. */
function checkClashes(paths: readonly (readonly string[])[], at: Position): void {
  const values = new Set<string>();
  const objects = new Set<string>();
  let open: readonly string[] = [];
  for (const path of paths) {
    const name = path.join('.');
    const parents = path.slice(0, -1).map((_, index) => path.slice(0, index + 1).join('.'));
    const clash =
      values.has(name) ||
      objects.has(name) ||
      parents.some((parent) => values.has(parent) || (objects.has(parent) && !open.includes(parent)));
    if (clash) throw sqlErrorAt(at, 13601, name);
    values.add(name);
    for (const parent of parents) objects.add(parent);
    open = parents;
  }
}
