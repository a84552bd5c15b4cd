/** What a scalar function is. */
import type { SqlError } from '../../tsql/sql-error.ts';
import type { Catalog, Module } from '../catalog.ts';
import type { Securable } from '../security/access.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Typed } from '../translate/typed.ts';
import type { Moment } from '../values/datetime.ts';

/** What functions may ask of the session that runs them. */
export interface FunctionContext {
  /** The objects that the user may see, and all of them. */
  readonly catalog: Catalog;
  readonly wholeCatalog: Catalog;
  /** The id of the user of the moment. */
  readonly user: number;
  may(right: string, securable: Securable): boolean;
  readonly database: string;
  readonly databases: readonly string[];
  collationOf(database: string): string;
  readonly login: { readonly user: string; readonly application: string };
  readonly processId: number;
  readonly rowCount: number;
  readonly transaction: {
    readonly count: number;
    readonly doomed: boolean;
    /** A new one for each question outside of a transaction. */
    readonly id: bigint;
    readonly lockTimeout: number;
  };
  /** The call that runs, and the last identity value given in it. */
  readonly frame: {
    readonly level: number;
    readonly procedure: { readonly id: number } | undefined;
    readonly scopeIdentity: bigint | null;
  };
  /** The last identity value given in the session. */
  readonly identities: { readonly last: bigint | null };
  /** The error being handled by CATCH, and the number that @@ERROR gives. */
  readonly caughtError: SqlError | undefined;
  readonly lastErrorNumber: number;
  /** The clock, which stands still during a statement. */
  readonly statementTime: Moment;
  readonly options: ReadonlyMap<string, string>;
  currentIdentity(table: number): bigint | null;
  temporaryTableId(name: string): number | null;
  /** The columns that a view gives; none when it is broken. */
  viewColumns(
    view: Module,
  ): readonly { readonly name: string; readonly type: SqlType; readonly nullable: boolean }[];
}

/** How an argument is brought to a type before the call: `text` keeps character types, `number` number types, `any` keeps all. */
export type ParameterKind = 'any' | 'text' | 'number' | SqlType;

/** A scalar function that runs in JavaScript. */
export interface ScalarFunction {
  readonly parameters: readonly ParameterKind[];
  /** How many of the last parameters may be left out. */
  readonly optional?: number;
  /** The last parameter may come any number of times. */
  readonly variadic?: boolean;
  /** NULL in any argument gives NULL without a call, unless this is set. */
  readonly takesNull?: boolean;
  /** A result that is never NULL. */
  readonly neverNull?: boolean;
  /** A new result on every call (NEWID), rather than one per statement. */
  readonly volatile?: boolean;
  /** The result is JSON, which FOR JSON nests without quoting. */
  readonly isJson?: boolean;
  /** A text that is longer than its type is cut. */
  readonly isCut?: boolean;
  readonly returns: SqlType | ((given: readonly Typed[]) => SqlType);
  /** Types of the arguments are given where the result depends on them. */
  run(context: FunctionContext, given: readonly SqlValue[], types: readonly SqlType[]): SqlValue;
}

export type FunctionLibrary = Readonly<Record<string, ScalarFunction>>;

/** Returns a function of the library that gives NULL for NULL; `optional` of its last parameters may be left out. */
export function scalar(
  parameters: ScalarFunction['parameters'],
  returns: ScalarFunction['returns'],
  run: ScalarFunction['run'],
  optional = 0,
): ScalarFunction {
  return { parameters, returns, run, optional };
}
