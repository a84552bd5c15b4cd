/** Which events have what lists ask for, kept up to date with each change. Each event has a slot: a small number, by which sets and columns are kept. */

import type { AnyPost } from '../model/records.ts';
import type { Link, LinkedKind, Status } from '../model/values.ts';
import type { Bits } from './bits.ts';
import type { EventEntry, PostEntry } from './entries.ts';
import { EventOrder, type EventSlots } from './event-order.ts';
import { ChangedSlots, SlotSet, SlotSets } from './slot-sets.ts';
import { type Bounds, TimeOrder } from './time-order.ts';

export type EventFlag = 'featured' | 'ticketed' | 'hide_from_listings';

const flags: readonly EventFlag[] = ['featured', 'ticketed', 'hide_from_listings'];

/** Generations lie above the ids: one number names both. */
const generationUnit = 2 ** 32;

/** Orders that are kept up to date, at most, beside that of lists. */
const maxOrders = 10;

const none = new SlotSet();

type Compare = (a: EventEntry, b: EventEntry) => number;

export class EventIndex implements EventSlots {
  readonly statuses = new SlotSets<Status>();
  readonly authors = new SlotSets<number>();
  readonly flags = new SlotSets<EventFlag>();
  readonly terms = new SlotSets<number>();
  readonly parents = new SlotSets<number>();
  readonly #links = { venue: new SlotSets<number>(), organizer: new SlotSets<number>() };
  readonly #entries: (EventEntry | undefined)[] = [];
  readonly #slots = new Map<number, number>();
  readonly #free: number[] = [];
  readonly #orders = new Map<string, EventOrder>();
  readonly #watchers = new Set<ChangedSlots>();

  /** The events in the order of lists: by start, then publication, older first, then id. */
  readonly starts = new TimeOrder(this, ({ start }) => start, compareEvents);
  readonly #ends = new TimeOrder(this, ({ end }) => end, compareEnds);

  /** Number of events. */
  get size(): number {
    return this.#slots.size;
  }

  /** Slots are below this number. */
  get capacity(): number {
    return this.#entries.length;
  }

  /** The event in a slot. */
  at(slot: number): EventEntry | undefined {
    return this.#entries[slot];
  }

  /** The slot of an event by its id. */
  slotOf(id: number): number | undefined {
    return this.#slots.get(id);
  }

  /** Keeps only those events of a set that start and end between bounds. */
  keepBetween(set: Bits, starts: Bounds, ends: Bounds): void {
    this.starts.update();
    this.#ends.update();
    this.starts.keep(set, starts);
    this.#ends.keep(set, ends);
  }

  /** The slots of events with a link that leads to a venue or organizer. */
  linkedTo({ record, status }: PostEntry): SlotSet {
    if (record.kind === 'event' || status === 'trash') return none;
    return this.#links[record.kind].get(record.id + generationOf(record) * generationUnit) ?? none;
  }

  /** Puts the new entry of an event in the place of the one before. */
  replace(before: EventEntry | undefined, after: EventEntry | undefined): void {
    const id = (after ?? before)?.record.id;
    if (id === undefined) return;
    const slot = this.#slots.get(id) ?? this.#free.pop() ?? this.#entries.length;
    if (before !== undefined) this.#note(slot, before, 'delete');
    this.#entries[slot] = after;
    if (after === undefined) {
      this.#slots.delete(id);
      this.#free.push(slot);
    } else {
      this.#slots.set(id, slot);
      this.#note(slot, after, 'add');
    }
    for (const changed of this.#watchers) changed.add(slot);
  }

  /** Returns a set to which the slots of changed events are added from now on, with those of all events in it. Whoever watches takes them out. */
  watch(): ChangedSlots {
    const changed = new ChangedSlots();
    for (const slot of this.#slots.values()) changed.add(slot);
    this.#watchers.add(changed);
    return changed;
  }

  unwatch(changed: ChangedSlots): void {
    this.#watchers.delete(changed);
  }

  /** Returns the events in another order, which is kept up to date from then on. */
  orderBy(name: string, compare: Compare): EventOrder {
    const cached = this.#orders.get(name);
    if (cached !== undefined) return cached;
    if (this.#orders.size >= maxOrders) this.#dropOrders();
    const order = new EventOrder(this, compare);
    this.#orders.set(name, order);
    return order;
  }

  clear(): void {
    for (const changed of this.#watchers) for (const slot of this.#slots.values()) changed.add(slot);
    for (const sets of [this.statuses, this.authors, this.flags, this.terms, this.parents]) sets.clear();
    for (const sets of Object.values(this.#links)) sets.clear();
    this.#slots.clear();
    this.#free.length = 0;
    // The slots stay, empty, so that those who watch find nothing in them.
    for (let slot = this.#entries.length - 1; slot >= 0; slot -= 1) {
      this.#entries[slot] = undefined;
      this.#free.push(slot);
    }
  }

  #dropOrders(): void {
    for (const order of this.#orders.values()) order.close();
    this.#orders.clear();
  }

  #note(slot: number, { record, status }: EventEntry, how: 'add' | 'delete'): void {
    this.statuses[how](status, slot);
    this.authors[how](record.author, slot);
    for (const flag of flags) if (record[flag] === true) this.flags[how](flag, slot);
    if (record.post_parent !== undefined) this.parents[how](record.post_parent, slot);
    for (const id of new Set([...(record.categories ?? []), ...(record.tags ?? [])]))
      this.terms[how](id, slot);
    for (const kind of ['venue', 'organizer'] as const)
      for (const key of keysOf(record[kind])) this.#links[kind][how](key, slot);
  }
}

/** Compares two events by the order of lists. */
export function compareEvents(a: EventEntry, b: EventEntry): number {
  return a.start - b.start || a.published - b.published || a.record.id - b.record.id;
}

function compareEnds(a: EventEntry, b: EventEntry): number {
  return a.end - b.end || a.record.id - b.record.id;
}

function keysOf(links: readonly Link[] | undefined): Set<number> {
  return new Set(
    links?.map((link) => (typeof link === 'number' ? link : link[0] + link[1] * generationUnit)),
  );
}

function generationOf(record: Extract<AnyPost, { kind: LinkedKind }>): number {
  return record.generation ?? 0;
}
