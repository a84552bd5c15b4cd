/** Venues and organizers of the calendar by their names. */

import { escapeUTF8 } from 'entities/escape';
import type { VenueRecord } from '../../../functions/calendar/model/records.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import type { LinkedKind } from '../../../functions/calendar/model/values.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { digestOf, noteIn } from './fields.ts';
import type { Contact, Row } from './row.ts';

function placeKey(name: string, address: string): string {
  return JSON.stringify(
    [name, address].map((text) => plainText(text).replace(/\s+/g, ' ').trim().toLowerCase()),
  );
}

/** The digest of a place as its source has written it, in the notes of the venue that was made of it. */
export const placeNote = 'place';

/** Finds venues and organizers by name, and places with an address by both. Case and whitespace make no difference. */
export class ContactNames {
  readonly #replica: CalendarReplica;
  readonly #ids = { venue: new Map<string, number>(), organizer: new Map<string, number>() };
  readonly #revisions = { venue: -1, organizer: -1 };
  /** Venues by their names and addresses, and by the places of sources that they were made of. */
  readonly #byPlace = new Map<string, number>();
  readonly #byNote = new Map<string, number>();
  /** The earliest venues of a name that have no address. */
  readonly #withoutAddress = new Map<string, number>();

  constructor(replica: CalendarReplica) {
    this.#replica = replica;
  }

  /** Returns the id of the venue or organizer of a name in HTML. The earliest record of a name counts. */
  idOf(kind: LinkedKind, name: string): number | undefined {
    const wanted = plainText(name).toLowerCase();
    const id = this.#ids[kind].get(wanted);
    if (id !== undefined && this.#isLive(kind, id)) return id;
    this.#update(kind);
    return this.#ids[kind].get(wanted);
  }

  /** Returns ids of existing contacts, and the fields of new ones. */
  links(kind: LinkedKind, names: NonNullable<Row[LinkedKind]>): (number | Contact)[] {
    const contacts = 'text' in names ? this.#contactsIn(kind, names.text) : names;
    const links = contacts.map((contact) => this.#contactId(kind, contact) ?? contact);
    return [...new Set(links)];
  }

  /** A place with an address is no other one of the same name. */
  #contactId(kind: LinkedKind, contact: Contact): number | undefined {
    const name = String(contact[kind]);
    const address = String(contact['address'] ?? '');
    if (kind === 'organizer' || address === '') return this.idOf(kind, name);
    this.#update(kind);
    return (
      this.#byNote.get(digestOf(contact)) ??
      this.#byPlace.get(placeKey(name, address)) ??
      this.#withoutAddress.get(plainText(name).toLowerCase())
    );
  }

  /**
   * Splits a text at its commas into names or ids, unless the whole text is one name of the calendar. A new venue may have commas in its
   * name.
   */
  #contactsIn(kind: LinkedKind, text: string): Contact[] {
    const whole = escapeUTF8(text.trim());
    if (whole === '') return [];
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const contacts = parts.map((part) => this.#contactOf(kind, part));
    const areParts =
      kind === 'organizer' ||
      contacts.every((contact) => this.idOf(kind, String(contact[kind])) !== undefined);
    return this.idOf(kind, whole) === undefined && areParts ? contacts : [{ [kind]: whole }];
  }

  /** A number is the id of a contact where no contact has it as name. */
  #contactOf(kind: LinkedKind, part: string): Contact {
    const name = escapeUTF8(part);
    const byId = /^\d{1,15}$/.test(part) ? this.#replica.posts[kind].get(Number(part)) : undefined;
    const isId = this.idOf(kind, name) === undefined && byId !== undefined && byId.status !== 'trash';
    return { [kind]: isId ? byId.record.title : name };
  }

  #isLive(kind: LinkedKind, id: number): boolean {
    const status = this.#replica.posts[kind].get(id)?.status;
    return status !== undefined && status !== 'trash';
  }

  #update(kind: LinkedKind): void {
    if (this.#revisions[kind] === this.#replica.revision) return;
    this.#revisions[kind] = this.#replica.revision;
    this.#ids[kind].clear();
    for (const index of kind === 'venue' ? [this.#byPlace, this.#byNote, this.#withoutAddress] : [])
      index.clear();
    for (const { record, status } of this.#replica.posts[kind].values()) {
      if (status === 'trash') continue;
      const name = plainText(record.title).toLowerCase();
      if (!this.#ids[kind].has(name)) this.#ids[kind].set(name, record.id);
      if (record.kind === 'venue') this.#addPlace(record, name);
    }
  }

  #addPlace({ id, title, address = '', follows }: VenueRecord, name: string): void {
    const note = noteIn(follows?.digests, placeNote)?.there ?? '';
    if (note !== '') this.#byNote.set(note, id);
    if (address === '' && note === '' && !this.#withoutAddress.has(name)) this.#withoutAddress.set(name, id);
    const key = placeKey(title, address);
    if (!this.#byPlace.has(key)) this.#byPlace.set(key, id);
  }
}
