/**
 * Recurring events of Events Calendar Pro: a site lists each of their occurrences as an event of its own, with an id above those of posts, an
 * address that ends with its day (`/event/choir/2027-04-01/`), and the slug of them all. The API says nothing of the rule, nor which events
 * are of one series. Here each is an event with a slug of its own.
 *
 * The site numbers its occurrences, and may do so anew when a rule changes, or when the plugin is taken away and comes back. So an occurrence
 * is found by its address first, and then by its number: one that has another day by now was moved.
 */

import { comparablePath, pagePathOf } from '../../../functions/calendar/model/page-paths.ts';
import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { cutSlug, slugWithNumber } from '../../../functions/calendar/model/text/slug.ts';
import type { SourceOccurrence } from '../../../functions/calendar/model/values.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { idIn } from './record.ts';
import type { View } from './records-of-view.ts';
import { isSameSource } from './source-name.ts';

/** The first number of an occurrence whose own is that of another record here: above those of sites, and below those of what is created here. */
const firstNumber = 1_500_000_000;
/** Bytes of a slug. */
const maxSlug = 200;

/** What an event of a source is here. */
export interface EventIdentity {
  readonly id: number;
  readonly slug: string;
  readonly occurrence: SourceOccurrence;
}

/** An event of a source, as far as its identity is told by it. */
interface Listed {
  readonly id: number;
  readonly slug: string;
  readonly start: string;
  /** Path of its page, or of that of all its occurrences. */
  readonly path: string;
  /** The end of the address of an occurrence. */
  readonly dated?: { readonly day: string; readonly place?: number };
}

const datedAddress = /^(.+\/([^/]+))\/(\d{4}-\d\d-\d\d)(?:\/(\d{1,4}))?$/;

function listedOf(view: View): Listed | undefined {
  const id = idIn(view['id']);
  const slug = typeof view['slug'] === 'string' ? view['slug'].toLowerCase() : '';
  if (id === undefined || slug === '') return undefined;
  const { url, start_date } = view;
  const address = typeof url === 'string' ? URL.parse(url) : null;
  const path = comparablePath(address?.pathname ?? '');
  const [, base = '', name = '', day, place] = datedAddress.exec(path) ?? [];
  const common = { id, slug, start: String(start_date) };
  // Earlier versions have given each occurrence a slug that begins with the one in its address.
  if (day === undefined || !comparablePath(slug).startsWith(name))
    return { ...common, path: path === '' ? comparablePath(pagePathOf({ kind: 'event', slug })) : path };
  return { ...common, path: base, dated: { day, ...(place === undefined ? {} : { place: Number(place) }) } };
}

/** An event that is here, and may be an occurrence of the source. */
interface Known {
  readonly record: EventRecord;
  readonly idThere: number;
}

/** The occurrences of a source, and the events that they are here. */
export class Occurrences {
  readonly #source: string;
  readonly #replica: CalendarReplica;
  readonly #byPlace = new Map<string, Known>();
  readonly #byIdThere = new Map<number, Known>();
  readonly #identities = new Map<number, EventIdentity>();
  /** Ids there of events that stand for all occurrences of one. */
  readonly #wholes = new Set<number>();
  /** Ids of events of the source that are here. */
  readonly #numbers = new Set<number>();
  /** Those of them that were found, with their ids there. */
  readonly #found = new Map<number, number>();
  /** Starts by the place of the occurrences that the source has. */
  readonly #places = new Map<string, string>();
  /** Slugs of the events of the source that are no occurrences. */
  readonly #ownSlugs = new Set<string>();
  /** Slugs that several events of the source have. */
  readonly #sharedSlugs = new Set<string>();
  /** Slugs of events whose addresses have days. */
  readonly #datedSlugs = new Set<string>();
  #nextNumber = firstNumber;

  constructor(source: string, replica: CalendarReplica) {
    this.#source = source;
    this.#replica = replica;
    for (const { record } of replica.posts.event.values()) {
      const { follows } = record;
      if (follows === undefined || !isSameSource(follows.source, source)) continue;
      const { occurrence } = follows;
      const known = { record, idThere: occurrence?.id ?? record.id };
      this.#numbers.add(record.id);
      this.#byIdThere.set(known.idThere, known);
      if (occurrence !== undefined) this.#byPlace.set(placeName(occurrence), known);
      else
        for (const path of [comparablePath(pagePathOf(record)), ...(record.earlier_paths ?? [])])
          this.#byPlace.set(placeName({ path, day: record.start_date.slice(0, 10) }), known);
    }
    for (const { record: series } of replica.series.values()) {
      const [path] = series.earlier_paths ?? [];
      if (path === undefined || !isSameSource(series.imported_from ?? '', source)) continue;
      // Dates that people have added here first.
      for (const { recurrence, event = 0 } of series.dates) {
        const record = replica.posts.event.get(event)?.record;
        const place = placeName({ path, day: recurrence });
        if (record !== undefined && record.follows === undefined && !this.#byPlace.has(place))
          this.#byPlace.set(place, { record, idThere: 0 });
      }
    }
  }

  /** The occurrences, by the ids that they have here. */
  get all(): ReadonlyMap<number, SourceOccurrence> {
    return new Map(Array.from(this.#identities.values(), ({ id, occurrence }) => [id, occurrence]));
  }

  /** Keys of the events that stand for all occurrences of one, and are none of them. */
  get wholes(): readonly string[] {
    return Array.from(this.#wholes, (id) => `event/${id}`);
  }

  /** Finds the events that occurrences are here, among views of a list; other events stay what they are. */
  find(views: Iterable<View>): void {
    const listed = [...views].flatMap((view) => listedOf(view) ?? []);
    const slugs = new Set<string>();
    for (const { slug, dated } of listed) {
      if (slugs.has(slug)) this.#sharedSlugs.add(slug);
      slugs.add(slug);
      if (dated !== undefined) this.#datedSlugs.add(slug);
    }
    // What stands for all of them may have the address of the next one.
    const isOnItsDay = ({ dated, start }: Listed) => dated !== undefined && start.startsWith(dated.day);
    const inOrder = [...listed.filter(isOnItsDay), ...listed.filter((event) => !isOnItsDay(event))];
    let left = inOrder.flatMap((event) => this.#occurrenceOf(event) ?? []);
    const ids = new Set(left.map(({ occurrence }) => occurrence.id));
    for (const { id, slug } of listed)
      if (!ids.has(id) && !this.#identities.has(id) && !this.#wholes.has(id)) this.#ownSlugs.add(slug);
    const take = (find: (item: Found) => Known | undefined) => {
      left = left.filter((item) => {
        const known = find(item);
        if (known === undefined || this.#found.has(known.record.id)) return true;
        this.#identify(item, known.record.id);
        return false;
      });
    };
    take((item) => {
      const known = this.#byPlace.get(placeName(item.occurrence));
      return known?.idThere === item.occurrence.id ? known : undefined;
    });
    take(({ occurrence }) => this.#byPlace.get(placeName(occurrence)));
    take(({ occurrence }) => this.#byIdThere.get(occurrence.id));
    for (const item of left) this.#identify(item, this.#freeNumber(item.occurrence.id));
  }

  /** Returns what an event of the source is here: undefined for one that is no occurrence, null for one that stands for all of them. */
  identityOf(view: View): EventIdentity | null | undefined {
    const id = idIn(view['id']) ?? 0;
    return this.#wholes.has(id) ? null : this.#identities.get(id);
  }

  /** Returns the id under which the source has an event that is here; undefined where the source has none that it could be. */
  idThere({ id, follows }: EventRecord): number | undefined {
    const found = this.#found.get(id);
    if (found !== undefined) return found;
    const idThere = follows?.occurrence?.id ?? id;
    const identity = this.#identities.get(idThere);
    return identity !== undefined && identity.id !== id ? undefined : idThere;
  }

  /** Returns the id of the event here that had an id in the source at the last import. */
  idBefore(id: number): number | undefined {
    return this.#byIdThere.get(id)?.record.id;
  }

  /** Returns the id that an event of the source has here. */
  idHere(id: number): number {
    return this.#identities.get(id)?.id ?? id;
  }

  /** Returns an event as an occurrence; undefined for one that is none, or stands for all of one recurring event. */
  #occurrenceOf({ id, slug, start, path, dated }: Listed): Found | undefined {
    if (this.#identities.has(id) || this.#wholes.has(id)) return undefined;
    const startDay = start.slice(0, 10);
    const day = dated?.day ?? startDay;
    // Without its plugin the source has one event in the place of all occurrences.
    const wasOccurrence = () =>
      this.#byPlace.get(placeName({ path, day }))?.record.follows?.occurrence !== undefined;
    if (
      dated === undefined &&
      !this.#sharedSlugs.has(slug) &&
      !this.#datedSlugs.has(slug) &&
      !wasOccurrence()
    )
      return undefined;
    const address = { path, day, ...(dated?.place === undefined ? {} : { place: dated.place }) };
    const before = this.#places.get(placeName(address));
    const isWhole =
      this.#datedSlugs.has(slug) && (dated === undefined || (before !== undefined && day !== startDay));
    if (before === start || isWhole) {
      this.#wholes.add(id);
      return undefined;
    }
    const place = before === undefined ? {} : { place: Number(start.slice(11, 16).replace(':', '')) };
    const occurrence = { id, ...address, ...place };
    this.#places.set(placeName(occurrence), start);
    return { occurrence, slug, hasOwnSlug: dated !== undefined && slug.endsWith(`-${day}`) };
  }

  #identify({ occurrence, slug: common, hasOwnSlug }: Found, id: number): void {
    const slug = hasOwnSlug ? common : this.#freeSlug(slugOfOccurrence(common, occurrence), id);
    this.#found.set(id, occurrence.id);
    this.#identities.set(occurrence.id, { id, slug, occurrence });
  }

  /** Returns a slug that is made here: with the number of its event, where the source or a person has it for another event. */
  #freeSlug(slug: string, id: number): string {
    const holder = this.#replica.posts.event.withSlug(slug)?.record;
    const { source = '', occurrence } = holder?.follows ?? {};
    // Another occurrence that has it now gets its own in the same run.
    const isLeft = occurrence !== undefined && isSameSource(source, this.#source);
    const isHeld = holder !== undefined && holder.id !== id && !isLeft;
    return isHeld || this.#ownSlugs.has(slug) ? slugWithNumber(slug, id) : slug;
  }

  /** Returns the number of an occurrence that is new here: that of the source, where no other of its events has it here. */
  #freeNumber(id: number): number {
    const isOther = (number: number) => this.#found.has(number) || this.#numbers.has(number);
    if (!isOther(id)) return id;
    while (isOther(this.#nextNumber) || this.#replica.post(this.#nextNumber) !== undefined)
      this.#nextNumber += 1;
    return this.#nextNumber;
  }
}

interface Found {
  readonly occurrence: SourceOccurrence;
  /** The slug that the source has for it: that of all, or its own. */
  readonly slug: string;
  readonly hasOwnSlug: boolean;
}

function placeName({ path, day, place }: Omit<SourceOccurrence, 'id'>): string {
  return JSON.stringify([path, day, place ?? 1]);
}

function slugOfOccurrence(slug: string, { day, place }: SourceOccurrence): string {
  const end = `-${day}${place === undefined ? '' : `-${place}`}`;
  return cutSlug(slug, maxSlug - end.length) + end;
}
