/** The syntax trees that mutants are found in: parsed by Babel, walked without the parts that only the type checker sees. */

import { parse as parseProgram } from '@babel/parser';

/** A node of an ESTree: its type, its place in characters, and fields that depend on the type. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** What a node stands in: the nodes above it, the nearest one first, and the field of the nearest that holds it. */
export interface Place {
  readonly parents: readonly Node[];
  readonly field: string;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Parses a TypeScript module, with JSX where the name of its file says so; undefined when its text is no valid program. */
export function parse(text: string, file = ''): Node | undefined {
  try {
    const { program } = parseProgram(text, {
      sourceType: 'module',
      plugins: ['typescript', 'estree', ...(file.endsWith('.tsx') ? (['jsx'] as const) : [])],
      createParenthesizedExpressions: true,
      attachComment: false,
    });
    return program as unknown as Node;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Expressions that wrap others for the type checker: what they wrap runs. */
const transparent = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
/** Nodes whose texts name modules. */
const ofModules = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression']);

/** Visits every node that runs, outer ones first. Types and the names of modules are left out. */
export function walk(root: Node, visit: (node: Node, place: Place) => void): void {
  const enter = (node: Node, parents: readonly Node[], field: string): void => {
    if ((node.type.startsWith('TS') && !transparent.has(node.type)) || ofModules.has(node.type)) return;
    visit(node, { parents, field });
    const below = [node, ...parents];
    for (const [name, value] of Object.entries(node))
      if (!(node.type === 'ExportNamedDeclaration' && name === 'source'))
        for (const child of Array.isArray(value) ? value : [value])
          if (isNode(child)) enter(child, below, name);
  };
  enter(root, [], '');
}
