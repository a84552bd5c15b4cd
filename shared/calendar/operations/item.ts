/** One record, as it is answered. */

/** A record as JSON text. `version` names its present state. */
export interface Item {
  readonly id: number;
  readonly text: string;
  readonly version: number;
  /** Last change in UTC, `YYYY-MM-DD HH:MM:SS`; absent for terms. */
  readonly modified?: string;
  /** Whether the caller may not write to it, although their role writes to others of its kind. */
  readonly readOnly?: boolean;
}
