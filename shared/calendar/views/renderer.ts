/** Records as JSON text. Each record's own part is kept, so that a list is mostly joined from texts that are ready. */

import type { AnyPost, Language, TermRecord } from '../model/records.ts';
import { type KnownCaller, mayRead } from '../model/rights.ts';
import type { Site } from '../model/site.ts';
import { RecentMap } from '../recent-map.ts';
import type { EventEntry, OrganizerEntry, PostEntry, VenueEntry } from '../replica/entries.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { textIn, type ViewContext } from './context.ts';
import { eventView, protectedEventView } from './event-view.ts';
import { eventJsonLd } from './json-ld.ts';
import { scriptSafe } from './script-safe.ts';
import { embeddedTermView, termView } from './term-view.ts';
import { organizerView, venueView } from './venue-view.ts';

/** Texts kept at the most: events, and venues and organizers. About 2 KB each. */
const keptTexts = 5000;

/** How a record is to be shown. */
export interface Showing {
  readonly caller: KnownCaller;
  /** Adds linked data, as in the reading of one record. */
  readonly jsonLd?: boolean;
  /** Tells whether a password that was sent opens a protected event. */
  readonly isOpen?: (entry: EventEntry) => boolean;
}

interface TermText {
  readonly revision: number;
  readonly count: number;
  readonly text: string;
}

export class Renderer {
  readonly context: ViewContext;
  readonly #posts = new RecentMap<PostEntry, string>(keptTexts);
  readonly #terms = new RecentMap<number, TermText>(keptTexts);

  constructor(site: Site, root: string, replica: CalendarReplica, language: Language | undefined) {
    this.context = { site, root, replica, language };
  }

  /** Gives an event, venue or organizer. */
  post(entry: PostEntry, showing: Showing): string {
    switch (entry.record.kind) {
      case 'event':
        return this.event(entry as EventEntry, showing);
      case 'venue':
        return this.venue(entry as VenueEntry, showing);
      case 'organizer':
        return this.organizer(entry as OrganizerEntry, showing);
    }
  }

  event(entry: EventEntry, showing: Showing): string {
    const isProtected = entry.record.access_password !== undefined && showing.isOpen?.(entry) !== true;
    if (isProtected) return this.#protected(entry);
    const own = this.#kept(entry, () => eventView(entry, this.context));
    const jsonLd = showing.jsonLd
      ? `,"json_ld":${scriptSafe(eventJsonLd(this.#visible(entry, showing), this.context))}`
      : '';
    return `${own.slice(0, -1)},${this.#links(entry, showing)}${jsonLd}}`;
  }

  venue(entry: VenueEntry, { jsonLd = false }: Showing): string {
    if (jsonLd) return scriptSafe(venueView(entry, this.context, true));
    return this.#kept(entry, () => venueView(entry, this.context));
  }

  organizer(entry: OrganizerEntry, { jsonLd = false }: Showing): string {
    if (jsonLd) return scriptSafe(organizerView(entry, this.context, true));
    return this.#kept(entry, () => organizerView(entry, this.context));
  }

  term(term: TermRecord): string {
    return JSON.stringify(termView(term, this.context));
  }

  #protected(entry: EventEntry): string {
    const own = JSON.stringify(protectedEventView(entry, this.context));
    return `${own.slice(0, -1)},"categories":[],"tags":[],"venue":[],"organizer":[],"custom_fields":[]}`;
  }

  #links(entry: EventEntry, showing: Showing): string {
    const { replica } = this.context;
    const { categories, tags } = entry.record;
    const venues = this.#readable(entry, 'venue', showing).map((one) => this.venue(one, showing));
    const organizers = this.#readable(entry, 'organizer', showing).map((one) => this.organizer(one, showing));
    const [venue = '[]', ...others] = venues;
    return [
      `"categories":[${this.#embedded(categories, replica)}]`,
      `"tags":[${this.#embedded(tags, replica)}]`,
      `"venue":${others.length > 0 ? `[${venues.join(',')}]` : venue}`,
      `"organizer":[${organizers.join(',')}]`,
      '"custom_fields":[]',
    ].join(',');
  }

  /** The linked records that the caller may read: what the single read refuses is not shown here either. */
  #readable<K extends 'venue' | 'organizer'>({ record }: EventEntry, kind: K, { caller }: Showing) {
    return this.context.replica.linked(kind, record[kind]).filter((one) => mayRead(caller, one as PostEntry));
  }

  /** The event with only those links that the caller may follow. */
  #visible(entry: EventEntry, showing: Showing): EventEntry {
    const ids = (kind: 'venue' | 'organizer') => {
      const readable = this.#readable(entry, kind, showing);
      return readable.map(({ record }) => [record.id, record.generation ?? 0] as const);
    };
    return { ...entry, record: { ...entry.record, venue: ids('venue'), organizer: ids('organizer') } };
  }

  /** Terms inside an event, by name. */
  #embedded(ids: readonly number[] | undefined, { terms }: CalendarReplica): string {
    if (ids === undefined) return '';
    const { language } = this.context;
    const live = ids.map((id) => terms.get(id)).filter((term) => term !== undefined);
    if (live.length > 1)
      live.sort((a, b) => compareNames(textIn(a, 'name', language), textIn(b, 'name', language)));
    return live.map((term) => this.#embeddedTerm(term)).join(',');
  }

  #embeddedTerm(term: TermRecord): string {
    const { terms } = this.context.replica;
    const { revision } = terms;
    const count = terms.countOf(term.id);
    const known = this.#terms.get(term.id);
    if (known !== undefined && known.revision === revision && known.count === count) return known.text;
    const text = JSON.stringify(embeddedTermView(term, this.context));
    this.#terms.set(term.id, { revision, count, text });
    return text;
  }

  #kept(entry: PostEntry<AnyPost>, view: () => object): string {
    const known = this.#posts.get(entry);
    if (known !== undefined) return known;
    const text = JSON.stringify(view());
    this.#posts.set(entry, text);
    return text;
  }
}

const collator = new Intl.Collator('en');

/** Compares two names for lists, whatever their case and accents. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}
