/** Fields of venues and organizers on create and update (specification, "Venue fields" and "Organizer fields"). */

import { contactLine } from '../model/text/sanitize.ts';
import { decimal, looseFlag, refined, text, website } from './kinds.ts';
import { extension, type Parameter, type Values, withDefault } from './parameter.ts';
import { html, image, publicationFields, title } from './post-fields.ts';

/** A text on one line, without tags; may be empty. */
function contact(description: string): Parameter<string> {
  return refined(text(description), contactLine);
}

const commonFields = {
  ...publicationFields,
  description: html('Description, HTML.'),
  image: image(
    () => true,
    (value) => value === '',
  ),
};

export const venueFields = {
  venue: title('Venue name.'),
  ...commonFields,
  show_map: withDefault(true, looseFlag('Whether pages show a map.')),
  show_map_link: withDefault(true, looseFlag('Whether pages link to a map.')),
  address: contact('Street and number.'),
  city: contact('City.'),
  country: contact('Country.'),
  province: contact('Province, outside the United States.'),
  state: contact('State, in the United States.'),
  zip: contact('Postal code.'),
  phone: contact('Telephone number.'),
  website: website('Website.'),
  stateprovince: contact('State or province.'),
  geo_lat: extension(decimal('Latitude in degrees, north positive.', -90, 90)),
  geo_lng: extension(decimal('Longitude in degrees, east positive.', -180, 180)),
};

export const organizerFields = {
  organizer: title('Organizer name.'),
  ...commonFields,
  phone: contact('Telephone number.'),
  website: website('Website.'),
  email: contact('E-mail address.'),
};

export type VenueValues = Values<typeof venueFields>;
export type OrganizerValues = Values<typeof organizerFields>;
