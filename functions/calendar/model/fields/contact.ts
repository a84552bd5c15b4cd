/** Fields of venues and organizers (docs/calendar-contract.md, "Venues" and "Organizers"). */

import * as Type from 'typebox';
import { contactLine } from '../text/html.ts';
import { shownWebsite } from '../text/own-pages.ts';
import { renderTitle } from '../text/render-text.ts';
import { derivedField, field, keptField, type ShowContext, shownField, textField } from './field.ts';
import { looseFlag } from './flags.ts';
import { extension, map, optional } from './parameter.ts';
import { decimal, text, website } from './parsers.ts';
import { commonSchemas, html, image, imageStorage, publicationFields, showHtml, title } from './post.ts';
import { imageSchema, linkedDataSchema } from './schemas.ts';
import { parametersOf, schemasOf } from './table.ts';
import { translationParameters } from './translations.ts';

const optionalText = Type.Optional(Type.String());

/** A text on one line, without tags; may be empty. */
function contactField(description: string, isSearched = true) {
  return field(map(text(description), contactLine), { schema: optionalText, isSearched });
}

function websiteField(isSearched: boolean) {
  return field(website('Website.'), {
    show: (url = '', { site }) => shownWebsite(url, site.url),
    schema: optionalText,
    isSearched,
  });
}

function nameField(description: string) {
  return textField(title(description), {
    storedAs: 'title',
    show: (text = '') => renderTitle(text),
    schema: Type.String(),
  });
}

const textFields = {
  description: textField(html('Description, HTML.'), {
    show: showHtml,
    schema: optionalText,
  }),
  excerpt: shownField({
    isTranslated: true,
    show: showHtml,
    schema: optionalText,
  }),
  slug: derivedField({ schema: Type.String() }),
  image: field(
    image((value) => value === ''),
    { ...imageStorage, schema: Type.Optional(imageSchema) },
  ),
};

const jsonLd = shownField({
  show: (_stored, { linkedData }) => linkedData?.(),
  schema: Type.Optional(linkedDataSchema()),
});

export const venueFields = {
  ...publicationFields,
  venue: nameField('Venue name.'),
  ...textFields,
  address: contactField('Street and number.'),
  city: contactField('City.'),
  country: contactField('Country.', false),
  province: contactField('Province, outside the United States.'),
  state: contactField('State, in the United States.'),
  zip: contactField('Postal code.'),
  phone: contactField('Telephone number.'),
  website: websiteField(false),
  stateprovince: {
    ...contactField('State or province.'),
    show: (_given: string | undefined, { record }: ShowContext): unknown => regionOf(record as Region),
  },
  geo_lat: field(extension(decimal('Latitude in degrees, north positive.', -90, 90)), {
    schema: Type.Optional(Type.Number()),
    isKept: true,
  }),
  geo_lng: field(extension(decimal('Longitude in degrees, east positive.', -180, 180)), {
    schema: Type.Optional(Type.Number()),
    isKept: true,
  }),
  json_ld: jsonLd,
  show_map: keptField(optional(true, looseFlag('Whether pages show a map.')), { schema: Type.Boolean() }),
  show_map_link: keptField(optional(true, looseFlag('Whether pages link to a map.')), {
    schema: Type.Boolean(),
  }),
};

export const organizerFields = {
  ...publicationFields,
  organizer: nameField('Organizer name.'),
  ...textFields,
  phone: contactField('Telephone number.'),
  website: websiteField(true),
  email: contactField('E-mail address.'),
  json_ld: jsonLd,
};

/** What clients send of a venue or organizer. */
export const contactParameters = {
  venue: { ...parametersOf(venueFields), ...translationParameters(venueFields) },
  organizer: { ...parametersOf(organizerFields), ...translationParameters(organizerFields) },
};

export const venueSchema = Type.Object(
  { ...commonSchemas, ...schemasOf(venueFields) },
  { $id: 'Venue', description: 'A venue. Empty keys are absent.', additionalProperties: false },
);

export const organizerSchema = Type.Object(
  { ...commonSchemas, ...schemasOf(organizerFields) },
  { $id: 'Organizer', description: 'An organizer. Empty keys are absent.', additionalProperties: false },
);

interface Region {
  readonly country?: string;
  readonly state?: string;
  readonly province?: string;
  readonly stateprovince?: string;
}

/** Returns the region of an address: the given one; else the state within the United States or without a country; else the province. */
export function regionOf({ country = '', state, province, stateprovince }: Region): string | undefined {
  if (stateprovince) return stateprovince;
  return state && (country === '' || isUnitedStates(country)) ? state : province;
}

/** Checks whether a country is the one whose addresses have states. */
function isUnitedStates(country: string): boolean {
  return country === 'United States' || country === 'US';
}
