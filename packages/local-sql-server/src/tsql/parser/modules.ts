/** Views, procedures, schemas and databases, and the statements behind WITH. */
import type { Cte } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import type { CreateFunction, ModuleMode, ParameterDefinition, Statement } from '../statement-ast.ts';
import { StatementParser } from './statements.ts';

/** Parses views, procedures, schemas, and statements that begin with WITH. */
export abstract class ModuleParser extends StatementParser {
  /** Whether the body of a procedure is read, where USE may not stand (154). */
  protected isInModule = false;

  /** createView = mode VIEW name ['(' columns ')'] [WITH options] AS query [WITH CHECK OPTION] */
  protected view(at: Position): Statement {
    const mode = this.moduleMode();
    this.expect('VIEW');
    const name = this.name();
    const columns = this.isOperator('(') ? this.columnList() : undefined;
    if (this.is('WITH')) this.moduleOptions();
    this.expect('AS');
    const query = this.viewQuery();
    if (this.is('WITH', 'CHECK', 'OPTION')) this.refuse('WITH CHECK OPTION', this.place());
    this.accept('WITH', 'CHECK', 'OPTION');
    this.acceptOperator(';');
    if (!this.atEnd) throw this.unexpected();
    return { kind: 'createView', mode, name, columns, query, text: this.sql, at };
  }

  /** options = WITH option {',' option}: RECOMPILE changes no result, the others are not supported */
  private moduleOptions(): void {
    this.expect('WITH');
    this.list(() => {
      if (!this.accept('RECOMPILE')) this.follow('moduleOption', `WITH ${this.peek().text}`);
    });
  }

  /** createProcedure = mode (PROC | PROCEDURE) name ['(' parameters ')' | parameters] [WITH options] AS statements */
  protected procedure(at: Position): Statement {
    const mode = this.moduleMode();
    if (!this.acceptAny('PROC', 'PROCEDURE')) throw this.unexpected();
    const name = this.name();
    if (this.acceptOperator(';')) {
      this.refuse('a numbered procedure', at);
      this.integer();
    }
    const list = () => this.list(() => this.parameter());
    const parameters = this.isOperator('(')
      ? this.parenthesized(list)
      : this.peek().kind === 'variable'
        ? list()
        : [];
    if (this.is('WITH')) this.moduleOptions();
    if (this.is('FOR')) this.refuse('FOR REPLICATION', this.place());
    this.accept('FOR', 'REPLICATION');
    this.expect('AS');
    if (this.accept('EXTERNAL', 'NAME')) this.refuse('EXTERNAL NAME', at);
    if (this.isPrevious('NAME')) this.nameParts();
    this.isInModule = true;
    const body = this.block(() => this.atEnd, true);
    return { kind: 'createProcedure', mode, name, parameters, body, text: this.sql, at };
  }

  /** function = mode FUNCTION name '(' [parameters] ')' RETURNS (TABLE ... RETURN query | type ... block); '@t' TABLE is not supported */
  protected function(at: Position): Statement {
    const mode = this.moduleMode();
    this.expect('FUNCTION');
    const name = this.name();
    const parameters = this.parenthesized(() =>
      this.isOperator(')') ? [] : this.list(() => this.parameter()),
    );
    this.expect('RETURNS');
    if (this.peek().kind === 'variable') {
      this.follow('tableFunction', 'a table function of several statements', at);
      return { kind: 'empty', at };
    }
    this.isInModule = true;
    const returns = this.accept('TABLE') ? this.tableOfFunction() : this.valueOfFunction(at);
    this.acceptOperator(';');
    if (!this.atEnd) throw this.unexpected();
    return { kind: 'createFunction', mode, name, parameters, returns, text: this.sql, at };
  }

  private tableOfFunction(): CreateFunction['returns'] {
    this.functionOptions();
    this.accept('AS');
    this.expect('RETURN');
    const query = this.isOperator('(') ? this.parenthesized(() => this.viewQuery()) : this.viewQuery();
    return { kind: 'table', query };
  }

  /** The last statement must be RETURN (455). */
  private valueOfFunction(at: Position): CreateFunction['returns'] {
    const type = this.typeName();
    this.functionOptions();
    this.accept('AS');
    if (this.accept('EXTERNAL', 'NAME')) this.refuse('EXTERNAL NAME', at);
    if (this.isPrevious('NAME')) {
      this.nameParts();
      return { kind: 'scalar', type, body: [] };
    }
    this.expect('BEGIN');
    const body = this.block(() => this.is('END'));
    if (body.at(-1)?.kind !== 'return') throw sqlErrorAt(this.place(), 455);
    this.expect('END');
    return { kind: 'scalar', type, body };
  }

  /** options = [WITH option {',' option}]: INLINE changes no result, the others are not supported */
  private functionOptions(): void {
    if (!this.accept('WITH')) return;
    this.list(() => {
      if (!this.passes('inlineOption')) this.follow('functionOption', `WITH ${this.peek().text}`);
    });
  }

  /** parameter = '@name' [AS] type [VARYING] [[NOT] NULL] ['=' constant] [OUT | OUTPUT] [READONLY] */
  protected parameter(): ParameterDefinition {
    const at = this.place();
    const name = this.variable();
    this.accept('AS');
    const type = this.variableType();
    this.accept('VARYING');
    if (this.accept('NOT', 'NULL') || this.accept('NULL')) this.refuse('a parameter with [NOT] NULL', at);
    const fallback = this.acceptOperator('=') ? this.argumentValue() : undefined;
    const output = this.acceptAny('OUT', 'OUTPUT') !== undefined;
    const isTable = this.accept('READONLY');
    if (isTable) this.refuse('READONLY', at);
    this.announce(name, isTable ? 'table' : 'scalar', at);
    return { name, type, default: fallback, output, at };
  }

  /** with ctes, then the statement they belong to */
  protected withStatement(at: Position): Statement {
    const ctes: readonly Cte[] = this.withClause();
    if (this.is('INSERT')) return this.insert(ctes);
    if (this.is('UPDATE')) return this.update(ctes);
    if (this.is('DELETE')) return this.delete(ctes);
    if (this.is('MERGE')) return this.merge(ctes);
    return { kind: 'select', query: this.fullQuery(ctes), at };
  }

  /** mode = CREATE [OR ALTER] | ALTER */
  protected moduleMode(): ModuleMode {
    if (this.accept('ALTER')) return 'alter';
    this.expect('CREATE');
    return this.accept('OR', 'ALTER') ? 'createOrAlter' : 'create';
  }

  protected schema(at: Position): Statement {
    this.expect('CREATE', 'SCHEMA');
    const name = this.is('AUTHORIZATION') ? '' : this.identifier();
    if (name === '') this.refuse('CREATE SCHEMA AUTHORIZATION', at);
    if (this.accept('AUTHORIZATION')) this.identifier();
    while (this.accepts('schemaElement', 'CREATE SCHEMA with elements'));
    this.acceptOperator(';');
    if (!this.atEnd) throw this.unexpected();
    return { kind: 'createSchema', name, at };
  }

  /** createDatabase = CREATE DATABASE name ([COLLATE name] | AS COPY OF name) */
  protected createDatabase(at: Position): Statement {
    this.expect('DATABASE');
    const database = this.identifier();
    if (this.accept('AS', 'COPY', 'OF'))
      return { kind: 'createDatabase', database, collation: undefined, source: this.identifier(), at };
    const collation = this.accept('COLLATE') ? this.identifier() : undefined;
    this.accepts('databaseOptions', 'CREATE DATABASE with options');
    return { kind: 'createDatabase', database, collation, source: undefined, at };
  }
}
