/** Uploaded pictures as media of WordPress. */

import * as Type from 'typebox';
import { CodedError } from '../../../shared/errors.ts';
import { json, replayedHeader } from '../../../shared/http/reply.ts';
import type { ImageRecord } from '../../calendar/model/records.ts';
import { type Caller, has, type ReadableImage } from '../../calendar/model/rights.ts';
import { maxPictureBytes } from '../../calendar/pictures/upload.ts';
import { pictureFilters } from '../../calendar/read/picture-lists.ts';
import { bounds } from '../../calendar/wire/bounds.ts';
import { readProblems, writeProblems } from '../../calendar/wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../../calendar/wire/input.ts';
import { pathSchema, querySchema } from '../../calendar/wire/parameters.ts';
import { uploadOf } from '../../calendar/wire/picture-upload.ts';
import { freshnessHeaders } from '../../calendar/wire/replies.ts';
import { readReplies, replayedHeaders } from '../../calendar/wire/schemas.ts';
import { noPicture, pictureParameters, pictureTag } from '../../calendar/write/picture-records.ts';
import { mediaView } from './media-view.ts';
import { linkHeader, mustKnowFilters } from './paging.ts';
import { rawText } from './raw-text.ts';
import type { RecordEndpoints } from './shown-in-context.ts';

const path = '/media';

const shape = Type.Object(
  { id: Type.Integer(), source_url: Type.String(), media_type: Type.String() },
  { additionalProperties: true },
);

/** Filters of WordPress that pictures here have not, since they have no terms. */
const unknownFilters = ['search_columns', 'tax_relation', 'categories', 'tags'];

const mayUse = (caller: Caller) => has('author', caller);

const place = { tag: 'Calendar: wp/v2', query: querySchema() } as const;
const item = { ...place, path: `${path}/{id}`, parameters: pathSchema('id', undefined) } as const;
const listMedia = endpoint({
  ...place,
  method: 'GET',
  path,
  operationId: 'list-wp-media',
  bound: bounds.list,
  summary: 'List uploaded pictures',
  access: 'optional',
  problems: readProblems,
  replies: { 200: { description: 'A page of the list.', schema: Type.Array(shape) } },
  async handle(call) {
    mustKnowFilters(call.query, unknownFilters);
    const filters = pictureFilters(call.query);
    const { value, freshness } = await call.calendar().pictures.list(filters, withoutPassword(call));
    const { items, total, totalPages } = value;
    return json(items.map(viewOf(call)), {
      headers: {
        'X-WP-Total': String(total),
        'X-WP-TotalPages': String(totalPages),
        ...linkHeader(call, filters.page, totalPages),
        ...freshnessHeaders(freshness),
      },
    });
  },
});

const uploadMedia = endpoint({
  ...place,
  method: 'POST',
  path,
  operationId: 'upload-wp-media',
  bound: bounds.picture,
  summary: 'Upload a picture',
  description: `JPEG, PNG, GIF, WebP or AVIF, of at most ${maxPictureBytes} bytes: as the body with Content-Disposition, or as the field file of a form. The form may have smaller sizes that the caller has made, as the fields sizes[thumbnail] (at most 150 x 150, cropped), sizes[medium] (300 x 300), sizes[medium_large] (768 wide), sizes[large] (1024 x 1024) and sizes[1536x1536]; their bytes count too.`,
  access: 'bearer',
  mayUse,
  streamedBytes: maxPictureBytes,
  change: 'picture',
  problems: {
    ...writeProblems,
    413: 'Too many bytes or pixels.',
    415: 'No picture of these types.',
    422: 'A damaged picture, a size that is none of it, or an Idempotency-Key that was sent with another body.',
  },
  replies: { 201: { description: 'The picture.', schema: shape, headers: replayedHeaders } },
  async handle(call) {
    const { pictures } = call.calendar();
    await pictures.mustUpload(requestOf(call));
    const upload = uploadOf(call.request, call.query);
    const { picture, isReplayed } = await pictures.add(upload, requestOf(call));
    return json(viewOf(call, true)(picture), {
      status: 201,
      headers: {
        Location: call.link(`${path}/${picture.image.id}`),
        ETag: pictureTag(picture.image),
        'X-WP-Upload-Attachment-ID': String(picture.image.id),
        ...(isReplayed ? { [replayedHeader]: 'true' } : {}),
      },
    });
  },
});

const readMedia = endpoint({
  ...item,
  method: 'GET',
  operationId: 'get-wp-media',
  bound: bounds.record,
  summary: 'Read one picture',
  access: 'optional',
  problems: readProblems,
  replies: readReplies({ description: 'The picture.', schema: shape }),
  async handle(call) {
    const { value, freshness } = await call.calendar().pictures.read(idOf(call), withoutPassword(call));
    if (value === undefined) throw noPicture();
    return json(viewOf(call)(value), {
      headers: { ETag: pictureTag(value.image), ...freshnessHeaders(freshness) },
    });
  },
});

const updateMedia = (['POST', 'PUT', 'PATCH'] as const).map((method) =>
  endpoint({
    ...item,
    method,
    query: querySchema(pictureParameters),
    operationId: `update-wp-media-${method.toLowerCase()}`,
    bound: bounds.picture,
    summary: 'Change the texts, the slug, the date or the record of a picture',
    access: 'bearer',
    mayUse,
    change: 'picture',
    problems: writeProblems,
    replies: { 200: { description: 'The picture after the update.', schema: shape } },
    async handle(call) {
      // Null empties the text, as in WordPress.
      const texts = Object.entries(call.query).map(([name, value]) => [
        name,
        name === 'alt_text' && value === null ? '' : rawText(value),
      ]);
      const parameters = Object.fromEntries(texts);
      const picture = await call.calendar().pictures.update(idOf(call), { ...requestOf(call), parameters });
      return json(viewOf(call, true)(picture), { headers: { ETag: pictureTag(picture.image) } });
    },
  }),
);

const deleteMedia = endpoint({
  ...item,
  method: 'DELETE',
  operationId: 'delete-wp-media',
  bound: bounds.record,
  summary: 'Delete a picture permanently',
  access: 'bearer',
  mayUse,
  change: 'picture',
  problems: { ...writeProblems, 501: 'Without force=true: pictures have no trash.' },
  replies: {
    200: { description: 'The picture as it was.', schema: Type.Object({ deleted: Type.Boolean() }) },
  },
  async handle(call) {
    if (!/^(?:1|true)$/i.test(String(call.query['force'])))
      throw new CodedError(
        'rest_trash_not_supported',
        'Cannot delete the picture: pictures have no trash. Send force=true to delete it permanently.',
      );
    const picture = await call.calendar().pictures.delete(idOf(call), requestOf(call));
    return json({ deleted: true, previous: viewOf(call, true)(picture) });
  },
});

/** The endpoints of media. */
export const mediaEndpoints: RecordEndpoints = {
  endpoints: [listMedia, uploadMedia, readMedia, ...updateMedia, deleteMedia],
  embedFields: [
    'date',
    'type',
    'title',
    'author',
    'featured_media',
    'caption',
    'alt_text',
    'media_type',
    'mime_type',
    'media_details',
    'source_url',
  ],
  editing: {
    mayEditAny: (caller) => has('contributor', caller),
    mayEditOne: (caller, { author }) => has('author', caller) && caller.author === author,
  },
};

function viewOf(call: CalendarCall, isWritten = false) {
  const { link, query, caller } = call;
  const isEdit = has('author', caller) && (isWritten || query['context'] === 'edit');
  const { root } = requestOf(call);
  const imageOf = (id: number) => call.calendar().pictures.image(id);
  return (picture: ReadableImage<ImageRecord>) => mediaView(picture, { link, root, imageOf, isEdit });
}

function withoutPassword(call: CalendarCall) {
  return { ...requestOf(call), parameters: {} };
}

function idOf(call: CalendarCall): number {
  const ref = refOf(call);
  if (!('id' in ref)) throw new TypeError('The path has an id.');
  return ref.id;
}
