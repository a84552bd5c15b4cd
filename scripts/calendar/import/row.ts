/** Events, venues and organizers in files of other programs, before they are compared with the calendar. */

import type { RawParameters } from '../../../functions/calendar/model/calendar-context.ts';
import type { PostKind, SourceIdentity } from '../../../functions/calendar/model/values.ts';
import type { Limits } from './limits.ts';

/** A venue or organizer: the fields of a new record, the first of which is its name. */
export type Contact = Readonly<Record<string, unknown>>;

/** Names of venues or organizers in one text with commas, which may belong to a name: the names of the calendar decide. */
export interface NamesWithCommas {
  readonly text: string;
}

/** One record of a file. */
export interface Row {
  readonly kind: PostKind;
  /** Name in messages, such as a line. */
  readonly name: string;
  /** Permanent name of the event in its source, by which later imports find it. Contacts are found by their names. */
  readonly identity?: SourceIdentity;
  /** Names that the event may have had in an earlier import: a single event that is recurring now. Its start must agree. */
  readonly otherIdentities?: readonly SourceIdentity[];
  /** Whether its place must agree, too: rows of a table that have one title and start. */
  readonly isToldByPlace?: boolean;
  /** The permanent name whose hash ends the slugs of events that were imported before records had an identity. */
  readonly formerUid?: string;
  /** Whether the event has no name in its source. */
  readonly isNameless?: boolean;
  /** Whether the file has all occurrences of its series. */
  readonly hasSeries?: boolean;
  /** The rule of its series; days read `2027-01-31`. */
  readonly series?: {
    readonly start: string;
    readonly rrule?: string | undefined;
    readonly rdate: readonly string[];
    readonly exdate: readonly string[];
  };
  /** Id of the event in this calendar, for a file that was exported from it. */
  readonly id?: number | undefined;
  /** Last change in UTC, `YYYY-MM-DD HH:MM:SS`: a later change in this calendar is not overwritten. */
  readonly modified?: string | undefined;
  readonly isCancelled?: boolean;
  /** Parameters of the API. */
  readonly fields: RawParameters;
  /** Contacts by name: existing contacts are linked. Undefined leaves the links unchanged. */
  readonly venue?: readonly Contact[] | NamesWithCommas | undefined;
  readonly organizer?: readonly Contact[] | NamesWithCommas | undefined;
}

/** The records of a file. */
export interface FileRows {
  readonly rows: readonly Row[];
  /** Names of records that are invalid, with the reason. */
  readonly rejected: readonly string[];
  /** The source of the identities, where it has a name: that of the calendar in the file, or of `--source`. */
  readonly source?: string | undefined;
  /** UIDs in the file of which there are no rows, since they are refused or left out: they have not vanished. */
  readonly otherUids?: readonly string[];
  /** Whether the file ends before its end, so that events may be missing. */
  readonly isCut?: boolean;
  /** Number of events that are not imported for a reason that a note says. */
  readonly leftOut: number;
  /** What was not understood, and what the import does with it. */
  readonly notes: readonly string[];
}

/** What the reader of a file knows of the calendar and of the import. It can be sent to a worker. */
export interface RowSource {
  /** Name of the file, for messages: its path, or the address of a feed. */
  readonly file: string;
  /** Path of the file, whose extension says its format. */
  readonly path: string;
  /** Host name of the site of the calendar, which its UIDs have. */
  readonly host: string;
  /** Name of the time zone of the site. */
  readonly zone: string;
  /** The present instant, in seconds. */
  readonly now: number;
  readonly limits: Limits;
  /** Name of the source, where the command names it. Default: that of the calendar in the file. */
  readonly sourceName?: string | undefined;
  /** Name of the source where neither the command nor the file has one: that of the address of a feed. */
  readonly fallbackName?: string | undefined;
}
