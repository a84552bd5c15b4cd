/** Other databases of the server, read by names of three parts: their files are attached to the session's connection. */
import { nodesOf } from '../../tsql/contains.ts';
import { sqlError } from '../../tsql/sql-error.ts';
import { Catalog, type CatalogObject, quoteName, sameName } from '../catalog.ts';
import { userOf } from '../security/logins.ts';
import { dbo } from '../security/principals.ts';
import type { Database } from '../storage/database.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import type { Connection } from './connection.ts';

interface Owner {
  readonly server: { readonly databases: ReadonlyMap<string, Database> };
  readonly login: { readonly user: string };
  readonly connection: Connection;
}

/** The databases that a session has read besides its own. */
export class OtherDatabases {
  readonly #owner: Owner;
  readonly #attached = new Set<Database>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Whether SQLite's transactions must begin without a lock, which it would take in each file. */
  get areRead(): boolean {
    return this.#attached.size > 0;
  }

  /** Tells apart plans that were made for other versions of their catalogs. */
  get signature(): string {
    return [...this.#attached].map(({ catalog }) => catalog.version).join();
  }

  has(name: string): boolean {
    return this.#owner.server.databases.has(name.toLowerCase());
  }

  /** Attaches the databases that a part of a syntax tree names, before a transaction of SQLite begins for it. */
  attachNamed(tree: unknown, own: TranslationContext): void {
    for (const node of nodesOf(tree, 'table')) {
      const name = (node as { name: { parts: readonly string[] } }).name.parts.at(-3);
      if (name && !sameName(name, own.database) && this.has(name)) this.context(name, own);
    }
  }

  /** What names mean in another database; throws 916 for a login that is not its owner, 40517 where SQLite cannot attach it. */
  context(name: string, own: TranslationContext): TranslationContext {
    const { server, login, connection } = this.#owner;
    const database = server.databases.get(name.toLowerCase());
    if (!database) throw sqlError(208, name);
    if (userOf(login.user, database, server.databases.values()) !== dbo)
      throw sqlError(916, login.user, database.name);
    if (!this.#attached.has(database)) {
      if (connection.sqlite.isTransaction || this.#attached.size >= maxAttached)
        throw sqlError(40_517, 'another database, first read after a change in a transaction', 1, 1);
      database.attachTo(connection.sqlite, schemaOf(database));
      this.#attached.add(database);
    }
    return { ...own, catalog: attachedCatalog(database), database: database.name };
  }
}

/** SQLite attaches ten files at most. */
const maxAttached = 10;

function schemaOf({ name }: Database): string {
  return quoteName(`database ${name.toLowerCase()}`);
}

const catalogs = new WeakMap<Catalog, Catalog>();

/** The catalog of a database whose tables are read under the name of its file. */
function attachedCatalog(database: Database): Catalog {
  const { catalog } = database;
  const cached = catalogs.get(catalog);
  if (cached) return cached;
  const objects = catalog.objects.map(
    (object): CatalogObject =>
      object.kind === 'table' ? { ...object, storage: `${schemaOf(database)}.${object.storage}` } : object,
  );
  const attached = new Catalog({ ...catalog, objects });
  catalogs.set(catalog, attached);
  return attached;
}
