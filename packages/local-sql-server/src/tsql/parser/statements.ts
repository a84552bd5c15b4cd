import type { Cte } from '../ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../sql-error.ts';
import type { ParameterDefinition, Statement } from '../statement-ast.ts';
import { CallParser } from './calls.ts';

/** Options of SET that take ON or OFF, and those that take a value. What each may be set to is the engine's to say. */
const switches = new Set(
  `ANSI_NULLS ANSI_PADDING ANSI_WARNINGS ANSI_NULL_DFLT_ON ARITHABORT CONCAT_NULL_YIELDS_NULL CURSOR_CLOSE_ON_COMMIT
  IMPLICIT_TRANSACTIONS NOCOUNT NUMERIC_ROUNDABORT QUOTED_IDENTIFIER XACT_ABORT NOEXEC FMTONLY PARSEONLY ANSI_DEFAULTS`.split(
    /\s+/,
  ),
);
const numbered = new Set(['DATEFIRST', 'TEXTSIZE', 'LOCK_TIMEOUT', 'ROWCOUNT']);
const valued = new Set([...numbered, 'LANGUAGE', 'DATEFORMAT', 'DEADLOCK_PRIORITY']);

/** Parses the procedural statements, modules (views, procedures) and EXEC. */
export abstract class StatementParser extends CallParser {
  /** Names that the batch may use: its parameters, and what it has declared so far. */
  protected readonly declared = new Map<string, 'scalar' | 'table'>();

  protected abstract statement(): Statement;
  protected abstract statementsUntil(stop: () => boolean): Statement[];

  /** declare = DECLARE '@v' [AS] (type ['=' expression] | TABLE '(' elements ')') {',' ...} */
  protected declarations(at: Position): Statement {
    this.expect('DECLARE');
    const statements = this.list((): Statement => this.declaration());
    const [only] = statements;
    return only && statements.length === 1 ? only : { kind: 'block', statements, at };
  }

  private declaration(): Statement {
    const at = this.place();
    const name = this.variable();
    this.accept('AS');
    if (this.accept('TABLE')) {
      const table = this.tableElements();
      this.announce(name, 'table', at);
      return { kind: 'declareTable', name, table, at };
    }
    const type = this.typeName();
    const value = this.acceptOperator('=') ? this.expression() : undefined;
    this.announce(name, 'scalar', at);
    return { kind: 'declare', name, type, value, at };
  }

  protected announce(name: string, kind: 'scalar' | 'table', at: Position): void {
    if (this.declared.has(name.toLowerCase())) throw sqlErrorAt(at, 134, name);
    this.declared.set(name.toLowerCase(), kind);
  }

  /** set = SET ('@v' '=' expression | TRANSACTION ISOLATION LEVEL ... | IDENTITY_INSERT table ON | option value) */
  protected set(at: Position): Statement {
    this.expect('SET');
    if (this.peek().kind === 'variable') {
      const assigned = this.assignedVariable();
      if (!assigned) throw this.unexpectedAt(this.peek(1));
      return { kind: 'set', variable: assigned.variable, value: assigned.expression, at };
    }
    if (this.accept('TRANSACTION', 'ISOLATION', 'LEVEL')) return this.isolationLevel(at);
    if (this.accept('IDENTITY_INSERT')) {
      const table = this.name();
      return { kind: 'setOption', option: 'IDENTITY_INSERT', value: this.onOrOff(), table, at };
    }
    return this.option(at);
  }

  private option(at: Position): Statement {
    const names = this.list(() => this.next().value);
    for (const name of names)
      if (!switches.has(name) && !(valued.has(name) && names.length === 1))
        throw unsupported(`SET ${name}`, at);
    const [first = ''] = names;
    const value = numbered.has(first)
      ? String(this.integer())
      : valued.has(first)
        ? this.optionValue()
        : this.onOrOff();
    const statements = names.map(
      (option): Statement => ({ kind: 'setOption', option, value, table: undefined, at }),
    );
    const [only] = statements;
    return only && statements.length === 1 ? only : { kind: 'block', statements, at };
  }

  private optionValue(): string {
    const sign = this.acceptOperator('-') ? '-' : '';
    const token = this.next();
    if (token.kind === 'variable') throw unsupported('SET with a variable', token);
    if (!['word', 'string', 'unicode', 'integer'].includes(token.kind)) throw this.unexpectedAt(token);
    return sign + token.value;
  }

  private onOrOff(): string {
    const value = this.acceptAny('ON', 'OFF');
    if (!value) throw this.unexpected();
    return value;
  }

  private isolationLevel(at: Position): Statement {
    for (const level of ['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE', 'SNAPSHOT'])
      if (this.accept(...level.split(' ')))
        return {
          kind: 'setOption',
          option: 'ISOLATION LEVEL',
          value: level.toLowerCase(),
          table: undefined,
          at,
        };
    throw this.unexpected();
  }

  /** try = BEGIN TRY statements END TRY BEGIN CATCH statements END CATCH */
  protected tryCatch(at: Position): Statement {
    this.expect('BEGIN', 'TRY');
    const body = this.statementsUntil(() => this.is('END', 'TRY'));
    this.expect('END', 'TRY');
    this.acceptOperator(';');
    this.expect('BEGIN', 'CATCH');
    const handler = this.statementsUntil(() => this.is('END', 'CATCH'));
    this.expect('END', 'CATCH');
    return { kind: 'try', body, handler, at };
  }

  /** begin = BEGIN (TRY ... | TRAN ... | statements END) */
  protected begin(at: Position): Statement {
    if (this.is('BEGIN', 'TRY')) return this.tryCatch(at);
    this.expect('BEGIN');
    if (this.acceptAny('TRAN', 'TRANSACTION')) return this.transaction('begin', at);
    const statements = this.statementsUntil(() => this.is('END'));
    if (!statements.length) throw this.unexpected();
    this.expect('END');
    return { kind: 'block', statements, at };
  }

  /** commit, rollback = word [TRAN | TRANSACTION | WORK] [name] */
  protected endTransaction(action: 'commit' | 'rollback', at: Position): Statement {
    this.next();
    if (this.accept('WORK')) return { kind: 'transaction', action, name: undefined, at };
    if (!this.acceptAny('TRAN', 'TRANSACTION')) return { kind: 'transaction', action, name: undefined, at };
    return this.transaction(action, at);
  }

  protected transaction(action: 'begin' | 'commit' | 'rollback' | 'save', at: Position): Statement {
    const name =
      this.peek().kind === 'variable'
        ? this.declaredVariable()
        : this.isIdentifier()
          ? this.identifier()
          : undefined;
    if (action === 'save' && name === undefined) throw this.unexpected();
    return { kind: 'transaction', action, name, at };
  }

  /** raiserror = RAISERROR '(' expression ',' expression ',' expression {',' expression} ')' [WITH options] */
  protected raiserror(at: Position): Statement {
    this.expect('RAISERROR');
    const given = this.parenthesized(() => this.list(() => this.expression()));
    if (given.length < 3) throw this.unexpectedAt(this.previous);
    const options = this.accept('WITH') ? this.list(() => this.next().value) : [];
    for (const option of options)
      if (option !== 'NOWAIT' && option !== 'SETERROR') throw unsupported(`RAISERROR WITH ${option}`, at);
    return { kind: 'raiserror', arguments: given, options, at };
  }

  /** throw = THROW [expression ',' expression ',' expression] */
  protected throw(at: Position): Statement {
    this.expect('THROW');
    const bare = !['integer', 'variable'].includes(this.peek().kind);
    const given = bare ? [] : this.list(() => this.expression());
    if (!bare && given.length !== 3) throw this.unexpected();
    return { kind: 'throw', arguments: given, at };
  }

  /** createView = mode VIEW name ['(' columns ')'] [WITH SCHEMABINDING] AS query [WITH CHECK OPTION] */
  protected view(at: Position): Statement {
    const mode = this.moduleMode();
    this.expect('VIEW');
    const name = this.name();
    const columns = this.isOperator('(') ? this.columnList() : undefined;
    if (this.is('WITH')) this.moduleOptions();
    this.expect('AS');
    const query = this.query();
    this.acceptOperator(';');
    if (!this.atEnd) throw this.unexpected();
    return { kind: 'createView', mode, name, columns, query, text: this.sql, at };
  }

  /** WITH SCHEMABINDING and RECOMPILE change no result; other module options are refused. */
  private moduleOptions(): void {
    this.expect('WITH');
    this.list(() => {
      const at = this.place();
      const option = this.next().value;
      if (option !== 'SCHEMABINDING' && option !== 'RECOMPILE') throw unsupported(`WITH ${option}`, at);
    });
  }

  /** createProcedure = mode (PROC | PROCEDURE) name ['('] parameters [')'] [WITH RECOMPILE] AS statements */
  protected procedure(at: Position): Statement {
    const mode = this.moduleMode();
    if (!this.acceptAny('PROC', 'PROCEDURE')) throw this.unexpected();
    const name = this.name();
    const inParentheses = this.acceptOperator('(');
    const parameters = this.peek().kind === 'variable' ? this.list(() => this.parameter()) : [];
    if (inParentheses) this.expectOperator(')');
    if (this.is('WITH')) this.moduleOptions();
    this.expect('AS');
    const body = this.statementsUntil(() => this.atEnd);
    return { kind: 'createProcedure', mode, name, parameters, body, text: this.sql, at };
  }

  /** parameter = '@name' [AS] type ['=' constant] [OUT | OUTPUT] [READONLY] */
  protected parameter(): ParameterDefinition {
    const at = this.place();
    const name = this.variable();
    this.accept('AS');
    const type = this.typeName();
    const fallback = this.acceptOperator('=') ? this.argumentValue() : undefined;
    const output = this.acceptAny('OUT', 'OUTPUT') !== undefined;
    this.announce(name, 'scalar', at);
    return { name, type, default: fallback, output, at };
  }

  /** with ctes, then the statement they belong to */
  protected withStatement(at: Position): Statement {
    const ctes: readonly Cte[] = this.withClause();
    if (this.is('INSERT')) return this.insert(ctes);
    if (this.is('UPDATE')) return this.update(ctes);
    if (this.is('DELETE')) return this.delete(ctes);
    return { kind: 'select', query: this.query(ctes), at };
  }
}
