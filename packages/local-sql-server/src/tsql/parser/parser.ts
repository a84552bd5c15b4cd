import { type Position, sqlErrorAt, unsupported } from '../sql-error.ts';
import type { ParameterDefinition, Statement } from '../statement-ast.ts';
import { StatementParser } from './statements.ts';

/** A parsed batch. */
export interface Batch {
  readonly statements: readonly Statement[];
}

/**
 * Parses one batch of T-SQL. `variables` are the names (`@a`) that are declared outside of it.
 * Throws an `SqlError`: 102, 156 or 105 for text that is no T-SQL, 137 or 1087 for a variable that is not declared,
 * 40517 for a construct outside the subset, each with its line.
 */
export function parseBatch(sql: string, variables: readonly string[] = []): Batch {
  return { statements: new Parser(sql, variables).batch() };
}

/** Parses the second argument of sp_executesql: `@a int, @b nvarchar(10) OUTPUT`. */
export function parseParameters(sql: string): ParameterDefinition[] {
  return new Parser(sql, []).parameterList();
}

type Rule = (parser: Parser, at: Position) => Statement;

class Parser extends StatementParser {
  constructor(sql: string, variables: readonly string[]) {
    super(sql);
    for (const name of variables) this.declared.set(name.toLowerCase(), 'scalar');
  }

  /** batch = [procedure call without EXEC] {statement [';']} */
  batch(): Statement[] {
    if (this.isIdentifier() && !this.startsStatement() && !this.isOperator(':', 1)) {
      const call = this.procedureCall(this.place());
      this.acceptOperator(';');
      return [call, ...this.statementsUntil(() => this.atEnd)];
    }
    return this.statementsUntil(() => this.atEnd);
  }

  parameterList(): ParameterDefinition[] {
    const parameters = this.atEnd ? [] : this.list(() => this.parameter());
    if (!this.atEnd) throw this.unexpected();
    return parameters;
  }

  protected override statementsUntil(stop: () => boolean): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      while (this.acceptOperator(';'));
      if (stop()) return statements;
      if (this.atEnd) throw this.unexpected();
      if (statements.length) this.mustBeSeparate();
      statements.push(this.statement());
    }
  }

  /** A semicolon stands before WITH and THROW, which might else belong to the statement before them (319, 102). */
  private mustBeSeparate(): void {
    if (this.previous.text === ';' || this.isPrevious('END')) return;
    if (!this.isAny('WITH', 'THROW')) return;
    const error = this.unexpected();
    throw error.number === 156 ? sqlErrorAt(this.place(), 319) : error;
  }

  /** statement = by its first word, see the table of rules */
  protected override statement(): Statement {
    return this.nested(() => {
      const at = this.place();
      const token = this.peek();
      const rule = token.kind === 'word' ? rules[token.value] : undefined;
      if (rule) return rule(this, at);
      if (this.isOperator('(')) return { kind: 'select', query: this.query(), at };
      if (token.kind === 'word' && knownStatements.has(token.value)) throw unsupported(token.value, at);
      throw this.unexpected();
    });
  }

  protected override startsStatement(): boolean {
    const { kind, value } = this.peek();
    return kind === 'word' && (value in rules || knownStatements.has(value));
  }

  /** Variables are checked where they are read: an undeclared one is an error of the whole batch. */
  protected override variableRead(name: string, at: Position): void {
    if (!this.declared.has(name.toLowerCase())) throw sqlErrorAt(at, 137, name);
  }

  protected override tableVariableRead(name: string, at: Position): void {
    if (this.declared.get(name.toLowerCase()) !== 'table') throw sqlErrorAt(at, 1087, name);
  }

  static readonly rules: Readonly<Record<string, Rule>> = {
    SELECT: (parser, at) => ({ kind: 'select', query: parser.query(), at }),
    WITH: (parser, at) => parser.withStatement(at),
    INSERT: (parser) => parser.insert([]),
    UPDATE: (parser, at) =>
      parser.is('UPDATE', 'STATISTICS') ? parser.refuse('UPDATE STATISTICS', at) : parser.update([]),
    DELETE: (parser) => parser.delete([]),
    TRUNCATE: (parser, at) => parser.truncate(at),
    CREATE: (parser, at) => parser.create(at),
    ALTER: (parser, at) => parser.alter(at),
    DROP: (parser, at) => parser.drop(at),
    DECLARE: (parser, at) => parser.declarations(at),
    SET: (parser, at) => parser.set(at),
    IF: (parser, at) => parser.if(at),
    WHILE: (parser, at) => parser.while(at),
    BEGIN: (parser, at) => parser.begin(at),
    COMMIT: (parser, at) => parser.endTransaction('commit', at),
    ROLLBACK: (parser, at) => parser.endTransaction('rollback', at),
    SAVE: (parser, at) => parser.save(at),
    THROW: (parser, at) => parser.throw(at),
    RAISERROR: (parser, at) => parser.raiserror(at),
    PRINT: (parser, at) => parser.print(at),
    RETURN: (parser, at) => parser.return(at),
    BREAK: (parser, at) => parser.loopWord('break', at),
    CONTINUE: (parser, at) => parser.loopWord('continue', at),
    EXEC: (parser) => parser.execute(),
    EXECUTE: (parser) => parser.execute(),
    USE: (parser, at) => parser.use(at),
    WAITFOR: (parser, at) => parser.waitfor(at),
  };

  #loops = 0;

  private refuse(construct: string, at: Position): never {
    throw unsupported(construct, at);
  }

  /** create = TABLE | VIEW | PROCEDURE | INDEX | SCHEMA; modules must stand alone in their batch */
  private create(at: Position): Statement {
    const word = this.is('CREATE', 'OR', 'ALTER') ? this.peek(3) : this.peek(1);
    if (word.value === 'VIEW') return this.alone('CREATE VIEW', at, () => this.view(at));
    if (word.value === 'PROC' || word.value === 'PROCEDURE')
      return this.alone('CREATE/ALTER PROCEDURE', at, () => this.procedure(at));
    if (word.value === 'SCHEMA') return this.alone('CREATE SCHEMA', at, () => this.schema(at));
    this.expect('CREATE');
    if (this.is('TABLE')) return this.createTable(at);
    if (this.isAny('UNIQUE', 'CLUSTERED', 'NONCLUSTERED', 'INDEX')) return this.createIndex(at);
    throw unsupported(`CREATE ${this.peek().text}`, at);
  }

  private alter(at: Position): Statement {
    const word = this.peek(1).value;
    if (word === 'VIEW') return this.alone('ALTER VIEW', at, () => this.view(at));
    if (word === 'PROC' || word === 'PROCEDURE')
      return this.alone('CREATE/ALTER PROCEDURE', at, () => this.procedure(at));
    this.expect('ALTER');
    if (this.is('TABLE')) return this.alterTable(at);
    throw unsupported(`ALTER ${this.peek().text}`, at);
  }

  private alone(statement: string, at: Position, rule: () => Statement): Statement {
    if (!this.atStart) throw sqlErrorAt(at, 111, statement);
    return rule();
  }

  private schema(at: Position): Statement {
    this.expect('CREATE', 'SCHEMA');
    const name = this.identifier();
    if (this.accept('AUTHORIZATION')) this.identifier();
    this.acceptOperator(';');
    if (!this.atEnd) throw unsupported('CREATE SCHEMA with elements', this.place());
    return { kind: 'createSchema', name, at };
  }

  private truncate(at: Position): Statement {
    this.expect('TRUNCATE', 'TABLE');
    return { kind: 'truncate', table: this.name(), at };
  }

  /** if = IF condition statement [';'] [ELSE statement] */
  private if(at: Position): Statement {
    this.expect('IF');
    const condition = this.condition();
    const consequent = this.statement();
    if (this.isOperator(';') && this.peek(1).value === 'ELSE' && this.peek(1).kind === 'word') this.next();
    const otherwise = this.accept('ELSE') ? this.statement() : undefined;
    return { kind: 'if', condition, consequent, otherwise, at };
  }

  /** while = WHILE condition statement */
  private while(at: Position): Statement {
    this.expect('WHILE');
    const condition = this.condition();
    this.#loops++;
    const body = this.statement();
    this.#loops--;
    return { kind: 'while', condition, body, at };
  }

  private loopWord(kind: 'break' | 'continue', at: Position): Statement {
    if (this.#loops === 0) throw sqlErrorAt(at, kind === 'break' ? 135 : 136);
    this.next();
    return { kind, at };
  }

  private save(at: Position): Statement {
    this.expect('SAVE');
    if (!this.acceptAny('TRAN', 'TRANSACTION')) throw this.unexpected();
    return this.transaction('save', at);
  }

  private print(at: Position): Statement {
    this.expect('PRINT');
    return { kind: 'print', value: this.expression(), at };
  }

  /** return = RETURN [expression] */
  private return(at: Position): Statement {
    this.expect('RETURN');
    const bare =
      this.atEnd ||
      this.isOperator(';') ||
      (this.peek().kind === 'word' &&
        this.peek().value !== 'NULL' &&
        !this.isIdentifier() &&
        !this.isAny('CASE', 'COALESCE', 'NULLIF', 'CONVERT')) ||
      this.startsStatement();
    return { kind: 'return', value: bare ? undefined : this.expression(), at };
  }

  private use(at: Position): Statement {
    this.expect('USE');
    return { kind: 'use', database: this.identifier(), at };
  }

  private waitfor(at: Position): Statement {
    this.expect('WAITFOR');
    if (!this.accept('DELAY')) throw unsupported(`WAITFOR ${this.peek().text}`, at);
    return { kind: 'waitfor', delay: this.expression(), at };
  }
}

const rules = Parser.rules;

/** Statements of T-SQL that are outside the subset, so that they are named rather than called a syntax error. */
const knownStatements = new Set(
  `MERGE GRANT DENY REVOKE BACKUP RESTORE BULK DBCC KILL CHECKPOINT RECONFIGURE SHUTDOWN OPEN CLOSE FETCH DEALLOCATE
  READTEXT WRITETEXT UPDATETEXT GOTO REVERT ENABLE DISABLE`.split(/\s+/),
);
