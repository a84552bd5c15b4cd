/** EXEC and its arguments. */
import type { Expression, Name } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import type { Argument, Execute } from '../statement-ast.ts';
import { AlterationParser } from './alterations.ts';

/** Parses EXEC and its arguments. */
export abstract class CallParser extends AlterationParser {
  protected abstract startsStatement(): boolean;
  protected abstract get endsStatement(): boolean;

  /** execute = (EXEC | EXECUTE) ('(' expression ')' | ['@r' '='] (name | '@v') arguments) */
  protected override execute(): Execute {
    const at = this.place();
    this.next();
    if (this.isOperator('(')) {
      const text = this.parenthesized(() => this.executedText());
      this.accepts('asUser', 'EXEC ... AS');
      this.accepts('at', 'EXEC ... AT');
      this.accepts('resultSets', 'EXEC ... WITH');
      return { kind: 'execute', result: undefined, procedure: undefined, arguments: [], text, at };
    }
    return this.procedureCall(at);
  }

  /** text = (string | '@v') {'+' (string | '@v')} [{',' argument}]: no other expressions */
  private executedText(): Expression {
    const part = (): Expression => {
      if (!this.isString() && this.peek().kind !== 'variable') throw this.unexpected();
      return this.primary();
    };
    let text = part();
    while (this.isOperator('+')) {
      const at = this.place();
      this.next();
      text = { kind: 'arithmetic', operator: '+', left: text, right: part(), at };
    }
    if (this.isOperator(',')) this.refuse('parameters of EXEC (...)', this.place());
    const more: Argument[] = [];
    while (this.acceptOperator(',')) more.push(this.argumentOfCall(more));
    return text;
  }

  protected procedureCall(at: Position): Execute {
    const result =
      this.peek().kind === 'variable' && this.isOperator('=', 1) ? this.declaredVariable() : undefined;
    if (result !== undefined) this.expectOperator('=');
    const procedure: Name | { variable: string } =
      this.peek().kind === 'variable' ? { variable: this.declaredVariable() } : this.name();
    const given: Argument[] = [];
    if (this.acceptOperator(';') && !this.numberOfProcedure(at))
      return { kind: 'execute', result, procedure, arguments: given, text: undefined, at };
    if (this.startsArgument()) this.list(() => given.push(this.argumentOfCall(given)));
    this.accepts('resultSets', 'EXEC ... WITH');
    return { kind: 'execute', result, procedure, arguments: given, text: undefined, at };
  }

  /** number = ';' integer, which old procedures may have */
  private numberOfProcedure(at: Position): boolean {
    if (this.peek().kind !== 'integer') return false;
    this.refuse('a numbered procedure', at);
    return this.integer() >= 0;
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
    const isNamedArgument = this.peek().kind === 'variable' && this.isOperator('=', 1);
    if (!isNamedArgument && earlier.some(({ name }) => name !== undefined))
      throw sqlErrorAt(at, 119, earlier.length + 1);
    const name = isNamedArgument ? this.variable() : undefined;
    if (isNamedArgument) this.expectOperator('=');
    const value = this.argumentValue();
    return { name, value, output: this.acceptAny('OUTPUT', 'OUT') !== undefined, at };
  }

  /** No expressions here: a call takes constants and variables only; a bare word means its own text. */
  protected argumentValue(): Expression {
    const at = this.place();
    if (this.accept('DEFAULT')) return { kind: 'default', at };
    if (this.isIdentifier()) return { kind: 'string', value: this.nameParts().join('.'), unicode: true, at };
    const value = this.constant();
    if (this.peek().kind === 'operator' && /^[-+*/%(]$/.test(this.peek().text)) throw this.unexpected();
    return value;
  }

  /** constant = literal | '@v' | NULL | ('-' | '+') number: no expression */
  protected constant(): Expression {
    const at = this.place();
    const sign = this.isOperator('-') || this.isOperator('+') ? this.next().text : undefined;
    const isAllowed = sign
      ? this.atNumber
      : this.is('NULL') || !['word', 'quoted', 'operator', 'end'].includes(this.peek().kind);
    if (!isAllowed) throw this.unexpected();
    const operand = this.primary();
    return sign === '-' ? { kind: 'unary', operator: '-', operand, at } : operand;
  }
}
