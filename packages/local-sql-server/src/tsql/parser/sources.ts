/** FROM: tables, joins, derived tables, functions, hints. */
import type { Expression, JoinKind, JsonColumn, Query, TableSource } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import { ExpressionParser } from './expressions.ts';

const supportedHints = new Set(
  'NOLOCK READUNCOMMITTED READCOMMITTED READCOMMITTEDLOCK REPEATABLEREAD SERIALIZABLE HOLDLOCK UPDLOCK XLOCK TABLOCK TABLOCKX ROWLOCK PAGLOCK NOWAIT'.split(
    ' ',
  ),
);

/** Words that are no keywords, but begin a clause or the next part of a statement: no aliases. */
const clauseWords = new Set(['OFFSET', 'OUTPUT', 'USING']);
/** Functions whose arguments have a special syntax. */
const rowsets = new Set(
  'OPENQUERY OPENDATASOURCE OPENXML OPENROWSET CONTAINSTABLE FREETEXTTABLE CHANGETABLE'.split(' '),
);

/** Parses FROM: tables, joins, derived tables, functions, hints. */
export abstract class SourceParser extends ExpressionParser {
  /** Checks that a table variable has been declared (1087). */
  protected abstract tableVariableRead(name: string, at: Position): void;
  protected abstract valuesQuery(): Query;

  protected valuesRows(): Expression[][] {
    this.expect('VALUES');
    return this.list(() => this.parenthesized(() => this.list(() => this.valueOrDefault())));
  }
  protected abstract change(): unknown;

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
  protected joined(): TableSource {
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
    // How tables are joined changes no result.
    this.acceptAny('LOOP', 'HASH', 'MERGE', 'REMOTE');
    this.expect('JOIN');
    return kind as JoinKind;
  }

  /** source = single {PIVOT ... | UNPIVOT ...} */
  private tableSource(): TableSource {
    const source = this.singleSource();
    while (this.accepts('pivot', 'PIVOT') || this.accepts('unpivot', 'UNPIVOT'));
    return source;
  }

  /** single = '(' (query | VALUES | joined) ')' alias | '@table' | function '(' ... ')' | name [alias] [WITH '(' hints ')'] */
  private singleSource(): TableSource {
    const at = this.place();
    if (this.acceptOperator('(')) return this.nested(() => this.sourceInParentheses(at));
    if (this.peek().kind === 'variable') return this.variableSource(at);
    if (rowsets.has(this.peek().value) && this.isOperator('(', 1)) return this.rowset(at);
    const name = this.name();
    if (this.isOperator('(') && !this.isHintInOldStyle())
      return this.functionSource(name.parts.join('.'), at);
    this.accepts('systemTime', 'FOR SYSTEM_TIME');
    this.accepts('tablesample', 'TABLESAMPLE');
    const old = this.hints();
    const alias = this.tableAlias();
    this.accepts('tablesample', 'TABLESAMPLE');
    return { kind: 'table', name, alias, hints: [...old, ...this.hints()], at };
  }

  private variableSource(at: Position): TableSource {
    const name = this.variable();
    if (this.isOperator('.')) {
      this.variableRead(name, at);
      this.follow('method', 'methods of data types');
      this.derivedAlias();
    } else this.tableVariableRead(name, at);
    return { kind: 'tableVariable', name, alias: this.tableAlias(), at };
  }

  private rowset(at: Position): TableSource {
    this.follow('rowset', this.peek().text);
    const alias = this.tableAlias();
    if (alias !== undefined) this.columnAliases();
    return { kind: 'tableVariable', name: '', alias, at };
  }

  private sourceInParentheses(at: Position): TableSource {
    if (this.is('SELECT') || this.isQueryInParentheses()) {
      const query = this.subquery();
      this.expectOperator(')');
      return { kind: 'derived', query, ...this.derivedAlias(), at };
    }
    if (this.is('VALUES')) {
      const query = this.valuesQuery();
      this.expectOperator(')');
      return { kind: 'derived', query, ...this.derivedAlias(), at };
    }
    if (this.isAny('INSERT', 'UPDATE', 'DELETE', 'MERGE')) return this.changeAsSource(at);
    const inner = this.joined();
    this.expectOperator(')');
    return inner;
  }

  /** INSERT ... SELECT FROM (UPDATE ... OUTPUT ...) AS alias is not supported. */
  private changeAsSource(at: Position): TableSource {
    this.refuse('a change as a source', at);
    this.change();
    this.expectOperator(')');
    return { kind: 'tableVariable', name: '', alias: this.derivedAlias().alias, at };
  }

  private derivedAlias(): { alias: string; columns: readonly string[] | undefined } {
    this.accept('AS');
    return { alias: this.identifier(), columns: this.columnAliases() };
  }

  protected columnAliases(): string[] | undefined {
    return this.isOperator('(') ? this.parenthesized(() => this.list(() => this.identifier())) : undefined;
  }

  private functionSource(name: string, at: Position): TableSource {
    const given = this.parenthesized(() =>
      this.isOperator(')') ? [] : this.list(() => this.valueOrDefault()),
    );
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
    return this.isIdentifier() && !this.isClauseWord() ? this.identifier() : undefined;
  }

  private isClauseWord(): boolean {
    const { kind, value } = this.peek();
    if (kind !== 'word' || this.isOperator(':', 1)) return kind === 'word';
    return clauseWords.has(value) || (value === 'WINDOW' && this.isIdentifier(1));
  }

  private isHintInOldStyle(): boolean {
    return this.peek(1).kind === 'word' && supportedHints.has(this.peek(1).value) && this.isOperator(')', 2);
  }

  /** hints = WITH '(' hint {[','] hint} ')' */
  protected hints(): string[] {
    if (this.is('WITH') && this.isOperator('(', 1)) this.next();
    else if (!this.isOperator('(') || !this.isHintInOldStyle()) return [];
    return this.parenthesized(() => {
      const hints: string[] = [];
      do hints.push(...this.hint());
      while (this.acceptOperator(',') || !this.isOperator(')'));
      return hints;
    });
  }

  /** The names in an INDEX hint, which must be those of indexes; numbers need not. */
  private indexNames(text: string): string[] {
    const names = text.match(/\[[^\]]*\]|"[^"]*"|[\p{L}_#][\p{L}\p{N}_@#$]*/gu) ?? [];
    return names.slice(1).map((name) => `INDEX ${name.replace(/^[["]|[\]"]$/g, '')}`);
  }

  private hint(): string[] {
    const at = this.place();
    const { kind, value, text } = this.peek();
    if (kind === 'word' && supportedHints.has(value)) return [this.next().value];
    if (this.passes('neutralHint')) return [];
    const start = this.peek();
    if (this.passes('indexHint')) return this.indexNames(this.textFrom(start));
    if (this.accepts('tableHint', `table hint ${value}`)) return [];
    throw this.isIdentifier() ? sqlErrorAt(at, 321, text) : this.unexpected();
  }
}
