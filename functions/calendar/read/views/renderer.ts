/** Renders records as JSON text, which is cached, so that lists are joined from cached texts. */

import { createCache } from '../../../../shared/cache.ts';
import type { TermRecord } from '../../model/records.ts';
import { anonymous, has, type KnownCaller, mayRead, type Readable } from '../../model/rights.ts';
import { compareNames } from '../../model/text/compare-names.ts';
import { scriptSafeJson } from '../../model/text/html.ts';
import { textIn } from '../../model/text/render-text.ts';
import type { LinkedKind } from '../../model/values.ts';
import type { EventEntry, OrganizerEntry, PostEntry, VenueEntry } from '../../replica/entries.ts';
import type { CalendarReplica } from '../../replica/replica.ts';
import type { EventText, Item, RecordRenderer, RenderOptions } from '../read-context.ts';
import {
  type CachedText,
  type Rendered,
  rendered,
  type TextCache,
  TextCaches,
  type TextSource,
} from '../text-cache.ts';
import { eventJsonLd, organizerJsonLd, venueJsonLd } from './json-ld.ts';
import { embeddedTermView, postView, termView, type ViewContext } from './views.ts';

/** Embedded terms that are cached, at most. */
const maxTerms = 1000;

type ContactEntry = VenueEntry | OrganizerEntry;

interface TermText {
  readonly revision: number;
  readonly count: number;
  readonly text: string;
}

export class Renderer implements RecordRenderer {
  readonly #context: ViewContext;
  readonly #posts: TextCache<Rendered>;
  readonly components: TextCache<EventText>;
  readonly #terms = createCache<number, TermText>({ maxEntries: maxTerms });
  readonly #events: TextSource<Rendered, EventEntry> = {
    stateOf: (entry) => this.#links(entry, anonymous),
    make: (entry, links, before) =>
      rendered(`${before === undefined ? this.#own(entry) : ownPart(before)}${links}}`),
  };
  readonly #contacts: TextSource<Rendered, ContactEntry> = {
    stateOf: () => '',
    make: (entry) => rendered(JSON.stringify(postView(entry, this.#context))),
  };

  /** Renderers of other languages share `texts`. */
  constructor(context: ViewContext, texts = new TextCaches()) {
    this.#context = context;
    this.#posts = texts.open();
    this.components = texts.open();
  }

  post({ entry, caller, isHidden }: Readable<PostEntry>, options: RenderOptions = {}): Rendered {
    if (!isEvent(entry)) return this.#contact(entry as ContactEntry, options);
    return isHidden ? this.#hidden(entry) : this.#event(entry, caller, options);
  }

  term(term: TermRecord): Rendered {
    return rendered(JSON.stringify(termView(term, this.#context)));
  }

  item(readable: Readable<PostEntry>, options?: RenderOptions): Item {
    const { record, version } = readable.entry;
    const { text } = this.post(readable, options);
    return { id: record.id, text, version, modified: record.modified_utc };
  }

  termItem(term: TermRecord): Item {
    const { id } = term;
    return { id, text: this.term(term).text, version: this.#context.replica.terms.versionOf(id) };
  }

  #event(entry: EventEntry, caller: KnownCaller, options: RenderOptions): Rendered {
    const view = this.#public(entry);
    if (!options.jsonLd && !has('contributor', caller)) return view;
    const jsonLd = options.jsonLd
      ? `,"json_ld":${scriptSafeJson(eventJsonLd(this.#visible(entry, caller), this.#context))}`
      : '';
    return rendered(`${ownPart(view)}${this.#links(entry, caller, options)}${jsonLd}}`);
  }

  /** An event as anonymous callers see it. Only its links are rendered again where they changed. */
  #public(entry: EventEntry): CachedText<Rendered> {
    return this.#posts.of(entry, this.#context.replica.revision, this.#events);
  }

  /** The text of an event up to its links. */
  #own(entry: EventEntry): string {
    return `${JSON.stringify(postView(entry, this.#context)).slice(0, -1)},`;
  }

  #contact(entry: ContactEntry, { jsonLd = false }: RenderOptions): Rendered {
    if (!jsonLd) return this.#plainContact(entry);
    const { record } = entry;
    const linkedData = () =>
      record.kind === 'venue' ? venueJsonLd(record, this.#context) : organizerJsonLd(record, this.#context);
    return rendered(scriptSafeJson(postView(entry, this.#context, { linkedData })));
  }

  #hidden(entry: EventEntry): Rendered {
    const hidden = JSON.stringify(postView(entry, this.#context, { isHidden: true }));
    return rendered(
      `${hidden.slice(0, -1)},"categories":[],"tags":[],"venue":[],"organizer":[],"custom_fields":[]}`,
    );
  }

  #links(entry: EventEntry, caller: KnownCaller, options: RenderOptions = {}): string {
    const { replica } = this.#context;
    const { categories, tags } = entry.record;
    const venues = this.#readable(entry, 'venue', caller).map(
      (linked) => this.#contact(linked, options).text,
    );
    const organizers = this.#readable(entry, 'organizer', caller).map(
      (linked) => this.#contact(linked, options).text,
    );
    const [venue = '[]', ...others] = venues;
    return [
      `"categories":[${this.#embedded(categories, replica)}]`,
      `"tags":[${this.#embedded(tags, replica)}]`,
      `"venue":${others.length > 0 ? `[${venues.join(',')}]` : venue}`,
      `"organizer":[${organizers.join(',')}]`,
      '"custom_fields":[]',
    ].join(',');
  }

  /** The linked records that the caller may read. */
  #readable<K extends LinkedKind>({ record }: EventEntry, kind: K, caller: KnownCaller) {
    return this.#context.replica
      .linked(kind, record[kind])
      .filter((linked) => mayRead(caller, linked as PostEntry));
  }

  /** The event without links to records that the caller may not read. */
  #visible(entry: EventEntry, caller: KnownCaller): EventEntry {
    const ids = (kind: LinkedKind) => {
      const readable = this.#readable(entry, kind, caller);
      return readable.map(({ record }) => [record.id, record.generation ?? 0] as const);
    };
    return { ...entry, record: { ...entry.record, venue: ids('venue'), organizer: ids('organizer') } };
  }

  /** Terms inside an event, by name. */
  #embedded(ids: readonly number[] | undefined, { terms }: CalendarReplica): string {
    if (ids === undefined) return '';
    const { language } = this.#context;
    const live = ids.map((id) => terms.get(id)).filter((term) => term !== undefined);
    if (live.length > 1)
      live.sort((a, b) => compareNames(textIn(a, 'name', language), textIn(b, 'name', language)));
    return live.map((term) => this.#embeddedTerm(term)).join(',');
  }

  #embeddedTerm(term: TermRecord): string {
    const { terms } = this.#context.replica;
    const { revision } = terms;
    const count = terms.countOf(term.id);
    const cached = this.#terms.get(term.id);
    if (cached !== undefined && cached.revision === revision && cached.count === count) return cached.text;
    const text = JSON.stringify(embeddedTermView(term, this.#context));
    this.#terms.set(term.id, { revision, count, text });
    return text;
  }

  #plainContact(entry: ContactEntry): Rendered {
    return this.#posts.of(entry, 0, this.#contacts);
  }
}

/** Returns the text of an event up to its links. */
function ownPart({ text, state: links }: CachedText<Rendered>): string {
  return text.slice(0, -links.length - 1);
}

function isEvent(entry: PostEntry): entry is EventEntry {
  return 'isProtected' in entry;
}

const maxRenderers = 12;

/** The properties of a request that URLs and texts depend on. */
type Place = Pick<ViewContext, 'root' | 'language' | 'site'>;

/** Creates the function that returns the renderer for a request. */
export function createRenderers(replica: CalendarReplica) {
  const texts = new TextCaches();
  const renderers = createCache<string, Renderer>({ maxEntries: maxRenderers });
  return ({ root, language, site }: Place): Renderer => {
    const cacheKey = [language, root, site.url].join(' ');
    const renderer = renderers.get(cacheKey) ?? new Renderer({ replica, site, root, language }, texts);
    renderers.set(cacheKey, renderer);
    return renderer;
  };
}
