/** Reads of images: one, and lists of the uploaded ones. Readers see those that published records show. */

import { CodedError } from '../../../shared/errors.ts';
import { formatWall, wallIn } from '../model/dates/wall.ts';
import { slugOfPicture } from '../model/picture-slug.ts';
import type { ImageRecord } from '../model/records.ts';
import { invalidParameter } from '../model/refusals.ts';
import { type ReadableImage, readableImage } from '../model/rights.ts';
import { plainText } from '../model/text/plain-text.ts';
import { searchText } from '../model/text/search-text.ts';
import type { StoredPicture } from '../model/values.ts';
import { ranksOf } from '../search/relevance.ts';
import type { ReadContext } from './read-context.ts';

/** A date, `YYYY-MM-DD HH:MM:SS`, in UTC or the zone of the site. */
interface Bound {
  readonly text: string;
  readonly isUtc: boolean;
}

export interface PictureFilters {
  readonly search?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Another type of media than `image` has nothing. */
  readonly mediaType?: string | undefined;
  readonly author?: readonly number[] | undefined;
  readonly authorExclude?: readonly number[] | undefined;
  readonly include?: readonly number[] | undefined;
  readonly exclude?: readonly number[] | undefined;
  /** Ids of the records that they were uploaded to, 0 for none. */
  readonly parent?: readonly number[] | undefined;
  readonly parentExclude?: readonly number[] | undefined;
  /** Names of files in lower case, without their extensions. */
  readonly slug?: readonly string[] | undefined;
  /** Bounds of the dates of upload and change, both exclusive. */
  readonly dates: {
    readonly [Name in 'date' | 'modified']: {
      readonly after?: Bound | undefined;
      readonly before?: Bound | undefined;
    };
  };
  /** Pictures before the first page. */
  readonly offset?: number | undefined;
  readonly orderBy: (typeof orders)[number];
  readonly isAscending: boolean;
  readonly page: number;
  readonly perPage: number;
}

export interface PicturePage {
  readonly items: readonly ReadableImage<StoredImage>[];
  readonly total: number;
  readonly totalPages: number;
}

type StoredImage = ImageRecord & { readonly stored: StoredPicture };

/** Lists uploaded pictures. Throws `rest_post_invalid_page_number` for a page above 1 with nothing on it. */
export function listPictures(filters: PictureFilters, { replica, caller }: ReadContext): PicturePage {
  const { page, perPage } = filters;
  const images = [...replica.images()].flatMap((image) => {
    if (!isStored(image) || !matches(image, filters)) return [];
    return readableImage(caller, image, replica) ?? [];
  });
  const compare = compareBy(filters);
  images.sort((a, b) => compare(a.image, b.image));
  const totalPages = Math.ceil(images.length / perPage);
  if (page > 1 && page > totalPages)
    throw new CodedError('rest_post_invalid_page_number', 'Cannot show the page: there is nothing on it.');
  const start = filters.offset ?? (page - 1) * perPage;
  return { items: images.slice(start, start + perPage), total: images.length, totalPages };
}

/** Reads an image, uploaded or on another site. One that the caller may not see is not there. */
export function readPicture(
  id: number,
  { replica, caller }: ReadContext,
): ReadableImage<ImageRecord> | undefined {
  const image = replica.image(id);
  return image && readableImage(caller, image, replica);
}

function isStored(image: ImageRecord): image is StoredImage {
  return image.stored !== undefined;
}

function matches(
  { id, stored }: StoredImage,
  {
    search,
    mimeType,
    mediaType,
    author,
    authorExclude,
    include,
    exclude,
    parent,
    parentExclude,
    slug,
    dates,
  }: PictureFilters,
) {
  if (mediaType !== undefined && mediaType !== 'image') return false;
  if (mimeType !== undefined && mimeType !== stored.mime_type) return false;
  if (author !== undefined && !author.includes(stored.author)) return false;
  if (authorExclude?.includes(stored.author)) return false;
  if (include !== undefined && !include.includes(id)) return false;
  if (exclude?.includes(id)) return false;
  if (parent !== undefined && !parent.includes(stored.post ?? 0)) return false;
  if (parentExclude?.includes(stored.post ?? 0)) return false;
  if (slug !== undefined && !slug.includes(slugOfPicture(stored))) return false;
  for (const name of ['date', 'modified'] as const) {
    const { after, before } = dates[name];
    const own = ({ isUtc }: Bound) => stored[isUtc ? (`${name}_utc` as const) : name];
    if (after !== undefined && own(after) <= after.text) return false;
    if (before !== undefined && own(before) >= before.text) return false;
  }
  if (search === undefined) return true;
  const { title, file, alt_text = '', caption = '', description = '' } = stored;
  const text = searchText([title, file, alt_text, caption, description].map(plainText).join('\n'));
  return searchText(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function compareBy({ orderBy, isAscending, include = [], search = '' }: PictureFilters) {
  const rankOf = ranksOf(search);
  const keys = {
    date: ({ stored }: StoredImage) => stored.date_utc,
    modified: ({ stored }: StoredImage) => stored.modified_utc,
    id: () => '',
    title: ({ stored }: StoredImage) => plainText(stored.title).toLowerCase(),
    slug: ({ stored }: StoredImage) => slugOfPicture(stored),
    parent: ({ stored }: StoredImage) => String(stored.post ?? 0).padStart(15, '0'),
    // The most relevant first, whatever the direction; of equal ones the latest.
    relevance: ({ stored: { title, caption = '', description = '', date_utc } }: StoredImage) =>
      9 - rankOf({ title, excerpt: caption, content: description }) + date_utc,
    author: ({ stored }: StoredImage) => String(stored.author).padStart(15, '0'),
    include: ({ id }: StoredImage) => String(include.indexOf(id)).padStart(9, '0'),
  };
  const key = keys[orderBy];
  const sign = orderBy === 'include' || (isAscending && orderBy !== 'relevance') ? 1 : -1;
  return (a: StoredImage, b: StoredImage) =>
    sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id);
}

const orders = [
  'date',
  'modified',
  'id',
  'title',
  'slug',
  'author',
  'parent',
  'include',
  'relevance',
] as const;
/** Types of media that WordPress knows; those other than images have nothing here. */
const mediaTypes = ['image', 'video', 'text', 'application', 'audio'];

/** Parses the parameters of a list of pictures. Throws `rest_invalid_param`. */
export function pictureFilters(raw: Readonly<Record<string, unknown>>): PictureFilters {
  const {
    search,
    mime_type,
    media_type,
    status,
    offset,
    orderby = 'date',
    order = 'desc',
    page,
    per_page,
  } = raw;
  const orderBy = orders.find((item) => item === orderby);
  if (orderBy === undefined) throw invalidParameter('orderby', `must be one of ${orders.join(', ')}`);
  if (orderBy === 'relevance') mustSearch(search);
  // Pictures have no other status.
  choiceOf('status', status, ['inherit', 'any']);
  if (order !== 'asc' && order !== 'desc') throw invalidParameter('order', 'must be asc or desc');
  return {
    search: textOf('search', search),
    mimeType: textOf('mime_type', mime_type),
    mediaType: choiceOf('media_type', media_type, mediaTypes),
    author: idsOf('author', raw['author']),
    authorExclude: idsOf('author_exclude', raw['author_exclude']),
    include: idsOf('include', raw['include']),
    exclude: idsOf('exclude', raw['exclude']),
    parent: idsOf('parent', raw['parent'], 0),
    parentExclude: idsOf('parent_exclude', raw['parent_exclude'], 0),
    slug: textsOf('slug', raw['slug']),
    dates: {
      date: { after: dateOf('after', raw['after']), before: dateOf('before', raw['before']) },
      modified: {
        after: dateOf('modified_after', raw['modified_after']),
        before: dateOf('modified_before', raw['modified_before']),
      },
    },
    offset: offset === undefined ? undefined : wholeNumber('offset', offset),
    orderBy,
    isAscending: order === 'asc',
    page: positive('page', page ?? 1),
    perPage: perPageOf(per_page ?? 10),
  };
}

/** Refuses an order by relevance without a search. */
export function mustSearch(search: unknown): void {
  if (search === undefined || search === '')
    throw new CodedError(
      'rest_no_search_term_defined',
      'Cannot sort by relevance: there is no search that it is relevant to.',
    );
}

function perPageOf(value: unknown): number {
  const number = positive('per_page', value);
  if (number > maxItems) throw invalidParameter('per_page', `must be ${maxItems} at most`);
  return number;
}

function choiceOf(name: string, value: unknown, choices: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  if (choices.includes(String(value))) return String(value);
  throw invalidParameter(name, `must be one of ${choices.join(', ')}`);
}

function textsOf(name: string, value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  const items = Array.isArray(value) ? value : String(value).split(',');
  return items.map((item) => textOf(name, item)?.toLowerCase() ?? '').filter((item) => item !== '');
}

/** Reads a date as WordPress does: ISO 8601; one without an offset is in the zone of the site. */
function dateOf(name: string, value: unknown): Bound | undefined {
  if (value === undefined) return undefined;
  const [, local = '', offset] = /^(.*?\d)(Z|[+-]\d\d:\d\d)?$/i.exec(String(value)) ?? [];
  const wall = wallIn(local.replace('T', ' '));
  if (wall === undefined) throw invalidParameter(name, 'must be a date, such as 2027-01-31T19:30:00');
  if (offset === undefined) return { text: formatWall(wall), isUtc: false };
  const instant = Date.parse(`${local.replace(' ', 'T')}${offset}`) / 1_000;
  if (Number.isNaN(instant)) throw invalidParameter(name, 'must be a date, such as 2027-01-31T19:30:00Z');
  return { text: formatWall(instant), isUtc: true };
}

function wholeNumber(name: string, value: unknown): number {
  const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : -1;
  if (number < 0) throw invalidParameter(name, 'must be a whole number, 0 or above');
  return number;
}

/** Pictures of a page, at most. */
const maxItems = 100;

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value.trim();
  throw invalidParameter(name, 'must be a text');
}

function idsOf(name: string, value: unknown, minimum: 0 | 1 = 1): number[] | undefined {
  if (value === undefined) return undefined;
  const items = (Array.isArray(value) ? value : String(value).split(',')).map(String);
  return items
    .filter((item) => item.trim() !== '')
    .map((item) => (minimum === 0 ? wholeNumber : positive)(name, item.trim()));
}

function positive(name: string, value: unknown): number {
  const number = /^\d{1,15}$/.test(String(value)) ? Number(value) : 0;
  if (number < 1) throw invalidParameter(name, 'must be a whole number above 0');
  return number;
}
