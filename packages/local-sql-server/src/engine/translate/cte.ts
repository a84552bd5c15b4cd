/** Common table expressions. */
import type { Cte } from '../../tsql/ast.ts';
import { contains } from '../../tsql/contains.ts';
import { sameName } from '../catalog.ts';

/** Whether a part of a syntax tree reads a CTE. */
export function readsCte(tree: unknown, { name }: Cte): boolean {
  return contains(tree, (node) => isNameOf(node, name));
}

/** Whether a CTE reads itself. */
export function isRecursive(cte: Cte): boolean {
  return cte.query.body.kind === 'setOperation' && readsCte(cte.query.body, cte);
}

function isNameOf(node: { readonly kind?: string; readonly name?: unknown }, name: string): boolean {
  const { parts = [] } = (node.kind === 'table' ? node.name : {}) as { parts?: readonly string[] };
  return parts.length === 1 && sameName(parts[0] ?? '', name);
}
