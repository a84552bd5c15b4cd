/** What the parts of an expression ask of the translation of the whole. */
import type { Expression } from '../../tsql/ast.ts';
import type { SqlType } from '../session.ts';
import type { Compilation, Scope } from './compilation.ts';
import type { Typed } from './typed.ts';

/** Translates expressions to SQLite in one scope. Calls, aggregates, windows and conditions hold expressions again, and come back to it. */
export interface Translator {
  readonly compilation: Compilation;
  readonly scope: Scope;
  /** The same translation in another scope. */
  in(scope: Scope): Translator;
  /** A truth value in SQLite: 1, 0 or NULL for unknown. */
  condition(expression: Expression): string;
  value(expression: Expression): Typed;
  /** An expression brought to a type by implicit conversion. */
  as(expression: Expression, type: SqlType): Typed;
}
