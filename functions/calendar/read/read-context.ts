/** The context of a read, and its results. */

import type { Freshness } from '../log/log.ts';
import type { TermRecord } from '../model/records.ts';
import type { IsUnlocked, Readable } from '../model/rights.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { PageCache } from './page-cache.ts';
import type { RenderedInTurns } from './rendered-in-turns.ts';
import type { Rendered, TextCache } from './text-cache.ts';

/** The context of a read, with the state of the replica at that moment. */
export interface ReadContext extends ReplicaContext {
  readonly renderer: RecordRenderer;
  readonly search: EventSearch;
  readonly pages: PageCache;
  readonly isUnlocked: IsUnlocked;
  /** Instant of the latest write, in seconds; undefined where it is not known. */
  readonly changedAt: number | undefined;
  /** What this request has rendered in earlier turns. */
  readonly turns: RenderedInTurns;
}

/** A value, and the freshness of the replica from which it was read. */
export interface ReadResult<T> {
  readonly value: T;
  readonly freshness: Freshness;
}

/** A page of a feed: iCalendar in UTF-8. The totals are those of events that take place. */
export interface FeedPage {
  readonly bytes: Uint8Array;
  readonly total: number;
  readonly totalPages: number;
}

/** The file of one event, and since when it is as it is now, in seconds; absent where that is not known. */
export interface EventFile {
  readonly text: string;
  readonly lastModified?: number;
}

/** A feed; without the page where the caller has the present page. */
export interface Feed {
  readonly etag: string;
  /** Instant since which it is as it is now, in seconds; absent where that is not known. */
  readonly lastModified?: number;
  readonly page?: FeedPage;
}

/** An event as a component of iCalendar. */
export interface EventText extends Rendered {
  /** The time zone whose rules the component needs; undefined for none. */
  readonly zone: string | undefined;
}

/** A record as JSON text. `version` names its present state. */
export interface Item {
  readonly id: number;
  readonly text: string;
  readonly version: number;
  /** Last change in UTC, `YYYY-MM-DD HH:MM:SS`; absent for terms. */
  readonly modified?: string;
  /** Whether the caller may not write to this record, although their role may write to its kind. */
  readonly readOnly?: boolean;
}

export interface RenderOptions {
  /** Adds linked data, as the read of a single record does. */
  readonly jsonLd?: boolean;
}

/** Renders records as JSON text. Events, venues and organizers are shown to those who may read them; categories and tags to everybody. */
export interface RecordRenderer {
  /** Events as components of iCalendar, in the same language. */
  readonly components: TextCache<EventText>;
  post(readable: Readable<PostEntry>, options?: RenderOptions): Rendered;
  term(term: TermRecord): Rendered;
  /** Renders an event, venue or organizer as a single record. */
  item(readable: Readable<PostEntry>, options?: RenderOptions): Item;
  /** Renders a category or tag as a single record. */
  termItem(term: TermRecord): Item;
}
