/** Creating and updating a venue or organizer (behaviour sections 12 and 13). */

import {
  type OrganizerRecord,
  organizerTexts,
  type Status,
  type VenueRecord,
  venueTexts,
} from '../model/records.ts';
import type { OrganizerValues, VenueValues } from '../parameters/contact-fields.ts';
import type { OrganizerEntry, VenueEntry } from '../replica/entries.ts';
import { savePost } from './save-post.ts';
import { compact, type Write } from './write.ts';

/** Puts a new venue, or one that stood before, with the values sent; gives the record. */
export function saveVenue(write: Write, before: VenueEntry | undefined, values: VenueValues): VenueRecord {
  const old = before?.record;
  const saved = savePost(write, 'venue', before, { ...values, title: values.venue });
  const record = {
    ...compact<VenueRecord>({
      kind: 'venue',
      ...saved,
      ...textsAfter(venueTexts, old, values),
      generation: generationAfter(before, saved.status),
      show_map: true,
      show_map_link: true,
    }),
    // Numbers may be 0 and flags false, so these are not compacted.
    ...coordinate('geo_lat', values.geo_lat ?? old?.geo_lat),
    ...coordinate('geo_lng', values.geo_lng ?? old?.geo_lng),
    show_map: values.show_map ?? old?.show_map ?? true,
    show_map_link: values.show_map_link ?? old?.show_map_link ?? true,
  };
  write.put(record);
  return record;
}

/** Puts a new organizer, or one that stood before, with the values sent; gives the record. */
export function saveOrganizer(
  write: Write,
  before: OrganizerEntry | undefined,
  values: OrganizerValues,
): OrganizerRecord {
  const saved = savePost(write, 'organizer', before, { ...values, title: values.organizer });
  const record = compact<OrganizerRecord>({
    kind: 'organizer',
    ...saved,
    ...textsAfter(organizerTexts, before?.record, values),
    generation: generationAfter(before, saved.status),
  });
  write.put(record);
  return record;
}

type Texts<Name extends string> = { readonly [N in Name]?: string | undefined };

function textsAfter<Name extends string>(
  names: readonly Name[],
  old: Texts<Name> | undefined,
  values: Texts<Name>,
) {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? old?.[name]])) as Texts<Name>;
}

/** A record that goes into the trash starts a new generation: links made before lead nowhere from then on. */
function generationAfter(before: VenueEntry | OrganizerEntry | undefined, status: Status): number {
  const generation = before?.record.generation ?? 0;
  return before !== undefined && before.status !== 'trash' && status === 'trash'
    ? generation + 1
    : generation;
}

function coordinate<Name extends string>(name: Name, value: number | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: number };
}
