/** Statements by their kind, as the interpreter tells them apart. */
import { nodesOf } from '../../tsql/contains.ts';
import type { Statement } from '../../tsql/statement-ast.ts';

/** What a statement leaves for the list that it stands in. */
export type Outcome = 'next' | 'break' | 'continue' | 'return';

type Declaration = Statement & { kind: 'declare' | 'declareTable' };

const declarations = new WeakMap<readonly Statement[], readonly Declaration[]>();

/** The declarations that stand in branches, loops and blocks of TRY. */
export function declarationsIn(statements: readonly Statement[]): readonly Declaration[] {
  const cached = declarations.get(statements);
  if (cached) return cached;
  const branches = statements.filter(({ kind }) => !['declare', 'declareTable', 'select'].includes(kind));
  const found = [...nodesOf(branches, 'declare'), ...nodesOf(branches, 'declareTable')] as Declaration[];
  declarations.set(statements, found);
  return found;
}

/** Statements that change rows. */
export const changes = new Set<Statement['kind']>(['insert', 'update', 'delete', 'merge', 'alterTable']);
/** Statements that decide what follows; they leave @@ERROR alone. */
export const structural = new Set<Statement['kind']>([
  'if',
  'while',
  'block',
  'try',
  'declare',
  'empty',
  'return',
  'break',
  'continue',
]);
