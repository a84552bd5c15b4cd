/** The records of a calendar, as they are stored: one JSON object each. Their fields are those of the tables in `fields/`. */

import type { organizerFields, venueFields } from './fields/contact.ts';
import type { eventFields } from './fields/event.ts';
import type { StoredFields } from './fields/field.ts';
import type { publicationFields } from './fields/post.ts';
import type {
  Creation,
  Follows,
  ImageDetails,
  ImportedFrom,
  StateOfLog,
  Status,
  StoredPicture,
  TermKind,
  TranslatedFrom,
  Translations,
} from './values.ts';

/** What events, venues and organizers have in common. Dates read `YYYY-MM-DD HH:MM:SS`; those without `_utc` are in the zone of the site. */
export interface PostRecord extends StoredFields<typeof publicationFields> {
  readonly id: number;
  /** The title of an event, or the name of a venue or organizer. */
  readonly title: string;
  readonly slug: string;
  readonly description?: string;
  readonly excerpt?: string;
  /** Id of an image. */
  readonly image?: number;
  readonly translations?: Translations;
  readonly translated_from?: TranslatedFrom;
  /** The request that has created it; no view shows it. */
  readonly creation?: Creation;
  readonly follows?: Follows;
  /** Paths under which its page was known before (page-paths.ts); no view shows them. */
  readonly earlier_paths?: readonly string[];
  /** When this version was written, in seconds since 1970, and the id of who has; no view shows them. Absent in what earlier versions of the app, and imports of new records, have written. */
  readonly changed_at?: number;
  readonly changed_by?: number;
  /** Since when it waits for review, in seconds since 1970. */
  readonly submitted_at?: number;
  /** Status that it had when it was moved to the trash. */
  readonly trashed_from?: Status;
}

/** An event. `start_date` and `end_date` are wall time in `timezone`; the `utc_` ones are computed from them. */
export interface EventRecord extends PostRecord, StoredFields<typeof eventFields> {
  readonly kind: 'event';
  readonly event_status_reason?: string;
  /** Whether its title was changed as it was moved to the trash, or in it: nobody has read the present one. */
  readonly renamed_in_trash?: boolean;
  /** Where an import has it from; no view shows it. */
  readonly imported_from?: ImportedFrom;
}

/** A venue or organizer, which events link to. */
export interface LinkedRecord extends PostRecord {
  readonly generation?: number;
  /** When it was last taken from readers; absent while they may read it. */
  readonly hidden_since?: StateOfLog;
}

/** A venue. Coordinates are degrees (WGS 84). */
export interface VenueRecord extends LinkedRecord, StoredFields<typeof venueFields> {
  readonly kind: 'venue';
}

/** An organizer. */
export interface OrganizerRecord extends LinkedRecord, StoredFields<typeof organizerFields> {
  readonly kind: 'organizer';
}

/** An image: the URL it was given by, which is referenced and never fetched by the service; or an uploaded picture. */
export interface ImageRecord extends ImageDetails {
  readonly kind: 'image';
  readonly id: number;
  /** Of an uploaded picture a name (`urn:picture:...`); `imageUrl` returns its address. */
  readonly url: string;
  readonly stored?: StoredPicture;
  /** When its address was last another one; absent for one that never was. */
  readonly shown_since?: StateOfLog;
  /** Keys of the addresses of its earlier copies, which an import has replaced: texts that have them show what it is now. */
  readonly earlier_keys?: readonly string[];
  readonly follows?: Follows;
}

/**
 * A category that was deleted while it had children remains as a `deleted` signpost. Its children read its parent as theirs, and none of
 * them has to be written. So does a category of events, whose state in feeds is a later one from then on, and a term of a source that an import
 * follows: it is not imported again.
 */
export interface TermRecord {
  readonly kind: TermKind;
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description?: string;
  /** Id of the parent category, 0 at the top. */
  readonly parent?: number;
  /** Colour of a category, `#rrggbb`. */
  readonly color?: string;
  readonly deleted?: boolean;
  /** When it was last renamed or deleted; absent for one that never was. */
  readonly shown_since?: StateOfLog;
  /** The site that an import has it from; no view shows it. */
  readonly imported_from?: string;
  /** The request that has created it; no view shows it. */
  readonly creation?: Creation;
  readonly follows?: Follows;
  readonly translations?: Translations;
  readonly translated_from?: TranslatedFrom;
  /** Paths under which its page was known before (page-paths.ts); no view shows them. */
  readonly earlier_paths?: readonly string[];
}

/** A user who wrote to the calendar: `subject` is the user's object id in the tenant. */
export interface AuthorRecord {
  readonly kind: 'author';
  readonly id: number;
  readonly subject: string;
  /** What to call them, as their token said when they last wrote; and when that was, in seconds since 1970, to the day. */
  readonly name?: string;
  readonly seen?: number;
  /** Of an author of an imported site: paths that its list of events has, or had (page-paths.ts). */
  readonly list_paths?: readonly string[];
}

/** The rule of a series, as it is stored. Days read `YYYY-MM-DD`. */
export interface Recurrence {
  /** Day from which the rule counts. Dates before it, of an earlier rule, stay. */
  readonly start: string;
  /** Rule of RFC 5545; absent for chosen dates alone. */
  readonly rrule?: string;
  readonly rdate?: readonly string[];
  readonly exdate?: readonly string[];
}

/** The values of a series from one of its days on, by the names of `model/series.ts`; null for one that it has not any more. */
export interface SeriesLayer {
  /** The first day of them; empty for the values of all days. */
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A date of a series. */
export interface SeriesDate {
  /** The day that the rule gave it. */
  readonly recurrence: string;
  /** Id of its event; absent while that is not created yet. */
  readonly event?: number;
  /** What is still to be done to its event. */
  readonly due?: 'give' | 'remove' | 'restore';
  /** Whether the series has it no longer: its event is in the trash. */
  readonly is_removed?: boolean;
  /** Whether people had moved its event to the trash before the series had it no longer: it does not come back. */
  readonly is_cancelled?: boolean;
  /** Of one that was taken away: the fields that people had changed in it alone, which stay should it come back. */
  readonly changed?: readonly string[];
}

/**
 * A series of events: its rule, the values that its events have in common, and its dates. Its events are ordinary ones. Clients read of it what they may read of its events.
 */
export interface SeriesRecord {
  readonly kind: 'series';
  readonly id: number;
  readonly recurrence: Recurrence;
  /** The rule that an import gave it last, so that the next one leaves one that was changed here; no view shows it. */
  readonly imported_recurrence?: Recurrence;
  /** The first layer has all values, each other one those that differ from its day on. */
  readonly layers: readonly SeriesLayer[];
  /** By their day. */
  readonly dates: readonly SeriesDate[];
  /** While dates are due: the values of the fields that change, as they were given last. */
  readonly given?: readonly SeriesLayer[];
  /** While dates are due: the instant of the last step, in seconds. */
  readonly at?: number;
  readonly creation?: Creation;
  /** The site that an import has it from; no view shows it. */
  readonly imported_from?: string;
  /** Paths of the pages that it had as a whole there (page-paths.ts): they lead to its next date; no view shows them. */
  readonly earlier_paths?: readonly string[];
}

export type AnyPost = EventRecord | VenueRecord | OrganizerRecord;
export type CalendarRecord = AnyPost | ImageRecord | TermRecord | AuthorRecord | SeriesRecord;
