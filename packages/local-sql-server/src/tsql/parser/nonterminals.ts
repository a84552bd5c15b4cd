/** The parts of the grammar that the rules of unsupported syntax name. */
import type { Nonterminal } from './grammar.ts';
import { SecurityParser } from './security.ts';

/** Offers the methods of the parser by name to the rules of `unsupported-syntax.ts`. */
export abstract class NonterminalParser extends SecurityParser {
  protected override nonterminal(name: string): Nonterminal | undefined {
    return this.#nonterminals[name];
  }

  /** What the rules of `unsupported-syntax.ts` call by name. */
  readonly #nonterminals: Readonly<Record<string, Nonterminal>> = this.#nonterminalTable();

  #nonterminalTable(): Record<string, Nonterminal> {
    const atName = () => this.startsName;
    const atIdentifier = () => this.isIdentifier();
    const atWord = () => this.peek().kind === 'word';
    const atNumber = () => this.atNumber;
    const atSigned = () => atNumber() || this.isOperator('-') || this.isOperator('+');
    const atVariable = () => this.peek().kind === 'variable';
    const anywhere = () =>
      !this.isOperator(')') && !this.isOperator(',') && !this.isOperator(';') && !this.atEnd;
    return {
      name: { starts: atName, parse: () => this.name() },
      identifier: { starts: atIdentifier, parse: () => this.identifier() },
      variable: { starts: atVariable, parse: () => this.declaredVariable() },
      string: { starts: () => this.isString(), parse: () => this.string() },
      integer: { starts: atNumber, parse: () => this.integer() },
      number: { starts: atNumber, parse: () => this.signed() },
      signed: { starts: atSigned, parse: () => this.signed() },
      binary: { starts: () => this.peek().kind === 'binary', parse: () => this.next() },
      onOff: { starts: () => this.isAny('ON', 'OFF'), parse: () => this.onOrOff() },
      type: { starts: () => atIdentifier() || this.is('NATIONAL'), parse: () => this.typeName() },
      parameter: { starts: atVariable, parse: () => this.parameter() },
      tableResult: { starts: atVariable, parse: () => this.tableResult() },
      tableElements: { starts: () => this.isOperator('('), parse: () => this.tableElements() },
      statements: { starts: anywhere, parse: () => this.block(() => this.atEnd || this.is('END')) },
      condition: { starts: anywhere, parse: () => this.condition() },
      expression: { starts: anywhere, parse: () => this.expression() },
      value: { starts: anywhere, parse: () => this.valueOrDefault() },
      sum: { starts: anywhere, parse: () => this.sum() },
      primary: { starts: anywhere, parse: () => this.primary() },
      viewQuery: { starts: anywhere, parse: () => this.viewQuery() },
      fullQuery: { starts: anywhere, parse: () => this.fullQuery() },
      window: { starts: anywhere, parse: () => this.window() },
      target: { starts: anywhere, parse: () => this.target() },
      source: { starts: anywhere, parse: () => this.joined() },
      assignment: { starts: anywhere, parse: () => this.assignment() },
      output: { starts: () => this.is('OUTPUT'), parse: () => this.output() },
      queryOptions: { starts: () => this.is('OPTION'), parse: () => this.queryOptions() },
      windowName: {
        starts: () => atIdentifier() && !this.isAny('PARTITION', 'ROWS', 'RANGE'),
        parse: () => this.identifier(),
      },
      securableClass: {
        starts: () => this.isOperator('::', 1) || this.isOperator('::', 2),
        parse: () => this.words(),
      },
      words: { starts: atWord, parse: () => this.words() },
      permission: {
        starts: () => this.isAny('GRANT', 'DENY', 'REVOKE'),
        parse: () => this.permission(this.place()),
      },
      principal: { starts: atWord, parse: () => this.principal() },
      rest: { starts: () => !this.atEnd, parse: () => this.skip(() => this.isOperator(';')) },
      rest_in_parentheses: { starts: () => true, parse: () => this.skip(() => this.isOperator(')')) },
    };
  }

  private words(): void {
    if (this.peek().kind !== 'word') throw this.unexpected();
    while (this.peek().kind === 'word') this.next();
  }

  private tableResult(): void {
    const at = this.place();
    this.announce(this.variable(), 'table', at);
    this.expect('TABLE');
  }

  /** Passes over what is not looked at, parentheses in pairs, up to a sign. */
  private skip(stop: () => boolean): void {
    while (!this.atEnd && !stop()) {
      const opens = this.isOperator('(');
      this.next();
      if (!opens) continue;
      this.skip(() => this.isOperator(')'));
      this.expectOperator(')');
    }
  }
}
