/** The media library of a site (`wp/v2/media`): the texts of its pictures, their sizes, and the numbers under which it has them. */

import { formatWall, readWall, toWall, type Zone } from '../../../functions/calendar/model/dates/wall.ts';
import { InvalidValue } from '../../../functions/calendar/model/fields/parameter.ts';
import { slugOfFile } from '../../../functions/calendar/model/picture-slug.ts';
import type { AuthorRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import { renderHtml, renderTitle } from '../../../functions/calendar/model/text/render-text.ts';
import { slugOf } from '../../../functions/calendar/model/text/slug.ts';
import type { StoredPicture } from '../../../functions/calendar/model/values.ts';
import { pictureTexts } from '../../../functions/calendar/write/pictures.ts';
import { isInTheWay } from './in-the-way.ts';
import type { Limits } from './limits.ts';
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
      for (const url of [image.url, ...Object.values(image.sizes ?? {}).map((size) => size.url)])
        byAddress.set(addressKey(url), item);
    }
    if (byId.size === before) break;
  }
  return { byId, byAddress };
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
    return name === 'full' ? [] : [[name, { ...size, url: size['source_url'] }] as const];
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

/** Returns what the library says of a picture in the form in which it is stored, and the author where that is a new one here. */
export function storedTexts(
  { view }: MediaItem,
  current: StoredPicture,
  source: string,
  { context, replica }: Target,
): { readonly stored: StoredPicture; readonly author?: AuthorRecord } {
  const modified = momentOf(view, 'modified', context.site.zone) ?? momentOf(view, 'date', context.site.zone);
  const date = momentOf(view, 'date', context.site.zone);
  const isEditedHere =
    current.modified_utc !== current.date_utc &&
    modified !== undefined &&
    current.modified_utc > modified.utc;
  if (isEditedHere) return { stored: current };
  const texts: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(pictureTexts)) {
    const value = parameter.parse(textOf(view, name as keyof typeof pictureTexts), context);
    if (!(value instanceof InvalidValue) && value !== '') texts[name] = value;
  }
  const {
    alt_text: _alt,
    caption: _caption,
    description: _description,
    slug: _slug,
    post: _post,
    ...facts
  } = current;
  const slug = typeof view['slug'] === 'string' ? slugOf(view['slug']) : '';
  const post = idIn(view['post']);
  const stored = {
    ...facts,
    ...(slug === '' || slug === slugOfFile(facts.file) ? {} : { slug }),
    ...(post === undefined || replica.post(post) === undefined ? {} : { post }),
    ...(date === undefined ? {} : { date: date.wall, date_utc: date.utc }),
    ...(modified === undefined ? {} : { modified: modified.wall, modified_utc: modified.utc }),
    ...texts,
  };
  const id = idIn(view['author']);
  if (id === undefined) return { stored };
  const author: AuthorRecord = { kind: 'author', id, subject: importedSubject(source, id) };
  const holder = replica.author(id);
  return {
    stored: { ...stored, author: id },
    ...(holder === undefined || isInTheWay(author, holder, replica) ? { author } : {}),
  };
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
