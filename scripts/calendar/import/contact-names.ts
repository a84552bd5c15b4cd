/** Venues and organizers of the calendar by their names. */

import { escapeUTF8 } from 'entities/escape';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import type { LinkedKind } from '../../../functions/calendar/model/values.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import type { Contact, Row } from './row.ts';

/** Finds venues and organizers by name. Case and whitespace make no difference. */
export class ContactNames {
  readonly #replica: CalendarReplica;
  readonly #ids = { venue: new Map<string, number>(), organizer: new Map<string, number>() };
  readonly #revisions = { venue: -1, organizer: -1 };

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
    const links = contacts.map((contact) => this.idOf(kind, String(contact[kind])) ?? contact);
    return [...new Set(links)];
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
    for (const { record, status } of this.#replica.posts[kind].values()) {
      const name = plainText(record.title).toLowerCase();
      if (status !== 'trash' && !this.#ids[kind].has(name)) this.#ids[kind].set(name, record.id);
    }
  }
}
