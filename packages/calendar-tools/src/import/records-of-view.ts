/** Converts the views of another calendar with the same API to records, with the same ids, slugs and dates. */

import type { CalendarContext, RawParameters } from '../../../../shared/calendar/model/context.ts';
import { readCost } from '../../../../shared/calendar/model/cost.ts';
import { findZone, readWall } from '../../../../shared/calendar/model/dates/wall.ts';
import { organizerFields, venueFields } from '../../../../shared/calendar/model/fields/contact.ts';
import { eventFields } from '../../../../shared/calendar/model/fields/event.ts';
import type { FieldTable } from '../../../../shared/calendar/model/fields/field.ts';
import { InvalidValue } from '../../../../shared/calendar/model/fields/parameter.ts';
import { isAbsoluteUrl } from '../../../../shared/calendar/model/fields/parsers.ts';
import { storedOf } from '../../../../shared/calendar/model/fields/table.ts';
import type {
  AnyPost,
  AuthorRecord,
  CalendarRecord,
  ImageRecord,
  TermRecord,
} from '../../../../shared/calendar/model/records.ts';
import {
  escapedLine,
  sanitizeDescription,
  sanitizeInline,
} from '../../../../shared/calendar/model/text/html.ts';
import { renderHtml, renderTitle } from '../../../../shared/calendar/model/text/render-text.ts';
import { type PostKind, statuses, type TermKind } from '../../../../shared/calendar/model/values.ts';
import { omitEmpty } from '../../../../shared/calendar/write/write.ts';

/** A record in a reply of the API: JSON that is not validated. */
export type View = Readonly<Record<string, unknown>>;

const postFields: Readonly<Record<PostKind, FieldTable>> = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
};

/** The field of the title by kind. */
const titles = { event: 'title', venue: 'venue', organizer: 'organizer' } as const;

/** The prefix of the subject of an author of another calendar. It cannot collide with a user of the tenant. */
const importedPrefix = 'import:';

/** Returns the subject of the authors of another calendar, without their numbers. */
export function importedSubject(source: string): string {
  return `${importedPrefix}${source}#`;
}

/** Returns the category or tag of a view; undefined for a view without an id. */
export function termOfView(kind: TermKind, view: View): TermRecord | undefined {
  const id = idIn(view['id']);
  if (id === undefined) return undefined;
  return omitEmpty<TermRecord>({
    kind,
    id,
    name: escapedLine(textIn(view['name'])) || String(id),
    slug: textIn(view['slug']) || String(id),
    description: sanitizeInline(textIn(view['description'])),
    parent: kind === 'category' ? idIn(view['parent']) : undefined,
  });
}

/** Returns the records of the view of an event, venue or organizer: the post, its author and its image; none for a view without an id. */
export function recordsOfView(
  kind: PostKind,
  view: View,
  source: string,
  context: CalendarContext,
): CalendarRecord[] {
  const id = idIn(view['id']);
  if (id === undefined) return [];
  const author: AuthorRecord = authorIn(view, source);
  const image = imageIn(view['image']);
  const post = omitEmpty<AnyPost>({
    kind,
    id,
    ...publicationIn(view),
    ...directFieldsIn(kind, view, context),
    title: unrendered(textIn(view[titles[kind]]), sanitizeInline, renderTitle) || String(id),
    slug: textIn(view['slug']) || String(id),
    description: unrendered(textIn(view['description']), sanitizeDescription, renderHtml),
    excerpt: unrendered(textIn(view['excerpt']), sanitizeDescription, renderHtml),
    image: image?.id,
    ...(kind === 'event' ? eventValuesIn(view, context) : {}),
  } as never);
  return [
    { ...post, ...fieldsWithZeroIn(kind, view, context), author: author.id },
    author,
    image ?? [],
  ].flat();
}

/** The typed characters by the code of the typographic character that shows them. */
const typedCharacters: Readonly<Record<string, string>> = {
  ...{ '8216': "'", '8217': "'", '8220': '"', '8221': '"', '8230': '...', '8211': '-', '8212': '---' },
  ...{ '038': '&', '215': 'x' },
};
const typographicEntity = /&#(\d{3,4});/g;
const typographicCharacter = /[\u2018\u2019\u201c\u201d\u2026\u2013\u2014\u00d7]/g;

/** Returns the text to store, so that it is rendered as in the view: the typed text where its rendering is the same. */
function unrendered(
  rendered: string,
  sanitize: (text: string) => string,
  render: (text: string) => string,
): string {
  const typedText = sanitize(
    rendered.replace(typographicEntity, (all, code: string) => typedCharacters[code] ?? all),
  );
  if (render(typedText).trim() === rendered.trim()) return typedText;
  return sanitize(rendered).replace(typographicCharacter, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the views of linked records: the value is one object, or a list of objects. */
export function viewsIn(value: unknown): View[] {
  const items: unknown[] = [value ?? []].flat();
  return items.filter((item): item is View => typeof item === 'object' && item !== null && 'id' in item);
}

function authorIn(view: View, source: string): AuthorRecord {
  const id = idIn(view['author']) ?? 0;
  return { kind: 'author', id, subject: importedSubject(source) + id };
}

function imageIn(value: unknown): ImageRecord | undefined {
  const { id, url } = (typeof value === 'object' && value !== null ? value : {}) as View;
  const imageId = idIn(id);
  if (imageId === undefined || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return { kind: 'image', id: imageId, url: isAbsoluteUrl(url) ? url : new URL(url).href };
}

/** Returns the fields of a publication. A draft may have no date: its last change takes the place of the date. */
function publicationIn(view: View) {
  const modified_utc = dateIn(view['modified_utc']) ?? dateIn(view['date_utc']) ?? '1970-01-01 00:00:00';
  const modified = dateIn(view['modified']) ?? dateIn(view['date']) ?? modified_utc;
  return {
    status: statuses.find((status) => status === view['status']) ?? 'publish',
    date: dateIn(view['date']) ?? modified,
    date_utc: dateIn(view['date_utc']) ?? modified_utc,
    modified,
    modified_utc,
  };
}

function eventValuesIn(view: View, { site }: CalendarContext) {
  const start = dateIn(view['start_date']) ?? dateIn(view['utc_start_date']) ?? '1970-01-01 00:00:00';
  const utcStart = dateIn(view['utc_start_date']) ?? start;
  const end = dateIn(view['end_date']) ?? start;
  const ids = (name: string) => viewsIn(view[name]).flatMap(({ id }) => idIn(id) ?? []);
  return {
    start_date: start,
    end_date: end,
    utc_start_date: utcStart,
    utc_end_date: dateIn(view['utc_end_date']) ?? (end === start ? utcStart : end),
    timezone: findZone(textIn(view['timezone']))?.name ?? site.zone.name,
    all_day: view['all_day'] === true,
    cost: costIn(view),
    website: view['website'] === view['url'] ? undefined : textIn(view['website']),
    categories: ids('categories'),
    tags: ids('tags'),
    venue: ids('venue'),
    organizer: ids('organizer'),
  };
}

/** Returns the costs whose rendering is the cost of the view: the text itself, the ends of a range, or the amounts. */
function costIn(view: View): string[] {
  const text = textIn(view['cost']);
  if (text === '') return [];
  const { values } = (view['cost_details'] ?? {}) as { readonly values?: unknown };
  const amounts = (Array.isArray(values) ? values : []).map(String);
  const candidates = [[text], text.split(/\s+[-\u2013]\s+/), amounts, ['0']];
  return candidates.find((texts) => readCost(texts).text === text) ?? [text];
}

/** Fields that have a conversion above, and fields that name other records. */
const convertedFields = new Set(['description', 'excerpt', 'image', 'cost', 'website', 'categories', 'tags']);
const linkFields = new Set(['venue', 'organizer', 'post_parent', 'access_password', 'timezone']);

/** Returns the fields that are stored as they are sent, parsed by the parser of the field. Invalid values are left out. */
function directFieldsIn(kind: PostKind, view: View, context: CalendarContext): RawParameters {
  const isConverted = (name: string) =>
    name === 'website' ? kind === 'event' : convertedFields.has(name) || linkFields.has(name);
  const values = Object.entries(postFields[kind]).flatMap(([name, { parameter, isComputed }]) => {
    const value = view[name];
    if (parameter === undefined || isComputed || isConverted(name) || value === undefined || value === null)
      return [];
    const parsed = parameter.parse(value, context);
    return parsed instanceof InvalidValue ? [] : [[name, parsed] as const];
  });
  return Object.fromEntries(values);
}

/** Returns the fields among them whose values 0 and false are stored. */
function fieldsWithZeroIn(kind: PostKind, view: View, context: CalendarContext): RawParameters {
  const fields = Object.entries(postFields[kind]).filter(([, { isKept }]) => isKept === true);
  return storedOf(Object.fromEntries(fields), directFieldsIn(kind, view, context), {});
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : typeof value === 'number' ? String(value) : '';
}

function idIn(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function dateIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return undefined;
  return Number.isNaN(readWall(value)) || value.startsWith('0000') ? undefined : value;
}
