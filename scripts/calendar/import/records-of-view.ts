/** Converts the views of another calendar with the same API to records, with the same ids, slugs and dates. */

import { isDeepStrictEqual } from 'node:util';
import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import { costTexts, readCost } from '../../../functions/calendar/model/cost.ts';
import {
  findZone,
  formatWall,
  readWall,
  toInstant,
  toWall,
  type Zone,
} from '../../../functions/calendar/model/dates/wall.ts';
import { organizerFields, venueFields } from '../../../functions/calendar/model/fields/contact.ts';
import { eventFields } from '../../../functions/calendar/model/fields/event.ts';
import type { FieldTable } from '../../../functions/calendar/model/fields/field.ts';
import { isAbsoluteUrl } from '../../../functions/calendar/model/fields/parsers.ts';
import { comparablePath, maxPathLength } from '../../../functions/calendar/model/page-paths.ts';
import type {
  AnyPost,
  AuthorRecord,
  CalendarRecord,
  ImageRecord,
  TermRecord,
} from '../../../functions/calendar/model/records.ts';
import { escapedLine, sanitizeInline } from '../../../functions/calendar/model/text/html.ts';
import { renderHtml, renderTitle } from '../../../functions/calendar/model/text/render-text.ts';
import { slugOf } from '../../../functions/calendar/model/text/slug.ts';
import {
  type Digests,
  type ListedKind,
  type PostKind,
  type Status,
  statuses,
  type TermKind,
} from '../../../functions/calendar/model/values.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { digestOf, fieldOf, noDigest, valuesOf } from './fields.ts';
import { withLinkedFrames } from './frames.ts';
import { dateIn, idIn, parseRecord, type RawRecord } from './record.ts';
import { importedSubject, isSameSubject } from './source-name.ts';
import { storedFields } from './stored-fields.ts';

/** A record in a reply of the API: JSON that is not validated. */
export type View = Readonly<Record<string, unknown>>;

const postFields: Readonly<Record<PostKind, FieldTable>> = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
};

/** The field of the title by kind. */
const titles = { event: 'title', venue: 'venue', organizer: 'organizer' } as const;

/** Reports values of a view that are left out: the key of the record, and what is wrong. */
export type OnInvalid = (key: string, error: string) => void;

/** Returns the category or tag of a view; undefined for a view without an id. */
export function termOfView(
  kind: TermKind,
  view: View,
  context: CalendarContext,
  onInvalid: OnInvalid = () => {},
): TermRecord | undefined {
  const id = idIn(view['id']);
  if (id === undefined) return undefined;
  const raw = {
    kind,
    id,
    name: escapedLine(textIn(view['name'])) || String(id),
    slug: slugIn(view['slug']) || String(id),
    description: sanitizeInline(textIn(view['description'])),
    parent: kind === 'category' ? idIn(view['parent']) : undefined,
    color: kind === 'category' ? textIn(view['color']) || undefined : undefined,
    earlier_paths: pagePathsIn(view),
  };
  return parsedRecord(raw, context, onInvalid) as TermRecord | undefined;
}

/** Returns the records of the view of an event, venue or organizer: the post, its author and its image; none for a view without an id. */
export function recordsOfView(
  kind: PostKind,
  view: View,
  source: string,
  context: CalendarContext,
  onInvalid: OnInvalid = () => {},
): CalendarRecord[] {
  const id = idIn(view['id']);
  if (id === undefined) return [];
  const author = authorIn(view, source, context);
  const image = imageIn(view['image'], context);
  const zone = textIn(view['timezone']);
  if (kind === 'event' && zone !== '' && findZone(zone) === undefined)
    onInvalid(`event/${id}`, `timezone "${zone.slice(0, 40)}" is not known, so that of the site is stored`);
  const title = sanitizeInline(unrendered(textIn(view[titles[kind]]), renderTitle)) || String(id);
  const publication = publicationIn(view, context, (error) => onInvalid(`${kind}/${id}`, error));
  const raw = {
    kind,
    id,
    ...publication,
    ...sentValuesIn(kind, view),
    title,
    slug: slugIn(view['slug']) || slugOf(title) || String(id),
    description: unrendered(withLinkedFrames(textIn(view['description'])), renderHtml),
    excerpt: unrendered(withLinkedFrames(textIn(view['excerpt'])), renderHtml),
    image: image?.id,
    author: author.id,
    earlier_paths: pagePathsIn(view),
    guid: view['guid'],
    ...(kind === 'event' ? eventValuesIn(view, publication, context) : {}),
  };
  const record = parsedRecord(raw, context, onInvalid) as AnyPost | undefined;
  return [record, author, image].filter((record) => record !== undefined);
}

/** Fields of a record that a view has under another key. */
const viewKeys: Readonly<Record<string, string>> = { currency_code: 'cost_details' };

/** Values of an event that a password hides. */
const hiddenFields = new Set([
  'description',
  'excerpt',
  'image',
  'cost',
  'currency_code',
  'website',
  'categories',
  'tags',
  'venue',
  'organizer',
  'timezone',
]);

/** Fields that a venue, organizer or term of the original has, and that its view leaves out where they are empty. */
const leftOutWhereEmpty: Readonly<Record<Exclude<ListedKind, 'event'>, ReadonlySet<string>>> = {
  venue: new Set([
    ...['title', 'slug', 'date', 'author', 'description', 'excerpt', 'image', 'phone', 'website'],
    ...['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip'],
  ]),
  organizer: new Set([
    ...['title', 'slug', 'date', 'author', 'description', 'excerpt', 'image', 'phone', 'website', 'email'],
  ]),
  category: new Set(['name', 'slug', 'description', 'parent']),
  tag: new Set(['name', 'slug', 'description']),
};

/**
 * Returns the digests of what a view says of a record, by the fields that it has: colours and translations are not among those of the
 * original, and an event that a password hides has few.
 */
export function digestsOfView(kind: ListedKind, view: View, record: CalendarRecord): Digests {
  const isHidden = kind === 'event' && view['all_day'] === null;
  const values = valuesOf(record);
  const fields = new Set(Object.keys(storedFields[kind]).flatMap((member) => fieldOf(member) ?? []));
  const isThere = (field: string) => {
    if (isHidden && hiddenFields.has(field)) return false;
    if (kind !== 'event' && leftOutWhereEmpty[kind].has(field)) return true;
    if (field === 'title') return titles[kind as PostKind] in view;
    const value = view[viewKeys[field] ?? field];
    return value !== undefined && value !== null;
  };
  return Object.fromEntries(
    Array.from(fields)
      .filter(isThere)
      .map((field) => [field, isUnnamed(field, view) ? noDigest : digestOf(values.get(field), field)]),
  );
}

/** Checks whether a record has no slug in its source, as drafts: it gets one here. */
function isUnnamed(field: string, view: View): boolean {
  return field === 'slug' && (view['slug'] ?? '') === '';
}

/** Returns the path of the page that a view has in its source. Those below `/events` are the same here. */
function pagePathsIn({ url }: View): string[] {
  const path = typeof url === 'string' && URL.canParse(url) ? comparablePath(new URL(url).pathname) : '';
  return path === '' || path.length > maxPathLength || path.startsWith('events/') ? [] : [path];
}

/** Parses the record of a view. Its invalid values are left out. */
function parsedRecord(raw: RawRecord, context: CalendarContext, onInvalid: OnInvalid) {
  const { record, errors } = parseRecord(raw, context);
  for (const error of errors) onInvalid(`${raw['kind']}/${raw['id']}`, error);
  return record;
}

/** The typed characters by the code of the typographic character that shows them. */
const typedCharacters: Readonly<Record<string, string>> = {
  '8216': "'",
  '8217': "'",
  '8220': '"',
  '8221': '"',
  '8230': '...',
  '8211': '-',
  '8212': '---',
  '038': '&',
  '215': 'x',
};
const typographicEntity = /&#(\d{3,4});/g;
const typographicCharacter = /[\u2018\u2019\u201c\u201d\u2026\u2013\u2014\u00d7]/g;

/** Returns the text to store, so that it is rendered as in the view: the typed text where its rendering is the same. Its field sanitizes it. */
export function unrendered(rendered: string, render: (text: string) => string): string {
  const typedText = rendered.replace(typographicEntity, (all, code: string) => typedCharacters[code] ?? all);
  if (render(typedText).trim() === rendered.trim()) return typedText;
  return rendered.replace(typographicCharacter, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the views of linked records: the value is one object, or a list of objects. */
export function viewsIn(value: unknown): View[] {
  const items: unknown[] = [value ?? []].flat();
  return items.filter((item): item is View => typeof item === 'object' && item !== null && 'id' in item);
}

function authorIn(view: View, source: string, { replica }: CalendarContext): AuthorRecord {
  const id = idIn(view['author']) ?? 0;
  const subject = importedSubject(source, id);
  return {
    kind: 'author',
    id,
    subject: subjectIn((replica.author(id) as AuthorRecord | undefined)?.subject, subject),
  };
}

/** Returns a term with the source that it is from, by which a later import finds it when the source has deleted it. */
export function withSource(term: TermRecord, source: string, replica: CalendarReplica): TermRecord {
  const current = replica.terms.get(term.id)?.imported_from;
  return { ...term, imported_from: subjectIn(current, importedSubject(source)) };
}

/** Returns the subject that an earlier import has stored where it names the same source, perhaps by another of its addresses. */
function subjectIn(current: string | undefined, subject: string): string {
  return current !== undefined && isSameSubject(current, subject) ? current : subject;
}

/** Returns the image of a view; undefined where it has no id or no address. */
export function imageIn(value: unknown, context: CalendarContext): ImageRecord | undefined {
  const { id, url, width, height, filesize, sizes } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as View;
  if (idIn(id) === undefined || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const address = (text: string) => (isAbsoluteUrl(text) || !URL.canParse(text) ? text : new URL(text).href);
  const named = Object.entries(typeof sizes === 'object' && sizes !== null ? sizes : {}).map(
    ([name, size]) => [name, { ...size, url: address(String(size?.url)) }] as const,
  );
  const raw = {
    kind: 'image',
    id: idIn(id),
    url: address(url),
    width,
    height,
    filesize,
    sizes: Object.fromEntries(named),
  };
  return parseRecord(raw, context).record as ImageRecord | undefined;
}

/** Two forms of one moment: wall time of a zone, and UTC. */
type Moment = readonly [wall: string, utc: string];

/** Returns a moment of which at least one form is valid; the other form is computed. */
function momentIn(wall: unknown, utc: unknown, zone: Zone): Moment | undefined {
  const local = dateIn(wall);
  const universal = dateIn(utc);
  if (local !== undefined) return [local, universal ?? formatWall(toInstant(zone, readWall(local)))];
  return universal === undefined ? undefined : [formatWall(toWall(zone, readWall(universal))), universal];
}

const epoch: Moment = ['1970-01-01 00:00:00', '1970-01-01 00:00:00'];

/** Returns the fields of a publication. A draft may have no date: its last change takes the place of the date. */
function publicationIn(view: View, { site }: CalendarContext, onUnknown: (error: string) => void) {
  const change = momentIn(view['modified'], view['modified_utc'], site.zone);
  const publication = momentIn(view['date'], view['date_utc'], site.zone);
  const [date, date_utc] = publication ?? change ?? epoch;
  const [modified, modified_utc] = change ?? publication ?? epoch;
  const status = statusIn(view['status']);
  if (status === undefined)
    onUnknown(`(status ${JSON.stringify(view['status'])?.slice(0, 40)}: private here)`);
  return { status: status ?? ('private' as const), date, date_utc, modified, modified_utc };
}

/** Returns a status; undefined for one that the calendar does not know, such as that of a plugin. What has none is public. */
function statusIn(value: unknown): Status | undefined {
  return (value ?? '') === '' ? 'publish' : statuses.find((status) => status === value);
}

interface Publication {
  readonly date: string;
  readonly date_utc: string;
}

/** Returns the values of an event that are converted. An event without a start begins when it is published. */
function eventValuesIn(view: View, { date, date_utc }: Publication, { site }: CalendarContext) {
  const known = findZone(textIn(view['timezone']));
  const zone = known ?? site.zone;
  // A wall time of a zone that nobody knows is another one in the zone of the site.
  const moment = (name: string) =>
    (known === undefined ? momentIn(undefined, view[`utc_${name}`], zone) : undefined) ??
    momentIn(view[name], view[`utc_${name}`], zone);
  const start = moment('start_date') ?? [date, date_utc];
  const end = moment('end_date') ?? start;
  const ids = (name: string) => viewsIn(view[name]).flatMap(({ id }) => idIn(id) ?? []);
  return {
    start_date: start[0],
    utc_start_date: start[1],
    end_date: end[0],
    utc_end_date: end[1],
    timezone: zone.name,
    all_day: view['all_day'] === true,
    cost: costIn(view),
    currency_code: currencyCodeIn(view),
    website: view['website'] === view['url'] ? undefined : textIn(view['website']),
    categories: ids('categories'),
    tags: ids('tags'),
    venue: ids('venue'),
    organizer: ids('organizer'),
  };
}

/** Returns the code of the currency; undefined for none, and for what is no code. */
function currencyCodeIn(view: View): string | undefined {
  const { currency_code: code } = (view['cost_details'] ?? {}) as { readonly currency_code?: unknown };
  return textIn(code) || undefined;
}

/** Returns the costs whose rendering is the cost of the view, with the same values where that can be: the text itself, the ends of a range, or the amounts. */
function costIn(view: View): string[] {
  const text = textIn(view['cost']);
  if (text === '') return [];
  const { values } = (view['cost_details'] ?? {}) as { readonly values?: unknown };
  const amounts = (Array.isArray(values) ? values : []).map(String);
  const candidates = [[text], text.split(/\s+[-\u2013]\s+/), amounts, ['0']];
  const readings = candidates.map((texts) => ({ texts, cost: readCost(costTexts(texts)) }));
  const sameText = readings.filter(({ cost }) => cost.text === text);
  const sameValues = sameText.find(({ cost }) => isDeepStrictEqual(cost.details.values, amounts));
  return (sameValues ?? sameText[0])?.texts ?? [text];
}

/** Fields that are converted above, and fields that name other records. */
const convertedFields = new Set([
  'author',
  'status',
  'date',
  'date_utc',
  'title',
  'venue',
  'organizer',
  'description',
  'excerpt',
  'slug',
  'image',
  'cost',
  'categories',
  'tags',
  'post_parent',
  'access_password',
  'timezone',
  'all_day',
  'start_date',
  'end_date',
]);

/** Returns the values that are stored in the form in which they are shown. */
function sentValuesIn(kind: PostKind, view: View): RawRecord {
  const values = Object.entries(postFields[kind]).flatMap(([name, { parameter }]) => {
    const isConverted = convertedFields.has(name) || (kind === 'event' && name === 'website');
    const value = view[name];
    return parameter === undefined || isConverted || value === null || value === undefined
      ? []
      : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** Returns the slug of a view, as a write stores it. */
function slugIn(value: unknown): string {
  const slug = textIn(value);
  return slug === '' ? '' : slug.toLowerCase();
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : typeof value === 'number' ? String(value) : '';
}
