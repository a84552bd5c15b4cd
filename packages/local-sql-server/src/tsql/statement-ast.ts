/** The syntax tree of statements. */
import type { Cte, Expression, Name, Node, Query, SelectItem, TableSource, Top, TypeName } from './ast.ts';

/** The target of INSERT, UPDATE, DELETE or OUTPUT INTO: a name (also of an alias) or a table variable. */
export type Target = Node &
  (
    | { readonly kind: 'table'; readonly name: Name; readonly hints: readonly string[] }
    | { readonly kind: 'tableVariable'; readonly name: string }
  );

export interface Output {
  readonly items: readonly SelectItem[];
  readonly into: { readonly target: Target; readonly columns: readonly string[] } | undefined;
}

export interface Insert extends Node {
  readonly kind: 'insert';
  readonly with: readonly Cte[];
  readonly target: Target;
  readonly columns: readonly string[] | undefined;
  readonly output: Output | undefined;
  readonly source:
    | { readonly kind: 'values'; readonly rows: readonly (readonly Expression[])[] }
    | { readonly kind: 'query'; readonly query: Query }
    | { readonly kind: 'execute'; readonly execute: Execute }
    | { readonly kind: 'defaultValues' };
  readonly top: Top | undefined;
}

export interface Assignment extends Node {
  readonly column: readonly string[] | undefined;
  readonly variable: string | undefined;
  readonly value: Expression;
}

interface Change extends Node {
  readonly with: readonly Cte[];
  readonly target: Target;
  readonly output: Output | undefined;
  readonly from: TableSource | undefined;
  readonly where: Expression | undefined;
  readonly top: Top | undefined;
}

export interface Update extends Change {
  readonly kind: 'update';
  readonly assignments: readonly Assignment[];
}

export interface Delete extends Change {
  readonly kind: 'delete';
}

export interface MergeClause {
  readonly match: 'matched' | 'notMatched' | 'notMatchedBySource';
  readonly condition: Expression | undefined;
  readonly action: Node &
    (
      | { readonly kind: 'update'; readonly assignments: readonly Assignment[] }
      | { readonly kind: 'delete' }
      /** Without values it is DEFAULT VALUES. */
      | Readonly<{
          kind: 'insert';
          columns: readonly string[] | undefined;
          values: readonly Expression[] | undefined;
        }>
    );
}

export interface Merge extends Node {
  readonly kind: 'merge';
  readonly with: readonly Cte[];
  readonly top: Top | undefined;
  readonly target: Target;
  readonly alias: string | undefined;
  readonly source: TableSource;
  readonly on: Expression;
  readonly clauses: readonly MergeClause[];
  readonly output: Output | undefined;
}

export interface ColumnDefinition extends Node {
  readonly name: string;
  readonly type: TypeName | undefined;
  readonly collation: string | undefined;
  /** Undefined when not written: then a column allows nulls. */
  readonly nullable: boolean | undefined;
  readonly identity: { readonly seed: string; readonly increment: string } | undefined;
  /** `AS (expression) [PERSISTED]`, with its text for the catalog. */
  readonly computed:
    | { readonly expression: Expression; readonly text: string; readonly persisted: boolean }
    | undefined;
}

export type Constraint = Node & { readonly name: string | undefined } & (
    | {
        readonly kind: 'key';
        readonly primary: boolean;
        readonly clustered: boolean | undefined;
        readonly columns: readonly KeyColumn[];
      }
    | Readonly<{ kind: 'check'; expression: Expression; text: string; column: string | undefined }>
    | {
        readonly kind: 'default';
        readonly expression: Expression;
        readonly text: string;
        readonly column: string;
        /** Rows that are there take it too, also where the column allows NULL. */
        readonly withValues: boolean;
      }
    | {
        readonly kind: 'foreign';
        readonly columns: readonly string[];
        readonly table: Name;
        readonly references: readonly string[] | undefined;
        readonly onDelete: ReferentialAction;
        readonly onUpdate: ReferentialAction;
      }
  );

export type ReferentialAction = 'NO ACTION' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';

export interface KeyColumn {
  readonly name: string;
  readonly descending: boolean;
}

export interface IndexDefinition extends Node {
  readonly kind: 'index';
  readonly name: string;
  readonly unique: boolean;
  readonly clustered: boolean;
  readonly columns: readonly KeyColumn[];
  readonly include: readonly string[];
  readonly where: { readonly expression: Expression; readonly text: string } | undefined;
}

export interface TableDefinition {
  readonly columns: readonly ColumnDefinition[];
  readonly constraints: readonly Constraint[];
  readonly indexes: readonly IndexDefinition[];
}

export interface ParameterDefinition extends Node {
  readonly name: string;
  readonly type: TypeName;
  readonly default: Expression | undefined;
  readonly output: boolean;
}

export interface Argument extends Node {
  readonly name: string | undefined;
  readonly value: Expression;
  readonly output: boolean;
}

export interface Execute extends Node {
  readonly kind: 'execute';
  readonly result: string | undefined;
  readonly procedure: Name | { readonly variable: string } | undefined;
  readonly arguments: readonly Argument[];
  /** `EXEC ('text' + @more)`. */
  readonly text: Expression | undefined;
}

export type AlterAction =
  | { readonly kind: 'add'; readonly table: TableDefinition; readonly check: boolean }
  /** CHECK CONSTRAINT: constraints are always held here, so it is enough that they are there; all, where none is named. */
  | { readonly kind: 'checkConstraint'; readonly names: readonly string[] }
  | { readonly kind: 'alterColumn'; readonly column: ColumnDefinition }
  | { readonly kind: 'dropColumn'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly kind: 'dropConstraint'; readonly names: readonly string[]; readonly ifExists: boolean };

export type DropKind = 'TABLE' | 'VIEW' | 'PROCEDURE' | 'FUNCTION';

export type Statement = Node &
  (
    | { readonly kind: 'select'; readonly query: Query }
    | Insert
    | Update
    | Delete
    | Merge
    | { readonly kind: 'truncate'; readonly table: Name }
    | { readonly kind: 'createTable'; readonly name: Name; readonly table: TableDefinition }
    | { readonly kind: 'alterTable'; readonly name: Name; readonly action: AlterAction }
    | { readonly kind: 'createIndex'; readonly table: Name; readonly index: IndexDefinition }
    /** ALTER INDEX and UPDATE STATISTICS, of which it matters only that the table and the index are there. */
    | Readonly<{ kind: 'checkObject'; table: Name; index: string | undefined }>
    /** DBCC CHECKIDENT: says the identity, or sets it. */
    | Readonly<{ kind: 'checkIdentity'; table: string; reseed: string | undefined; isSilent: boolean }>
    | { readonly kind: 'dropIndex'; readonly name: string; readonly table: Name; readonly ifExists: boolean }
    | {
        readonly kind: 'createView';
        readonly mode: ModuleMode;
        readonly name: Name;
        readonly columns: readonly string[] | undefined;
        readonly query: Query;
        readonly text: string;
      }
    | CreateProcedure
    | CreateFunction
    | { readonly kind: 'createSchema'; readonly name: string }
    | Readonly<{ kind: 'drop'; object: DropKind; names: readonly Name[]; ifExists: boolean }>
    | Readonly<{ kind: 'declare'; name: string; type: TypeName; value: Expression | undefined }>
    | { readonly kind: 'declareTable'; readonly name: string; readonly table: TableDefinition }
    | { readonly kind: 'set'; readonly variable: string; readonly value: Expression }
    | Readonly<{ kind: 'setOption'; option: string; value: string; table: Name | undefined }>
    | {
        readonly kind: 'if';
        readonly condition: Expression;
        readonly consequent: Statement;
        readonly otherwise: Statement | undefined;
      }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: Statement }
    | { readonly kind: 'block'; readonly statements: readonly Statement[] }
    | { readonly kind: 'try'; readonly body: readonly Statement[]; readonly handler: readonly Statement[] }
    | { readonly kind: 'throw'; readonly arguments: readonly Expression[] }
    | Readonly<{ kind: 'raiserror'; arguments: readonly Expression[]; options: readonly string[] }>
    | { readonly kind: 'print'; readonly value: Expression }
    | { readonly kind: 'return'; readonly value: Expression | undefined }
    | { readonly kind: 'break' | 'continue' | 'empty' }
    | { readonly kind: 'waitfor'; readonly delay: Expression }
    | Execute
    | {
        readonly kind: 'transaction';
        readonly action: 'begin' | 'commit' | 'rollback' | 'save';
        /** A name, or a variable that has it. */
        readonly name: string | undefined;
      }
    | { readonly kind: 'use'; readonly database: string }
    | Permission
    | CreateUser
    | { readonly kind: 'createRole'; readonly name: string }
    | Readonly<{ kind: 'dropPrincipal'; type: 'user' | 'role'; name: string; ifExists: boolean }>
    | Readonly<{ kind: 'alterRole'; role: string; adds: boolean; member: string }>
    | { readonly kind: 'executeAs'; readonly user: Expression }
    | { readonly kind: 'revert' }
    | Readonly<{
        kind: 'createDatabase';
        database: string;
        collation: string | undefined;
        /** The database that it is a copy of. */
        source: string | undefined;
      }>
  );

/** What GRANT is about: an object or a schema by name, or the database. */
export interface Securable {
  readonly type: 'OBJECT' | 'SCHEMA' | 'DATABASE';
  readonly name: Name;
}

export interface Permission {
  readonly kind: 'permission';
  readonly action: 'grant' | 'deny' | 'revoke';
  /** Their words in upper case: `CREATE TABLE`. */
  readonly rights: readonly string[];
  readonly on: Securable | undefined;
  readonly principals: readonly string[];
}

export interface CreateUser {
  readonly kind: 'createUser';
  readonly name: string;
  /** The login that is this user; undefined for one of Entra ID, and for one without. */
  readonly login?: string | undefined;
  /** Whether it is an identity of Entra ID. */
  readonly external?: boolean;
  /** Hexadecimal digits. */
  readonly sid?: string;
}

export type ModuleMode = 'create' | 'alter' | 'createOrAlter';

/** A function that gives a value, or one whose query stands for a table. */
export interface CreateFunction extends Node {
  readonly kind: 'createFunction';
  readonly mode: ModuleMode;
  readonly name: Name;
  readonly parameters: readonly ParameterDefinition[];
  readonly returns:
    | { readonly kind: 'scalar'; readonly type: TypeName; readonly body: readonly Statement[] }
    | { readonly kind: 'table'; readonly query: Query };
  readonly text: string;
}

export interface CreateProcedure extends Node {
  readonly kind: 'createProcedure';
  readonly mode: ModuleMode;
  readonly name: Name;
  readonly parameters: readonly ParameterDefinition[];
  readonly body: readonly Statement[];
  readonly text: string;
}
