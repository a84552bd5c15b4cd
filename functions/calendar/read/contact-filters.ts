/** Filters of the venue and organizer lists (docs/calendar-contract.md, "Lists of venues and organizers"). */

import { organizerFields, venueFields } from '../model/fields/contact.ts';
import type { FieldTable } from '../model/fields/field.ts';
import { truthyFlag } from '../model/fields/flags.ts';
import { type FilterValues, optional } from '../model/fields/parameter.ts';
import { searched } from '../model/fields/parsers.ts';
import { unlockedEvent } from '../model/fields/references.ts';
import { isShown, mayRead } from '../model/rights.ts';
import { plainText } from '../model/text/plain-text.ts';
import { textIn } from '../model/text/render-text.ts';
import { searchText } from '../model/text/search-text.ts';
import { needsOf } from '../model/translated-texts.ts';
import type { Language, LinkedKind } from '../model/values.ts';
import type { EventEntry, OrganizerEntry, PostEntry, VenueEntry } from '../replica/entries.ts';
import { authorFilter, statusFilter, translationFilter } from './event-filters.ts';
import type { FindContext } from './find-events.ts';
import { pagingParameters } from './page.ts';

export const contactFilters = {
  ...pagingParameters,
  search: searched('Words that all occur in the name, the description, or one contact field.'),
  event: unlockedEvent('Related to this event.'),
  has_events: truthyFlag('With events, or without.'),
  only_with_upcoming: optional(false, truthyFlag('Only with events that start from now on.')),
  status: statusFilter,
  author: authorFilter,
  needs_translation: translationFilter,
};

/** Names of the contact texts that are searched. */
const searchedTexts = { venue: searchedOf(venueFields), organizer: searchedOf(organizerFields) };

export type ContactFilterValues = FilterValues<typeof contactFilters>;
type ContactEntry = VenueEntry | OrganizerEntry;

/** Returns all venues or organizers that a list shows to the caller, newest publication first. */
export function findContacts(
  kind: LinkedKind,
  values: ContactFilterValues,
  { replica, caller, now, language }: FindContext,
): readonly ContactEntry[] {
  const { search, event, has_events, only_with_upcoming, status, author, needs_translation } = values;
  const { events, posts } = replica;
  const hasEvent = (contact: ContactEntry, isWanted: (event: EventEntry) => boolean) =>
    events
      .linkedTo(contact)
      .slots()
      .some((slot) => {
        const event = events.at(slot);
        return event !== undefined && isLive(event) && isWanted(event);
      });
  const isUpcoming = (event: EventEntry) => event.start >= now && mayRead(caller, event);
  const related = posts.event.get(event ?? 0);
  const ofEvent =
    related && new Set(replica.linked(kind, related.record[kind]).map(({ record }) => record.id));
  const words = search ? wordsOf(search) : undefined;
  const hasWords = (entry: ContactEntry) =>
    fieldsOf(entry, language).some((field) => words?.every((word) => field.includes(word)) ?? true);
  const entries: Iterable<ContactEntry> = posts[kind].values();
  return [...entries]
    .filter((entry) => isShown(entry as PostEntry, status, caller))
    .filter(({ record }) => needs_translation?.some((need) => needsOf(record).includes(need)) ?? true)
    .filter((entry) => author?.includes(entry.record.author) ?? true)
    .filter(({ record: { id } }) => ofEvent?.has(id) ?? true)
    .filter((entry) => has_events === undefined || hasEvent(entry, () => true) === has_events)
    .filter((entry) => !only_with_upcoming || hasEvent(entry, isUpcoming))
    .filter((entry) => words === undefined || hasWords(entry))
    .sort((a, b) => b.published - a.published || b.record.id - a.record.id);
}

function isLive({ status }: EventEntry): boolean {
  return status !== 'draft' && status !== 'pending' && status !== 'trash';
}

/** Letters, digits and hyphens make words; everything else separates. */
function wordsOf(search: string): string[] {
  const written = searchText(search);
  return written.match(/[\p{L}\p{M}\p{N}-]+/gu) ?? [written];
}

function fieldsOf({ record }: ContactEntry, language: Language | undefined): string[] {
  const texts = (['title', 'description', 'excerpt'] as const).map((field) =>
    plainText(textIn(record, field, language)),
  );
  const contact = searchedTexts[record.kind].map((name) => String(Reflect.get(record, name) ?? ''));
  return [...texts, ...contact].map(searchText);
}

function searchedOf(fields: FieldTable): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.isSearched);
}
