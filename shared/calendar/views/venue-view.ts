/** Venues and organizers as clients see them (behaviour sections 4.2 and 4.3): empty keys are absent. */

import { organizerTexts, venueTexts } from '../model/records.ts';
import type { OrganizerEntry, VenueEntry } from '../replica/entries.ts';
import type { ViewContext } from './context.ts';
import { imageView } from './image-view.ts';
import { organizerJsonLd, venueJsonLd } from './json-ld.ts';
import { globalView, pageView, statusView, textsView, withoutEmpty } from './post-view.ts';

/** Gives a venue, in the order of the wire; with its `json_ld` where asked. */
export function venueView(entry: VenueEntry, context: ViewContext, withJsonLd = false) {
  const { record } = entry;
  const { show_map, show_map_link } = record;
  const contact = Object.fromEntries(venueTexts.map((name) => [name, record[name]]));
  return {
    ...commonView(entry, 'venue', context),
    ...withoutEmpty({
      ...contact,
      stateprovince: stateProvince(record),
      geo_lat: record.geo_lat,
      geo_lng: record.geo_lng,
      json_ld: withJsonLd && venueJsonLd(record, context),
    }),
    show_map,
    show_map_link,
    ...globalView(record, context),
  };
}

/** Gives an organizer, in the order of the wire; with its `json_ld` where asked. */
export function organizerView(entry: OrganizerEntry, context: ViewContext, withJsonLd = false) {
  const { record } = entry;
  const contact = Object.fromEntries(organizerTexts.map((name) => [name, record[name]]));
  return {
    ...commonView(entry, 'organizer', context),
    ...withoutEmpty({ ...contact, json_ld: withJsonLd && organizerJsonLd(record, context) }),
    ...globalView(record, context),
  };
}

function commonView(entry: VenueEntry | OrganizerEntry, name: 'venue' | 'organizer', context: ViewContext) {
  const { record } = entry;
  const { title, description, excerpt } = textsView(record, context);
  return withoutEmpty({
    id: record.id,
    ...statusView(entry),
    ...pageView(entry, context),
    [name]: title,
    description,
    excerpt,
    slug: record.slug,
    image: imageView(context.replica, record.image),
  });
}

/** The given one; else the state within the United States or without a country; else the province. */
function stateProvince({ stateprovince, country = '', state, province }: VenueEntry['record']) {
  if (stateprovince) return stateprovince;
  if (state && ['', 'United States', 'US'].includes(country)) return state;
  return province;
}
