/** The catalog: tables, views, procedures and schemas of a database. */
import type { ReferentialAction } from '../tsql/statement-ast.ts';
import type { SqlType } from './session.ts';

/** One column of a table. */
export interface TableColumn {
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  readonly identity: { readonly seed: string; readonly increment: string } | undefined;
  readonly default: { readonly name: string; readonly text: string } | undefined;
  /** The T-SQL text of a computed column; its value is stored with the row. */
  readonly computed: string | undefined;
  /** A rowversion: each insert and update of a row gives it a new value. */
  readonly rowVersion?: true;
}

/** A primary key, a unique constraint or an index. */
export interface TableKey {
  readonly id: number;
  readonly name: string;
  readonly form: 'PRIMARY KEY' | 'UNIQUE KEY' | 'INDEX';
  readonly unique: boolean;
  readonly clustered: boolean;
  readonly columns: readonly { readonly name: string; readonly descending: boolean }[];
  readonly include: readonly string[];
  /** The T-SQL text of a filter. */
  readonly filter: string | undefined;
}

export interface TableCheck {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  /** The column it was written with, which messages name. */
  readonly column: string | undefined;
}

export interface ForeignKey {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly string[];
  /** The id of the referenced table, and its columns. */
  readonly table: number;
  readonly references: readonly string[];
  readonly onDelete: ReferentialAction;
  /** Absent in files of earlier versions, which had no action. */
  readonly onUpdate?: ReferentialAction;
}

interface SchemaObject {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** datetime texts, UTC. */
  readonly created: string;
  readonly modified: string;
}

export interface Table extends SchemaObject {
  readonly kind: 'table';
  /** The quoted name of the SQLite table. */
  readonly storage: string;
  /** A table variable or #temp table: it belongs to one session and has no part in locking. */
  readonly temporary: 'variable' | 'temp' | undefined;
  readonly columns: readonly TableColumn[];
  readonly keys: readonly TableKey[];
  readonly checks: readonly TableCheck[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** A view, procedure or function: its CREATE statement as text. */
export interface Module extends SchemaObject {
  readonly kind: 'view' | 'procedure' | 'function';
  readonly text: string;
}

export type CatalogObject = Table | Module;

/** One right that a user or role was granted or denied, on the database (id 0), a schema or an object. */
export interface Permission {
  readonly state: 'GRANT' | 'DENY';
  readonly right: string;
  readonly on: 'DATABASE' | 'SCHEMA' | 'OBJECT';
  readonly id: number;
}

/** A user or role of a database. */
export interface Principal {
  readonly kind: 'principal';
  readonly id: number;
  readonly name: string;
  /** A user with or without a login, one of Entra ID, or a role. */
  readonly type: 'S' | 'E' | 'R';
  readonly login?: string | undefined;
  /** Hexadecimal digits. */
  readonly sid?: string | undefined;
  /** The ids of the roles that it is a member of. */
  readonly roles: readonly number[];
  readonly permissions: readonly Permission[];
  readonly created: string;
  readonly modified: string;
}

/** Names compare as the default collation does, for which lower case is near enough. */
function foldName(name: string): string {
  return name.toLowerCase();
}

export function sameName(left: string, right: string): boolean {
  return left.length === right.length && foldName(left) === foldName(right);
}

/** Quotes a name for SQLite. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The present as a datetime text, UTC: when an object was made or changed. */
export function stamp(): string {
  return new Date().toISOString().slice(0, 23).replace('T', ' ');
}

let versions = 0;

interface Contents {
  readonly schemas: readonly { readonly id: number; readonly name: string }[];
  readonly objects: readonly CatalogObject[];
  /** Those that were created; see security/principals.ts for those that every database has. */
  readonly principals: readonly Principal[];
  /** The collation of the database. */
  readonly collation: string;
}

/** The objects of one database at one moment. It is never changed: a change makes the next one. */
export class Catalog implements Contents {
  /** Differs between any two catalogs; compiled statements are valid for one version. */
  readonly version = ++versions;
  readonly schemas: Contents['schemas'];
  readonly objects: readonly CatalogObject[];
  readonly principals: readonly Principal[];
  readonly collation: string;
  readonly #byName = new Map<string, CatalogObject>();
  readonly #byId = new Map<number, CatalogObject>();
  #constraintOwners: ReadonlyMap<string, Table> | undefined;

  constructor({ schemas, objects, principals, collation }: Contents) {
    this.schemas = schemas;
    this.objects = objects;
    this.principals = principals;
    this.collation = collation;
    for (const object of objects) {
      this.#byName.set(keyOf(object.schema, object.name), object);
      this.#byId.set(object.id, object);
    }
  }

  find(schema: string, name: string): CatalogObject | undefined {
    return this.#byName.get(keyOf(schema, name));
  }

  byId(id: number): CatalogObject | undefined {
    return this.#byId.get(id);
  }

  schema(name: string): { readonly id: number; readonly name: string } | undefined {
    return this.schemas.find((schema) => sameName(schema.name, name));
  }

  with(object: CatalogObject): Catalog {
    const remaining = this.objects.filter((other) => other.id !== object.id);
    return new Catalog({ ...this, objects: [...remaining, object] });
  }

  without(id: number): Catalog {
    return new Catalog({ ...this, objects: this.objects.filter((object) => object.id !== id) });
  }

  withSchema(schema: Contents['schemas'][number]): Catalog {
    return new Catalog({ ...this, schemas: [...this.schemas, schema] });
  }

  withPrincipals(principals: readonly Principal[]): Catalog {
    return new Catalog({ ...this, principals });
  }

  /** Foreign keys that point at a table, with the tables that have them. */
  referencing(table: Table): { readonly child: Table; readonly key: ForeignKey }[] {
    return this.objects.flatMap((child) =>
      child.kind === 'table'
        ? child.foreignKeys.filter((key) => key.table === table.id).map((key) => ({ child, key }))
        : [],
    );
  }

  /** The object, if any, that has a constraint of this name (they share the names of their schema's objects). */
  constraintOwner(schema: string, name: string): Table | undefined {
    this.#constraintOwners ??= constraintOwners(this.objects);
    return this.#constraintOwners.get(keyOf(schema, name));
  }
}

function constraintOwners(objects: readonly CatalogObject[]): ReadonlyMap<string, Table> {
  const tables = objects.filter((object) => object.kind === 'table');
  return new Map(
    tables.flatMap((table) => constraintsOf(table).map(({ name }) => [keyOf(table.schema, name), table])),
  );
}

/** The constraints of a table that have names among the objects of its schema. */
export function constraintsOf(
  table: Table,
): { readonly id: number; readonly name: string; readonly type: string }[] {
  return [
    ...table.keys
      .filter((key) => key.form !== 'INDEX')
      .map((key) => ({ id: key.id, name: key.name, type: key.form === 'PRIMARY KEY' ? 'PK' : 'UQ' })),
    ...table.checks.map((check) => ({ id: check.id, name: check.name, type: 'C ' })),
    ...table.foreignKeys.map((key) => ({ id: key.id, name: key.name, type: 'F ' })),
    ...table.columns.flatMap((column) =>
      column.default ? [{ id: table.id * 1000 + column.id, name: column.default.name, type: 'D ' }] : [],
    ),
  ];
}

export function columnOf(table: Table, name: string): TableColumn | undefined {
  return table.columns.find((column) => sameName(column.name, name));
}

function keyOf(schema: string, name: string): string {
  return `${foldName(schema)}\n${foldName(name)}`;
}
