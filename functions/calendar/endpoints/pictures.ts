/** The uploaded pictures: their records, below which their bytes are (docs/calendar-contract.md, "Pictures"). */

import * as Type from 'typebox';
import type { Api } from '../../../shared/http/api.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { isShared, json, replayedHeader } from '../../../shared/http/reply.ts';
import type { ImageRecord } from '../model/records.ts';
import { type Caller, has, type ReadableImage } from '../model/rights.ts';
import { maxPictureBytes } from '../pictures/upload.ts';
import { pictureFilters } from '../read/picture-lists.ts';
import { bounds } from '../wire/bounds.ts';
import { createProblems, readProblems, writeProblems } from '../wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../wire/input.ts';
import { pathSchema, querySchema } from '../wire/parameters.ts';
import { uploadOf } from '../wire/picture-upload.ts';
import { pictureSchema, pictureView } from '../wire/picture-view.ts';
import { freshnessHeaders } from '../wire/replies.ts';
import { readReplies, replayedHeaders, totalHeaders } from '../wire/schemas.ts';
import { noPicture, pictureParameters, pictureTag } from '../write/picture-records.ts';
import { pictureBytes } from './picture-bytes.ts';

/** Creates the API of pictures, below each root of the calendar. */
export function picturesApi(api: Api<Caller>): Api<Caller> {
  const mounts = api.mounts.map(({ publicUrl, ...mount }) => ({
    ...mount,
    path: `${mount.path}/pictures`,
    ...(publicUrl && { publicUrl: () => (publicUrl() === '' ? '' : `${publicUrl()}/pictures`) }),
  }));
  return {
    ...api,
    name: 'pictures',
    description: 'Uploaded pictures.',
    mounts,
    endpoints: [...pictureRecords, ...pictureBytes()],
    decorateReply: (reply, context) =>
      isShared(reply) ? reply : (api.decorateReply?.(reply, context) ?? reply),
  };
}

/** Contributors may add a picture to what they submit. */
const least = 'contributor';
const mayUse = (caller: Caller) => has(least, caller);

const place = { tag: 'Calendar: pictures', extension: true, query: querySchema() } as const;
const item = { ...place, path: '/{id}', parameters: pathSchema('id', undefined) } as const;

const list = endpoint({
  ...place,
  method: 'GET',
  path: '',
  operationId: 'list-pictures',
  bound: bounds.list,
  summary: 'List uploaded pictures',
  access: 'optional',
  problems: readProblems,
  replies: readReplies({
    description: 'A page of the list: those of published records, and the caller’s own; for editors all.',
    schema: Type.Object({
      pictures: Type.Array(pictureSchema),
      total: Type.Integer(),
      total_pages: Type.Integer(),
    }),
    headers: totalHeaders,
  }),
  async handle(call) {
    const { value, freshness } = await call
      .calendar()
      .pictures.list(pictureFilters(call.query), withoutPassword(call));
    const { items, total, totalPages } = value;
    return json(
      { pictures: items.map(viewIn(call)), total, total_pages: totalPages },
      {
        headers: {
          'X-TEC-Total': String(total),
          'X-TEC-TotalPages': String(totalPages),
          ...freshnessHeaders(freshness),
        },
      },
    );
  },
});

const upload = endpoint({
  ...place,
  method: 'POST',
  path: '',
  operationId: 'upload-picture',
  bound: bounds.picture,
  summary: 'Upload a picture',
  description: `JPEG, PNG, GIF, WebP or AVIF, of at most ${maxPictureBytes} bytes: as the body with Content-Disposition, or as the field file of a form, which may have smaller sizes that the caller has made (sizes[medium] and so on) and the texts of the picture.`,
  access: 'bearer',
  mayUse,
  streamedBytes: maxPictureBytes,
  change: 'picture',
  problems: {
    ...createProblems,
    413: 'Too many bytes or pixels.',
    415: 'No picture of these types.',
    422: 'A damaged picture, a size that is none of it, or an Idempotency-Key that was sent with another body.',
  },
  replies: { 201: { description: 'The picture.', schema: pictureSchema, headers: replayedHeaders } },
  async handle(call) {
    const { pictures } = call.calendar();
    await pictures.mustUpload(requestOf(call), least);
    const { picture, isReplayed } = await pictures.add(
      uploadOf(call.request, call.query),
      requestOf(call),
      least,
    );
    return json(viewIn(call)(picture), {
      status: 201,
      headers: {
        Location: call.link(`/${picture.image.id}`),
        ETag: pictureTag(picture.image),
        ...(isReplayed ? { [replayedHeader]: 'true' } : {}),
      },
    });
  },
});

const read = endpoint({
  ...item,
  method: 'GET',
  operationId: 'get-picture-record',
  bound: bounds.record,
  summary: 'Read what is stored of one picture',
  access: 'optional',
  problems: readProblems,
  replies: readReplies({ description: 'The picture.', schema: pictureSchema }),
  async handle(call) {
    const { value, freshness } = await call.calendar().pictures.read(idOf(call), withoutPassword(call));
    const view = value && viewIn(call)(value);
    if (value === undefined || view === undefined) throw noPicture();
    return json(view, { headers: { ETag: pictureTag(value.image), ...freshnessHeaders(freshness) } });
  },
});

const updates = (['POST', 'PUT', 'PATCH'] as const).map((method) =>
  endpoint({
    ...item,
    method,
    query: querySchema(pictureParameters),
    operationId: `update-picture-${method.toLowerCase()}`,
    bound: bounds.record,
    summary: 'Change the texts, the slug, the date or the record of a picture: what is not sent stays',
    access: 'bearer',
    mayUse,
    change: 'picture',
    problems: writeProblems,
    replies: { 200: { description: 'The picture after the update.', schema: pictureSchema } },
    async handle(call) {
      const picture = await call.calendar().pictures.update(idOf(call), requestOf(call), least);
      return json(viewIn(call)(picture), { headers: { ETag: pictureTag(picture.image) } });
    },
  }),
);

const remove = endpoint({
  ...item,
  method: 'DELETE',
  operationId: 'delete-picture',
  bound: bounds.record,
  summary: 'Delete a picture permanently; records that show it have none from then on',
  access: 'bearer',
  mayUse,
  change: 'picture',
  problems: writeProblems,
  replies: { 200: { description: 'The picture as it was.', schema: pictureSchema } },
  handle: async (call) =>
    json(viewIn(call)(await call.calendar().pictures.delete(idOf(call), requestOf(call), least))),
});

const pictureRecords: Endpoint<Caller>[] = [list, upload, read, ...updates, remove];

function viewIn(call: CalendarCall) {
  const { pictures } = call.calendar();
  // This API is mounted below the calendar's root, which the addresses of pictures begin with.
  const root = requestOf(call).root.replace(/\/pictures$/, '');
  return (picture: ReadableImage<ImageRecord>) => pictureView(picture, root, (id) => pictures.image(id));
}

function withoutPassword(call: CalendarCall) {
  return { ...requestOf(call), parameters: {} };
}

function idOf(call: CalendarCall): number {
  const ref = refOf(call);
  if (!('id' in ref)) throw new TypeError('The path has an id.');
  return ref.id;
}
