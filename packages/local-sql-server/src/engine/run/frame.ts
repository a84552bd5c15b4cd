/** The frame of a batch or call. */
import type { Table } from '../catalog.ts';
import type { SqlType, SqlValue } from '../session.ts';

let frames = 0;

export interface Variable {
  readonly type: SqlType;
  value: SqlValue;
}

/** The state of one batch or procedure call: variables, temporary tables, the last identity. */
export class Frame {
  readonly variables = new Map<string, Variable>();
  /** Table variables and #temp tables made here, by name in lower case; they go when the call ends. */
  readonly tables = new Map<string, Table>();
  readonly procedure: { readonly id: number; readonly name: string } | undefined;
  readonly id = ++frames;
  readonly level: number;
  scopeIdentity: bigint | null = null;
  /** What RETURN gave, or 10 less the severity of an error that was sent. */
  returnValue = 0;
  /** The number of EXECUTE AS in force when it began; REVERT goes back no further. */
  impersonations = 0;

  constructor(level: number, procedure?: { readonly id: number; readonly name: string }) {
    this.level = level;
    this.procedure = procedure;
  }
}
