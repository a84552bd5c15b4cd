import type { Table } from '../catalog.ts';
import type { SqlType, SqlValue } from '../session.ts';

export interface Variable {
  readonly type: SqlType;
  value: SqlValue;
}

/** What one batch or procedure call has of its own: variables, table variables, the last identity. */
export class Frame {
  readonly variables = new Map<string, Variable>();
  readonly tableVariables = new Map<string, Table>();
  /** #temp tables made here; they go when the call ends. */
  readonly temporaryTables = new Map<string, Table>();
  readonly procedure: { readonly id: number; readonly name: string } | undefined;
  readonly level: number;
  scopeIdentity: bigint | null = null;
  returnValue = 0;

  constructor(level: number, procedure?: { readonly id: number; readonly name: string }) {
    this.level = level;
    this.procedure = procedure;
  }
}
