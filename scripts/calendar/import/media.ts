/** The media library of a site (`wp/v2/media`): the texts of its pictures, their sizes, and the numbers under which it has them. */

import { isDeepStrictEqual } from 'node:util';
import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import { formatWall, readWall, toWall, type Zone } from '../../../functions/calendar/model/dates/wall.ts';
import { InvalidValue } from '../../../functions/calendar/model/fields/parameter.ts';
import { ownerOf } from '../../../functions/calendar/model/owner.ts';
import { slugOfFile } from '../../../functions/calendar/model/picture-slug.ts';
import type { AuthorRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import { escapedText } from '../../../functions/calendar/model/text/html.ts';
import { renderHtml, renderTitle } from '../../../functions/calendar/model/text/render-text.ts';
import { slugOf } from '../../../functions/calendar/model/text/slug.ts';
import type { StoredPicture } from '../../../functions/calendar/model/values.ts';
import { pictureTexts } from '../../../functions/calendar/write/picture-records.ts';
import type { Draft } from './draft.ts';
import { digestOf, noteIn, withNote } from './fields.ts';
import { isInTheWay } from './in-the-way.ts';
import { type Limits, maxSiteId } from './limits.ts';
import { addressKey } from './picture-addresses.ts';
import { dateIn, idIn } from './record.ts';
import { imageIn, unrendered, type View } from './records-of-view.ts';
import type { SourceSite } from './site.ts';
import { importedSubject } from './source-name.ts';
import type { Target } from './target.ts';

/** A picture of the library. */
export interface MediaItem {
  readonly image: ImageRecord;
  readonly view: View;
}

/** The pictures of a library. */
export interface Media {
  readonly byId: ReadonlyMap<number, MediaItem>;
  /** The pictures by the addresses of their files. */
  readonly byAddress: ReadonlyMap<string, MediaItem>;
}

/** Reads the pictures of the library of a site. Not every site shows it: then it is empty. */
export async function readMedia(site: SourceSite, target: Target, limits: Limits): Promise<Media> {
  const byId = new Map<number, MediaItem>();
  const byAddress = new Map<string, MediaItem>();
  let query: Record<string, string> = { media_type: 'image', per_page: '100' };
  if (site.isSignedIn) query = { ...query, context: 'edit' };
  for (let page = 1; page <= limits.pages; page += 1) {
    let answer = await site.getFromPlatform('/media', { ...query, page: String(page) });
    if ((answer.status === 401 || answer.status === 403) && query['context'] !== undefined) {
      // Texts as they are typed are for those who may edit them.
      query = { media_type: 'image', per_page: '100' };
      answer = await site.getFromPlatform('/media', { ...query, page: String(page) });
    }
    const before = byId.size;
    for (const view of answer.status === 200 && Array.isArray(answer.body) ? (answer.body as View[]) : []) {
      const image = imageIn(imageOf(view), target.context);
      if (image === undefined || byId.has(image.id)) continue;
      const item = { image, view };
      byId.set(image.id, item);
      mustBeFewPictures(byId.size, limits);
      for (const url of [image.url, ...Object.values(image.sizes ?? {}).map((size) => size.url)])
        byAddress.set(addressKey(url), item);
    }
    if (byId.size === before) break;
  }
  return { byId, byAddress };
}

/** Throws an Error for a library without end. What was written before stays. */
function mustBeFewPictures(count: number, { records }: Limits): void {
  if (count > records) throw new Error(`Cannot read the pictures of the site: it has more than ${records}.`);
}

function objectIn(value: unknown): View {
  return typeof value === 'object' && value !== null ? (value as View) : {};
}

/** Returns an item of the library in the form of the image of an event. */
function imageOf(view: View): View {
  const { width, height, filesize, sizes } = objectIn(view?.['media_details']);
  const named = Object.entries(objectIn(sizes)).flatMap(([name, value]) => {
    const size = objectIn(value);
    // The picture itself is one of its sizes there.
    // WordPress writes `mime_type`, and an event `mime-type`.
    const type = size['mime-type'] ?? size['mime_type'];
    return name === 'full' ? [] : [[name, { ...size, 'mime-type': type, url: size['source_url'] }] as const];
  });
  return {
    id: view?.['id'],
    url: view?.['source_url'],
    width,
    height,
    filesize,
    sizes: Object.fromEntries(named),
  };
}

/** What was decided of the texts of a picture; or the record that has the number of its author. */
export type Description =
  | { readonly isWritten: boolean; readonly isChanged: boolean; readonly differences: readonly string[] }
  | { readonly inTheWay: AuthorRecord };

/**
 * Decides what is stored of what the library says of a copied picture: texts, dates and author, each by its field. Texts that people have
 * changed here stay.
 */
export function describeImage(
  item: MediaItem,
  source: string,
  draft: Draft,
  context: CalendarContext,
): Description {
  const image = draft.get('image', item.image.id) as ImageRecord | undefined;
  const { stored } = image ?? {};
  if (image === undefined || stored === undefined)
    return { isWritten: false, isChanged: false, differences: [] };
  const author = authorOf(item, source);
  const holder = author && draft.get('author', author.id);
  if (author !== undefined && holder?.kind === 'author' && isInTheWay(author, holder, draft.replica))
    return { inTheWay: holder };
  const modified =
    momentOf(item.view, 'modified', context.site.zone) ?? momentOf(item.view, 'date', context.site.zone);
  const isNewerHere =
    stored.modified_utc !== stored.date_utc && modified !== undefined && stored.modified_utc > modified.utc;
  const before = image.follows?.digests;
  let digests = before ?? {};
  const taken: Record<string, unknown> = {};
  const differences: string[] = [];
  let isKept = false;
  for (const [name, { there, value }] of factsOf(item, stored, draft, context)) {
    const field = `stored.${name}`;
    const sides = { there: digestOf(there), stored: digestOf(value), here: digestOf(factIn(stored, name)) };
    const note = noteIn(before, field);
    const owner = ownerOf(sides, note, isNewerHere);
    if (owner === 'source') taken[name] = value;
    isKept ||= owner === 'here' || owner === 'both';
    if (owner === 'both')
      differences.push(
        `${name}: ${JSON.stringify(value ?? '')} there, ${JSON.stringify(factIn(stored, name) ?? '')} here`,
      );
    if (owner === 'source' || sides.stored === sides.here || note === undefined)
      digests = withNote(digests, field, { there: sides.there, here: sides.stored });
  }
  const { date, ...texts } = taken;
  const [wall, utc] = (date ?? [stored.date, stored.date_utc]) as [string, string];
  const times =
    isKept || modified === undefined ? {} : { modified: modified.wall, modified_utc: modified.utc };
  const next = Object.fromEntries(
    Object.entries({ ...stored, ...texts, date: wall, date_utc: utc, ...times }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as unknown as StoredPicture;
  const isChanged = !isDeepStrictEqual(next, stored);
  const follows = { source, digests };
  const isWritten = isChanged || !isDeepStrictEqual(follows, image.follows);
  if (isWritten) draft.put({ ...image, stored: next, follows });
  if (isWritten && author !== undefined && holder === undefined) draft.put(author);
  return { isWritten, isChanged, differences };
}

function authorOf({ view }: Pick<MediaItem, 'view'>, source: string): AuthorRecord | undefined {
  const id = idIn(view['author']);
  return id === undefined || id > maxSiteId
    ? undefined
    : { kind: 'author', id, subject: importedSubject(source, id) };
}

function factIn(stored: StoredPicture, name: string): unknown {
  return name === 'date' ? [stored.date, stored.date_utc] : stored[name as keyof StoredPicture];
}

/** What the library says of a picture, and what is stored for it. */
interface Fact {
  readonly there: unknown;
  readonly value: unknown;
}

/** Returns what the library says of a picture. A title that is empty is that of the file. */
function factsOf(
  { view }: MediaItem,
  { file }: StoredPicture,
  { replica }: Draft,
  context: CalendarContext,
): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  const set = (name: string, value: unknown) => facts.set(name, { there: value, value });
  for (const [name, parameter] of Object.entries(pictureTexts)) {
    const value = parameter.parse(textOf(view, name as keyof typeof pictureTexts), context);
    if (value instanceof InvalidValue) continue;
    if (name === 'title' && value === '')
      facts.set(name, { there: undefined, value: escapedText(file.replace(/\.\w+$/, '')) });
    else set(name, value === '' ? undefined : value);
  }
  const slug = typeof view['slug'] === 'string' ? slugOf(view['slug']) : '';
  set('slug', slug === '' || slug === slugOfFile(file) ? undefined : slug);
  const post = idIn(view['post']);
  set('post', post === undefined || replica.post(post) === undefined ? undefined : post);
  const date = momentOf(view, 'date', context.site.zone);
  if (date !== undefined) set('date', [date.wall, date.utc]);
  const author = authorOf({ view }, '');
  if (author !== undefined) set('author', author.id);
  return facts;
}

interface Moment {
  readonly wall: string;
  readonly utc: string;
}

/** Returns a time of an item in the zone of the calendar and in UTC. */
function momentOf(view: View, name: 'date' | 'modified', zone: Zone): Moment | undefined {
  const utc = dateIn(String(view[`${name}_gmt`] ?? '').replace('T', ' '));
  return utc === undefined ? undefined : { utc, wall: formatWall(toWall(zone, readWall(utc))) };
}

/** Returns a text of an item as it was typed, or so that it is rendered as there. */
function textOf(view: View, name: keyof typeof pictureTexts): string {
  const value = view[name];
  if (typeof value === 'string') return value;
  const { raw, rendered } = objectIn(value);
  if (typeof raw === 'string') return raw;
  // WordPress puts a link to the picture before its description.
  const text = String(rendered ?? '').replace(/^\s*<p class="attachment">.*?<\/p>/s, '');
  return unrendered(text.trim(), name === 'title' ? renderTitle : renderHtml);
}
