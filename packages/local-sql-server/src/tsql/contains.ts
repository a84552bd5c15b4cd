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
