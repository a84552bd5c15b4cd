/** Creates, changes and drops the objects of a database. */
import type { Name } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type {
  Constraint,
  CreateFunction,
  CreateProcedure,
  DropKind,
  IndexDefinition,
  Statement,
  TableDefinition,
} from '../../tsql/statement-ast.ts';
import { type Catalog, type CatalogObject, quoteName, sameName, stamp, type Table } from '../catalog.ts';
import type { ChangeRuntime } from '../changes/runtime.ts';
import type { Connection } from '../run/connection.ts';
import type { TemporaryTables } from '../run/temporary-tables.ts';
import type { Transaction } from '../run/transaction.ts';
import { forgetPermissions } from '../security/define-principals.ts';
import { type Database, storeObject } from '../storage/database.ts';
import { dropIndexSql } from '../storage/table-storage.ts';
import { findObject, isElsewhere, type TranslationContext } from '../translate/compilation.ts';
import { buildTable, type TableHome, withIndex } from './build-table.ts';
import { columnRules } from './column-rules.ts';
import { buildForeignKey } from './foreign-key.ts';
import { buildStorage, createIndexes } from './table-indexes.ts';

const moduleKinds = { createView: 'view', createProcedure: 'procedure', createFunction: 'function' } as const;

/** Creates, changes and drops the objects of a database: in SQLite, in the stored catalog, and in the session's. */
export class Definer {
  readonly connection: Connection;
  readonly transaction: Transaction;
  readonly translationContext: TranslationContext;

  readonly #temporaryTables: TemporaryTables;

  constructor(
    connection: Connection,
    transaction: Transaction,
    translationContext: TranslationContext,
    temporaryTables: TemporaryTables,
  ) {
    this.connection = connection;
    this.transaction = transaction;
    this.translationContext = translationContext;
    this.#temporaryTables = temporaryTables;
  }

  get catalog(): Catalog {
    return this.transaction.catalog;
  }

  createTable({ parts, at }: Name, definition: TableDefinition): void {
    const home = this.newHome(parts, at);
    this.makeTable(home, definition, () => {
      const plain = buildTable(
        definition,
        home,
        () => this.#database.nextId(),
        columnRules(this.translationContext, home),
      );
      const table = this.withForeignKeys(plain, definition.constraints);
      this.checkConstraintNames(table, definition.constraints);
      return table;
    });
  }

  /** Creates a table and returns it; `definition` is what tells a temporary one from others in its place. */
  makeTable(home: TableHome, definition: unknown, make: () => Table): Table {
    const table = home.temporary ? this.#temporaryTables.remembered(home.storage, definition, make) : make();
    buildStorage(this.connection, this.translationContext, table);
    this.store(table);
    return table;
  }

  get #database(): Database {
    return this.connection.database;
  }

  withForeignKeys(table: Table, constraints: readonly Constraint[]): Table {
    const foreign = constraints.filter((constraint) => constraint.kind === 'foreign');
    if (table.temporary && foreign[0]) throw unsupported('a foreign key of a temporary table', foreign[0].at);
    const foreignKeys = [...table.foreignKeys];
    for (const constraint of foreign)
      foreignKeys.push(
        buildForeignKey(
          { ...table, foreignKeys },
          constraint,
          this.catalog,
          this.connection.database.nextId(),
        ),
      );
    return { ...table, foreignKeys };
  }

  /** The names of constraints are among those of their schema's objects (2714). */
  checkConstraintNames(table: Table, constraints: readonly Constraint[]): void {
    for (const { name, at } of table.temporary ? [] : constraints) {
      if (name === undefined) continue;
      const owner = this.catalog.constraintOwner(table.schema, name);
      if (owner || this.catalog.find(table.schema, name)) throw sqlErrorAt(at, 2714, name);
    }
  }

  createIndex({ parts, at }: Name, index: IndexDefinition): void {
    const table = this.table(parts, at, 1088);
    const changed = withIndex(table, index, this.#database.nextId());
    const key = changed.keys.at(-1);
    if (key) createIndexes(this.connection, this.translationContext, changed, key);
    this.store(changed);
  }

  dropIndex(name: string, { parts, at }: Name, ifExists: boolean): void {
    const table = this.table(parts, at, 3701, ['drop', 'index', `${parts.join('.')}.${name}`]);
    const key = table.keys.find((candidate) => sameName(candidate.name, name));
    if (!key) {
      if (ifExists) return;
      throw sqlErrorAt(at, 3701, 'drop', 'index', `${parts.join('.')}.${name}`);
    }
    if (key.form !== 'INDEX') throw sqlErrorAt(at, 3723, `${parts.join('.')}.${name}`, key.form);
    for (const sql of dropIndexSql(table, key)) this.connection.exec(sql);
    this.store({ ...table, keys: table.keys.filter((other) => other !== key) });
  }

  /** Throws 1088 for a table that is not there, 2727 for an index that it does not have. */
  checkObject({ parts, at }: Name, index: string | undefined): void {
    const { keys } = this.table(parts, at, 1088);
    if (index !== undefined && !keys.some(({ name }) => sameName(name, index)))
      throw sqlErrorAt(at, 2727, index);
  }

  /** Throws 4701 for no such table, 4712 when foreign keys point at it. */
  truncate({ parts, at }: Name, runtime: ChangeRuntime): void {
    const table = this.table(parts, at, 4701);
    if (this.catalog.referencing(table).some(({ child }) => child.id !== table.id))
      throw sqlErrorAt(at, 4712, parts.join('.'));
    this.connection.exec(`DELETE FROM ${table.storage}`);
    runtime.resetIdentity(table);
  }

  /** Views and procedures are kept as text. Throws 208 for ALTER of nothing, 2714 for CREATE of what is there. */
  createModule(statement: CreateProcedure | CreateFunction | (Statement & { kind: 'createView' })): void {
    const { mode, text } = statement;
    const { parts, at } = statement.name;
    const kind = moduleKinds[statement.kind];
    const { schema, name } = this.splitName(parts, at);
    const existing = this.catalog.find(schema, name);
    if (mode === 'alter' && existing?.kind !== kind) throw sqlErrorAt(at, 208, parts.join('.'));
    if (existing && existing.kind !== kind && mode === 'createOrAlter')
      throw sqlErrorAt(at, 2010, parts.join('.'));
    if (existing && mode === 'create') throw sqlErrorAt(at, 2714, name);
    if (!existing) this.newName(parts, at);
    else this.#mustNotBeUsed(existing, 'ALTER', parts, at);
    const modified = stamp();
    const object = {
      kind,
      id: existing?.id ?? this.connection.database.nextId(),
      schema: existing?.schema ?? schema,
      name: existing?.name ?? name,
      created: existing?.created ?? modified,
      modified,
      text,
    } as const;
    this.store(object);
  }

  createSchema(name: string, at: Position): void {
    if (this.catalog.schema(name)) throw sqlErrorAt(at, 2714, name);
    const schema = { kind: 'schema', id: this.connection.database.nextId(), name } as const;
    storeObject(this.connection.sqlite, schema.id, schema);
    this.transaction.catalog = this.catalog.withSchema(schema);
  }

  drop(kind: DropKind, { parts, at }: Name, ifExists: boolean): void {
    const object = findObject(this.translationContext, parts, at);
    const isOther = object && object.kind.toUpperCase() !== kind;
    if (isOther)
      throw sqlErrorAt(
        at,
        3705,
        kind,
        parts.join('.'),
        parts.join('.'),
        object.kind,
        `DROP ${object.kind.toUpperCase()}`,
      );
    if (object) this.dropObject(object, parts, at);
    else if (!ifExists) throw sqlErrorAt(at, 3701, 'drop', kind.toLowerCase(), parts.join('.'));
  }

  private dropObject(object: CatalogObject, parts: readonly string[], at: Position): void {
    if (object.kind === 'table') {
      const references = this.catalog.referencing(object).filter(({ child }) => child.id !== object.id);
      if (references.length) throw sqlErrorAt(at, 3726, parts.join('.'));
      if (object.temporary) {
        this.#temporaryTables.drop(object);
        return;
      }
      this.connection.exec(`DROP TABLE ${object.storage}`);
    }
    this.#mustNotBeUsed(object, 'DROP FUNCTION', parts, at);
    storeObject(this.connection.sqlite, object.id, undefined);
    forgetPermissions(this, object.id);
    this.transaction.catalog = this.catalog.without(object.id);
  }

  /** Throws 3729 for a function that a computed column, a default or a CHECK calls. */
  #mustNotBeUsed(object: CatalogObject, change: string, parts: readonly string[], at: Position): void {
    if (object.kind !== 'function') return;
    const call = `${object.schema}.${object.name}(`.toLowerCase();
    const calls = (text = '') =>
      text
        .replace(/[\s[\]"]/g, '')
        .toLowerCase()
        .includes(call);
    const user = this.catalog.objects.find(
      (table) =>
        table.kind === 'table' &&
        (table.columns.some((column) => calls(column.computed) || calls(column.default?.text)) ||
          table.checks.some(({ text }) => calls(text))),
    );
    if (user) throw sqlErrorAt(at, 3729, change, parts.join('.'), user.name);
  }

  store(object: CatalogObject): void {
    if (object.kind === 'table' && object.temporary) {
      this.#temporaryTables.keep(object);
      return;
    }
    const changed = object.kind === 'table' ? { ...object, modified: stamp() } : object;
    storeObject(this.connection.sqlite, object.id, changed);
    this.transaction.catalog = this.catalog.with(changed);
  }

  table(parts: readonly string[], at: Position, missing: number, values?: readonly string[]): Table {
    const object = findObject(this.translationContext, parts, at);
    if (object?.kind !== 'table') throw sqlErrorAt(at, missing, ...(values ?? [parts.join('.')]));
    return object;
  }

  splitName(parts: readonly string[], at: Position): { schema: string; name: string } {
    if (isElsewhere(this.translationContext, parts, at))
      throw unsupported('a definition in another database', at);
    return { schema: parts.at(-2) || this.translationContext.defaultSchema, name: parts.at(-1) ?? '' };
  }

  /** Where a new table goes: among the session's temporary ones by its first sign, else in a schema. Throws 2714, 2760. */
  newHome(parts: readonly string[], at: Position): TableHome {
    const name = parts.at(-1) ?? '';
    const id = this.#database.nextId();
    if (name.startsWith('##')) throw unsupported('a global temporary table', at);
    if (/^[#@]/.test(name)) {
      if (this.#temporaryTables.isTaken(name)) throw sqlErrorAt(at, 2714, name);
      return { id, schema: 'dbo', name, ...this.#temporaryTables.home(name) };
    }
    const { schema } = this.newName(parts, at);
    return { id, schema, name, storage: quoteName(`${schema}.${name}`), temporary: undefined };
  }

  /** Throws 2760 for a schema that is not there, 2714 for a name that is taken. */
  newName(parts: readonly string[], at: Position): { schema: string; name: string } {
    const { schema, name } = this.splitName(parts, at);
    const existing = this.catalog.schema(schema);
    if (!existing || existing.name === 'sys' || existing.name === 'INFORMATION_SCHEMA')
      throw sqlErrorAt(at, 2760, schema);
    if (this.catalog.find(schema, name) || this.catalog.constraintOwner(schema, name))
      throw sqlErrorAt(at, 2714, name);
    return { schema: existing.name, name };
  }
}
