/** The batch, and its table of first words. */
import { type Position, sqlErrorAt } from '../sql-error.ts';
import type { ParameterDefinition, Statement } from '../statement-ast.ts';
import { NonterminalParser } from './nonterminals.ts';
import { alteredObjects, createdObjects, unsupportedStatements } from './unsupported-statements.ts';

/** A parsed batch. */
export interface Batch {
  readonly statements: readonly Statement[];
}

/**
 * Parses one batch of T-SQL. `variables` are the names (`@a`) that are declared outside of it. Throws an `SqlError` with its line: 102,
 * 156 or 105 for text that is no T-SQL, 137 or 1087 for an undeclared variable, 40517 for an unsupported construct.
 */
export function parseBatch(sql: string, variables: readonly string[] = []): Batch {
  return { statements: new Parser(sql, variables).batch() };
}

/** Parses the second argument of sp_executesql: `@a int, @b nvarchar(10) OUTPUT`. */
export function parseParameters(sql: string): ParameterDefinition[] {
  return new Parser(sql, []).parameterList();
}

type Rule = (parser: Parser, at: Position) => Statement;

class Parser extends NonterminalParser {
  constructor(sql: string, variables: readonly string[]) {
    super(sql);
    for (const name of variables) this.declared.set(name.toLowerCase(), 'scalar');
  }

  /** batch = [procedure call without EXEC] {statement [';']} */
  batch(): Statement[] {
    const statements = this.allStatements();
    if (this.refusal) throw this.refusal;
    return statements;
  }

  private allStatements(): Statement[] {
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
    if (this.refusal) throw this.refusal;
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
    if (this.is('THROW')) throw this.unexpected();
    const isCte = this.peek(2).value === 'AS' || this.isOperator('(', 2) || this.isOperator('(', 1);
    throw isCte ? sqlErrorAt(this.place(), 319) : this.unexpectedAt(this.peek(1));
  }

  /** statement = by its first word, see the tables of rules */
  protected override statement(): Statement {
    return this.nested(() => {
      const at = this.place();
      const token = this.peek();
      const other = this.unsupportedStatement();
      if (other) {
        this.follow(other, other === 'label' ? 'a label' : token.value);
        return { kind: 'empty', at };
      }
      const rule = token.kind === 'word' ? rules[token.value] : undefined;
      if (rule) return rule(this, at);
      if (this.isOperator('(')) return { kind: 'select', query: this.fullQuery(), at };
      throw this.unexpected();
    });
  }

  /** The rule of the statement that begins here, if it is not supported. */
  private unsupportedStatement(): string | undefined {
    if (this.isIdentifier() && this.isOperator(':', 1)) return 'label';
    const { kind, value } = this.peek();
    const candidates = kind === 'word' ? unsupportedStatements[value] : undefined;
    return candidates?.find((rule) => this.begins(rule));
  }

  protected override startsStatement(): boolean {
    const { kind, value } = this.peek();
    return (kind === 'word' && value in rules) || this.unsupportedStatement() !== undefined;
  }

  /** Variables are checked where they are read: an undeclared one is an error of the whole batch. */
  protected override variableRead(name: string, at: Position): void {
    if (!this.isDeclared(name)) throw sqlErrorAt(at, 137, name);
  }

  protected override isDeclared(name: string): boolean {
    return this.declared.has(name.toLowerCase());
  }

  protected override tableVariableRead(name: string, at: Position): void {
    if (!['table', 'any'].includes(this.declared.get(name.toLowerCase()) ?? ''))
      throw sqlErrorAt(at, 1087, name);
  }

  static readonly rules: Readonly<Record<string, Rule>> = {
    SELECT: (parser, at) => ({ kind: 'select', query: parser.fullQuery([]), at }),
    WITH: (parser, at) => parser.withStatement(at),
    INSERT: (parser) => parser.insert([]),
    UPDATE: (parser, at) =>
      parser.is('UPDATE', 'STATISTICS') ? parser.updateStatistics(at) : parser.update([]),
    DELETE: (parser) => parser.delete([]),
    DBCC: (parser, at) => parser.dbcc(at),
    MERGE: (parser) => parser.merge([]),
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
    EXEC: (parser, at) => parser.executeOrImpersonate(at),
    EXECUTE: (parser, at) => parser.executeOrImpersonate(at),
    REVERT: (parser, at) => parser.revert(at),
    GRANT: (parser, at) => parser.permission(at),
    DENY: (parser, at) => parser.permission(at),
    REVOKE: (parser, at) => parser.permission(at),
    USE: (parser, at) => parser.use(at),
    WAITFOR: (parser, at) => parser.waitfor(at),
  };

  #loops = 0;

  /** create = CREATE [OR ALTER] module | CREATE (TABLE | INDEX | SCHEMA | ...); modules must stand alone in their batch */
  private create(at: Position): Statement {
    const module = this.module(this.is('CREATE', 'OR', 'ALTER') ? 3 : 1, at);
    if (module) return module;
    if (this.is('CREATE', 'SCHEMA')) return this.alone('CREATE SCHEMA', at, () => this.schema(at));
    this.expect('CREATE');
    if (this.accept('OR')) {
      this.expect('ALTER');
      throw this.unexpected();
    }
    if (this.is('TABLE')) return this.createTable(at);
    if (this.isAny('UNIQUE', 'CLUSTERED', 'NONCLUSTERED', 'INDEX', 'COLUMNSTORE'))
      return this.createIndex(at);
    if (this.is('DATABASE') && !this.begins('other_definition')) return this.createDatabase(at);
    return this.newPrincipal(at) ?? this.other('CREATE', createdObjects, at);
  }

  private alter(at: Position): Statement {
    const module = this.module(1, at);
    if (module) return module;
    this.expect('ALTER');
    if (this.is('TABLE')) return this.alterTable(at);
    if (this.is('ROLE')) return this.alterRole(at);
    if (this.is('INDEX')) return this.alterIndex(at);
    return this.other('ALTER', alteredObjects, at);
  }

  private other(verb: string, objects: readonly string[], at: Position): Statement {
    const rule = objects.find((candidate) => this.begins(candidate));
    if (!rule) throw this.unexpected();
    this.follow(rule, `${verb} ${this.peek().text}`, at);
    return { kind: 'empty', at };
  }

  /** module = mode (VIEW | PROCEDURE | FUNCTION | TRIGGER) ..., alone in its batch */
  private module(ahead: number, at: Position): Statement | undefined {
    const word = this.peek(ahead).value;
    const isProcedure = word === 'PROC' || word === 'PROCEDURE';
    if (!isProcedure && !['VIEW', 'FUNCTION', 'TRIGGER'].includes(word)) return undefined;
    if (this.isNested) throw this.unexpectedAt(this.peek(ahead));
    const verb = isProcedure ? 'CREATE/ALTER PROCEDURE' : `${this.peek().value} ${word}`;
    return this.alone(verb, at, () => {
      if (isProcedure) return this.procedure(at);
      if (word === 'VIEW') return this.view(at);
      if (word === 'FUNCTION') return this.function(at);
      this.moduleMode();
      this.follow(word.toLowerCase(), `CREATE ${word}`, at);
      return { kind: 'empty', at };
    });
  }

  private alone(statement: string, at: Position, rule: () => Statement): Statement {
    if (!this.atStart) throw sqlErrorAt(at, 111, statement);
    return rule();
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
    return { kind: 'print', value: this.scalar(() => this.expression()), at };
  }

  /** Whether the statement is over here: at its end, or where no expression begins. */
  protected override get endsStatement(): boolean {
    const { kind, value } = this.peek();
    if (this.atEnd || this.isOperator(';') || this.startsStatement()) return true;
    const isFunction = ['NULL', 'CASE', 'COALESCE', 'NULLIF', 'CONVERT'].includes(value);
    return kind === 'word' && !this.isIdentifier() && !isFunction;
  }

  /** return = RETURN [expression] */
  private return(at: Position): Statement {
    this.expect('RETURN');
    const bare = this.endsStatement;
    return { kind: 'return', value: bare ? undefined : this.expression(), at };
  }

  private use(at: Position): Statement {
    if (this.isInModule) throw sqlErrorAt(at, 154);
    this.expect('USE');
    return { kind: 'use', database: this.identifier(), at };
  }

  /** waitfor = WAITFOR DELAY (string | '@v') */
  private waitfor(at: Position): Statement {
    this.expect('WAITFOR');
    if (this.accepts('waitforOther', `WAITFOR ${this.peek().text}`)) return { kind: 'empty', at };
    this.expect('DELAY');
    if (!this.isString() && this.peek().kind !== 'variable') throw this.unexpected();
    return { kind: 'waitfor', delay: this.primary(), at };
  }
}

const rules = Parser.rules;
