/** The records of a calendar, as they are stored: one JSON object each, under the key `kind/id`. */

/** Status of an event, venue or organizer, spelled and accepted as clients know them (behaviour section 11). */
export const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type Status = (typeof statuses)[number];

/** Languages that texts are kept in, beside the default ones. */
export const languages = ['da', 'sv'] as const;
export type Language = (typeof languages)[number];

/** Texts in other languages, field by field; what is missing reads as the default text. */
export type Translations<Field extends string> = {
  readonly [L in Language]?: { readonly [F in Field]?: string };
};

/** Fields of an event, venue or organizer that are texts in a language. */
export type PostText = 'title' | 'description' | 'excerpt';
/** Fields of a category or tag that are texts in a language. */
export type TermText = 'name' | 'description';

/** A password that opens an event: a salted hash, never the password itself. Salts and hash are in hexadecimal. */
export interface PasswordHash {
  /** Salt of the slow hash, which the passwords of a calendar share, so that one that is tried is hashed once for all events. */
  readonly shared_salt: string;
  /** Salt of this event. */
  readonly salt: string;
  readonly hash: string;
}

/**
 * A link to a venue or organizer: its id, with its generation once that is above 0. Trashing a record starts
 * a new generation, so links made before then lead nowhere for good, and no event has to be written.
 */
export type Link = number | readonly [id: number, generation: number];

/** What events, venues and organizers have in common. Dates read `YYYY-MM-DD HH:MM:SS`; those without `_utc` are in the zone of the site. */
export interface PostRecord {
  readonly id: number;
  readonly author: number;
  readonly status: Status;
  readonly date: string;
  readonly date_utc: string;
  readonly modified: string;
  readonly modified_utc: string;
  /** The title of an event, or the name of a venue or organizer. */
  readonly title: string;
  readonly slug: string;
  readonly description?: string;
  readonly excerpt?: string;
  /** Id of an image. */
  readonly image?: number;
  readonly translations?: Translations<PostText>;
}

/** An event. `start_date` and `end_date` are wall time in `timezone`; the `utc_` ones are computed from them. */
export interface EventRecord extends PostRecord {
  readonly kind: 'event';
  readonly start_date: string;
  readonly end_date: string;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly timezone: string;
  readonly all_day?: boolean;
  /** Costs as they were sent, without tags; `shared/calendar/model/cost.ts` reads them. */
  readonly cost?: readonly string[];
  readonly website?: string;
  readonly show_map?: boolean;
  readonly show_map_link?: boolean;
  readonly hide_from_listings?: boolean;
  readonly sticky?: boolean;
  readonly featured?: boolean;
  readonly ticketed?: boolean;
  readonly post_parent?: number;
  readonly access_password?: PasswordHash;
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  readonly venue?: readonly Link[];
  readonly organizer?: readonly Link[];
}

/** Contact texts of a venue, in the order of the wire. */
export const venueTexts = [
  'address',
  'city',
  'country',
  'province',
  'state',
  'zip',
  'phone',
  'website',
  'stateprovince',
] as const;
export type VenueText = (typeof venueTexts)[number];

/** A venue. Coordinates are degrees (WGS 84). */
export interface VenueRecord extends PostRecord, Readonly<Partial<Record<VenueText, string>>> {
  readonly kind: 'venue';
  readonly generation?: number;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly show_map: boolean;
  readonly show_map_link: boolean;
}

/** Contact texts of an organizer, in the order of the wire. */
export const organizerTexts = ['phone', 'website', 'email'] as const;
export type OrganizerText = (typeof organizerTexts)[number];

/** An organizer. */
export interface OrganizerRecord extends PostRecord, Readonly<Partial<Record<OrganizerText, string>>> {
  readonly kind: 'organizer';
  readonly generation?: number;
}

/** An image: the address it was given by. It is referenced, and never fetched by the service. */
export interface ImageRecord {
  readonly kind: 'image';
  readonly id: number;
  readonly url: string;
}

/**
 * A category or tag. A category that was deleted while it had children stays as a `deleted` signpost, so
 * that its children read its parent as theirs, and none of them has to be written.
 */
export interface TermRecord {
  readonly kind: 'category' | 'tag';
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description?: string;
  /** Id of the parent category, 0 at the top. */
  readonly parent?: number;
  readonly deleted?: boolean;
  readonly translations?: Translations<TermText>;
}

/** A user who wrote to the calendar: `subject` is the user's object id in the tenant. */
export interface AuthorRecord {
  readonly kind: 'author';
  readonly id: number;
  readonly subject: string;
}

export type AnyPost = EventRecord | VenueRecord | OrganizerRecord;
export type PostKind = AnyPost['kind'];
export type TermKind = TermRecord['kind'];
export type CalendarRecord = AnyPost | ImageRecord | TermRecord | AuthorRecord;
export type Kind = CalendarRecord['kind'];

/** Key of a record in the store, unique in the calendar. */
export function keyOf({ kind, id }: { readonly kind: Kind; readonly id: number }): string {
  return `${kind}/${id}`;
}
