/** The definitions of tables and indexes. */
import { type Expression, isConstant } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import type {
  ColumnDefinition,
  Constraint,
  IndexDefinition,
  KeyColumn,
  ReferentialAction,
  Statement,
  TableDefinition,
} from '../statement-ast.ts';
import { ChangeParser } from './changes.ts';

export type Parts = { columns: ColumnDefinition[]; constraints: Constraint[]; indexes: IndexDefinition[] };

type ColumnOptions = {
  -readonly [Option in 'collation' | 'nullable' | 'identity']: ColumnDefinition[Option];
};

/** What an index may be filtered by: comparisons of columns with constants, IS NULL and IN, joined by AND (10735). */
function isFilter(condition: Expression): boolean {
  if (condition.kind === 'logic')
    return condition.operator === 'AND' && isFilter(condition.left) && isFilter(condition.right);
  if (condition.kind === 'compare') return isColumn(condition.left) && isConstant(condition.right);
  if (condition.kind === 'isNull') return isColumn(condition.operand);
  if (condition.kind !== 'in' || condition.negated || !isColumn(condition.left)) return false;
  return Array.isArray(condition.list) && condition.list.every(isConstant);
}

function isColumn({ kind }: Expression): boolean {
  return kind === 'column';
}

const storageOptions = new Set(
  `PAD_INDEX FILLFACTOR SORT_IN_TEMPDB IGNORE_DUP_KEY STATISTICS_NORECOMPUTE STATISTICS_INCREMENTAL DROP_EXISTING ONLINE RESUMABLE
  MAX_DURATION ALLOW_ROW_LOCKS ALLOW_PAGE_LOCKS OPTIMIZE_FOR_SEQUENTIAL_KEY MAXDOP DATA_COMPRESSION XML_COMPRESSION WAIT_AT_LOW_PRIORITY
  ABORT_AFTER_WAIT LOB_COMPACTION COMPRESS_ALL_ROW_GROUPS MOVE LEDGER SYSTEM_VERSIONING MEMORY_OPTIMIZED DURABILITY`.split(
    /\s+/,
  ),
);
/** Options that change what statements do. */
const resultOptions = new Set(
  'IGNORE_DUP_KEY DROP_EXISTING LEDGER SYSTEM_VERSIONING MEMORY_OPTIMIZED DURABILITY'.split(' '),
);

/** Parses the definitions of tables and indexes. */
export abstract class DefinitionParser extends ChangeParser {
  /** Whether the table is a variable, whose constraints have no names and no foreign keys. */
  #isVariable = false;

  /** createTable = CREATE TABLE name '(' elements ')' */
  protected createTable(at: Position): Statement {
    this.expect('TABLE');
    const name = this.name();
    const table = this.tableElements();
    this.fileGroup();
    if (this.is('TEXTIMAGE_ON') && this.peek(1).value.toUpperCase() === 'PRIMARY') this.passes('textImage');
    this.storageOptions('tableOptions', 'CREATE TABLE');
    this.fileGroup();
    while (this.accepts('storage', `CREATE TABLE ... ${this.peek().text}`));
    return { kind: 'createTable', name, table, at };
  }

  /** fileGroup = [ON PRIMARY]: the one that every database has; others are not supported */
  private fileGroup(): void {
    if (!this.is('ON') || this.peek(1).value.toUpperCase() !== 'PRIMARY') return;
    this.next();
    this.next();
  }

  /** elements = '(' (column | constraint | index) {',' ...} ')' */
  protected tableElements(isVariable = false): TableDefinition {
    this.#isVariable = isVariable;
    const parts: Parts = { columns: [], constraints: [], indexes: [] };
    this.parenthesized(() => {
      do {
        if (this.isOperator(')')) break;
        this.tableElement(parts);
      } while (this.acceptOperator(','));
      if (!parts.columns.length) throw this.unexpected();
    });
    this.#isVariable = false;
    return parts;
  }

  protected tableElement(parts: Parts): void {
    if (this.is('INDEX')) this.indexElement(parts);
    else if (this.accepts('period', 'PERIOD FOR SYSTEM_TIME')) return;
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
    const options: ColumnOptions = { collation: undefined, nullable: undefined, identity: undefined };
    while (this.columnOption(name, options, parts));
    parts.columns.push({ name, type, ...options, computed, at });
  }

  /** option = COLLATE name | [NOT] NULL | IDENTITY ['(' seed ',' increment ')'] | constraint */
  private columnOption(column: string, options: ColumnOptions, parts: Parts): boolean {
    if (this.accept('COLLATE')) options.collation = this.identifier();
    else if (this.accept('NOT', 'NULL')) options.nullable = false;
    else if (this.accept('NULL')) options.nullable = true;
    else if (this.accept('IDENTITY')) options.identity = this.identity();
    else if (this.isNamedNull()) return this.columnOption(column, options, parts);
    else if (this.isAny('CONSTRAINT', 'PRIMARY', 'UNIQUE', 'REFERENCES', 'FOREIGN', 'CHECK', 'DEFAULT'))
      parts.constraints.push(this.constraint(column));
    else if (this.is('INDEX')) this.follow('columnIndex', 'column option INDEX');
    else return this.accepts('columnAttribute', this.peek().text);
    return true;
  }

  /** Skips the name of a constraint that is only NULL or NOT NULL. */
  private isNamedNull(): boolean {
    if (!this.is('CONSTRAINT') || !['NULL', 'NOT'].includes(this.peek(2).value)) return false;
    this.next();
    this.identifier();
    return true;
  }

  private computed(): { expression: Expression; text: string; persisted: boolean } {
    const start = this.peek();
    const expression = this.scalar(() => this.expression());
    const text = this.textFrom(start);
    return { expression, text, persisted: this.accept('PERSISTED') };
  }

  private identity(): { seed: string; increment: string } {
    if (!this.isOperator('(')) return { seed: '1', increment: '1' };
    return this.parenthesized(() => {
      const seed = this.signed();
      this.expectOperator(',');
      return { seed, increment: this.signed() };
    });
  }

  /** constraint = [CONSTRAINT name] (key | CHECK ... | DEFAULT ... | FOREIGN KEY ... | REFERENCES ...) */
  private constraint(column: string | undefined): Constraint {
    const at = this.place();
    if (this.#isVariable && this.isAny('CONSTRAINT', 'FOREIGN', 'REFERENCES')) throw this.unexpected();
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
    if (this.is('HASH')) this.refuse('hash indexes', this.place());
    this.accept('HASH');
    const columns = this.isOperator('(') ? this.keyColumns() : [{ name: column ?? '', descending: false }];
    if (column === undefined && columns[0]?.name === '') throw this.unexpected();
    this.indexOptions();
    const isClustered = clustered ? clustered === 'CLUSTERED' : undefined;
    return { kind: 'key', primary, clustered: isClustered, columns } as const;
  }

  private keyColumns(): KeyColumn[] {
    return this.parenthesized(() =>
      this.list(() => ({ name: this.identifier(), descending: this.acceptAny('ASC', 'DESC') === 'DESC' })),
    );
  }

  private check(): { expression: Expression; text: string } {
    this.accepts('columnAttribute', 'NOT FOR REPLICATION');
    const start = this.peek();
    const expression = this.scalar(() => this.parenthesized(() => this.condition()));
    return { expression, text: this.textFrom(start) };
  }

  /** default = expression [FOR column] [WITH VALUES] */
  private default(column: string | undefined) {
    const start = this.peek();
    const expression = this.scalar(() => this.expression());
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
    if (this.is('NOT', 'FOR')) this.follow('columnAttribute', 'NOT FOR REPLICATION');
    const { DELETE: onDelete = 'NO ACTION', UPDATE: onUpdate = 'NO ACTION' } = actions;
    return { kind: 'foreign', columns, table, references, onDelete, onUpdate } as const;
  }

  private referentialAction(): ReferentialAction {
    for (const action of ['NO ACTION', 'CASCADE', 'SET NULL', 'SET DEFAULT'] as const)
      if (this.accept(...action.split(' '))) return action;
    throw this.is('SET') || this.is('NO') ? this.unexpectedAt(this.peek(1)) : this.unexpected();
  }

  /** inlineIndex = INDEX name [UNIQUE] [CLUSTERED | NONCLUSTERED] '(' columns ')' */
  private indexElement(parts: Parts): void {
    const at = this.place();
    this.expect('INDEX');
    const name = this.identifier();
    const unique = this.accept('UNIQUE');
    const clustered = this.acceptAny('CLUSTERED', 'NONCLUSTERED') === 'CLUSTERED';
    if (this.accepts('columnstoreIndex', 'COLUMNSTORE')) return;
    if (this.is('HASH')) this.refuse('hash indexes', this.place());
    this.accept('HASH');
    const columns = this.keyColumns();
    parts.indexes.push({ kind: 'index', name, unique, clustered, columns, ...this.indexTail(name, ''), at });
  }

  /** createIndex = [UNIQUE] [CLUSTERED | NONCLUSTERED] INDEX name ON table '(' columns ')' [INCLUDE ...] [WHERE ...] */
  protected createIndex(at: Position): Statement {
    const unique = this.accept('UNIQUE');
    const clustered = this.acceptAny('CLUSTERED', 'NONCLUSTERED') === 'CLUSTERED';
    if (this.accepts('columnstore', 'CREATE COLUMNSTORE INDEX')) return { kind: 'empty', at };
    this.expect('INDEX');
    const name = this.identifier();
    this.expect('ON');
    const table = this.name();
    const columns = this.keyColumns();
    const tail = this.indexTail(name, table.parts.join('.'));
    const index: IndexDefinition = { kind: 'index', name, unique, clustered, columns, ...tail, at };
    return { kind: 'createIndex', table, index, at };
  }

  private indexTail(name: string, table: string): Pick<IndexDefinition, 'include' | 'where'> {
    const include = this.accept('INCLUDE') ? this.columnList() : [];
    const where = this.accept('WHERE') ? this.indexFilter(name, table) : undefined;
    this.indexOptions();
    return { include, where };
  }

  private indexFilter(name: string, table: string): { expression: Expression; text: string } {
    const start = this.peek();
    const expression = this.scalar(() => this.condition());
    if (!isFilter(expression)) throw sqlErrorAt(start, 10735, 'index', name, table);
    return { expression, text: this.textFrom(start) };
  }

  /** indexOptions = [WITH options] [ON PRIMARY]: how rows are stored changes no result, and is ignored */
  protected indexOptions(statement = 'CREATE INDEX'): void {
    this.storageOptions('indexOptions', statement);
    this.fileGroup();
    this.accepts('place', 'a file group');
  }

  /** Passes over options of storage. Throws 155 for an unknown one; those that change results are not supported. */
  protected storageOptions(rule: string, statement: string): void {
    const at = this.place();
    const start = this.peek();
    if (!this.passes(rule)) return;
    for (const [, name = '', value = ''] of this.textFrom(start).matchAll(/([A-Z_]+)\s*=\s*(\w+)/gi)) {
      const option = name.toUpperCase();
      if (!storageOptions.has(option)) throw sqlErrorAt(at, 155, name, statement);
      if (resultOptions.has(option) && !/^OFF$/i.test(value)) this.refuse(`${option} = ${value}`, at);
    }
  }
}
