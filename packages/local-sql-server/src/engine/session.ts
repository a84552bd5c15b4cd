/** The contract between the wire (TDS) and the engine: what one connection can ask for, and the events it gets back. */

/** A SQL Server data type. `length` counts characters for n-types and bytes for the others. */
export type SqlType =
  | {
      readonly name:
        | 'bit'
        | 'tinyint'
        | 'smallint'
        | 'int'
        | 'bigint'
        | 'real'
        | 'float'
        | 'money'
        | 'smallmoney';
    }
  | { readonly name: 'date' | 'datetime' | 'smalldatetime' | 'uniqueidentifier' }
  | { readonly name: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly name: 'time' | 'datetime2' | 'datetimeoffset'; readonly scale: number }
  | {
      readonly name: 'char' | 'varchar' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary';
      readonly length: number | 'max';
      readonly collation?: string;
    };

/**
 * A value, in the form that is also stored in SQLite:
 * bit and integers up to int: number; bigint: bigint; real and float: number; decimal and money: text with all digits
 * of the scale (`1.10`); character types: text; binary: bytes; uniqueidentifier: upper-case text;
 * date `2026-11-21`; time `10:00:00.1234567`; datetime and datetime2 `2026-11-21 10:00:00.123`;
 * datetimeoffset `2026-11-21 10:00:00.1234567 +01:00` (each with as many decimals as its scale).
 */
export type SqlValue = null | number | bigint | string | Uint8Array;

export interface Column {
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  readonly identity?: boolean;
}

/** A parameter of a remote procedure call (MS-TDS 2.2.6.6). `name` starts with @, or is empty for a positional one. */
export interface Parameter {
  readonly name: string;
  readonly type: SqlType;
  readonly value: SqlValue;
  readonly output?: boolean;
  readonly useDefault?: boolean;
}

/** A message of the server: `class` above 10 is an error, else information. */
export interface Message {
  readonly number: number;
  readonly state: number;
  readonly class: number;
  readonly message: string;
  readonly procedure?: string;
  readonly line: number;
}

/** What a request produces, in order. The wire turns each into one token (MS-TDS 2.2.7). */
export type Event =
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  | { readonly kind: 'row'; readonly values: readonly SqlValue[] }
  /** The end of one statement; `count` when it counts rows (not under SET NOCOUNT ON); `insideProcedure` makes it DONEINPROC. */
  | Readonly<{ kind: 'statementDone'; count?: number; insideProcedure: boolean; failed?: boolean }>
  /** `immediate` when the client is to have it, and all before it, at once (RAISERROR WITH NOWAIT). */
  | Readonly<{ kind: 'message'; message: Message; immediate?: boolean }>
  | { readonly kind: 'returnValue'; readonly name: string; readonly type: SqlType; readonly value: SqlValue }
  | { readonly kind: 'returnStatus'; readonly value: number }
  /** USE of the session's own database; there is no way to another one. */
  | { readonly kind: 'database'; readonly name: string }
  /** A transaction began, ended or was rolled back by the statement (ENVCHANGE 8, 9, 10). */
  | Readonly<{ kind: 'transaction'; change: 'begin' | 'commit' | 'rollback'; descriptor: bigint }>;

export type IsolationLevel = 'read uncommitted' | 'read committed' | 'repeatable read' | 'serializable';

/** A request about the transaction, without SQL. An empty name means none; `next` begins behind the end. */
export type TransactionRequest =
  | {
      readonly action: 'begin';
      readonly name: string;
      readonly isolation: IsolationLevel | undefined;
    }
  | {
      readonly action: 'commit' | 'rollback';
      readonly name: string;
      readonly next: (TransactionRequest & { readonly action: 'begin' }) | undefined;
    }
  | { readonly action: 'save'; readonly name: string };

/** Thrown by a request for a fault of this server, such as SQL that SQLite refuses. Its transaction is rolled back; the session lives on. */
export class EngineFault extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** One connection. Requests come one at a time; the iterator ends when the request is done. Errors are events; an `EngineFault` may be thrown. */
export interface Session {
  readonly database: string;
  batch(sql: string): AsyncIterable<Event>;
  /** Calls a procedure by name, system procedures such as sp_executesql included. */
  procedure(name: string, parameters: readonly Parameter[]): AsyncIterable<Event>;
  /** Begins or ends a transaction, or makes a savepoint. */
  transaction(request: TransactionRequest): AsyncIterable<Event>;
  /** Ends the running request soon (attention): waits for locks included. The transaction stays open, unless XACT_ABORT is ON. */
  cancel(): void;
  /** Rolls back and forgets temporary tables, settings and application locks (sp_reset_connection); the transaction may be kept. */
  reset(options?: { readonly keepsTransaction: boolean }): void;
  close(): void;
}

export interface Engine {
  /** Opens a session, or throws a `LoginFailure` (4060 when there is no such database). */
  openSession(login: {
    readonly user: string;
    readonly database: string;
    readonly application: string;
  }): Session;
  close(): void;
}

export class LoginFailure extends Error {
  readonly details: Message;
  constructor(details: Message) {
    super(details.message);
    this.details = details;
  }
}
