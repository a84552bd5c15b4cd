/** Statements that clients have prepared (sp_prepare, sp_prepexec). */
import { sqlError } from '../../tsql/sql-error.ts';

/** A prepared statement: its text, and the declarations of its parameters. */
export interface PreparedStatement {
  readonly sql: string;
  readonly declarations: string;
}

/** The prepared statements of a session, by the handles that its client was given. */
export class PreparedStatements {
  readonly #byHandle = new Map<number, PreparedStatement>();
  #lastHandle = 0;

  /** Returns the handle of a new statement. */
  add(statement: PreparedStatement): number {
    this.#byHandle.set(++this.#lastHandle, statement);
    return this.#lastHandle;
  }

  /** Returns a statement; throws 8179 for a handle of none. */
  get(handle: number): PreparedStatement {
    const statement = this.#byHandle.get(handle);
    if (!statement) throw sqlError(8179, handle);
    return statement;
  }

  remove(handle: number): void {
    this.get(handle);
    this.#byHandle.delete(handle);
  }

  clear(): void {
    this.#byHandle.clear();
  }
}
