/** Searches in syntax trees. */
interface AnyNode {
  readonly kind?: string;
  readonly name?: unknown;
}

/** Whether a part of a syntax tree is what `is` looks for. Parts that `enters` refuses are left out with all that they hold. */
export function contains(
  tree: unknown,
  is: (node: AnyNode) => boolean,
  enters: (node: AnyNode) => boolean = () => true,
): boolean {
  if (Array.isArray(tree)) return tree.some((part) => contains(part, is, enters));
  if (typeof tree !== 'object' || tree === null || !enters(tree)) return false;
  return is(tree) || Object.values(tree).some((part) => contains(part, is, enters));
}

/** Whether a variable is read somewhere in a tree. */
export function readsVariable(tree: unknown, name: string): boolean {
  const folded = name.toLowerCase();
  return contains(tree, (node) => node.kind === 'variable' && String(node.name).toLowerCase() === folded);
}

/** The parts of a syntax tree that are of a kind. */
export function nodesOf(tree: unknown, kind: string): object[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => nodesOf(part, kind));
  if (typeof tree !== 'object' || tree === null) return [];
  const matches = (tree as AnyNode).kind === kind ? [tree] : [];
  return [...matches, ...Object.values(tree).flatMap((part) => nodesOf(part, kind))];
}
