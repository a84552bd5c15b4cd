/** Reads of images: one, and lists of the uploaded ones. Readers see those that published records show. */

import { CodedError } from '../../../shared/errors.ts';
import type { ImageRecord } from '../model/records.ts';
import { invalidParameter } from '../model/refusals.ts';
import { mayReadImage } from '../model/rights.ts';
import { plainText } from '../model/text/plain-text.ts';
import { searchText } from '../model/text/search-text.ts';
import type { StoredPicture } from '../model/values.ts';
import type { ReadContext } from './read-context.ts';

export interface PictureFilters {
  readonly search?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Another type of media than `image` has nothing. */
  readonly mediaType?: string | undefined;
  readonly author?: readonly number[] | undefined;
  readonly include?: readonly number[] | undefined;
  readonly orderBy: 'date' | 'modified' | 'id' | 'title' | 'slug' | 'include';
  readonly isAscending: boolean;
  readonly page: number;
  readonly perPage: number;
}

export interface PicturePage {
  readonly items: readonly ImageRecord[];
  readonly total: number;
  readonly totalPages: number;
}

type StoredImage = ImageRecord & { readonly stored: StoredPicture };

/** Lists uploaded pictures. Throws `rest_post_invalid_page_number` for a page above 1 with nothing on it. */
export function listPictures(filters: PictureFilters, { replica, caller }: ReadContext): PicturePage {
  const { page, perPage } = filters;
  const images = [...replica.images()].filter(
    (image): image is StoredImage =>
      isStored(image) && mayReadImage(caller, image, replica) && matches(image, filters),
  );
  images.sort(compareBy(filters));
  const totalPages = Math.ceil(images.length / perPage);
  if (page > 1 && page > totalPages)
    throw new CodedError('rest_post_invalid_page_number', 'Cannot show the page: there is nothing on it.');
  const start = (page - 1) * perPage;
  return { items: images.slice(start, start + perPage), total: images.length, totalPages };
}

/** Reads an image, uploaded or on another site. One that the caller may not see is not there. */
export function readPicture(id: number, { replica, caller }: ReadContext): ImageRecord | undefined {
  const image = replica.image(id);
  return image !== undefined && mayReadImage(caller, image, replica) ? image : undefined;
}

function isStored(image: ImageRecord): image is StoredImage {
  return image.stored !== undefined;
}

function matches(
  { id, stored }: StoredImage,
  { search, mimeType, mediaType, author, include }: PictureFilters,
) {
  if (mediaType !== undefined && mediaType !== 'image') return false;
  if (mimeType !== undefined && mimeType !== stored.mime_type) return false;
  if (author !== undefined && !author.includes(stored.author)) return false;
  if (include !== undefined && !include.includes(id)) return false;
  if (search === undefined) return true;
  const { title, file, alt_text = '', caption = '', description = '' } = stored;
  const text = searchText([title, file, alt_text, caption, description].map(plainText).join('\n'));
  return searchText(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function compareBy({ orderBy, isAscending, include = [] }: PictureFilters) {
  const keys = {
    date: ({ stored }: StoredImage) => stored.date_utc,
    modified: ({ stored }: StoredImage) => stored.modified_utc,
    id: () => '',
    title: ({ stored }: StoredImage) => plainText(stored.title).toLowerCase(),
    slug: ({ stored }: StoredImage) => stored.file,
    include: ({ id }: StoredImage) => String(include.indexOf(id)).padStart(9, '0'),
  };
  const key = keys[orderBy];
  const sign = isAscending || orderBy === 'include' ? 1 : -1;
  return (a: StoredImage, b: StoredImage) =>
    sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id);
}

const orders = ['date', 'modified', 'id', 'title', 'slug', 'include'] as const;

/** Parses the parameters of a list of pictures. Throws `rest_invalid_param`. */
export function pictureFilters(raw: Readonly<Record<string, unknown>>): PictureFilters {
  const {
    search,
    mime_type,
    media_type,
    author,
    include,
    orderby = 'date',
    order = 'desc',
    page,
    per_page,
  } = raw;
  const orderBy = orders.find((item) => item === orderby);
  if (orderBy === undefined) throw invalidParameter('orderby', `must be one of ${orders.join(', ')}`);
  if (order !== 'asc' && order !== 'desc') throw invalidParameter('order', 'must be asc or desc');
  return {
    search: textOf('search', search),
    mimeType: textOf('mime_type', mime_type),
    mediaType: textOf('media_type', media_type),
    author: idsOf('author', author),
    include: idsOf('include', include),
    orderBy,
    isAscending: order === 'asc',
    page: positive('page', page ?? 1),
    perPage: Math.min(positive('per_page', per_page ?? 10), maxItems),
  };
}

/** Pictures of a page, at most. */
const maxItems = 100;

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value.trim();
  throw invalidParameter(name, 'must be a text');
}

function idsOf(name: string, value: unknown): number[] | undefined {
  if (value === undefined) return undefined;
  const items = (Array.isArray(value) ? value : String(value).split(',')).map(String);
  return items.filter((item) => item.trim() !== '').map((item) => positive(name, item.trim()));
}

function positive(name: string, value: unknown): number {
  const number = /^\d{1,15}$/.test(String(value)) ? Number(value) : 0;
  if (number < 1) throw invalidParameter(name, 'must be a whole number above 0');
  return number;
}
