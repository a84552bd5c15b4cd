/** The kinds of records, and values that their fields hold. */

/** Names of the collections that records are in, by kind, as they stand in paths and lists. */
export const collections = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const;

export type LinkedKind = 'venue' | 'organizer';
export type PostKind = 'event' | LinkedKind;
export type TermKind = 'category' | 'tag';
/** Kinds of records with endpoints. */
export type ListedKind = PostKind | TermKind;
export type Kind = ListedKind | 'image' | 'author' | 'series';

/** Checks whether records of a kind are terms. */
export function isTermKind(kind: ListedKind): kind is TermKind {
  return kind === 'category' || kind === 'tag';
}

/** Status of an event, venue or organizer, spelled and accepted as clients know them (docs/calendar-contract.md, "Status and publication"). */
export const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type Status = (typeof statuses)[number];

/** Languages that texts are kept in, beside the default ones. */
export const languages = ['da', 'sv'] as const;
export type Language = (typeof languages)[number];

/** Texts in other languages, field by field; what is missing reads as the default text. */
export type Translations = { readonly [L in Language]?: Readonly<Record<string, string>> };

/** Digests of the default texts that translations were made on, field by field. Of one without a digest nothing is known until its default text changes. */
export type TranslatedFrom = Translations;

/** A password that unlocks an event: a salted hash, never the password itself. Salts and hash are in hexadecimal. */
export interface PasswordHash {
  /** Salt of the slow hash, which the passwords of a calendar share, so that one that is tried is hashed once for all events. */
  readonly shared_salt: string;
  /** Salt of this event. */
  readonly salt: string;
  readonly hash: string;
}

/**
 * A link to a venue or organizer: its id, with its generation once that is above 0. Trashing a record starts a new generation, so that
 * older links lead nowhere, and no event has to be written.
 */
export type Link = number | readonly [id: number, generation: number];

/** When a record came to look otherwise where others show it: a version of the log, and `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface StateOfLog {
  readonly version: number;
  readonly utc: string;
}

/** Returns the id that a link leads to. */
export function linkedId(link: Link): number {
  return typeof link === 'number' ? link : link[0];
}

/** The name of an event in the source that it was imported from. */
export interface SourceIdentity {
  /** What the name belongs to: `icalendar`, or `table`. */
  readonly source: string;
  readonly uid: string;
  /** The occurrence of a series: its original start; empty for a single event. */
  readonly recurrence: string;
}

/**
 * Hashes by the name of the field, of 8 characters each: that of the value which the source had last, and behind it that of the value which
 * was stored for it. Earlier versions have stored the first alone.
 */
export type Digests = Readonly<Record<string, string>>;

/** What an import notes of an event, so that the next one finds it and leaves what was edited here. No view shows it. */
export interface ImportedFrom extends SourceIdentity {
  readonly digests: Digests;
  /** Whether the source has cancelled it, so that the import moved it to the trash. */
  readonly is_cancelled?: boolean;
}

/** The series that an event is a date of. */
export interface SeriesLink {
  readonly id: number;
  /** The day that the rule of the series gave it, `YYYY-MM-DD`, wherever it was moved since. */
  readonly recurrence: string;
}

/** An occurrence of a recurring event of a site: all of them have one slug there, and an address each. */
export interface SourceOccurrence {
  /** Id of the occurrence there. */
  readonly id: number;
  /** Path of the recurring event there, in the form in which paths are compared. */
  readonly path: string;
  /** The day in its address, `YYYY-MM-DD`. */
  readonly day: string;
  /** Which of several on one day it is. */
  readonly place?: number;
}

/** What an import notes of a record that has the id which it has in its source; occurrences of a recurring event may have another. No view shows it. */
export interface Follows {
  /** Address of the source. */
  readonly source: string;
  readonly digests: Digests;
  readonly occurrence?: SourceOccurrence;
}

/** One size of an image. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly 'mime-type': string;
  readonly filesize?: number;
  /** Of an uploaded size a name (`urn:picture:...`). */
  readonly url: string;
  /** Name of the file of an uploaded size, with which its address ends. */
  readonly file?: string;
}

/** What the calendar stores of an uploaded picture, beside its facts. Dates read `YYYY-MM-DD HH:MM:SS`; those without `_utc` are in the zone of the site. */
export interface StoredPicture {
  /** Name of its blob. */
  readonly blob: string;
  /** Key of its address, where that is not of the name of the blob: since it was hidden (picture-keys.ts). */
  readonly key?: string;
  /** Name of its file, with which its address ends. */
  readonly file: string;
  readonly mime_type: string;
  /** Id of the author. */
  readonly author: number;
  readonly date: string;
  readonly date_utc: string;
  readonly modified: string;
  readonly modified_utc: string;
  /** Its slug, where that is not the name of its file. */
  readonly slug?: string;
  /** Id of the event, venue or organizer that it was uploaded to. */
  readonly post?: number;
  /** URL from which an import has copied it. */
  readonly source?: string;
  /** The URLs of its sizes there, by their names. */
  readonly source_sizes?: Readonly<Record<string, string>>;
  /** Names what the source said of it: another name is another picture, or other bytes. */
  readonly source_state?: string;
  /** `ETag` or `Last-Modified` of its bytes there. */
  readonly source_validator?: string;
  /** HTML with simple markup. */
  readonly title: string;
  readonly alt_text?: string;
  /** Who has made it, and under which terms it may be shown. */
  readonly credit?: string;
  readonly license?: string;
  /** HTML. */
  readonly caption?: string;
  readonly description?: string;
  /** The request that has created it; no view shows it. */
  readonly creation?: Creation;
}

/** What a record keeps of the request that has created it, so that it can be told when it is sent again. */
export interface Creation {
  /** Hash of its idempotency key and its caller. */
  readonly key: string;
  /** Fingerprint of its body. */
  readonly body: string;
  /** When it was decided, in seconds since 1970. */
  readonly at: number;
}

/** Facts about an image that were imported with it, or read from its bytes. */
export interface ImageDetails {
  readonly width?: number;
  readonly height?: number;
  readonly filesize?: number;
  readonly sizes?: Readonly<Record<string, ImageSize>>;
}
