/** Records of another calendar of the same API, as its clients see them, turned into records of this one: ids, slugs and dates stay. */

import type { CalendarContext, RawParameters } from '../model/context.ts';
import { readCost } from '../model/cost.ts';
import { findZone, readWall } from '../model/dates/wall.ts';
import { organizerFields, venueFields } from '../model/fields/contact.ts';
import { eventFields } from '../model/fields/event.ts';
import type { FieldTable } from '../model/fields/field.ts';
import { InvalidValue } from '../model/fields/parameter.ts';
import { isAbsoluteUrl } from '../model/fields/parsers.ts';
import { storedOf } from '../model/fields/table.ts';
import type { AnyPost, AuthorRecord, CalendarRecord, ImageRecord, TermRecord } from '../model/records.ts';
import { escapedLine, sanitizeDescription, sanitizeInline } from '../model/text/html.ts';
import { renderHtml, renderTitle } from '../model/text/render-text.ts';
import { type PostKind, statuses, type TermKind } from '../model/values.ts';
import { omitEmpty } from './omit-empty.ts';

/** A record as clients see it: JSON that nobody has checked. */
export type View = Readonly<Record<string, unknown>>;

const postFields: Readonly<Record<PostKind, FieldTable>> = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
};

/** Names of records' titles. */
const titles = { event: 'title', venue: 'venue', organizer: 'organizer' } as const;

/** Begins the subject of an author who wrote in another calendar; no user of a tenant has such a one. */
const importedPrefix = 'import:';

/** Returns the subject of the authors of another calendar, but for their numbers. */
export function importedSubject(source: string): string {
  return `${importedPrefix}${source}#`;
}

/** Returns the category or tag that a view shows; undefined when it shows none. */
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

/** Returns the records that the view of an event, venue or organizer shows: itself, its author and its image. None when it has no id. */
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
    ...plainFieldsIn(kind, view, context),
    title: unrendered(textIn(view[titles[kind]]), sanitizeInline, renderTitle) || String(id),
    slug: textIn(view['slug']) || String(id),
    description: unrendered(textIn(view['description']), sanitizeDescription, renderHtml),
    excerpt: unrendered(textIn(view['excerpt']), sanitizeDescription, renderHtml),
    image: image?.id,
    ...(kind === 'event' ? eventValuesIn(view, context) : {}),
  } as never);
  return [{ ...post, ...keptFieldsIn(kind, view, context), author: author.id }, author, image ?? []].flat();
}

/** What typographic characters stand for in texts as they are typed. */
const typed: Readonly<Record<string, string>> = {
  ...{ '8216': "'", '8217': "'", '8220': '"', '8221': '"', '8230': '...', '8211': '-', '8212': '---' },
  ...{ '038': '&', '215': 'x' },
};
const typographicEntity = /&#(\d{3,4});/g;
const typographicCharacter = /[\u2018\u2019\u201c\u201d\u2026\u2013\u2014\u00d7]/g;

/** Returns what to store of a text that is shown, so that it is shown again as it is: as somebody would type it, where that reads the same. */
function unrendered(
  shown: string,
  sanitize: (text: string) => string,
  render: (text: string) => string,
): string {
  const plain = sanitize(shown.replace(typographicEntity, (all, code: string) => typed[code] ?? all));
  if (render(plain).trim() === shown.trim()) return plain;
  return sanitize(shown).replace(typographicCharacter, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the records inside an event's view: one object, or a list of these. */
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

/** Drafts that were never published may have no date: that of the last change takes its place. */
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

/** What is shown of a cost may be read again; a range that is not read as one is made of its amounts. */
function costIn(view: View): string[] {
  const shown = textIn(view['cost']);
  if (shown === '') return [];
  const { values } = (view['cost_details'] ?? {}) as { readonly values?: unknown };
  const amounts = (Array.isArray(values) ? values : []).map(String);
  const candidates = [[shown], shown.split(/\s+[-\u2013]\s+/), amounts, ['0']];
  return candidates.find((texts) => readCost(texts).text === shown) ?? [shown];
}

/** The names that are computed above, or name other records. */
const otherFields = new Set(['description', 'excerpt', 'image', 'cost', 'website', 'categories', 'tags']);
const links = new Set(['venue', 'organizer', 'post_parent', 'access_password', 'timezone']);

/** The fields that are stored as they are sent, each as its own parser reads it. What that refuses is left out. */
function plainFieldsIn(kind: PostKind, view: View, context: CalendarContext): RawParameters {
  const isOther = (name: string) =>
    name === 'website' ? kind === 'event' : otherFields.has(name) || links.has(name);
  const values = Object.entries(postFields[kind]).flatMap(([name, { parameter, isComputed }]) => {
    const value = view[name];
    if (parameter === undefined || isComputed || isOther(name) || value === undefined || value === null)
      return [];
    const parsed = parameter.parse(value, context);
    return parsed instanceof InvalidValue ? [] : [[name, parsed] as const];
  });
  return Object.fromEntries(values);
}

/** The fields among them for which 0 and false are not nothing. */
function keptFieldsIn(kind: PostKind, view: View, context: CalendarContext): RawParameters {
  const fields = Object.entries(postFields[kind]).filter(([, { isKept }]) => isKept === true);
  return storedOf(Object.fromEntries(fields), plainFieldsIn(kind, view, context), {});
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
