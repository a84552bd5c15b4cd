import type { Expression, Name } from '../ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../sql-error.ts';
import type { Argument, Execute } from '../statement-ast.ts';
import { DefinitionParser } from './definitions.ts';

/** Parses EXEC and its arguments. */
export abstract class CallParser extends DefinitionParser {
  protected abstract startsStatement(): boolean;

  /** execute = (EXEC | EXECUTE) ('(' expression ')' | ['@r' '='] (name | '@v') arguments) */
  protected override execute(): Execute {
    const at = this.place();
    this.next();
    if (this.isOperator('(')) {
      const text = this.parenthesized(() => this.expression());
      if (this.is('AT')) throw unsupported('EXEC ... AT', this.place());
      return { kind: 'execute', result: undefined, procedure: undefined, arguments: [], text, at };
    }
    return this.procedureCall(at);
  }

  protected procedureCall(at: Position): Execute {
    const result =
      this.peek().kind === 'variable' && this.isOperator('=', 1) ? this.declaredVariable() : undefined;
    if (result !== undefined) this.expectOperator('=');
    const procedure: Name | { variable: string } =
      this.peek().kind === 'variable' ? { variable: this.declaredVariable() } : this.name();
    const given: Argument[] = [];
    if (this.startsArgument()) this.list(() => given.push(this.argumentOfCall(given)));
    return { kind: 'execute', result, procedure, arguments: given, text: undefined, at };
  }

  protected declaredVariable(): string {
    this.variableRead(this.peek().text, this.place());
    return this.variable();
  }

  private startsArgument(): boolean {
    const token = this.peek();
    if (token.kind === 'word')
      return this.isAny('NULL', 'DEFAULT') || (this.isIdentifier() && !this.startsStatement());
    return token.kind !== 'end' && (token.kind !== 'operator' || token.text === '-' || token.text === '+');
  }

  /** argument = ['@name' '='] (literal | '@v' | word | DEFAULT | NULL) [OUTPUT | OUT] */
  private argumentOfCall(earlier: readonly Argument[]): Argument {
    const at = this.place();
    const named = this.peek().kind === 'variable' && this.isOperator('=', 1);
    if (!named && earlier.some(({ name }) => name !== undefined))
      throw sqlErrorAt(at, 119, earlier.length + 1);
    const name = named ? this.variable() : undefined;
    if (named) this.expectOperator('=');
    const value = this.argumentValue();
    return { name, value, output: this.acceptAny('OUTPUT', 'OUT') !== undefined, at };
  }

  /** No expressions here: a call takes constants and variables only; a bare word means its own text. */
  protected argumentValue(): Expression {
    const at = this.place();
    if (this.isIdentifier()) return { kind: 'string', value: this.nameParts().join('.'), unicode: true, at };
    const value = this.unaryConstant();
    if (this.peek().kind === 'operator' && /^[-+*/%(]$/.test(this.peek().text)) throw this.unexpected();
    return value;
  }

  private unaryConstant(): Expression {
    const at = this.place();
    const sign = this.isOperator('-') || this.isOperator('+') ? this.next().text : undefined;
    if (!this.isAny('NULL', 'DEFAULT') && ['word', 'operator'].includes(this.peek().kind))
      throw this.unexpected();
    const operand = this.primary();
    return sign === '-' ? { kind: 'unary', operator: '-', operand, at } : operand;
  }
}
