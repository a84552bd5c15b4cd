/** The syntax trees of the mutated files: parsed by Babel, walked without the parts that only the type checker reads. */

import { parse as parseProgram } from '@babel/parser';

/** A node of an ESTree, with its place in characters. Which of the other fields it has depends on its type. */
export interface Node extends Readonly<Record<Operand | Part, Node>> {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly operator: string;
  readonly name: string;
  readonly value: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly properties?: readonly Node[];
  readonly elements?: readonly (Node | null)[];
}
type Operand = 'left' | 'right' | 'test' | 'consequent' | 'argument' | 'object';
type Part = 'expression' | 'callee' | 'property' | 'body';

/** Parses a TypeScript module, with JSX where its name ends in `.tsx`. Throws a SyntaxError for an invalid program. */
export function parse(file: string, text: string): Node {
  const { program } = parseProgram(text, {
    sourceType: 'module',
    plugins: ['typescript', 'estree', ...(file.endsWith('.tsx') ? (['jsx'] as const) : [])],
    createParenthesizedExpressions: true,
    attachComment: false,
  });
  return program as unknown as Node;
}

/** Types, and nodes whose texts name modules. An expression with an asserted type runs. */
const skipped = /^(TS(?!AsE|SatisfiesE|NonNullE)|ImportDeclaration|ExportAllDeclaration|ImportExpression)/;

/** Visits every node below a node that runs, a parent before its children, with the field that holds the node. */
export function walk(parent: Node, visit: (node: Node, parent: Node, field: string) => void): void {
  for (const [field, value] of Object.entries(parent))
    if (parent.type !== 'ExportNamedDeclaration' || field !== 'source')
      for (const child of [value].flat() as (Node | null | undefined)[])
        if (typeof child?.type === 'string' && !skipped.test(child.type)) {
          visit(child, parent, field);
          walk(child, visit);
        }
}
