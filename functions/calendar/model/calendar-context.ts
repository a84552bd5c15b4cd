/** What passes through every operation of the calendar. */

import type { Caller, KnownCaller, Owned, OwnedImage } from './rights.ts';
import type { Site } from './site.ts';
import type { Language, Link, PostKind, TermKind } from './values.ts';

/** Everything that was sent, by name: values of JSON, or texts. */
export type RawParameters = Readonly<Record<string, unknown>>;

/** What a caller asks of the calendar. */
export interface CalendarRequest {
  readonly caller: Caller;
  readonly parameters: RawParameters;
  /** URL of the API's root, for links, without a slash at the end. */
  readonly root: string;
  /** URL of the site that the request came by, whose pages count where the calendar belongs to no other. */
  readonly siteUrl?: string;
  /** Language that texts are read and written in; the default ones without it. */
  readonly language: Language | undefined;
  /** Entity tags of which one must name the record's present version, or `*`. */
  readonly ifMatch?: readonly string[] | '*' | undefined;
  /** Entity tags of what the caller has already, or `*`. */
  readonly ifNoneMatch?: readonly string[] | '*' | undefined;
  /** Instant since which what the caller has must have changed, in seconds; undefined without one, and beside `ifNoneMatch`. */
  readonly ifModifiedSince?: number | undefined;
  /** Names a creation: sent again by the same caller, it is the same creation. */
  readonly idempotencyKey?: string | undefined;
  /** Key of the caller in queues. Default: one key for all callers. */
  readonly callerKey?: string;
}

/** A request, and the calendar that it is made to. */
export interface CalendarContext extends CalendarRequest {
  readonly caller: KnownCaller;
  readonly site: Site;
  /** The present instant, in seconds. */
  readonly now: number;
  readonly replica: Lookup;
  /** What a record that the caller changes refers to already, and may go on to, whether the caller may read it or not. */
  readonly before?: References | undefined;
}

/** The records that a record refers to. */
export interface References {
  readonly image?: number | undefined;
  readonly venue?: readonly Link[] | undefined;
  readonly organizer?: readonly Link[] | undefined;
  readonly post_parent?: number | undefined;
}

/** The records that the values of parameters may refer to. */
export interface Lookup {
  readonly posts: { readonly [K in PostKind]: { get(id: number): OwnedPost | undefined } };
  readonly terms: {
    get(id: number, kind?: TermKind): { readonly id: number } | undefined;
    withSlug(kind: TermKind, slug: string): { readonly id: number } | undefined;
    withDescendants(id: number): number[];
  };
  image(id: number): OwnedImage | undefined;
  /** Checks whether a published record without a password shows an image. */
  isPublicImage(id: number): boolean;
  author(id: number): object | undefined;
}

interface OwnedPost extends Owned {
  readonly record: Owned['record'] & { readonly access_password?: unknown };
}
