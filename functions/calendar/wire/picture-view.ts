/** An uploaded picture as the calendar's own API shows it (docs/calendar-contract.md, "Pictures"). */

import * as Type from 'typebox';
import { imageSizes, imageUrl } from '../model/image-url.ts';
import { slugOfPicture } from '../model/picture-slug.ts';
import type { ImageRecord } from '../model/records.ts';
import type { ReadableImage } from '../model/rights.ts';
import { withOwnAddresses } from '../model/text/own-addresses.ts';
import { renderHtml, renderTitle } from '../model/text/render-text.ts';

const text = Type.String();
const number = Type.Integer();

const size = Type.Object({
  url: text,
  width: number,
  height: number,
  'mime-type': text,
  filesize: Type.Optional(number),
});

export const pictureSchema = Type.Object(
  {
    id: number,
    author: Type.String({ description: 'Number of who has uploaded it.' }),
    date: text,
    date_utc: text,
    modified: text,
    modified_utc: text,
    slug: text,
    title: text,
    alt_text: text,
    credit: Type.String({ description: 'Who has made it.' }),
    license: Type.String({ description: 'Under which terms it may be shown.' }),
    caption: text,
    description: text,
    mime_type: text,
    url: Type.String({ description: 'Where its bytes are; they never change there.' }),
    width: Type.Optional(number),
    height: Type.Optional(number),
    filesize: Type.Optional(number),
    sizes: Type.Record(Type.String(), size),
    post: Type.Integer({ description: 'The record that it was uploaded to; 0 for none.' }),
  },
  { $id: 'Picture' },
);

/** Returns a picture for a caller who may see it; undefined for an image that lies on another site. */
export function pictureView(
  { image }: ReadableImage<ImageRecord>,
  root: string,
  imageOf: (id: number) => ImageRecord | undefined,
): object | undefined {
  const { id, stored, width, height, filesize } = image;
  if (stored === undefined) return undefined;
  const html = (value = '') => renderHtml(withOwnAddresses(value, root, imageOf));
  const { date, date_utc, modified, modified_utc, mime_type } = stored;
  return {
    id,
    author: String(stored.author),
    date,
    date_utc,
    modified,
    modified_utc,
    slug: slugOfPicture(stored),
    title: renderTitle(stored.title),
    alt_text: stored.alt_text ?? '',
    credit: stored.credit ?? '',
    license: stored.license ?? '',
    caption: html(stored.caption),
    description: html(stored.description),
    mime_type,
    url: imageUrl(image, root),
    width,
    height,
    filesize,
    sizes: imageSizes(image, root) ?? {},
    post: stored.post ?? 0,
  };
}
