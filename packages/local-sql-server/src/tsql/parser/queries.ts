import type { Cte, Expression, ForJson, Query, QueryBody, Select, SelectItem, Top } from '../ast.ts';
import { sqlErrorAt, unsupported } from '../sql-error.ts';
import { SourceParser } from './sources.ts';

const compoundOperators = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^='];

/** Parses queries: SELECT with all its clauses, set operators, table sources. */
export abstract class QueryParser extends SourceParser {
  /** query = [WITH ctes] body [ORDER BY ... [OFFSET ...]] [FOR JSON ...] [OPTION ...] */
  protected query(withClause?: readonly Cte[]): Query {
    const at = this.place();
    const ctes = withClause ?? this.withClause();
    const body = this.queryBody();
    const order = this.is('ORDER') ? this.orderBy() : [];
    const { offset, fetch } = order.length ? this.offsetFetch() : { offset: undefined, fetch: undefined };
    const forJson = this.is('FOR') ? this.forJson() : undefined;
    const maxRecursion = this.accept('OPTION') ? this.queryOptions() : undefined;
    return { kind: 'query', with: ctes, body, order, offset, fetch, forJson, maxRecursion, at };
  }

  /** with = WITH name ['(' columns ')'] AS '(' query ')' {',' ...} */
  protected withClause(): Cte[] {
    if (!this.accept('WITH')) return [];
    return this.list(() => {
      const at = this.place();
      const name = this.identifier();
      const columns = this.columnAliases();
      this.expect('AS');
      return { name, columns, query: this.parenthesized(() => this.nested(() => this.query())), at };
    });
  }

  /** body = term {(UNION [ALL] | EXCEPT) term} */
  private queryBody(): QueryBody {
    let left = this.queryTerm();
    for (;;) {
      const at = this.place();
      const operator = this.acceptAny('UNION', 'EXCEPT');
      if (!operator) return left;
      const all = operator === 'UNION' && this.accept('ALL');
      const right = this.queryTerm();
      left = { kind: 'setOperation', operator: all ? 'UNION ALL' : (operator as 'UNION'), left, right, at };
    }
  }

  /** term = primary {INTERSECT primary} */
  private queryTerm(): QueryBody {
    let left = this.queryPrimary();
    for (;;) {
      const at = this.place();
      if (!this.accept('INTERSECT')) return left;
      left = { kind: 'setOperation', operator: 'INTERSECT', left, right: this.queryPrimary(), at };
    }
  }

  /** primary = select | '(' body ')' */
  private queryPrimary(): QueryBody {
    if (this.isOperator('(')) return this.parenthesized(() => this.nested(() => this.queryBody()));
    return this.select();
  }

  /** select = SELECT [ALL | DISTINCT] [TOP ...] items [INTO name] [FROM ...] [WHERE ...] [GROUP BY ...] [HAVING ...] */
  private select(): Select {
    const at = this.place();
    this.expect('SELECT');
    const distinct = this.accept('DISTINCT');
    if (!distinct) this.accept('ALL');
    const top = this.top();
    const items = this.list(() => this.selectItem());
    const into = this.accept('INTO') ? this.name() : undefined;
    const from = this.accept('FROM') ? this.fromClause() : undefined;
    const where = this.accept('WHERE') ? this.condition() : undefined;
    const group = this.accept('GROUP', 'BY') ? this.groupBy() : [];
    const having = this.accept('HAVING') ? this.condition() : undefined;
    return { kind: 'select', distinct, top, items, into, from, where, group, having, at };
  }

  private groupBy(): Expression[] {
    const at = this.place();
    for (const word of ['ROLLUP', 'CUBE', 'GROUPING'])
      if (this.is(word)) throw unsupported(`GROUP BY ${word}`, at);
    return this.list(() => this.expression());
  }

  /** top = TOP ('(' expression ')' | number) [PERCENT] [WITH TIES] */
  protected top(): Top | undefined {
    if (!this.accept('TOP')) return undefined;
    const at = this.place();
    const count: Expression = this.isOperator('(')
      ? this.parenthesized(() => this.expression())
      : { kind: 'number', form: 'integer', text: String(this.integer()), at };
    const percent = this.accept('PERCENT');
    return { count, percent, withTies: this.accept('WITH', 'TIES') };
  }

  /** item = '*' | name '.' '*' | '@v' assignment | alias '=' expression | expression [[AS] alias] */
  protected selectItem(): SelectItem {
    const at = this.place();
    const qualifier = this.starQualifier();
    if (qualifier) return { kind: 'star', qualifier, at };
    const variable = this.assignedVariable();
    if (variable) return { kind: 'assign', ...variable, at };
    if (this.isIdentifier() && this.isOperator('=', 1)) {
      const alias = this.identifier();
      this.next();
      return { kind: 'expression', expression: this.expression(), alias, at };
    }
    const expression = this.expression();
    return { kind: 'expression', expression, alias: this.columnAlias(), at };
  }

  private starQualifier(): string[] | undefined {
    let length = 0;
    while (this.isIdentifier(length) && this.isOperator('.', length + 1)) length += 2;
    if (!this.isOperator('*', length)) return undefined;
    const qualifier: string[] = [];
    for (let index = 0; index < length; index += 2) {
      qualifier.push(this.identifier());
      this.next();
    }
    this.next();
    return qualifier;
  }

  /** assignment = '@v' ('=' | '+=' ...) expression; a compound operator becomes plain arithmetic */
  protected assignedVariable(): { variable: string; expression: Expression } | undefined {
    const token = this.peek();
    const operator = this.peek(1).text;
    if (token.kind !== 'variable' || (operator !== '=' && !compoundOperators.includes(operator)))
      return undefined;
    const at = this.place();
    const variable = this.variable();
    this.variableRead(variable, at);
    this.next();
    const value = this.expression();
    if (operator === '=') return { variable, expression: value };
    const left: Expression = { kind: 'variable', name: variable, at };
    const plain = operator.slice(0, 1);
    return { variable, expression: { kind: 'arithmetic', operator: plain, left, right: value, at } };
  }

  private columnAlias(): string | undefined {
    if (this.accept('AS')) return this.peek().kind === 'string' ? this.next().value : this.identifier();
    if (this.peek().kind === 'string') return this.next().value;
    return this.isIdentifier() && !this.isOperator(':', 1) ? this.identifier() : undefined;
  }

  /** values = VALUES '(' list ')' {',' ...}; it reads as a UNION ALL of SELECTs, which is what it means */
  protected override valuesQuery(): Query {
    const at = this.place();
    const rows = this.valuesRows();
    const selects = rows.map(
      (row): Select => ({
        ...plainSelect,
        items: row.map((expression) => ({ kind: 'expression', expression, alias: undefined, at })),
        at,
      }),
    );
    if (rows.some((row) => row.length !== rows[0]?.length)) throw sqlErrorAt(at, 10709);
    const body = selects.reduce<QueryBody | undefined>(
      (left, right) => (left ? { kind: 'setOperation', operator: 'UNION ALL', left, right, at } : right),
      undefined,
    );
    return { ...plainQuery, body: body ?? { ...plainSelect, at }, at };
  }

  protected valuesRows(): Expression[][] {
    this.expect('VALUES');
    return this.list(() => this.parenthesized(() => this.list(() => this.expression())));
  }

  /** offset = [OFFSET expression (ROW | ROWS) [FETCH (FIRST | NEXT) expression (ROW | ROWS) ONLY]] */
  private offsetFetch(): { offset: Expression | undefined; fetch: Expression | undefined } {
    if (!this.accept('OFFSET')) return { offset: undefined, fetch: undefined };
    const offset = this.expression();
    if (!this.acceptAny('ROW', 'ROWS')) throw this.unexpected();
    if (!this.accept('FETCH')) return { offset, fetch: undefined };
    if (!this.acceptAny('FIRST', 'NEXT')) throw this.unexpected();
    const fetch = this.expression();
    if (!this.acceptAny('ROW', 'ROWS')) throw this.unexpected();
    this.expect('ONLY');
    return { offset, fetch };
  }

  /** forJson = FOR JSON PATH {',' (ROOT ['(' string ')'] | INCLUDE_NULL_VALUES | WITHOUT_ARRAY_WRAPPER)} */
  private forJson(): ForJson {
    const at = this.place();
    this.expect('FOR');
    if (!this.accept('JSON')) throw unsupported(`FOR ${this.peek().text}`, at);
    if (!this.accept('PATH')) throw unsupported(`FOR JSON ${this.peek().text}`, at);
    let root: string | undefined;
    let includeNulls = false;
    let withoutWrapper = false;
    while (this.acceptOperator(',')) {
      if (this.accept('ROOT'))
        root = this.isOperator('(') ? this.parenthesized(() => this.next().value) : 'root';
      else if (this.accept('INCLUDE_NULL_VALUES')) includeNulls = true;
      else if (this.accept('WITHOUT_ARRAY_WRAPPER')) withoutWrapper = true;
      else throw this.unexpected();
    }
    if (root !== undefined && withoutWrapper) throw sqlErrorAt(at, 13620);
    return { root, includeNulls, withoutWrapper };
  }

  /** options = '(' (MAXRECURSION n | RECOMPILE | MAXDOP n) {',' ...} ')'; the last two change no result */
  private queryOptions(): number | undefined {
    let maxRecursion: number | undefined;
    this.parenthesized(() =>
      this.list(() => {
        if (this.accept('MAXRECURSION')) maxRecursion = this.integer();
        else if (this.accept('MAXDOP')) this.integer();
        else if (!this.accept('RECOMPILE')) throw unsupported(`OPTION (${this.peek().text})`, this.place());
      }),
    );
    return maxRecursion;
  }
}

const plainSelect = {
  kind: 'select',
  distinct: false,
  top: undefined,
  items: [],
  into: undefined,
  from: undefined,
  where: undefined,
  group: [],
  having: undefined,
} as const;

const plainQuery = {
  kind: 'query',
  with: [],
  order: [],
  offset: undefined,
  fetch: undefined,
  forJson: undefined,
  maxRecursion: undefined,
} as const;
