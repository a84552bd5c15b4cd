/** Creating and updating an event (behaviour sections 12 and 13). */

import type { EventRecord, Link, PasswordHash } from '../model/records.ts';
import type { EventValues } from '../parameters/event-fields.ts';
import type { LinkRequest, NewLinked } from '../parameters/links.ts';
import type { EventEntry } from '../replica/entries.ts';
import { eventDatesAfter } from './event-dates.ts';
import { saveOrganizer, saveVenue } from './save-contact.ts';
import { savePost } from './save-post.ts';
import { termIds } from './save-term.ts';
import { compact, type Write } from './write.ts';

/** Puts a new event, or one that stood before, with the values sent; gives the record. `password` is the hash of the one sent. */
export function saveEvent(
  write: Write,
  before: EventEntry | undefined,
  values: EventValues,
  password?: PasswordHash,
): EventRecord {
  const old = before?.record;
  const { site } = write.surroundings;
  const record = compact<EventRecord>({
    kind: 'event',
    ...savePost(write, 'event', before, values),
    ...eventDatesAfter(old, values, site.zone),
    cost: values.cost ?? old?.cost,
    website: values.website ?? old?.website,
    show_map: values.show_map ?? old?.show_map,
    show_map_link: values.show_map_link ?? old?.show_map_link,
    hide_from_listings: values.hide_from_listings ?? old?.hide_from_listings,
    sticky: values.sticky ?? old?.sticky,
    featured: values.featured ?? old?.featured,
    ticketed: values.ticketed ?? old?.ticketed,
    post_parent: values.post_parent ?? old?.post_parent,
    categories: values.categories
      ? termIds(write, 'category', values.categories)
      : liveTerms(write, old?.categories),
    tags: values.tags ? termIds(write, 'tag', values.tags) : liveTerms(write, old?.tags),
    venue: linksAfter(write, 'venue', old?.venue, values.venue),
    organizer: linksAfter(write, 'organizer', old?.organizer, values.organizer),
    access_password: values.access_password === undefined ? old?.access_password : password,
  });
  write.put(record);
  return record;
}

function liveTerms(write: Write, ids: readonly number[] | undefined): number[] | undefined {
  return ids?.filter((id) => write.surroundings.replica.terms.get(id) !== undefined);
}

/** Links that were sent replace the old ones; of these, those that lead nowhere are dropped for good. */
function linksAfter<K extends 'venue' | 'organizer'>(
  write: Write,
  kind: K,
  old: readonly Link[] | undefined,
  requests: readonly LinkRequest<K>[] | undefined,
): Link[] {
  const { replica } = write.surroundings;
  if (requests === undefined) return replica.linked(kind, old).map(({ record }) => linkTo(record));
  return requests.map((request) => {
    if ('values' in request) return linkTo(saveLinked(write, kind, request.values));
    const entry = replica.posts[kind].get(request.id);
    return entry === undefined ? request.id : linkTo(entry.record);
  });
}

function saveLinked<K extends 'venue' | 'organizer'>(write: Write, kind: K, values: NewLinked<K>) {
  return kind === 'venue'
    ? saveVenue(write, undefined, values as NewLinked<'venue'>)
    : saveOrganizer(write, undefined, values as NewLinked<'organizer'>);
}

function linkTo({ id, generation = 0 }: { readonly id: number; readonly generation?: number }): Link {
  return generation === 0 ? id : [id, generation];
}
