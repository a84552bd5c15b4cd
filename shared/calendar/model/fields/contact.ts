/** Fields of venues and organizers (specification, "Venue fields" and "Organizer fields"; behaviour sections 4.2 and 4.3), and links to them (section 10). */

import { type TSchema, Type } from 'typebox';
import { isCodedError } from '../../../errors.ts';
import type { CalendarContext } from '../context.ts';
import { contactLine } from '../text/html.ts';
import { renderHtml, renderTitle } from '../text/render-text.ts';
import type { Link, LinkedKind } from '../values.ts';
import {
  derivedField,
  field,
  keptField,
  type LinkRequest,
  type ShowContext,
  shownField,
  textField,
} from './field.ts';
import { extension, InvalidValue, map, optional, type Parameter, parseFields } from './parameter.ts';
import { decimal, idOf, isNothing, looseFlag, text, website } from './parsers.ts';
import { commonSchemas, html, image, imageStorage, publicationFields, title } from './post.ts';
import { imageSchema } from './schemas.ts';
import { parametersOf, schemasOf } from './table.ts';

const optionalText = Type.Optional(Type.String());

/** A text on one line, without tags; may be empty. */
function contactField(description: string, isSearched = true) {
  return field(map(text(description), contactLine), { schema: optionalText, isSearched });
}

function websiteField(isSearched: boolean) {
  return field(website('Website.'), { schema: optionalText, isSearched });
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
    show: (text = '') => renderHtml(text),
    schema: optionalText,
  }),
  excerpt: shownField({
    isTranslated: true,
    show: (text = '') => renderHtml(text),
    schema: optionalText,
  }),
  slug: derivedField({ schema: Type.String() }),
  image: field(
    image(
      () => true,
      (value) => value === '',
    ),
    { ...imageStorage, schema: Type.Optional(imageSchema) },
  ),
};

const jsonLd = shownField({
  show: (_stored, { linkedData }) => linkedData?.(),
  schema: Type.Optional(Type.Object({}, { additionalProperties: true })),
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
  stateprovince: { ...contactField('State or province.'), show: showStateProvince },
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
  venue: parametersOf(venueFields),
  organizer: parametersOf(organizerFields),
};

export const venueSchema = Type.Object(
  { ...commonSchemas, ...schemasOf(venueFields) },
  { $id: 'Venue', description: 'A venue. Empty keys are absent.', additionalProperties: false },
);

export const organizerSchema = Type.Object(
  { ...commonSchemas, ...schemasOf(organizerFields) },
  { $id: 'Organizer', description: 'An organizer. Empty keys are absent.', additionalProperties: false },
);

/** The given one; else the state within the United States or without a country; else the province. */
function showStateProvince(given: string | undefined, { record }: ShowContext): unknown {
  const {
    country = '',
    state,
    province,
  } = record as {
    readonly [name in 'country' | 'state' | 'province']?: string;
  };
  if (given) return given;
  return state && ['', 'United States', 'US'].includes(country) ? state : province;
}

/** Creates the field of links from an event. Without new ones, those that lead nowhere are dropped for good. */
export function linkField(kind: LinkedKind, description: string, schema: TSchema) {
  return {
    ...field<LinkRequest[], readonly Link[]>(links(kind, description), {
      store: (requests, before, write) =>
        requests === undefined ? write.liveLinks(kind, before) : write.links(kind, requests),
      schema,
    }),
    isJoined: true,
  };
}

/**
 * Links to venues or organizers: an id as number or text, `{ "id": 5 }`, an object of fields for a new one,
 * arrays of these, or ids with commas. Nothing (`""`, `[]`, null, 0; a list of these) gives no links. Duplicates are dropped.
 */
function links(kind: LinkedKind, description: string): Parameter<LinkRequest[]> {
  return {
    description,
    type: 'array',
    schema: { items: { type: 'integer' } },
    parse(value, context) {
      const requests: LinkRequest[] = [];
      for (const item of itemsOf(value)) {
        const request = parseLink(kind, item, context);
        if (request instanceof InvalidValue) return request;
        requests.push(request);
      }
      return withoutDuplicates(requests);
    },
  };
}

function itemsOf(value: unknown): unknown[] {
  if (isNothing(value)) return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value];
}

function parseLink(kind: LinkedKind, item: unknown, context: CalendarContext): LinkRequest | InvalidValue {
  const isObject = typeof item === 'object' && item !== null;
  const ref: unknown = isObject ? (item as { id?: unknown }).id : item;
  if (isObject && isNothing(ref)) return parseNew(kind, item, context);
  const id = idOf(ref);
  const entry = id === undefined ? undefined : context.replica.posts[kind].get(id);
  return id === undefined || entry === undefined || entry.status === 'trash'
    ? new InvalidValue(`must be the id of an existing ${kind}, or an object with the fields of a new one`)
    : { id };
}

function parseNew(kind: LinkedKind, item: object, context: CalendarContext): LinkRequest | InvalidValue {
  try {
    return { values: parseFields(contactParameters[kind], { ...item }, context, { isCreate: true }) };
  } catch (error) {
    if (isCodedError(error) && error.kind === 'invalid')
      return new InvalidValue(`must be a complete ${kind}: ${error.message}`);
    throw error;
  }
}

function withoutDuplicates(requests: readonly LinkRequest[]): LinkRequest[] {
  const ids = requests.map((request) => ('id' in request ? request.id : undefined));
  return requests.filter((_, index) => ids[index] === undefined || ids.indexOf(ids[index]) === index);
}
