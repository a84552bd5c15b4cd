import type { Cte } from '../../tsql/ast.ts';
import { contains } from '../../tsql/contains.ts';
import { sameName } from '../catalog.ts';

/** Whether a CTE reads itself. */
export function isRecursive(cte: Cte): boolean {
  return (
    cte.query.body.kind === 'setOperation' && contains(cte.query.body, (node) => isNameOf(node, cte.name))
  );
}

function isNameOf(node: { readonly kind?: string; readonly name?: unknown }, name: string): boolean {
  const { parts = [] } = (node.kind === 'table' ? node.name : {}) as { parts?: readonly string[] };
  return parts.length === 1 && sameName(parts[0] ?? '', name);
}
