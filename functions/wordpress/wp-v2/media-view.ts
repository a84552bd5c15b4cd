/** An image of the calendar in the shape of an attachment of WordPress. */

import { imageSizes, imageUrl } from '../../calendar/model/image-url.ts';
import { slugOfFile, slugOfPicture } from '../../calendar/model/picture-slug.ts';
import type { ImageRecord } from '../../calendar/model/records.ts';
import type { ReadableImage } from '../../calendar/model/rights.ts';
import { withOwnAddresses } from '../../calendar/model/text/own-addresses.ts';
import { renderHtml, renderTitle } from '../../calendar/model/text/render-text.ts';

interface ViewOptions {
  readonly link: (path: string) => string;
  /** Root of the calendar, below which addresses of pictures are. */
  readonly root: string;
  /** Returns an image that texts may show. */
  readonly imageOf: (id: number) => ImageRecord | undefined;
  /** Adds the texts as they are stored, for the context `edit`. */
  readonly isEdit?: boolean;
}

/** Types by the extension of an address. */
const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};

/** What is shown of an image on another site, of which only the address is known. */
const unknownDates = { date: '1970-01-01 00:00:00', date_utc: '1970-01-01 00:00:00' };

/** Returns an image as WordPress shows it. */
export function mediaView(
  { image }: ReadableImage<ImageRecord>,
  { link, root, imageOf, isEdit = false }: ViewOptions,
): object {
  const url = imageUrl(image, root);
  const [file = ''] = new URL(url).pathname.split('/').slice(-1);
  const { id, stored, width, height, filesize } = image;
  const { date, date_utc } = stored ?? unknownDates;
  const { modified = date, modified_utc = date_utc, author = 0, alt_text = '', title = file } = stored ?? {};
  const mime_type = stored?.mime_type ?? types[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'image/*';
  const html = (stored = '') => {
    const raw = withOwnAddresses(stored, root, imageOf);
    return { ...(isEdit ? { raw } : {}), rendered: renderHtml(raw) };
  };
  const size = { file, width, height, mime_type, filesize, source_url: url };
  return {
    id,
    date: isoDate(date),
    date_gmt: isoDate(date_utc),
    guid: { rendered: url },
    modified: isoDate(modified),
    modified_gmt: isoDate(modified_utc),
    slug: stored === undefined ? slugOfFile(file) : slugOfPicture(stored),
    status: 'inherit',
    type: 'attachment',
    link: url,
    title: { ...(isEdit ? { raw: typedTitle(title) } : {}), rendered: renderTitle(title) },
    author,
    featured_media: 0,
    comment_status: 'closed',
    ping_status: 'closed',
    template: '',
    meta: [],
    description: html(stored?.description),
    caption: html(stored?.caption),
    alt_text,
    media_type: 'image',
    mime_type,
    media_details: { width, height, file, filesize, sizes: { full: size, ...sizesOf(image, root) } },
    post: stored?.post ?? null,
    source_url: url,
    _links: {
      self: [{ href: link(`/media/${id}`) }],
      collection: [{ href: link('/media') }],
      ...(stored === undefined ? {} : { author: [{ embeddable: true, href: link(`/users/${author}`) }] }),
    },
  };
}

/** Returns the smaller sizes of an image, as they were imported or uploaded with it. */
function sizesOf(image: ImageRecord, root: string) {
  const entries = Object.entries(imageSizes(image, root) ?? {}).map(
    ([name, { url, 'mime-type': mime_type, ...size }]) => {
      const [file = ''] = new URL(url).pathname.split('/').slice(-1);
      return [name, { file, ...size, mime_type, source_url: url }];
    },
  );
  return Object.fromEntries(entries);
}

/** Returns a title as it was typed: what was escaped in it because it is no markup and no entity. */
function typedTitle(title: string): string {
  return title
    .replace(/&lt;(?![a-z/!?])/gi, '<')
    .replace(/(?<![a-z"'/])&gt;/gi, '>')
    .replace(/&amp;(?!#?\w{1,32};)/g, '&');
}

/** Writes `2030-06-01 19:00:00` as `2030-06-01T19:00:00`. */
function isoDate(text: string): string {
  return text.replace(' ', 'T');
}
