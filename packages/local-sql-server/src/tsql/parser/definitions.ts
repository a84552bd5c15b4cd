import type { Expression } from '../ast.ts';
import { type Position, unsupported } from '../sql-error.ts';
import type {
  AlterAction,
  ColumnDefinition,
  Constraint,
  DropKind,
  IndexDefinition,
  KeyColumn,
  ModuleMode,
  ReferentialAction,
  Statement,
  TableDefinition,
} from '../statement-ast.ts';
import { ChangeParser } from './changes.ts';

type Parts = { columns: ColumnDefinition[]; constraints: Constraint[]; indexes: IndexDefinition[] };

/** Parses the definitions of tables and indexes, and DROP. */
export abstract class DefinitionParser extends ChangeParser {
  /** createTable = CREATE TABLE name '(' elements ')' */
  protected createTable(at: Position): Statement {
    this.expect('TABLE');
    const name = this.name();
    const table = this.tableElements();
    if (this.accept('ON')) this.fileGroup();
    if (this.is('WITH')) throw unsupported('CREATE TABLE ... WITH', this.place());
    return { kind: 'createTable', name, table, at };
  }

  /** Only the one file group that every database has. */
  private fileGroup(): void {
    const at = this.place();
    const name = this.identifier();
    if (name.toUpperCase() !== 'PRIMARY') throw unsupported(`file group ${name}`, at);
  }

  /** elements = '(' (column | constraint | index) {',' ...} ')' */
  protected tableElements(): TableDefinition {
    const parts: Parts = { columns: [], constraints: [], indexes: [] };
    this.parenthesized(() => {
      do {
        if (this.isOperator(')')) break;
        this.tableElement(parts);
      } while (this.acceptOperator(','));
      if (!parts.columns.length) throw this.unexpected();
    });
    return parts;
  }

  private tableElement(parts: Parts): void {
    if (this.is('INDEX')) parts.indexes.push(this.inlineIndex());
    else if (this.isAny('CONSTRAINT', 'PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK', 'DEFAULT'))
      parts.constraints.push(this.constraint(undefined));
    else this.column(parts);
  }

  /** column = name (AS expression [PERSISTED] | type) {column option} */
  protected column(parts: Parts): void {
    const at = this.place();
    const name = this.identifier();
    const computed = this.accept('AS') ? this.computed() : undefined;
    const type = computed ? undefined : this.typeName();
    const options: {
      collation?: string;
      nullable?: boolean;
      identity?: { seed: string; increment: string };
    } = {};
    while (this.columnOption(name, options, parts));
    parts.columns.push({
      name,
      type,
      collation: options.collation,
      nullable: options.nullable,
      identity: options.identity,
      computed,
      at,
    });
  }

  /** option = COLLATE name | [NOT] NULL | IDENTITY ['(' seed ',' increment ')'] | constraint */
  private columnOption(
    column: string,
    options: { collation?: string; nullable?: boolean; identity?: { seed: string; increment: string } },
    parts: Parts,
  ): boolean {
    if (this.accept('COLLATE')) options.collation = this.identifier();
    else if (this.accept('NOT', 'NULL')) options.nullable = false;
    else if (this.accept('NULL')) options.nullable = true;
    else if (this.accept('IDENTITY')) options.identity = this.identity();
    else if (this.isAny('CONSTRAINT', 'PRIMARY', 'UNIQUE', 'REFERENCES', 'FOREIGN', 'CHECK', 'DEFAULT'))
      parts.constraints.push(this.constraint(column));
    else if (this.is('INDEX')) throw unsupported('column option INDEX', this.place());
    else return false;
    return true;
  }

  private computed(): { expression: Expression; text: string } {
    const start = this.peek();
    const expression = this.expression();
    const text = this.textFrom(start);
    this.accept('PERSISTED');
    return { expression, text };
  }

  private identity(): { seed: string; increment: string } {
    if (!this.isOperator('(')) return { seed: '1', increment: '1' };
    return this.parenthesized(() => {
      const seed = String(this.integer());
      this.expectOperator(',');
      return { seed, increment: String(this.integer()) };
    });
  }

  /** constraint = [CONSTRAINT name] (key | CHECK ... | DEFAULT ... | FOREIGN KEY ... | REFERENCES ...) */
  private constraint(column: string | undefined): Constraint {
    const at = this.place();
    const name = this.accept('CONSTRAINT') ? this.identifier() : undefined;
    if (this.accept('PRIMARY', 'KEY')) return { ...this.key(true, column), name, at };
    if (this.accept('UNIQUE')) return { ...this.key(false, column), name, at };
    if (this.accept('CHECK')) return { ...this.check(), kind: 'check', column, name, at };
    if (this.accept('DEFAULT')) return { ...this.default(column), kind: 'default', name, at };
    if (this.accept('FOREIGN', 'KEY') || (column !== undefined && this.is('REFERENCES')))
      return { ...this.foreignKey(column), name, at };
    throw this.unexpected();
  }

  private key(primary: boolean, column: string | undefined) {
    const clustered = this.acceptAny('CLUSTERED', 'NONCLUSTERED');
    const columns = this.isOperator('(') ? this.keyColumns() : [{ name: column ?? '', descending: false }];
    if (column === undefined && columns[0]?.name === '') throw this.unexpected();
    this.indexOptions();
    return {
      kind: 'key',
      primary,
      clustered: clustered ? clustered === 'CLUSTERED' : undefined,
      columns,
    } as const;
  }

  private keyColumns(): KeyColumn[] {
    return this.parenthesized(() =>
      this.list(() => ({ name: this.identifier(), descending: this.acceptAny('ASC', 'DESC') === 'DESC' })),
    );
  }

  private check(): { expression: Expression; text: string } {
    const start = this.peek();
    const expression = this.parenthesized(() => this.condition());
    return { expression, text: this.textFrom(start) };
  }

  /** default = expression [FOR column] [WITH VALUES] */
  private default(column: string | undefined) {
    const start = this.peek();
    const expression = this.expression();
    const text = this.textFrom(start);
    if (column === undefined) this.expect('FOR');
    const target = column ?? this.identifier();
    return { expression, text, column: target, withValues: this.accept('WITH', 'VALUES') };
  }

  /** foreignKey = ['(' columns ')'] REFERENCES name ['(' columns ')'] {ON (DELETE | UPDATE) action} */
  private foreignKey(column: string | undefined) {
    const columns = this.isOperator('(') ? this.columnList() : [column ?? ''];
    this.expect('REFERENCES');
    const table = this.name();
    const references = this.isOperator('(') ? this.columnList() : undefined;
    const actions: Record<string, ReferentialAction> = {};
    while (this.is('ON') && ['DELETE', 'UPDATE'].includes(this.peek(1).value)) {
      this.next();
      actions[this.next().value] = this.referentialAction();
    }
    const { DELETE: onDelete = 'NO ACTION', UPDATE: onUpdate = 'NO ACTION' } = actions;
    return { kind: 'foreign', columns, table, references, onDelete, onUpdate } as const;
  }

  private referentialAction(): ReferentialAction {
    if (this.accept('NO', 'ACTION')) return 'NO ACTION';
    if (this.accept('CASCADE')) return 'CASCADE';
    if (this.accept('SET', 'NULL')) return 'SET NULL';
    this.expect('SET', 'DEFAULT');
    return 'SET DEFAULT';
  }

  /** inlineIndex = INDEX name [UNIQUE] [CLUSTERED | NONCLUSTERED] '(' columns ')' */
  private inlineIndex(): IndexDefinition {
    const at = this.place();
    this.expect('INDEX');
    const name = this.identifier();
    const unique = this.accept('UNIQUE');
    const clustered = this.acceptAny('CLUSTERED', 'NONCLUSTERED') === 'CLUSTERED';
    return { kind: 'index', name, unique, clustered, columns: this.keyColumns(), ...this.indexTail(), at };
  }

  /** createIndex = [UNIQUE] [CLUSTERED | NONCLUSTERED] INDEX name ON table '(' columns ')' [INCLUDE ...] [WHERE ...] */
  protected createIndex(at: Position): Statement {
    const unique = this.accept('UNIQUE');
    const clustered = this.acceptAny('CLUSTERED', 'NONCLUSTERED') === 'CLUSTERED';
    this.expect('INDEX');
    const name = this.identifier();
    this.expect('ON');
    const table = this.name();
    const columns = this.keyColumns();
    const index: IndexDefinition = {
      kind: 'index',
      name,
      unique,
      clustered,
      columns,
      ...this.indexTail(),
      at,
    };
    return { kind: 'createIndex', table, index, at };
  }

  private indexTail(): Pick<IndexDefinition, 'include' | 'where'> {
    const include = this.accept('INCLUDE') ? this.columnList() : [];
    const where = this.accept('WHERE') ? this.indexFilter() : undefined;
    this.indexOptions();
    return { include, where };
  }

  private indexFilter(): { expression: Expression; text: string } {
    const start = this.peek();
    const expression = this.condition();
    return { expression, text: this.textFrom(start) };
  }

  private indexOptions(): void {
    if (this.is('WITH')) throw unsupported('index options', this.place());
    if (this.accept('ON')) this.fileGroup();
  }

  /** alterTable = ALTER TABLE name (ADD ... | ALTER COLUMN ... | DROP ...) */
  protected alterTable(at: Position): Statement {
    this.expect('TABLE');
    const name = this.name();
    return { kind: 'alterTable', name, action: this.alterAction(), at };
  }

  private alterAction(): AlterAction {
    const check = !this.accept('WITH', 'NOCHECK');
    if (check) this.accept('WITH', 'CHECK');
    if (this.accept('ADD')) return this.addElements(check);
    if (this.accept('ALTER', 'COLUMN')) {
      const parts: Parts = { columns: [], constraints: [], indexes: [] };
      const at = this.place();
      this.column(parts);
      const [column] = parts.columns;
      if (!column || parts.constraints.length) throw unsupported('ALTER COLUMN with a constraint', at);
      return { kind: 'alterColumn', column };
    }
    if (!this.accept('DROP')) throw unsupported(`ALTER TABLE ... ${this.peek().text}`, this.place());
    const kind = this.accept('COLUMN') ? 'dropColumn' : 'dropConstraint';
    if (kind === 'dropConstraint') this.accept('CONSTRAINT');
    const ifExists = this.accept('IF', 'EXISTS');
    return { kind, names: this.list(() => this.identifier()), ifExists };
  }

  private addElements(check: boolean): AlterAction {
    const table: Parts = { columns: [], constraints: [], indexes: [] };
    do this.tableElement(table);
    while (this.acceptOperator(','));
    return { kind: 'add', table, check };
  }

  /** drop = DROP (TABLE | VIEW | PROCEDURE | SCHEMA) [IF EXISTS] names | DROP INDEX [IF EXISTS] name ON table */
  protected drop(at: Position): Statement {
    this.expect('DROP');
    if (this.accept('INDEX')) {
      const ifExists = this.accept('IF', 'EXISTS');
      const name = this.identifier();
      this.expect('ON');
      return { kind: 'dropIndex', name, table: this.name(), ifExists, at };
    }
    const word = this.peek().value;
    const object = word === 'PROC' ? 'PROCEDURE' : word;
    if (!['TABLE', 'VIEW', 'PROCEDURE', 'SCHEMA'].includes(object)) throw unsupported(`DROP ${word}`, at);
    this.next();
    const ifExists = this.accept('IF', 'EXISTS');
    return { kind: 'drop', object: object as DropKind, names: this.list(() => this.name()), ifExists, at };
  }

  /** mode = CREATE [OR ALTER] | ALTER */
  protected moduleMode(): ModuleMode {
    if (this.accept('ALTER')) return 'alter';
    this.expect('CREATE');
    return this.accept('OR', 'ALTER') ? 'createOrAlter' : 'create';
  }
}
