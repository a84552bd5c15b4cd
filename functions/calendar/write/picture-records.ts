/** What callers do to uploaded pictures: rights and values are checked here. The bytes are stored before the record, and deleted after it. */

import { hash } from 'node:crypto';
import { CodedError } from '../../../shared/errors.ts';
import type { ParsedDate } from '../model/dates/parse-date.ts';
import { formatWall, toWall } from '../model/dates/wall.ts';
import {
  extension,
  InvalidValue,
  map,
  type Parameter,
  type ParameterTable,
  parseFields,
} from '../model/fields/parameter.ts';
import { date, idOf, isNothing, text } from '../model/fields/parsers.ts';
import { html } from '../model/fields/post.ts';
import { storedPrefix } from '../model/image-url.ts';
import { slugOfFile, slugOfPicture } from '../model/picture-slug.ts';
import type { ImageRecord } from '../model/records.ts';
import { notAllowed } from '../model/refusals.ts';
import { has, mayEdit, type Role } from '../model/rights.ts';
import { fileNameOf } from '../model/text/file-name.ts';
import { contactLine, escapedText, sanitizeInline } from '../model/text/html.ts';
import { slugOf, uniquePostSlug } from '../model/text/slug.ts';
import type { ImageSize, StoredPicture } from '../model/values.ts';
import { pictureTypes } from '../pictures/picture-type.ts';
import type { UploadedFiles } from '../pictures/upload-files.ts';
import { isPublic } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { publicationDates } from './dates.ts';
import { createdBefore, creationOf, currentCreation } from './idempotency.ts';
import { mustMatchTag } from './if-match.ts';
import type { Write } from './write.ts';

/** The texts of a picture that clients send. */
export const pictureTexts = {
  title: map(text('Title; simple markup is kept.'), (value) => sanitizeInline(value).trim()),
  alt_text: map(text('Text for readers who do not see the picture.'), contactLine),
  caption: html('Caption, HTML.'),
  description: html('Description, HTML.'),
} satisfies ParameterTable;

/** The event, venue or organizer that a picture is uploaded to; 0 for none. */
const uploadedTo: Parameter<number> = {
  description: 'Id of the event, venue or organizer that it is uploaded to; 0 for none.',
  type: 'integer',
  parse(value, { replica, caller }) {
    if (isNothing(value) || Number(value) === 0) return 0;
    const id = idOf(value) ?? 0;
    const entry = Object.values(replica.posts)
      .map((posts) => posts.get(id))
      .find((found) => found !== undefined);
    return entry !== undefined && mayEdit(caller, entry)
      ? id
      : new InvalidValue('must be the id of an event, venue or organizer that you may edit');
  },
};

/** What clients send of a picture. */
export const pictureParameters = {
  ...pictureTexts,
  credit: extension(map(text('Who has made it.'), contactLine)),
  license: extension(map(text('Under which terms it may be shown, such as CC BY 4.0.'), contactLine)),
  slug: map(text('Slug; a number makes it unique.'), slugOf),
  date: date('Date, in the zone of the site.'),
  date_gmt: date('Date, in UTC.'),
  post: uploadedTo,
} satisfies ParameterTable;

export type StoredImage = ImageRecord & { readonly stored: StoredPicture };

/** Pictures of a contributor that nobody else sees, at most. */
const maxProposed = 50;

/** Throws where a caller may not upload pictures. Contributors do for what they submit, where the way they came lets `least` do it. */
export function mustUpload({ caller, replica }: ReplicaContext, least: Role): void {
  if (has('author', caller)) return;
  if (caller.subject === undefined) throw notAllowed(caller, 'store the picture');
  if (!has(least, caller))
    throw new CodedError('rest_cannot_create', 'Cannot store the picture: you do not have the right to.');
  const own = [...replica.images()].filter(({ stored }) => stored?.author === caller.author);
  if (own.length >= maxProposed && own.filter(({ id }) => !isPublished(id, replica)).length >= maxProposed)
    throw new CodedError(
      'rest_cannot_create',
      `Cannot store the picture: ${maxProposed} of yours wait to be published.`,
    );
}

/** Checks whether a record that everybody reads shows an image, in its texts too. */
function isPublished(id: number, replica: CalendarReplica): boolean {
  return replica.showing(id).some(isPublic);
}

/** Creates the record of a picture whose bytes are stored, with those of its sizes. Sent again, it is the record that there is. */
export function createPicture(
  write: Write,
  { name, picture, sizes }: UploadedFiles,
  least: Role,
): StoredImage {
  mustUpload(write.context, least);
  const { slug, date, date_gmt, post, ...texts } = parseFields(
    pictureParameters,
    write.context.parameters,
    write.context,
  );
  const { blob, type, width, height, bytes } = picture;
  const file = fileNameOf(name, pictureTypes[type]);
  const stem = file.replace(/\.\w+$/, '');
  const files = [name, picture.md5, ...Array.from(sizes, ([size, { md5 }]) => `${size} ${md5}`)];
  const creation = creationOf(write.context, files);
  const images = write.context.replica.images();
  const earlier = createdBefore(creation, images, ({ stored }) => stored?.creation);
  if (earlier !== undefined) {
    write.isReplayed = true;
    return earlier as StoredImage;
  }
  const dates = publicationDates(undefined, dateValues(date, date_gmt), write.context);
  const id = write.takeId('post');
  const record: StoredImage = {
    kind: 'image',
    id,
    url: storedPrefix + blob,
    width,
    height,
    filesize: bytes,
    ...(sizes.size === 0 ? {} : { sizes: sizesOf(stem, sizes) }),
    stored: {
      blob,
      file,
      mime_type: type,
      author: write.author(),
      ...dates,
      modified: dates.date,
      modified_utc: dates.date_utc,
      ...slugOfNew(write, id, slug || slugOfFile(file), file),
      ...(post ? { post } : {}),
      ...texts,
      title: texts.title || escapedText(stem),
      ...(creation === undefined ? {} : { creation }),
    },
  };
  write.put(record);
  return record;
}

/** Characters that the name of a size has of that of its picture. */
const maxStem = 80;

function sizesOf(stem: string, sizes: UploadedFiles['sizes']): Record<string, ImageSize> {
  return Object.fromEntries(
    Array.from(sizes, ([name, { blob, type, width, height, bytes }]) => [
      name,
      {
        width,
        height,
        'mime-type': type,
        filesize: bytes,
        url: storedPrefix + blob,
        // Two sizes may have the same dimensions, so these make no name.
        file: `${stem.slice(0, maxStem)}-${name}.${pictureTypes[type]}`,
      },
    ]),
  );
}

/** Changes the texts of a picture: those that are not sent are unchanged. */
export function updatePicture(write: Write, id: number, least: Role): StoredImage {
  const image = editable(write, id, 'update', least);
  const {
    slug,
    date,
    date_gmt,
    post = image.stored.post ?? 0,
    ...texts
  } = parseFields(pictureParameters, write.context.parameters, write.context);
  const { date: modified, date_utc: modified_utc } = present(write);
  const { post: _post, slug: slugBefore, creation: creationBefore, ...kept } = image.stored;
  const creation = currentCreation(creationBefore, write.context.now);
  const stored: StoredPicture = {
    ...kept,
    ...publicationDates(image.stored, dateValues(date, date_gmt), write.context),
    ...(slug ? slugOfNew(write, id, slug, kept.file) : slugBefore === undefined ? {} : { slug: slugBefore }),
    ...(post === 0 ? {} : { post }),
    ...texts,
    modified,
    modified_utc,
    ...(creation === undefined ? {} : { creation }),
  };
  const record = { ...image, stored: { ...stored, title: stored.title || image.stored.title } };
  write.put(record);
  mustMatchTag(pictureTag(image), write.context);
  return record;
}

function dateValues(date: ParsedDate | undefined, date_utc: ParsedDate | undefined) {
  return { ...(date && { date }), ...(date_utc && { date_utc }) };
}

/** Returns the slug to store of a picture: a free one, since WordPress has no two pictures of a slug, and no picture with that of an event. */
function slugOfNew(
  { context: { replica } }: Write,
  id: number,
  wanted: string,
  file: string,
): Pick<StoredPicture, 'slug'> {
  const ofPictures = new Set(
    [...replica.images()].flatMap((image) =>
      image.stored === undefined || image.id === id ? [] : slugOfPicture(image.stored),
    ),
  );
  const slug = uniquePostSlug(
    wanted,
    (slug) =>
      ofPictures.has(slug) ||
      Object.values(replica.posts).some((posts) => posts.withSlug(slug) !== undefined),
  );
  return slug === slugOfFile(file) ? {} : { slug };
}

/** Deletes a picture permanently. Events that show it have no picture from then on. Returns it as it was. */
export function deletePicture(write: Write, id: number, least: Role): StoredImage {
  const image = editable(write, id, 'delete', least);
  write.delete(image);
  mustMatchTag(pictureTag(image), write.context);
  return image;
}

/** Returns the entity tag of a picture: it stays while events come to show it, which writes its record again. */
export function pictureTag(image: ImageRecord): string {
  return `"${hash('sha256', JSON.stringify(image), 'base64url').slice(0, 27)}"`;
}

function editable(write: Write, id: number, verb: string, least: Role): StoredImage {
  const { caller, replica } = write.context;
  const image = replica.image(id);
  if (image === undefined) throw noPicture();
  const isOwners = caller.author !== undefined && image.stored?.author === caller.author;
  // A contributor's picture is theirs until it is published with what they have submitted.
  const isOwn = isOwners && (has('author', caller) || (has(least, caller) && !isPublished(id, replica)));
  if (!has('editor', caller) && !isOwn) throw notAllowed(caller, `${verb} the picture`);
  if (image.stored === undefined)
    throw new CodedError('picture-not-stored', `Cannot ${verb} the picture: it lies on another site.`);
  return image as StoredImage;
}

export function noPicture(): CodedError {
  return new CodedError('rest_post_invalid_id', 'Cannot find the picture: no picture has this id.');
}

function present({ context: { site, now } }: Write) {
  return { date: formatWall(toWall(site.zone, now)), date_utc: formatWall(now) };
}
