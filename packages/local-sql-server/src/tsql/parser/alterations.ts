/** ALTER TABLE, DROP and TRUNCATE. */
import { type Position, sqlErrorAt } from '../sql-error.ts';
import type { AlterAction, DropKind, Statement } from '../statement-ast.ts';
import { DefinitionParser, type Parts } from './definitions.ts';

/** Stands for an action that is not supported. */
const nothing: AlterAction = { kind: 'dropConstraint', names: [], ifExists: true };

/** Parses ALTER TABLE, DROP and TRUNCATE. */
export abstract class AlterationParser extends DefinitionParser {
  protected abstract dropPrincipal(at: Position): Statement;

  /** alterTable = ALTER TABLE name (ADD ... | ALTER COLUMN ... | DROP ...) */
  protected alterTable(at: Position): Statement {
    this.expect('TABLE');
    const name = this.name();
    return { kind: 'alterTable', name, action: this.alterAction(), at };
  }

  /** alterIndex = ALTER INDEX (ALL | name) ON table (REBUILD | REORGANIZE | SET) [WITH options]: none changes a result */
  protected alterIndex(at: Position): Statement {
    this.expect('INDEX');
    const index = this.accept('ALL') ? undefined : this.identifier();
    this.expect('ON');
    const table = this.name();
    if (this.accept('SET')) this.storageOptions('options', 'ALTER INDEX');
    else if (!this.accepts('alterIndex', `ALTER INDEX ... ${this.peek().text}`)) {
      if (!this.passes('rebuiltIndex')) throw this.unexpected();
      this.storageOptions('tableOptions', 'ALTER INDEX');
    }
    return { kind: 'checkObject', table, index, at };
  }

  /** dbcc = DBCC CHECKIDENT '(' table [',' (NORESEED | RESEED [',' number])] ')' [WITH NO_INFOMSGS]; others are not supported */
  protected dbcc(at: Position): Statement {
    if (this.peek(1).value !== 'CHECKIDENT' || !this.isOperator('(', 2)) {
      this.follow('dbcc', 'DBCC', at);
      return { kind: 'empty', at };
    }
    this.expect('DBCC', 'CHECKIDENT');
    let reseed: string | undefined;
    const table = this.parenthesized(() => {
      const name = this.isString() ? this.string() : this.nameParts().join('.');
      if (!this.acceptOperator(',') || this.accept('NORESEED')) return name;
      this.expect('RESEED');
      if (this.acceptOperator(',')) reseed = this.signed();
      else this.refuse('DBCC CHECKIDENT without a value', at);
      return name;
    });
    return { kind: 'checkIdentity', table, reseed, isSilent: this.accept('WITH', 'NO_INFOMSGS'), at };
  }

  /** updateStatistics = UPDATE STATISTICS table [...]: changes no result */
  protected updateStatistics(at: Position): Statement {
    this.expect('UPDATE', 'STATISTICS');
    const table = this.name();
    this.passes('statisticsTail');
    return { kind: 'checkObject', table, index: undefined, at };
  }

  private alterAction(): AlterAction {
    const check = !this.accept('WITH', 'NOCHECK');
    if (check) this.accept('WITH', 'CHECK');
    if (this.accept('CHECK', 'CONSTRAINT'))
      return { kind: 'checkConstraint', names: this.accept('ALL') ? [] : this.list(() => this.identifier()) };
    for (const rule of ['constraintSwitch', 'enableTriggerOfTable', 'tableSwitch'])
      if (this.accepts(rule, `ALTER TABLE ... ${this.peek().text}`)) return nothing;
    if (this.accept('ADD')) return this.addElements(check);
    if (this.accept('ALTER', 'COLUMN')) return this.alterColumn();
    this.expect('DROP');
    return this.dropElements();
  }

  /** alterColumn = name (type [COLLATE name] [[NOT] NULL] | (ADD | DROP) attribute) */
  private alterColumn(): AlterAction {
    const parts: Parts = { columns: [], constraints: [], indexes: [] };
    if (['ADD', 'DROP'].includes(this.peek(1).value)) {
      this.identifier();
      this.follow('alterAttribute', `ALTER COLUMN ... ${this.peek().text}`);
      return nothing;
    }
    this.column(parts);
    const [column] = parts.columns;
    const unsupported = parts.constraints[0] ?? (column?.identity || column?.computed ? column : undefined);
    if (!column || unsupported) throw sqlErrorAt(unsupported?.at ?? this.place(), 156, 'CONSTRAINT');
    this.storageOptions('indexOptions', 'ALTER TABLE');
    return { kind: 'alterColumn', column };
  }

  /** dropElements = [COLUMN | CONSTRAINT] [IF EXISTS] name {',' ...}; columns and constraints together are not supported */
  private dropElements(): AlterAction {
    if (this.accepts('period', 'PERIOD FOR SYSTEM_TIME')) return nothing;
    const kind = this.accept('COLUMN') ? 'dropColumn' : 'dropConstraint';
    if (kind === 'dropConstraint') this.accept('CONSTRAINT');
    const ifExists = this.accept('IF', 'EXISTS');
    const names = this.list(() => {
      if (this.isAny('COLUMN', 'CONSTRAINT')) {
        this.refuse('a DROP of columns and constraints together', this.place());
        this.next();
        this.accept('IF', 'EXISTS');
      }
      return this.identifier();
    });
    this.accepts('dropWith', 'DROP ... WITH');
    return { kind, names, ifExists };
  }

  private addElements(check: boolean): AlterAction {
    const table: Parts = { columns: [], constraints: [], indexes: [] };
    do this.tableElement(table);
    while (this.acceptOperator(','));
    return { kind: 'add', table, check };
  }

  /** drop = DROP (TABLE | VIEW | PROCEDURE) [IF EXISTS] names | DROP INDEX [IF EXISTS] name ON table */
  protected drop(at: Position): Statement {
    this.expect('DROP');
    const empty: Statement = { kind: 'empty', at };
    if (this.accept('INDEX')) return this.dropIndex(at);
    if (this.isAny('USER', 'ROLE')) return this.dropPrincipal(at);
    const word = this.peek().value;
    if (this.accepts('dropped', `DROP ${word}`) || this.accepts('droppedOther', `DROP ${word}`)) return empty;
    const object = word === 'PROC' ? 'PROCEDURE' : word;
    if (!['TABLE', 'VIEW', 'PROCEDURE', 'FUNCTION'].includes(object)) throw this.unexpected();
    this.next();
    const ifExists = this.accept('IF', 'EXISTS');
    const names = this.list(() => this.name());
    return { kind: 'drop', object: object as DropKind, names, ifExists, at };
  }

  /** dropIndex = [IF EXISTS] (name ON table | table '.' name) {',' ...} [WITH ...]; several are not supported */
  private dropIndex(at: Position): Statement {
    const ifExists = this.accept('IF', 'EXISTS');
    const [first] = this.list(() => {
      const { parts, at: place } = this.name();
      const name = parts.at(-1) ?? '';
      if (parts.length === 1) this.expect('ON');
      const table = parts.length > 1 ? { parts: parts.slice(0, -1), at: place } : this.name();
      if (this.isOperator(',')) this.refuse('DROP INDEX of several indexes', this.place());
      return { name, table };
    });
    if (!first) throw this.unexpected();
    this.storageOptions('indexOptions', 'DROP INDEX');
    return { kind: 'dropIndex', ...first, ifExists, at };
  }

  protected truncate(at: Position): Statement {
    this.expect('TRUNCATE', 'TABLE');
    const table = this.name();
    this.accepts('truncatePartitions', 'TRUNCATE TABLE ... WITH');
    return { kind: 'truncate', table, at };
  }
}
