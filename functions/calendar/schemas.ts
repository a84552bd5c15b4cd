/** Schemas of the calendar's replies, for the documents (behaviour sections 2, 4 and 5). */

import { Type } from 'typebox';

const open = { additionalProperties: true };
const dateTime = (description: string) => Type.String({ description, example: '2027-01-31 19:30:00' });
const flag = (description: string) =>
  Type.Union([Type.Boolean(), Type.Null()], {
    description: `${description} Null where a password protects it.`,
  });
const none = Type.Array(Type.Never(), { maxItems: 0 });

const imageSize = Type.Object(
  { width: Type.Integer(), height: Type.Integer(), 'mime-type': Type.String(), url: Type.String() },
  { $id: 'ImageSize', description: 'One size of an image.', ...open },
);

export const imageSchema = Type.Object(
  {
    url: Type.String(),
    id: Type.Integer(),
    extension: Type.String(),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    filesize: Type.Optional(Type.Integer()),
    sizes: Type.Optional(Type.Object({}, { additionalProperties: imageSize })),
  },
  { $id: 'Image', description: 'An image: what is known of it.' },
);

const dateDetails = Type.Object(
  {
    year: Type.String(),
    month: Type.String(),
    day: Type.String(),
    hour: Type.String(),
    minutes: Type.String(),
    seconds: Type.String(),
  },
  { $id: 'DateDetails', description: 'The parts of a date, zero-padded texts.' },
);

const costDetails = Type.Object(
  {
    currency_symbol: Type.String(),
    currency_code: Type.String(),
    currency_position: Type.String({ description: 'prefix, postfix, or empty for the default of the site.' }),
    values: Type.Array(Type.String()),
  },
  { $id: 'CostDetails' },
);

export const termSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    taxonomy: Type.String(),
    description: Type.String(),
    count: Type.Integer({ description: 'Number of published events.' }),
    parent: Type.Optional(Type.Integer()),
    url: Type.Optional(Type.String()),
    urls: Type.Object({ self: Type.String(), collection: Type.String(), up: Type.Optional(Type.String()) }),
  },
  { $id: 'Term', description: 'A category or tag.', ...open },
);

const common = {
  id: Type.Integer(),
  author: Type.String({ description: 'Author id, as text.' }),
  status: Type.String(),
  date: dateTime('Publication, in the zone of the site.'),
  date_utc: dateTime('Publication, in UTC.'),
  modified: dateTime('Last change, in the zone of the site.'),
  modified_utc: dateTime('Last change, in UTC.'),
  url: Type.String({ description: 'Page on the site.' }),
  global_id: Type.String(),
  global_id_lineage: Type.Array(Type.String()),
};
const optionalText = Type.Optional(Type.String());

export const venueSchema = Type.Object(
  {
    ...common,
    venue: Type.String(),
    description: optionalText,
    excerpt: optionalText,
    slug: Type.String(),
    image: Type.Optional(imageSchema),
    address: optionalText,
    city: optionalText,
    country: optionalText,
    province: optionalText,
    state: optionalText,
    zip: optionalText,
    phone: optionalText,
    website: optionalText,
    stateprovince: optionalText,
    geo_lat: Type.Optional(Type.Number()),
    geo_lng: Type.Optional(Type.Number()),
    json_ld: Type.Optional(Type.Object({}, open)),
    show_map: Type.Boolean(),
    show_map_link: Type.Boolean(),
  },
  { $id: 'Venue', description: 'A venue. Empty keys are absent.', additionalProperties: false },
);

export const organizerSchema = Type.Object(
  {
    ...common,
    organizer: Type.String(),
    description: optionalText,
    excerpt: optionalText,
    slug: Type.String(),
    image: Type.Optional(imageSchema),
    phone: optionalText,
    website: optionalText,
    email: optionalText,
    json_ld: Type.Optional(Type.Object({}, open)),
  },
  { $id: 'Organizer', description: 'An organizer. Empty keys are absent.', additionalProperties: false },
);

export const eventSchema = Type.Object(
  {
    ...common,
    rest_url: Type.String(),
    title: Type.String(),
    description: Type.String(),
    excerpt: Type.String(),
    slug: Type.String(),
    image: Type.Union([imageSchema, Type.Boolean()], { description: 'The image, or false.' }),
    all_day: flag('Whether the event lasts the whole of its days.'),
    start_date: dateTime('Start, in the zone of the event.'),
    start_date_details: dateDetails,
    end_date: dateTime('End, in the zone of the event.'),
    end_date_details: dateDetails,
    utc_start_date: dateTime('Start, in UTC.'),
    utc_start_date_details: dateDetails,
    utc_end_date: dateTime('End, in UTC.'),
    utc_end_date_details: dateDetails,
    timezone: Type.String(),
    timezone_abbr: Type.String(),
    cost: Type.String(),
    cost_details: costDetails,
    website: Type.String(),
    show_map: flag('Whether the page shows a map.'),
    show_map_link: flag('Whether the page links to a map.'),
    hide_from_listings: flag('Hidden in the calendar view.'),
    sticky: flag('Sticky in the calendar view.'),
    featured: flag('Featured.'),
    categories: Type.Array(termSchema),
    tags: Type.Array(termSchema),
    venue: Type.Union([venueSchema, Type.Array(venueSchema)], {
      description: 'One venue; an empty array when there is none; an array when there are several.',
    }),
    organizer: Type.Array(organizerSchema),
    custom_fields: none,
    json_ld: Type.Optional(Type.Object({}, { ...open, description: 'Only in the reading of one event.' })),
  },
  { $id: 'Event', description: 'An event.', additionalProperties: false },
);

/** Error body. */
export const errorSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    data: Type.Object({ status: Type.Integer() }, open),
  },
  { $id: 'CalendarError', ...open },
);

/** A page of a list. */
export function pageSchema(collection: string, item: ReturnType<typeof Type.Object>) {
  return Type.Object({
    [collection]: Type.Array(item),
    rest_url: Type.String(),
    next_rest_url: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
    previous_rest_url: Type.Optional(Type.String({ description: 'Absent on the first page.' })),
    total: Type.Integer(),
    total_pages: Type.Integer(),
  });
}
