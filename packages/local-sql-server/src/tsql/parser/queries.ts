/** Queries: SELECT with all its clauses, set operators, CTEs, paging, OPTION. */
import {
  type Cte,
  type Expression,
  type ForJson,
  isCondition,
  plainQuery,
  plainSelect,
  type Query,
  type QueryBody,
  type Select,
  type SelectItem,
  type Top,
} from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import { SourceParser } from './sources.ts';

const compoundOperators = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^='];

/** Parses queries: SELECT with all its clauses, set operators, table sources. */
export abstract class QueryParser extends SourceParser {
  #intoIsAllowed = false;

  /** fullQuery = [WITH ctes] query [OPTION ...], with INTO: a separate statement */
  protected fullQuery(withClause: readonly Cte[] = this.withClause()): Query {
    this.#intoIsAllowed = true;
    const query = this.queryAfter(withClause);
    this.#intoIsAllowed = false;
    return { ...query, maxRecursion: this.queryOptions() };
  }

  /** viewQuery = '(' viewQuery ')' | [WITH ctes] query, whose order must matter (1033) */
  protected viewQuery(): Query {
    if (this.isOperator('(') && this.peek(1).value === 'WITH')
      return this.parenthesized(() => this.viewQuery());
    const query = this.queryAfter(this.withClause());
    this.mustKeepOrder(query);
    return query;
  }

  /** query = body [ORDER BY ... [OFFSET ...]] [FOR ...], inside of another: its order must matter */
  protected query(): Query {
    const query = this.queryAfter([]);
    this.mustKeepOrder(query);
    return query;
  }

  private mustKeepOrder({ order, offset, forJson, forXmlText, body, at }: Query): void {
    const isKept = offset || forJson || forXmlText || this.#hasForXml || (body.kind === 'select' && body.top);
    this.#hasForXml = false;
    if (order.length && !isKept) throw sqlErrorAt(at, 1033);
  }

  /** Whether the query that was read last ends in FOR XML. */
  #hasForXml = false;

  /** The query after its WITH; FOR READ ONLY and FOR UPDATE belong to a cursor. */
  protected queryAfter(ctes: readonly Cte[]): Query {
    const at = this.place();
    const body = this.queryBody();
    const order = this.is('ORDER') ? this.orderBy() : [];
    const { offset, fetch } = order.length ? this.offsetFetch() : { offset: undefined, fetch: undefined };
    const isFor = this.is('FOR') && !['READ', 'UPDATE'].includes(this.peek(1).value);
    const forXmlText = isFor && this.forXmlText();
    const forJson = isFor && !forXmlText ? this.forClause() : undefined;
    const query = { kind: 'query', with: ctes, body, order, offset, fetch } as const;
    return { ...query, forJson, forXmlText, maxRecursion: undefined, at };
  }

  /** with = WITH [XMLNAMESPACES ...] [name ['(' columns ')'] AS '(' query ')' {',' ...}] */
  protected withClause(): Cte[] {
    if (!this.accept('WITH')) return [];
    if (this.accepts('xmlNamespaces', 'XMLNAMESPACES') && !this.acceptOperator(',')) return [];
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

  /** primary = select | '(' body ')'; INTO stands in the first SELECT of a statement only */
  private queryPrimary(): QueryBody {
    if (this.isOperator('(')) return this.parenthesized(() => this.nested(() => this.queryBody()));
    const intoIsAllowed = this.#intoIsAllowed;
    this.#intoIsAllowed = false;
    return this.select(intoIsAllowed);
  }

  /** select = SELECT [ALL | DISTINCT] [TOP ...] items [INTO name] [FROM ...] [WHERE ...] [GROUP BY ...] [HAVING ...] [WINDOW ...] */
  private select(intoIsAllowed: boolean): Select {
    const at = this.place();
    this.expect('SELECT');
    const distinct = this.accept('DISTINCT');
    if (!distinct) this.accept('ALL');
    const top = this.top();
    const items = this.list(() => this.selectItem());
    const into = intoIsAllowed && this.accept('INTO') ? this.name() : undefined;
    if (into && this.is('ON')) this.follow('place', 'SELECT INTO ... ON');
    const from = this.accept('FROM') ? this.fromClause() : undefined;
    const where = this.accept('WHERE') ? this.condition() : undefined;
    const group = this.accept('GROUP', 'BY') ? this.groupBy() : [];
    const having = this.accept('HAVING') ? this.condition() : undefined;
    this.accepts('windowClause', 'WINDOW');
    return { kind: 'select', distinct, top, items, into, from, where, group, having, at };
  }

  /** groupBy = expression {',' expression}; grouping sets are not supported */
  private groupBy(): Expression[] {
    const items = this.list(() => {
      if (this.accepts('grouping', `GROUP BY ${this.peek().text}`)) return [];
      return [this.expression()];
    });
    this.accepts('withRollup', 'WITH ROLLUP');
    return items.flat();
  }

  /** top = TOP ('(' (query | expression) ')' | number) [PERCENT] [WITH TIES] */
  protected top(isNumberAllowed = true): Top | undefined {
    if (!this.accept('TOP')) return undefined;
    const at = this.place();
    if (!this.isOperator('(') && !isNumberAllowed) throw this.unexpected();
    const count = this.isOperator('(') ? this.group(at) : this.topNumber(at);
    if (isCondition(count)) throw sqlErrorAt(at, 102, this.previous.text);
    const percent = this.accept('PERCENT');
    return { count, percent, withTies: this.accept('WITH', 'TIES') };
  }

  private topNumber(at: Position): Expression {
    const { kind } = this.peek();
    if (kind !== 'integer' && kind !== 'decimal' && kind !== 'float') throw this.unexpected();
    return this.literal(at);
  }

  /** item = '*' | name '.' '*' | '@v' assignment | alias '=' expression | expression [[AS] alias] */
  protected selectItem(): SelectItem {
    const at = this.place();
    const qualifier = this.starQualifier();
    if (qualifier) return { kind: 'star', qualifier, at };
    const variable = this.assignedVariable();
    if (variable) return { kind: 'assign', ...variable, at };
    if ((this.isIdentifier() || this.isString()) && this.isOperator('=', 1)) {
      const alias = this.isString() ? this.string() : this.identifier();
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

  /** alias = [AS] (name | string); a name before a colon is a label, and WINDOW begins a clause */
  private columnAlias(): string | undefined {
    if (this.accept('AS') || this.isString()) return this.isString() ? this.string() : this.identifier();
    const isOther = this.isOperator(':', 1) || (this.is('WINDOW') && this.isIdentifier(1));
    return this.isIdentifier() && !isOther ? this.identifier() : undefined;
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

  /** offset = [OFFSET expression (ROW | ROWS) [FETCH (FIRST | NEXT) expression (ROW | ROWS) ONLY]] */
  private offsetFetch(): { offset: Expression | undefined; fetch: Expression | undefined } {
    if (this.is('FETCH') && ['FIRST', 'NEXT'].includes(this.peek(1).value) && this.peek(2).kind !== 'word')
      throw sqlErrorAt(this.place(), 153, this.peek(1).text, 'FETCH');
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

  /** forXmlText = FOR XML PATH '(' '' ')' */
  private forXmlText(): boolean {
    const isText = this.is('FOR', 'XML', 'PATH') && this.isOperator('(', 3) && this.peek(4).text === "''";
    if (!isText || this.isOperator(',', 6)) return false;
    this.expect('FOR', 'XML', 'PATH');
    this.parenthesized(() => this.string());
    return true;
  }

  /** for = FOR (JSON (PATH | AUTO) {',' option} | XML ... | BROWSE): the last two are not supported */
  private forClause(): ForJson | undefined {
    const at = this.place();
    if (this.accepts('forBrowse', 'FOR BROWSE')) return undefined;
    if (this.accepts('forXml', 'FOR XML')) {
      this.#hasForXml = true;
      return undefined;
    }
    this.expect('FOR', 'JSON');
    const isAuto = this.is('AUTO');
    if (!this.acceptAny('PATH', 'AUTO')) throw this.unexpected();
    const options: { -readonly [Option in keyof ForJson]: ForJson[Option] } = {
      isAuto,
      root: undefined,
      includeNulls: false,
      withoutWrapper: false,
    };
    while (this.acceptOperator(',')) {
      if (this.accept('ROOT')) {
        options.root = this.isOperator('(') ? this.parenthesized(() => this.string()) : 'root';
      } else if (this.accept('INCLUDE_NULL_VALUES')) options.includeNulls = true;
      else {
        this.expect('WITHOUT_ARRAY_WRAPPER');
        options.withoutWrapper = true;
      }
    }
    if (options.root !== undefined && options.withoutWrapper) throw sqlErrorAt(at, 13620);
    return options;
  }

  /** options = [OPTION '(' (MAXRECURSION n | RECOMPILE | MAXDOP n | another hint) {',' ...} ')']: hints change no result */
  protected queryOptions(): number | undefined {
    if (!this.accept('OPTION')) return undefined;
    let maxRecursion: number | undefined;
    this.parenthesized(() =>
      this.list(() => {
        if (this.accept('MAXRECURSION')) maxRecursion = this.integer();
        else if (this.accept('MAXDOP')) this.integer();
        else if (!this.accept('RECOMPILE') && !this.passes('queryHint')) throw this.unexpected();
      }),
    );
    return maxRecursion;
  }
}
