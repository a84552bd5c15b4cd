/**
 * Prints a syntax tree on one line, as nested lists: `(arithmetic + (number 1) (column a))`.
 * Places, absent parts, `false` and empty lists are left out, so a test case of the parser is one line.
 */
export function print(tree: unknown): string {
  if (Array.isArray(tree)) return `[${tree.map(print).join(' ')}]`;
  if (typeof tree === 'string') return /^[^\s"()[\]]+$/.test(tree) ? tree : JSON.stringify(tree);
  if (typeof tree !== 'object' || tree === null) return String(tree);
  const { kind, at: _place, text, ...fields } = tree as Record<string, unknown>;
  const parts = Object.entries(kind === 'number' ? { ...fields, text } : fields)
    .filter(([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && !value.length))
    .map(([name, value]) =>
      value === true ? name : plainFields.has(name) ? print(value) : `${name}=${print(value)}`,
    );
  return `(${[...(typeof kind === 'string' ? [kind] : []), ...parts].join(' ')})`;
}

/** Fields whose meaning shows from their place, so that their name is not printed. */
const plainFields = new Set([
  'form',
  'operator',
  'left',
  'right',
  'operand',
  'value',
  'name',
  'parts',
  'text',
  'arguments',
  'query',
  'items',
  'body',
  'expression',
  'statements',
]);
