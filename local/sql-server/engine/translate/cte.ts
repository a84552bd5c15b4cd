import type { Cte } from '../../tsql/ast.ts';
import { sameName } from '../catalog.ts';

/** Whether a CTE reads itself. */
export function isRecursive(cte: Cte): boolean {
  return cte.query.body.kind === 'setOperation' && mentions(cte.query.body, cte.name);
}

function mentions(tree: unknown, name: string): boolean {
  if (Array.isArray(tree)) return tree.some((part) => mentions(part, name));
  if (typeof tree !== 'object' || tree === null) return false;
  const node = tree as { kind?: string; name?: { parts?: readonly string[] } };
  const [only, ...more] = node.name?.parts ?? [];
  if (node.kind === 'table' && only !== undefined && !more.length && sameName(only, name)) return true;
  return Object.values(tree).some((part) => mentions(part, name));
}
