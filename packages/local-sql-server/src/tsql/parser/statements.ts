/** The procedural statements. */
import type { TypeName } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import type { Statement } from '../statement-ast.ts';
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
/** Options that are T-SQL but not supported, with any value. */
const otherSwitches = new Set(
  `ANSI_NULL_DFLT_OFF ARITHIGNORE DISABLE_DEF_CNST_CHK FORCEPLAN NO_BROWSETABLE REMOTE_PROC_TRANSACTIONS SHOWPLAN_ALL
  SHOWPLAN_TEXT SHOWPLAN_XML`.split(/\s+/),
);

function setOption(option: string, value: string, at: Position): Statement {
  return { kind: 'setOption', option, value, table: undefined, at };
}

/** One statement for several that are written as one. */
function together(statements: readonly Statement[], at: Position): Statement {
  const [only] = statements;
  return only && statements.length === 1 ? only : { kind: 'block', statements, at };
}

/** Parses the procedural statements. */
export abstract class StatementParser extends CallParser {
  /** Names that the batch may use: its parameters, and what it has declared so far. */
  protected readonly declared = new Map<string, 'scalar' | 'table' | 'any'>();

  protected abstract statement(): Statement;
  protected abstract statementsUntil(stop: () => boolean): Statement[];

  /** declare = DECLARE ('@v' [AS] type ['=' expression] {',' ...} | '@v' [AS] TABLE '(' elements ')' | name CURSOR ...) */
  protected declarations(at: Position): Statement {
    this.expect('DECLARE');
    if (this.isIdentifier()) {
      this.identifier();
      this.follow('cursor', 'cursors', at);
      return { kind: 'empty', at };
    }
    const first = this.declaration(true);
    const statements = [first];
    if (first.kind !== 'declareTable')
      while (this.acceptOperator(',')) statements.push(this.declaration(false));
    for (const { name, kind, at: place } of this.#announced.splice(0)) this.announce(name, kind, place);
    return together(statements, at);
  }

  /** What a DECLARE declares is there behind it, not inside of it. */
  readonly #announced: { name: string; kind: 'scalar' | 'table' | 'any'; at: Position }[] = [];

  private declaration(isFirst: boolean): Statement {
    const at = this.place();
    const name = this.variable();
    this.accept('AS');
    if (isFirst && this.accept('TABLE')) {
      const table = this.tableElements(true);
      this.#announced.push({ name, kind: 'table', at });
      return { kind: 'declareTable', name, table, at };
    }
    const type = this.variableType();
    if (['text', 'ntext', 'image'].includes(type.name)) throw sqlErrorAt(at, 2739);
    if (this.accept('NOT', 'NULL') || this.accept('NULL')) this.refuse('DECLARE ... NULL', at);
    const isCursor = this.isPrevious('CURSOR');
    const value = !isCursor && this.acceptOperator('=') ? this.expression() : undefined;
    // A type in a schema may be a table type.
    this.#announced.push({ name, kind: type.name.includes('.') ? 'any' : 'scalar', at });
    return { kind: 'declare', name, type, value, at };
  }

  protected variableType(): TypeName {
    const at = this.place();
    if (!this.accept('CURSOR')) return this.typeName();
    this.refuse('cursors', at);
    return { name: 'int', arguments: [], at };
  }

  protected announce(name: string, kind: 'scalar' | 'table' | 'any', at: Position): void {
    if (this.declared.has(name.toLowerCase())) throw sqlErrorAt(at, 134, name);
    this.declared.set(name.toLowerCase(), kind);
  }

  /** set = SET ('@v' '=' expression | TRANSACTION ISOLATION LEVEL ... | IDENTITY_INSERT table ON | option value) */
  protected set(at: Position): Statement {
    this.expect('SET');
    if (this.peek().kind === 'variable') {
      if (this.setsCursor() || this.callsMethod()) return { kind: 'empty', at };
      const assigned = this.assignedVariable();
      if (!assigned) throw this.unexpectedAt(this.peek(1));
      return { kind: 'set', variable: assigned.variable, value: assigned.expression, at };
    }
    if (this.accept('TRANSACTION', 'ISOLATION', 'LEVEL')) return this.isolationLevel(at);
    if (this.accept('IDENTITY_INSERT')) {
      const table = this.name();
      return { kind: 'setOption', option: 'IDENTITY_INSERT', value: this.onOrOff(), table, at };
    }
    for (const rule of ['setStatistics', 'setOther'])
      if (this.accepts(rule, `SET ${this.peek().text}`)) return { kind: 'empty', at };
    return this.option(at);
  }

  private setsCursor(): boolean {
    if (!this.isOperator('=', 1) || this.peek(2).value !== 'CURSOR') return false;
    this.declaredVariable();
    this.expectOperator('=');
    this.expect('CURSOR');
    this.follow('cursorBody', 'cursors');
    return true;
  }

  private callsMethod(): boolean {
    if (!this.isOperator('.', 1)) return false;
    this.declaredVariable();
    this.follow('method', 'methods of data types');
    if (this.acceptOperator('=')) this.expression();
    return true;
  }

  private option(at: Position): Statement {
    const names = this.list(() => this.optionName());
    const [first = ''] = names;
    const value = numbered.has(first)
      ? this.signed()
      : valued.has(first)
        ? this.optionValue()
        : this.onOrOff();
    return together(
      names.map((option) => setOption(option, value, at)),
      at,
    );
  }

  private optionName(): string {
    const { kind, text, value } = this.peek();
    if (kind !== 'word' || this.isOperator('=', 1))
      throw this.isIdentifier() ? this.unexpectedAt(this.peek(1)) : this.unexpected();
    if (otherSwitches.has(value)) this.refuse(`SET ${value}`, this.place());
    else if (!switches.has(value) && !valued.has(value))
      throw sqlErrorAt(this.place(), 195, text, 'SET option');
    return this.next().value;
  }

  private optionValue(): string {
    const sign = this.acceptOperator('-') ? '-' : '';
    const token = this.next();
    if (!['word', 'string', 'unicode', 'integer'].includes(token.kind)) throw this.unexpectedAt(token);
    return sign + token.value;
  }

  protected onOrOff(): string {
    const value = this.acceptAny('ON', 'OFF');
    if (!value) throw this.unexpected();
    return value;
  }

  private isolationLevel(at: Position): Statement {
    if (this.is('SNAPSHOT')) this.refuse('ISOLATION LEVEL SNAPSHOT', at);
    for (const level of ['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE', 'SNAPSHOT'])
      if (this.accept(...level.split(' '))) return setOption('ISOLATION LEVEL', level.toLowerCase(), at);
    throw this.is('READ') || this.is('REPEATABLE') ? this.unexpectedAt(this.peek(1)) : this.unexpected();
  }

  /** try = BEGIN TRY statements END TRY BEGIN CATCH [statements] END CATCH */
  protected tryCatch(at: Position): Statement {
    this.expect('BEGIN', 'TRY');
    const body = this.block(() => this.is('END', 'TRY'));
    this.expect('END', 'TRY', 'BEGIN', 'CATCH');
    this.#catches++;
    const handler = this.block(() => this.is('END', 'CATCH'), true);
    this.#catches--;
    this.expect('END', 'CATCH');
    return { kind: 'try', body, handler, at };
  }

  /** How many CATCH blocks are around the statement: THROW may stand alone only in one (10704). */
  #catches = 0;

  /** block = statement {statement}, inside of BEGIN and END */
  protected block(stop: () => boolean, isEmptyAllowed = false): Statement[] {
    this.#depth++;
    const statements = this.statementsUntil(stop);
    this.#depth--;
    if (!statements.length && !isEmptyAllowed) throw this.unexpected();
    return statements;
  }

  /** How many blocks are around the statement; modules cannot be made in one. */
  #depth = 0;

  protected get isNested(): boolean {
    return this.#depth > 0;
  }

  /** begin = BEGIN (TRY ... | TRAN ... | statements END) */
  protected begin(at: Position): Statement {
    if (this.is('BEGIN', 'TRY')) return this.tryCatch(at);
    for (const rule of ['distributed', 'atomic', 'beginDialog'])
      if (this.accepts(rule, `BEGIN ${this.peek(1).text}`)) return { kind: 'empty', at };
    this.expect('BEGIN');
    if (this.acceptAny('TRAN', 'TRANSACTION')) return this.transaction('begin', at);
    const statements = this.block(() => this.is('END'));
    this.expect('END');
    return { kind: 'block', statements, at };
  }

  /** commit, rollback = word [TRAN | TRANSACTION | WORK] [name] */
  protected endTransaction(action: 'commit' | 'rollback', at: Position): Statement {
    this.next();
    if (this.acceptAny('TRAN', 'TRANSACTION')) return this.transaction(action, at);
    this.accept('WORK');
    return { kind: 'transaction', action, name: undefined, at };
  }

  protected transaction(action: 'begin' | 'commit' | 'rollback' | 'save', at: Position): Statement {
    const name =
      this.peek().kind === 'variable'
        ? this.declaredVariable()
        : this.isIdentifier()
          ? this.identifier()
          : undefined;
    if (action === 'save' && name === undefined) throw this.unexpected();
    if (action === 'begin') this.accepts('withMark', 'WITH MARK');
    if (action === 'commit') this.accepts('durability', 'DELAYED_DURABILITY');
    return { kind: 'transaction', action, name, at };
  }

  /** raiserror = RAISERROR '(' (text | number) ',' number ',' number {',' constant} ')' [WITH options] */
  protected raiserror(at: Position): Statement {
    this.expect('RAISERROR');
    const given = this.parenthesized(() => this.list(() => this.constant()));
    if (given.length < 3) throw this.unexpectedAt(this.previous);
    const options = this.accept('WITH') ? this.list(() => this.raiserrorOption()) : [];
    return { kind: 'raiserror', arguments: given, options, at };
  }

  private raiserrorOption(): string {
    if (this.is('LOG')) this.refuse('RAISERROR WITH LOG', this.place());
    const option = this.acceptAny('NOWAIT', 'SETERROR', 'LOG');
    if (!option) throw this.unexpected();
    return option;
  }

  /** throw = THROW [constant ',' constant ',' constant] */
  protected throw(at: Position): Statement {
    this.expect('THROW');
    const bare = !['integer', 'variable'].includes(this.peek().kind);
    if (bare && this.#catches === 0 && this.endsStatement) throw sqlErrorAt(at, 10704);
    const given = bare ? [] : this.list(() => this.constant());
    if (!bare && given.length !== 3) throw this.unexpected();
    return { kind: 'throw', arguments: given, at };
  }
}
