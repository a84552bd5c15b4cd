/** Binds a batch before its first statement runs, as SQL Server compiles it. */
import type { Statement } from '../../tsql/statement-ast.ts';
import { checkBatch } from '../definitions/check-module.ts';
import type { Context } from './context.ts';
import { structural } from './statement-kinds.ts';

const bound = new WeakMap<readonly Statement[], string>();

/** Throws what is wrong with a statement whose tables exist, for the whole batch. A sole statement is bound when it runs. */
export function bindBatch(context: Context, statements: readonly Statement[]): void {
  const [first] = statements;
  if (!first || (statements.length === 1 && !structural.has(first.kind))) return;
  const { signature } = context;
  if (bound.get(statements) === signature) return;
  checkBatch(context.translationContext, statements);
  bound.set(statements, signature);
}
