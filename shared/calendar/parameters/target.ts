/** What a path names. */

import type { PostKind } from '../model/records.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { Faults, ParameterTable } from './parameter.ts';

/** The event, venue or organizer that a path names: parameters are read first, and then the record is asked for. */
export interface Target {
  readonly kind: PostKind;
  /** Parameters of every operation on the record. */
  readonly parameters: ParameterTable;
  /** The path itself, where it is a bad parameter. */
  readonly faults: Faults;
  /** Gives the record; an unknown event is refused here. */
  readonly entry: () => PostEntry;
}
