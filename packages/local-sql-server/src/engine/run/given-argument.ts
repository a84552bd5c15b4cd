/** Arguments of calls. */
import type { SqlType, SqlValue } from '../session.ts';

/** An argument with its value. `variable` is where an OUTPUT argument goes back to. */
export interface GivenArgument {
  readonly name: string | undefined;
  readonly type: SqlType;
  readonly value: SqlValue;
  readonly isDefault: boolean;
  readonly output: boolean;
  give?(value: SqlValue, type: SqlType): void;
}
