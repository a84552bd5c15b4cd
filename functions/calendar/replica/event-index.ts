/** The index by which lists find events, updated with each change. An event has a slot: a small number by which sets and orders refer to it. */

import type { AnyPost } from '../model/records.ts';
import { needsOf, type TranslationNeed } from '../model/translated-texts.ts';
import type { Link, LinkedKind, Status } from '../model/values.ts';
import type { EventEntry, PostEntry } from './entries.ts';
import { type CompareEvents, EventOrder, type EventSlots } from './event-order.ts';
import type { Bits } from './slot-sets.ts';
import { SlotSet, SlotSets } from './slot-sets.ts';

export type EventFlag = 'featured' | 'ticketed' | 'hide_from_listings';

/** First and last instant, both included; infinite where unbounded. */
export type Bounds = readonly [min: number, max: number];

const flags: readonly EventFlag[] = ['featured', 'ticketed', 'hide_from_listings'];

/** A generation is added to an id in this unit, so that a number names both. */
const generationUnit = 2 ** 32;

const noSlots = new SlotSet();

export class EventIndex implements EventSlots {
  readonly statuses = new SlotSets<Status>();
  readonly authors = new SlotSets<number>();
  readonly flags = new SlotSets<EventFlag>();
  readonly terms = new SlotSets<number>();
  readonly parents = new SlotSets<number>();
  readonly translations = new SlotSets<TranslationNeed>();
  readonly #links = { venue: new SlotSets<number>(), organizer: new SlotSets<number>() };
  readonly #entries: (EventEntry | undefined)[] = [];
  /** Slots by the ids of their events. */
  readonly #slots = new Map<number, number>();
  readonly #unusedSlots: number[] = [];
  readonly #orders = new Map<string, EventOrder>();
  readonly #watchers: Set<number>[] = [];

  /** The order of lists. */
  readonly starts = new EventOrder(this, compareEvents);
  readonly #ends = new EventOrder(this, (a, b) => a.end - b.end);

  at(slot: number): EventEntry | undefined {
    return this.#entries[slot];
  }

  /** The slot of an event by its id. */
  slotOf(id: number): number | undefined {
    return this.#slots.get(id);
  }

  /** Deletes the events from a set that start or end outside of bounds. */
  keepBetween(set: Bits, [minStart, maxStart]: Bounds, [minEnd, maxEnd]: Bounds): void {
    this.starts.deleteBefore(set, ({ start }) => start >= minStart);
    this.starts.deleteFrom(set, ({ start }) => start > maxStart);
    this.#ends.deleteBefore(set, ({ end }) => end >= minEnd);
    this.#ends.deleteFrom(set, ({ end }) => end > maxEnd);
  }

  /** The slots of events with a link that leads to a venue or organizer. */
  linkedTo({ record, status }: PostEntry): SlotSet {
    if (record.kind === 'event' || status === 'trash') return noSlots;
    return this.#links[record.kind].get(record.id + generationOf(record) * generationUnit) ?? noSlots;
  }

  /** Replaces the entry of an event by a new one, or deletes it. */
  replace(before: EventEntry | undefined, after: EventEntry | undefined): void {
    const id = (after ?? before)?.record.id;
    if (id === undefined) return;
    const slot = this.#slots.get(id) ?? this.#unusedSlots.pop() ?? this.#entries.length;
    if (before !== undefined) this.#updateSets(slot, before, 'delete');
    if (after === undefined) this.#remove(id, slot);
    else this.#put(id, slot, after);
    for (const changed of this.#watchers) changed.add(slot);
  }

  watch(): Set<number> {
    const changed = new Set(this.#slots.values());
    this.#watchers.push(changed);
    return changed;
  }

  /** Returns the order of a name, made on first use. */
  orderBy(name: string, compare: CompareEvents): EventOrder {
    let order = this.#orders.get(name);
    if (order === undefined) {
      order = new EventOrder(this, compare);
      this.#orders.set(name, order);
    }
    return order;
  }

  clear(): void {
    for (const entry of this.#entries) this.replace(entry, undefined);
  }

  #put(id: number, slot: number, entry: EventEntry): void {
    this.#slots.set(id, slot);
    this.#entries[slot] = entry;
    this.#updateSets(slot, entry, 'add');
  }

  #remove(id: number, slot: number): void {
    this.#slots.delete(id);
    this.#entries[slot] = undefined;
    this.#unusedSlots.push(slot);
  }

  #updateSets(slot: number, { record, status }: EventEntry, how: 'add' | 'delete'): void {
    this.statuses[how](status, slot);
    this.authors[how](record.author, slot);
    for (const flag of flags) if (record[flag] === true) this.flags[how](flag, slot);
    for (const need of needsOf(record)) this.translations[how](need, slot);
    if (record.post_parent !== undefined) this.parents[how](record.post_parent, slot);
    for (const id of new Set([...(record.categories ?? []), ...(record.tags ?? [])]))
      this.terms[how](id, slot);
    for (const kind of ['venue', 'organizer'] as const)
      for (const key of keysOf(record[kind])) this.#links[kind][how](key, slot);
  }
}

/** Compares two events by the order of lists: by start, then publication, older first, then id. */
export function compareEvents(a: EventEntry, b: EventEntry): number {
  return a.start - b.start || a.published - b.published || a.record.id - b.record.id;
}

function keysOf(links: readonly Link[] | undefined): Set<number> {
  return new Set(
    links?.map((link) => (typeof link === 'number' ? link : link[0] + link[1] * generationUnit)),
  );
}

function generationOf(record: Extract<AnyPost, { kind: LinkedKind }>): number {
  return record.generation ?? 0;
}
