/** The state of one translation, and what names mean in it. */
import type { Cte, Query, TableSource } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Catalog, CatalogObject, Table } from '../catalog.ts';
import type { Need } from '../security/access.ts';
import type { SqlType } from '../session.ts';
import type { OutputColumn, Typed } from './typed.ts';

/** A column that a source offers. */
export interface Field {
  readonly name: string;
  readonly typed: Typed;
}

/** A table, view, derived table or function in FROM. */
export interface Source {
  /** The name that qualifies its columns, and the schema when that may be written too. */
  readonly name: string;
  readonly schema: string | undefined;
  readonly fields: readonly Field[];
  readonly table?: Table;
  /** Whether SQL Server's view of this name has more columns. */
  readonly isPartial?: boolean;
  /** The rows behind the source that a change may write to. */
  readonly base?: BaseRows;
  /** The SQLite alias, under which a base table also has its row number. */
  readonly alias: string;
}

/** FROM in SQLite's words, and what it brings into scope. */
export interface TranslatedSource {
  readonly sql: string;
  readonly sources: readonly Source[];
}

/** The rows of a table behind a source: of itself, or of the view, CTE or derived table that shows them. */
export interface BaseRows {
  readonly table: Table;
  /** What a change needs rights on: the table, or the view over it. */
  readonly object: CatalogObject;
  /** The row number and the columns in SQLite's words. */
  readonly row: string;
  readonly values: readonly string[];
  /** The source's columns that are columns of the table as they stand. */
  readonly columns: readonly { readonly name: string; readonly column: string }[];
}

/** The source in FROM that a change is about, and the columns that it assigns. */
export interface ChangeTarget {
  readonly node: TableSource;
  readonly assigned: readonly string[] | undefined;
}

/** What names mean at one place of a query. */
export interface Scope {
  readonly sources: readonly Source[];
  readonly parent: Scope | undefined;
  readonly ctes: CteScope | undefined;
  /** Set where GROUP BY or an aggregate limits which columns may be used outside of aggregates. */
  readonly grouping?: Grouping;
  /** Whether aggregates or window functions are refused here, by the name of the clause. */
  readonly clause?: 'WHERE' | 'GROUP BY' | 'ON' | 'SET' | undefined;
}

export interface Grouping {
  readonly keys: ReadonlySet<string>;
  readonly clause: 'select' | 'HAVING' | 'ORDER BY';
}

/** The CTEs in reach, innermost first, each with the scope that it was written in. */
export interface CteScope {
  readonly cte: Cte;
  readonly outer: CteScope | undefined;
  /** Set inside the recursive part of a CTE: its own rows. */
  readonly recursive?: { readonly alias: string; readonly fields: readonly Field[]; readonly uses: string[] };
}

export interface TranslatedQuery {
  /** SQLite text; its columns are called c0, c1, ... */
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
  /** Whether it can give at most one row, by its form. */
  readonly atMostOneRow: boolean;
}

/** What a translation may ask of the session that it is for. */
export interface TranslationContext {
  readonly catalog: Catalog;
  readonly database: string;
  readonly defaultSchema: string;
  /** Other databases of the server, for names of three parts. */
  readonly otherDatabases: {
    has(name: string): boolean;
    context(name: string, own: TranslationContext): TranslationContext;
  };
  /** The type of a scalar variable. */
  variableType(name: string): SqlType | undefined;
  /** A #temp table or table variable in reach. */
  temporaryTable(name: string): Table | undefined;
}

/** How a statement's lock hints let it read. */
export type ReadLock = 'none' | 'wait' | 'hold';

/** A translated query with more columns: `r`, the row number of the base table, and `b0`, `b1`, ..., its columns. */
export interface UpdatableQuery extends TranslatedQuery {
  baseOf(alias: string): BaseRows;
}

/** A view, CTE or derived table that a statement changes. */
export interface UpdatableTarget extends ChangeTarget {
  readonly name: string;
  readonly names: readonly string[] | undefined;
}

interface QueryTranslators {
  query(query: Query, scope: Scope): TranslatedQuery;
  updatable(query: Query, scope: Scope, target: UpdatableTarget): UpdatableQuery;
  recursive(scope: CteScope): TranslatedQuery;
}

/** The state of translating one statement: parameters in the order in which they are bound, and what it needs. */
export class Compilation {
  translationContext: TranslationContext;
  /** Names of variables, bound as ?1, ?2, ... */
  readonly parameters: string[] = [];
  /** What the statement itself reads or changes; what is behind a view is not among it. */
  needs: Need[] = [];
  /** Parameters that are bound before the variables. */
  parameterOffset = 0;
  readLock: ReadLock = 'none';
  noWait = false;
  /** Variables that the statement itself changes row by row; they are read through a function. */
  readonly volatileVariables = new Set<string>();
  viewDepth = 0;
  /** Inside of a table function: the arguments, by the names of its parameters in lower case. */
  functionArguments: ReadonlyMap<string, Typed> | undefined;
  /** Set while the FROM of a change is translated. */
  changeTarget: ChangeTarget | undefined;
  #aliases = 0;
  #translators: QueryTranslators | undefined;

  constructor(translationContext: TranslationContext) {
    this.translationContext = translationContext;
  }

  /** Expressions hold queries and queries expressions; this is where the first learn of the second. */
  set translators(translators: QueryTranslators) {
    this.#translators = translators;
  }

  query(query: Query, scope: Scope): TranslatedQuery {
    return this.#queries.query(query, scope);
  }

  /** A query whose rows keep those of the table behind them. */
  updatable(query: Query, scope: Scope, target: UpdatableTarget): UpdatableQuery {
    return this.#queries.updatable(query, scope, target);
  }

  /** The rows of a CTE that reads itself. */
  recursive(scope: CteScope): TranslatedQuery {
    return this.#queries.recursive(scope);
  }

  get #queries(): QueryTranslators {
    if (!this.#translators) throw new TypeError('No translators of queries are set');
    return this.#translators;
  }

  alias(): string {
    return `s${++this.#aliases}`;
  }

  /** The placeholder of a variable. */
  parameter(name: string): string {
    const folded = name.toLowerCase();
    const index = this.parameters.indexOf(folded);
    return `?${this.parameterOffset + (index >= 0 ? index + 1 : this.parameters.push(folded))}`;
  }

  variableType(name: string, at: Position): SqlType {
    const type = this.translationContext.variableType(name);
    if (!type) throw sqlErrorAt(at, 137, name);
    return type;
  }
}

/** The object that a name of one or two parts (or three, with this database first) means; a #temp table by its first sign. */
export function findObject(
  translationContext: TranslationContext,
  parts: readonly string[],
  at: Position,
): CatalogObject | undefined {
  const { catalog, defaultSchema, temporaryTable } = translationContext;
  const name = parts.at(-1) ?? '';
  if (name.startsWith('#')) return temporaryTable(name);
  if (isElsewhere(translationContext, parts, at)) {
    if (translationContext.otherDatabases.has(parts.at(-3) ?? ''))
      throw unsupported('anything but a query over another database', at);
    return undefined;
  }
  const schema = parts.at(-2) || defaultSchema;
  return catalog.find(schema, name);
}

/** Whether a name is in another database; `tempdb..#t` is the session's own. Throws 7202 for a name on another server. */
export function isElsewhere(
  { database }: Pick<TranslationContext, 'database'>,
  parts: readonly string[],
  at: Position,
): boolean {
  if (parts.at(-1)?.startsWith('#')) return false;
  if (parts.length > 3 && parts.at(-4)) throw sqlErrorAt(at, 7202, parts.at(-4) ?? '');
  const other = parts.at(-3);
  return Boolean(other) && other?.toLowerCase() !== database.toLowerCase();
}
