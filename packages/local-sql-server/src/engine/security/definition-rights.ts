/** The rights that statements need which define, change or drop objects. No chain of owners gives them. */
import type { Name } from '../../tsql/ast.ts';
import { type Position, type SqlError, sqlErrorAt } from '../../tsql/sql-error.ts';
import type { Constraint, Statement } from '../../tsql/statement-ast.ts';
import type { CatalogObject } from '../catalog.ts';
import type { Context } from '../run/context.ts';
import { findObject } from '../translate/compilation.ts';
import { database, denied, isAllowed, objectSecurable } from './access.ts';
import { dbo } from './principals.ts';

/** Throws 262, 2760, 1088, 3701 and 229 where the user lacks a right. */
export function checkDefinitionRights(context: Context, statement: Statement): void {
  if (context.user === dbo) return;
  const check = new DefinitionCheck(context, statement.at);
  switch (statement.kind) {
    case 'createTable':
      check.mayCreate('TABLE', statement.name);
      check.mayReference(statement.table.constraints);
      return;
    case 'createView':
    case 'createProcedure':
      check.mayDefine(statement.kind === 'createView' ? 'VIEW' : 'PROCEDURE', statement.name);
      return;
    case 'createFunction':
      check.mayDefine('FUNCTION', statement.name);
      return;
    case 'createSchema':
      check.mayOnDatabase('CREATE SCHEMA');
      return;
    case 'alterTable':
      check.mayAlter(statement.name, 1088);
      if (statement.action.kind === 'add') check.mayReference(statement.action.table.constraints);
      return;
    case 'createIndex':
    case 'truncate':
      check.mayAlter(statement.table, 1088);
      return;
    case 'dropIndex':
      check.mayAlter(
        statement.table,
        3701,
        'drop',
        'index',
        `${statement.table.parts.join('.')}.${statement.name}`,
      );
      return;
    case 'drop':
      for (const name of statement.names) check.mayDrop(statement.object, name);
  }
}

/** Throws 262 and 2760 where the user may not create a table. */
export function mayCreateTable(context: Context, name: Name): void {
  if (context.user !== dbo) new DefinitionCheck(context, name.at).mayCreate('TABLE', name);
}

class DefinitionCheck {
  readonly #context: Context;
  readonly #at: Position;

  constructor(context: Context, at: Position) {
    this.#context = context;
    this.#at = at;
  }

  mayOnDatabase(right: string): void {
    const { transaction, user } = this.#context;
    if (!isAllowed(transaction.catalog, user, right, database))
      throw this.#error(262, right, this.#context.database);
  }

  mayCreate(kind: string, { parts }: Name): void {
    if (/^[#@]/.test(parts.at(-1) ?? '')) return;
    const { transaction, user } = this.#context;
    this.mayOnDatabase(`CREATE ${kind}`);
    const schema = transaction.catalog.schema(parts.at(-2) || 'dbo');
    if (schema && !isAllowed(transaction.catalog, user, 'ALTER', { on: 'SCHEMA', id: schema.id }))
      throw this.#error(2760, schema.name);
  }

  mayDefine(kind: string, name: Name): void {
    const object = this.#find(name);
    if (object === undefined) this.mayCreate(kind, name);
    else if (!this.#has('ALTER', object))
      throw this.#error(3701, 'alter', kind.toLowerCase(), name.parts.join('.'));
  }

  mayAlter(name: Name, number: number, ...values: readonly string[]): void {
    const object = this.#find(name);
    if (object === undefined || this.#has('ALTER', object)) return;
    throw this.#error(number, ...(values.length > 0 ? values : [name.parts.join('.')]));
  }

  mayDrop(kind: string, name: Name): void {
    const object = this.#find(name);
    const { transaction, user } = this.#context;
    const schema = transaction.catalog.schema(object?.schema ?? 'dbo')?.id ?? 0;
    if (object === undefined || this.#has('CONTROL', object)) return;
    if (isAllowed(transaction.catalog, user, 'ALTER', { on: 'SCHEMA', id: schema })) return;
    throw this.#error(3701, 'drop', kind.toLowerCase(), name.parts.join('.'));
  }

  mayReference(constraints: readonly Constraint[]): void {
    for (const constraint of constraints) {
      const object = constraint.kind === 'foreign' ? this.#find(constraint.table) : undefined;
      if (object !== undefined && !this.#has('REFERENCES', object))
        throw denied(this.#context.database, { right: 'REFERENCES', object });
    }
  }

  /** An object that others may see; a temporary table is the session's own. */
  #find({ parts, at }: Name): CatalogObject | undefined {
    const found = findObject(this.#context.translationContext, parts, at);
    return found?.kind === 'table' && found.temporary ? undefined : found;
  }

  #has(right: string, object: CatalogObject): boolean {
    const { transaction, user } = this.#context;
    return isAllowed(transaction.catalog, user, right, objectSecurable(object));
  }

  #error(number: number, ...values: readonly string[]): SqlError {
    return sqlErrorAt(this.#at, number, ...values);
  }
}
