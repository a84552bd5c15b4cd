/** The shapes of stored records: the values that each field may have. A record of another shape cannot be shown. */

import { eventStatuses } from '../model/for-browsers/event-status.ts';
import type {
  AnyPost,
  AuthorRecord,
  EventRecord,
  ImageRecord,
  OrganizerRecord,
  SeriesRecord,
  TermRecord,
  VenueRecord,
} from '../model/records.ts';
import { type Kind, statuses } from '../model/values.ts';

type Stored = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;
/** A check for every field of a record: the compiler names a field without one. */
type Shape<R> = { readonly [Field in keyof R]-?: Check };

const wallTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const flag: Check = (value) => typeof value === 'boolean';
const id: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const date: Check = (value) => typeof value === 'string' && wallTime.test(value);
const status = oneOf(statuses);
const eventStatus = oneOf(eventStatuses);
const address: Check = (value) => typeof value === 'string' && URL.canParse(value);
const link: Check = (value) => id(value) || (listOf(id)(value) && (value as unknown[]).length === 2);

function oneOf(values: readonly string[]): Check {
  return (value) => typeof value === 'string' && values.includes(value);
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(check: Check): Check {
  return (value) => isObject(value) && Object.values(value).every(check);
}

/** Checks the fields of an object. */
function shapeOf(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => isObject(value) && checks.every(([field, check]) => check((value as Stored)[field]));
}

const passwordHash = shapeOf({ shared_salt: text, salt: text, hash: text });

const importedFrom = shapeOf({
  source: text,
  uid: text,
  recurrence: text,
  digests: objectOf(text),
  is_cancelled: optional(flag),
});

const creation = optional(shapeOf({ key: text, body: text, at: number }));
const follows = optional(
  shapeOf({
    source: text,
    digests: objectOf(text),
    occurrence: optional(shapeOf({ id, path: text, day: text, place: optional(id) })),
  }),
);

const stateOfLog = optional(shapeOf({ version: id, utc: date }));

const translations = optional(objectOf(objectOf(text)));

const post = {
  // A title of markup alone is stored as no title.
  id,
  title: optional(text),
  slug: text,
  author: id,
  status,
  date,
  date_utc: date,
  modified: date,
  modified_utc: date,
  description: optional(text),
  excerpt: optional(text),
  image: optional(id),
  translations,
  translated_from: translations,
  creation,
  follows,
  earlier_paths: optional(listOf(text)),
  changed_at: optional(id),
  changed_by: optional(id),
  submitted_at: optional(id),
  review_note: optional(text),
  trashed_from: optional(status),
} satisfies Partial<Shape<AnyPost>>;

const contact = {
  generation: optional(id),
  hidden_since: stateOfLog,
  phone: optional(text),
  website: optional(text),
};

const event: Shape<EventRecord> = {
  ...post,
  kind: text,
  all_day: optional(flag),
  timezone: text,
  start_date: date,
  end_date: date,
  utc_start_date: date,
  utc_end_date: date,
  cost: optional(listOf(text)),
  currency_code: optional(text),
  website: optional(text),
  registration_url: optional(text),
  event_status: optional(eventStatus),
  event_status_reason: optional(text),
  show_map: optional(flag),
  show_map_link: optional(flag),
  hide_from_listings: optional(flag),
  sticky: optional(flag),
  featured: optional(flag),
  ticketed: optional(flag),
  categories: optional(listOf(id)),
  tags: optional(listOf(id)),
  post_parent: optional(id),
  venue: optional(listOf(link)),
  organizer: optional(listOf(link)),
  access_password: optional(passwordHash),
  renamed_in_trash: optional(flag),
  imported_from: optional(importedFrom),
  series: optional(shapeOf({ id, recurrence: text })),
  guid: optional(text),
};

const venue: Shape<VenueRecord> = {
  ...post,
  ...contact,
  kind: text,
  address: optional(text),
  city: optional(text),
  country: optional(text),
  zip: optional(text),
  province: optional(text),
  state: optional(text),
  stateprovince: optional(text),
  geo_lat: optional(number),
  geo_lng: optional(number),
  show_map: optional(flag),
  show_map_link: optional(flag),
};

const organizer: Shape<OrganizerRecord> = { ...post, ...contact, kind: text, email: optional(text) };

const term: Shape<TermRecord> = {
  kind: text,
  id,
  name: text,
  slug: text,
  description: optional(text),
  parent: optional(id),
  color: optional(text),
  deleted: optional(flag),
  shown_since: stateOfLog,
  imported_from: optional(text),
  creation,
  follows,
  translations,
  translated_from: translations,
  earlier_paths: optional(listOf(text)),
};

const size = shapeOf({ width: id, height: id, 'mime-type': text, filesize: optional(id), url: address });
const image: Shape<ImageRecord> = {
  kind: text,
  id,
  url: address,
  width: optional(id),
  height: optional(id),
  filesize: optional(id),
  sizes: optional(objectOf(size)),
  stored: optional(
    shapeOf({
      blob: text,
      key: optional(text),
      file: text,
      mime_type: text,
      author: id,
      title: text,
      date,
      date_utc: date,
      modified: date,
      modified_utc: date,
      slug: optional(text),
      post: optional(id),
      source: optional(text),
      source_sizes: optional(objectOf(text)),
      source_state: optional(text),
      source_validator: optional(text),
      alt_text: optional(text),
      credit: optional(text),
      license: optional(text),
      caption: optional(text),
      description: optional(text),
      creation,
    }),
  ),
  shown_since: stateOfLog,
  earlier_keys: optional(listOf(text)),
  follows,
};
const author: Shape<AuthorRecord> = {
  kind: text,
  id,
  subject: text,
  name: optional(text),
  seen: optional(id),
  list_paths: optional(listOf(text)),
};

const layers = listOf(shapeOf({ from: text, values: isObject }));
const recurrence = shapeOf({
  start: text,
  rrule: optional(text),
  rdate: optional(listOf(text)),
  exdate: optional(listOf(text)),
});
const series: Shape<SeriesRecord> = {
  kind: text,
  id,
  recurrence,
  imported_recurrence: optional(recurrence),
  layers,
  dates: listOf(
    shapeOf({
      recurrence: text,
      event: optional(id),
      due: optional(oneOf(['give', 'remove', 'restore'])),
      is_removed: optional(flag),
      is_cancelled: optional(flag),
      changed: optional(listOf(text)),
    }),
  ),
  given: optional(layers),
  at: optional(number),
  creation,
  imported_from: optional(text),
  earlier_paths: optional(listOf(text)),
};

const shapes: Readonly<Record<Kind, readonly (readonly [field: string, check: Check])[]>> = {
  event: Object.entries(event),
  venue: Object.entries(venue),
  organizer: Object.entries(organizer),
  category: Object.entries(term),
  tag: Object.entries(term),
  image: Object.entries(image),
  author: Object.entries(author),
  series: Object.entries(series),
};

/** Returns the first field of a stored value that the record of a kind and id cannot have; undefined for a valid record. */
export function invalidField(value: unknown, kind: Kind, recordId: number): string | undefined {
  const record = (isObject(value) ? value : {}) as Stored;
  if (record['kind'] !== kind || !Object.hasOwn(shapes, kind)) return 'kind';
  if (record['id'] !== recordId) return 'id';
  for (const [field, check] of shapes[kind]) if (!check(record[field])) return field;
  return undefined;
}
