/** What a read is made from, and what it resolves with. */

import type { Freshness } from '../log/log.ts';
import type { AnyPost, TermRecord } from '../model/records.ts';
import type { KnownCaller } from '../model/rights.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { PageCache } from './page-cache.ts';
import type { Rendered, TextCache } from './text-cache.ts';

/** The context of a read: it sees the replica at one moment. */
export interface ReadContext extends ReplicaContext {
  readonly renderer: RecordRenderer;
  readonly search: EventSearch;
  readonly pages: PageCache;
  /** Checks whether an event has no password, or that which was sent. */
  readonly isUnlocked: (entry: EventEntry) => boolean;
}

/** A value, and how fresh the replica was that it was read from. */
export interface ReadResult<T> {
  readonly value: T;
  readonly freshness: Freshness;
}

/** A page of a feed: iCalendar in UTF-8. */
export interface FeedPage {
  readonly bytes: Uint8Array;
  readonly total: number;
  readonly totalPages: number;
}

/** A feed for a caller: without the page when that is what they have already. */
export interface Feed {
  readonly etag: string;
  readonly page?: FeedPage;
}

/** An event as a component of iCalendar. */
export interface EventText extends Rendered {
  /** The time zone whose rules it needs; undefined for none. */
  readonly zone: string | undefined;
}

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

export interface RenderOptions {
  readonly caller: KnownCaller;
  /** Adds linked data, as in the reading of one record. */
  readonly jsonLd?: boolean;
  /** Checks whether a protected event may be shown whole. */
  readonly isUnlocked: (entry: EventEntry) => boolean;
}

/** Renders records as JSON text. */
export interface RecordRenderer {
  /** Events as components of iCalendar, in the same language. */
  readonly components: TextCache<EventText>;
  post(entry: PostEntry, options: RenderOptions): Rendered;
  term(term: TermRecord): Rendered;
  /** Renders a record on its own; an event, venue or organizer as the replica has it now. */
  item(record: AnyPost | TermRecord, options: RenderOptions): Item;
}
