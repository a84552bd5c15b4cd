import type { JoinKind, JsonColumn, Query, TableSource } from '../ast.ts';
import { type Position, unsupported } from '../sql-error.ts';
import { ExpressionParser } from './expressions.ts';

const knownHints = new Set(
  'NOLOCK READUNCOMMITTED READCOMMITTED READCOMMITTEDLOCK REPEATABLEREAD SERIALIZABLE HOLDLOCK UPDLOCK XLOCK TABLOCK TABLOCKX ROWLOCK PAGLOCK NOWAIT'.split(
    ' ',
  ),
);

/** Parses FROM: tables, joins, derived tables, functions, hints. */
export abstract class SourceParser extends ExpressionParser {
  /** Checks that a table variable has been declared (1087). */
  protected abstract tableVariableRead(name: string, at: Position): void;
  protected abstract valuesQuery(): Query;

  /** from = source {',' source} */
  protected fromClause(): TableSource {
    let left = this.joined();
    for (;;) {
      const at = this.place();
      if (!this.acceptOperator(',')) return left;
      left = { kind: 'join', join: 'CROSS', left, right: this.joined(), on: undefined, at };
    }
  }

  /** joined = source {[INNER | LEFT | RIGHT | FULL [OUTER]] JOIN source ON condition | CROSS JOIN source | (CROSS | OUTER) APPLY source} */
  private joined(): TableSource {
    let left = this.tableSource();
    for (;;) {
      const at = this.place();
      if (this.accept('CROSS', 'JOIN'))
        left = { kind: 'join', join: 'CROSS', left, right: this.tableSource(), on: undefined, at };
      else if (this.accept('CROSS', 'APPLY'))
        left = { kind: 'apply', outer: false, left, right: this.tableSource(), at };
      else if (this.accept('OUTER', 'APPLY'))
        left = { kind: 'apply', outer: true, left, right: this.tableSource(), at };
      else {
        const join = this.joinKind();
        if (!join) return left;
        const right = this.nested(() => this.joined());
        this.expect('ON');
        left = { kind: 'join', join, left, right, on: this.condition(), at };
      }
    }
  }

  private joinKind(): JoinKind | undefined {
    if (this.accept('JOIN')) return 'INNER';
    const kind = this.acceptAny('INNER', 'LEFT', 'RIGHT', 'FULL');
    if (!kind) return undefined;
    if (kind !== 'INNER') this.accept('OUTER');
    this.expect('JOIN');
    return kind as JoinKind;
  }

  /** source = '(' (query | VALUES | joined) ')' alias | '@table' | function '(' ... ')' | name [alias] [WITH '(' hints ')'] */
  private tableSource(): TableSource {
    const at = this.place();
    if (this.acceptOperator('(')) return this.nested(() => this.sourceInParentheses(at));
    if (this.peek().kind === 'variable') {
      const name = this.variable();
      this.tableVariableRead(name, at);
      return { kind: 'tableVariable', name, alias: this.tableAlias(), at };
    }
    const name = this.name();
    if (this.isOperator('(') && !this.isHintInOldStyle())
      return this.functionSource(name.parts.join('.'), at);
    const old = this.hints();
    const alias = this.tableAlias();
    return { kind: 'table', name, alias, hints: [...old, ...this.hints()], at };
  }

  private sourceInParentheses(at: Position): TableSource {
    if (this.isAny('SELECT', 'WITH') || this.isQueryInParentheses()) {
      const query = this.query();
      this.expectOperator(')');
      return { kind: 'derived', query, ...this.derivedAlias(), at };
    }
    if (this.is('VALUES')) {
      const query = this.valuesQuery();
      this.expectOperator(')');
      return { kind: 'derived', query, ...this.derivedAlias(), at };
    }
    const inner = this.joined();
    this.expectOperator(')');
    return inner;
  }

  private isQueryInParentheses(): boolean {
    let ahead = 0;
    while (this.isOperator('(', ahead)) ahead++;
    return ahead > 0 && this.peek(ahead).kind === 'word' && this.peek(ahead).value === 'SELECT';
  }

  private derivedAlias(): { alias: string; columns: readonly string[] | undefined } {
    this.accept('AS');
    return { alias: this.identifier(), columns: this.columnAliases() };
  }

  protected columnAliases(): string[] | undefined {
    return this.isOperator('(') ? this.parenthesized(() => this.list(() => this.identifier())) : undefined;
  }

  private functionSource(name: string, at: Position): TableSource {
    const given = this.parenthesized(() => (this.isOperator(')') ? [] : this.list(() => this.expression())));
    const schema = this.is('WITH') && this.isOperator('(', 1) ? this.jsonSchema() : undefined;
    const alias = this.tableAlias();
    const columns = alias === undefined ? undefined : this.columnAliases();
    return { kind: 'function', name: name.toUpperCase(), arguments: given, schema, alias, columns, at };
  }

  /** schema = WITH '(' name type [path] [AS JSON] {',' ...} ')' */
  private jsonSchema(): JsonColumn[] {
    this.expect('WITH');
    return this.parenthesized(() =>
      this.list(() => {
        const name = this.identifier();
        const type = this.typeName();
        const path = ['string', 'unicode'].includes(this.peek().kind) ? this.next().value : undefined;
        return { name, type, path, asJson: this.accept('AS', 'JSON') };
      }),
    );
  }

  protected tableAlias(): string | undefined {
    if (this.accept('AS')) return this.identifier();
    return this.isIdentifier() && !this.is('OUTPUT') && !this.isStatementWord()
      ? this.identifier()
      : undefined;
  }

  /** Words that are no keywords, but begin a statement or clause after a table without an alias. */
  private isStatementWord(): boolean {
    return this.is('OFFSET');
  }

  private isHintInOldStyle(): boolean {
    return this.peek(1).kind === 'word' && knownHints.has(this.peek(1).value) && this.isOperator(')', 2);
  }

  /** hints = WITH '(' hint {[','] hint} ')' */
  protected hints(): string[] {
    if (this.is('WITH') && this.isOperator('(', 1)) this.next();
    else if (!this.isOperator('(') || !this.isHintInOldStyle()) return [];
    return this.parenthesized(() => {
      const hints: string[] = [];
      do {
        const at = this.place();
        const hint = this.next().value;
        if (!knownHints.has(hint)) throw unsupported(`table hint ${hint}`, at);
        hints.push(hint);
        this.acceptOperator(',');
      } while (!this.isOperator(')'));
      return hints;
    });
  }
}
