/** INSERT, UPDATE and DELETE. */
import type { Cte, Expression } from '../ast.ts';
import { sqlErrorAt } from '../sql-error.ts';
import type {
  Assignment,
  Delete,
  Execute,
  Insert,
  Merge,
  MergeClause,
  Output,
  Target,
  Update,
} from '../statement-ast.ts';
import { QueryParser } from './queries.ts';

/** Parses INSERT, UPDATE and DELETE. */
export abstract class ChangeParser extends QueryParser {
  protected abstract execute(): Execute;

  /** insert = INSERT [TOP ...] [INTO] target ['(' columns ')'] [OUTPUT ...] (VALUES ... | query | EXEC ... | DEFAULT VALUES) [OPTION ...] */
  protected insert(withClause: readonly Cte[]): Insert {
    const at = this.place();
    this.expect('INSERT');
    const top = this.top(false);
    this.accept('INTO');
    const target = this.target();
    const columns = this.columnsBefore();
    const output = this.output();
    const source = this.insertSource();
    this.queryOptions();
    return { kind: 'insert', with: withClause, target, columns, output, source, top, at };
  }

  /** change = insert | update | delete | merge, as the source of another */
  protected override change(): unknown {
    if (this.is('INSERT')) return this.insert([]);
    if (this.is('UPDATE')) return this.update([]);
    return this.is('DELETE') ? this.delete([]) : this.merge([]);
  }

  /** merge = MERGE [TOP ...] [INTO] target [[AS] alias] USING source ON condition when {when} [OUTPUT ...] [OPTION ...] ';' */
  protected merge(withClause: readonly Cte[]): Merge {
    const at = this.place();
    this.expect('MERGE');
    const top = this.top(false);
    this.accept('INTO');
    const target = this.target();
    const alias = this.tableAlias();
    this.expect('USING');
    const source = this.joined();
    this.expect('ON');
    const on = this.condition();
    const clauses = [this.mergeClause([])];
    while (this.is('WHEN')) clauses.push(this.mergeClause(clauses));
    this.#isInMerge = true;
    const output = this.output();
    this.#isInMerge = false;
    this.queryOptions();
    if (!this.isOperator(';')) throw sqlErrorAt(this.place(), 10713);
    return { kind: 'merge', with: withClause, top, target, alias, source, on, clauses, output, at };
  }

  /** Whether the OUTPUT of MERGE is read, which has `$action`. */
  #isInMerge = false;

  protected override get mayReadAction(): boolean {
    return this.#isInMerge;
  }

  /** when = WHEN (MATCHED | NOT MATCHED [BY (TARGET | SOURCE)]) [AND condition] THEN action. Throws 5324, 10710, 10711, 10714. */
  private mergeClause(earlier: readonly MergeClause[]): MergeClause {
    this.expect('WHEN');
    const at = this.place();
    const negated = this.accept('NOT');
    this.expect('MATCHED');
    const bySource = negated && this.accept('BY', 'SOURCE');
    if (negated && !bySource) this.accept('BY', 'TARGET');
    const match = bySource ? 'notMatchedBySource' : negated ? 'notMatched' : 'matched';
    const condition = this.accept('AND') ? this.condition() : undefined;
    this.expect('THEN');
    const action = this.mergeAction(match);
    const words = {
      matched: 'WHEN MATCHED',
      notMatched: 'WHEN NOT MATCHED',
      notMatchedBySource: 'WHEN NOT MATCHED BY SOURCE',
    };
    const same = earlier.filter((other) => other.match === match);
    if (same.some((other) => !other.condition)) throw sqlErrorAt(at, 5324, words[match], words[match]);
    if (same.some((other) => other.action.kind === action.kind))
      throw sqlErrorAt(at, 10714, words[match], action.kind.toUpperCase());
    return { match, condition, action };
  }

  /** action = UPDATE SET assignments | DELETE | INSERT ['(' columns ')'] (VALUES '(' values ')' | DEFAULT VALUES) */
  private mergeAction(match: MergeClause['match']): MergeClause['action'] {
    const at = this.place();
    const isInsert = match === 'notMatched';
    if (this.isAny('INSERT', 'UPDATE', 'DELETE') && this.is('INSERT') !== isInsert)
      throw sqlErrorAt(at, isInsert ? 10_710 : 10_711, this.peek().text);
    if (!isInsert && this.accept('DELETE')) return { kind: 'delete', at };
    if (!isInsert) {
      this.expect('UPDATE', 'SET');
      return { kind: 'update', assignments: this.list(() => this.assignment()), at };
    }
    this.expect('INSERT');
    const columns = this.columnsBefore();
    if (this.accept('DEFAULT', 'VALUES'))
      return { kind: 'insert', columns: columns ?? [], values: undefined, at };
    this.expect('VALUES');
    const values = this.parenthesized(() => this.list(() => this.valueOrDefault()));
    return { kind: 'insert', columns, values, at };
  }

  /** columns = ['(' columns ')'], where a query in parentheses may stand too */
  private columnsBefore(): string[] | undefined {
    const isQuery = this.peek(1).kind === 'word' && this.peek(1).value === 'SELECT';
    return this.isOperator('(') && !isQuery ? this.columnList() : undefined;
  }

  protected columnList(): string[] {
    return this.parenthesized(() => this.list(() => this.nameParts().at(-1) ?? ''));
  }

  private insertSource(): Insert['source'] {
    if (this.accept('DEFAULT', 'VALUES')) return { kind: 'defaultValues' };
    if (this.is('VALUES')) return { kind: 'values', rows: this.valuesRows() };
    if (this.isAny('EXEC', 'EXECUTE')) return { kind: 'execute', execute: this.execute() };
    return { kind: 'query', query: this.queryAfter([]) };
  }

  /** update = UPDATE [TOP ...] target SET assignments tail */
  protected update(withClause: readonly Cte[]): Update {
    const at = this.place();
    this.expect('UPDATE');
    const top = this.top(false);
    const target = this.target();
    this.expect('SET');
    const assignments = this.list(() => this.assignment());
    return { kind: 'update', with: withClause, target, assignments, top, ...this.changeTail(), at };
  }

  /** delete = DELETE [TOP ...] [FROM] target tail */
  protected delete(withClause: readonly Cte[]): Delete {
    const at = this.place();
    this.expect('DELETE');
    const top = this.top(false);
    this.accept('FROM');
    return { kind: 'delete', with: withClause, target: this.target(), top, ...this.changeTail(), at };
  }

  /** tail = [OUTPUT ...] [FROM ...] [WHERE ...] [OPTION ...] */
  private changeTail(): Pick<Update, 'output' | 'from' | 'where'> {
    const output = this.output();
    const from = this.accept('FROM') ? this.fromClause() : undefined;
    const where = this.where();
    this.queryOptions();
    return { output, from, where };
  }

  private where(): Expression | undefined {
    if (!this.accept('WHERE') || this.accepts('currentOf', 'WHERE CURRENT OF')) return undefined;
    return this.condition();
  }

  /** assignment = ['@v' '='] column ('=' | '+=' ...) expression | '@v' ('=' | '+=' ...) expression */
  protected assignment(): Assignment {
    const at = this.place();
    let variable: string | undefined;
    if (this.peek().kind === 'variable') {
      if (!this.isColumnAfterVariable()) {
        const assigned = this.assignedVariable();
        if (!assigned) throw this.unexpected();
        return { column: undefined, variable: assigned.variable, value: assigned.expression, at };
      }
      variable = this.variable();
      this.variableRead(variable, at);
      this.expectOperator('=');
    }
    const column = this.nameParts();
    if (this.isOperator('(')) {
      this.refuse(`${column.join('.')}()`, at);
      this.parenthesized(() => this.list(() => this.expression()));
      return { column, variable, value: { kind: 'null', at }, at };
    }
    const operator = this.next();
    if (operator.text === '=') return { column, variable, value: this.valueOrDefault(), at };
    if (!/^[-+*/%&|^]=$/.test(operator.text)) throw this.unexpectedAt(operator);
    const left: Expression = { kind: 'column', parts: column, at };
    const value = { kind: 'arithmetic', operator: operator.text.slice(0, 1), left } as const;
    return { column, variable, value: { ...value, right: this.expression(), at }, at };
  }

  /** Whether `@v = column = ...` stands here, not `@v = value`. */
  private isColumnAfterVariable(): boolean {
    if (!this.isOperator('=', 1)) return false;
    let ahead = 2;
    while (this.isIdentifier(ahead) && this.isOperator('.', ahead + 1)) ahead += 2;
    return this.isIdentifier(ahead) && /^[-+*/%&|^]?=$/.test(this.peek(ahead + 1).text);
  }

  /** target = '@table' | name [WITH '(' hints ')'] */
  protected target(): Target {
    const at = this.place();
    if (this.peek().kind === 'variable') {
      const name = this.variable();
      this.tableVariableRead(name, at);
      return { kind: 'tableVariable', name, at };
    }
    if (this.accepts('rowset', this.peek().text))
      return { kind: 'table', name: { parts: [], at }, hints: [], at };
    return { kind: 'table', name: this.name(), hints: this.hints(), at };
  }

  /** output = OUTPUT items [INTO target ['(' columns ')']] */
  protected output(): Output | undefined {
    if (!this.accept('OUTPUT')) return undefined;
    const items = this.list(() => this.selectItem());
    if (!this.accept('INTO')) return { items, into: undefined };
    const target = this.target();
    const columns = this.columnsBefore() ?? [];
    if (this.is('OUTPUT')) {
      this.refuse('a second OUTPUT', this.place());
      this.output();
    }
    return { items, into: { target, columns } };
  }
}
