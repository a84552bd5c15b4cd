/** What a change needs of its session. */
import type { Table } from '../catalog.ts';
import type { Connection, Row } from '../run/connection.ts';
import type { SqlValue } from '../session.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import type { OutputColumn } from '../translate/typed.ts';
import type { TableWriter } from './writer.ts';

/** What changing rows needs of the session that does it. */
export interface ChangeRuntime {
  readonly connection: Connection;
  readonly translationContext: TranslationContext;
  /** Values for the parameters of a compiled statement. */
  values(names: readonly string[]): SqlValue[];
  assign(variable: string, value: SqlValue): void;
  writer(table: Table): TableWriter;
  /** Returns the next value of an identity column. */
  nextIdentity(table: Table): bigint;
  noteIdentity(table: Table, value: bigint): void;
  /** Begins again with the seed. */
  resetIdentity(table: Table): void;
  /** Whether SET IDENTITY_INSERT is on for a table. */
  allowsIdentity(table: Table): boolean;
}

/** One changed row: as it was, as it is, and what else the statement's FROM gave for OUTPUT. */
export interface ChangedRow {
  readonly deleted: Row | undefined;
  readonly inserted: Row | undefined;
  readonly fromValues: Row;
}

/** The result of a change: how many rows, and the rows of OUTPUT without INTO. */
export interface ChangeResult {
  readonly count: number;
  readonly output: { readonly columns: readonly OutputColumn[]; readonly rows: readonly Row[] } | undefined;
}
