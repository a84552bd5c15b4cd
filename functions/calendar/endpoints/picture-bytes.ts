/** The bytes of uploaded pictures, at addresses whose bytes never change. */

import * as Type from 'typebox';
import { entityTags } from '../../../shared/http/conditional.ts';
import type { Call } from '../../../shared/http/endpoint.ts';
import { namesState } from '../../../shared/http/entity-tag.ts';
import { empty, type Reply } from '../../../shared/http/reply.ts';
import type { RequestHeaders } from '../../../shared/http/request.ts';
import { callerKey } from '../../../shared/http/request-context.ts';
import type { Caller } from '../model/rights.ts';
import { bounds } from '../wire/bounds.ts';
import { type CalendarServices, endpoint } from '../wire/input.ts';
import { noPicture } from '../write/picture-records.ts';

/** For the address with a key, whose reply never changes: a year is the longest time that a cache may store a reply. */
const forYear = 'public, max-age=31536000, immutable';
/** For the address without a key, where a picture is for as long as everybody may see it. */
const forHour = 'public, max-age=3600';

const id = Type.Integer({ minimum: 1, description: 'Id of the picture.' });
const file = Type.String({ description: 'Name of its file.' });
const key = Type.String({ description: 'Random characters, which nobody guesses.' });

/** Creates the endpoints of the bytes of pictures. They are sent whole, also where replies are streamed: a stream whose blob breaks off would keep its caller until the time-out of the function. */
export function pictureBytes() {
  const common = {
    method: 'GET',
    tag: 'Calendar: pictures',
    access: 'public',
    extension: true,
    problems: { 404: 'No such picture.', 416: 'No such part.' },
    replies: {
      200: { description: 'The picture.', schema: Type.String(), mediaType: 'image/*' },
      206: { description: 'A part of the picture.', schema: Type.String(), mediaType: 'image/*' },
    },
  } as const;
  return [
    endpoint({
      ...common,
      path: '/{id}/{key}/{file}',
      operationId: 'get-picture',
      bound: bounds.picture,
      summary: 'Read the bytes of an uploaded picture',
      description:
        'Any part of it by `Range`. The bytes at an address never change, so caches may store them.',
      parameters: Type.Object({ id, key, file }),
      handle: (call) => pictureReply(call, forYear),
    }),
    endpoint({
      ...common,
      path: '/{id}/{file}',
      operationId: 'get-public-picture',
      bound: bounds.picture,
      summary: 'Read the bytes of a public picture by its earlier address',
      description:
        'For as long as a published record shows the picture. Replies name the address with a key.',
      parameters: Type.Object({ id, file }),
      handle: (call) => pictureReply(call, forHour),
    }),
  ];
}

type PictureCall = Call<
  Caller,
  { readonly id: number; readonly key?: string; readonly file: string },
  unknown,
  unknown
> &
  CalendarServices;

async function pictureReply(
  { calendar, path, request: { method, headers }, ...context }: PictureCall,
  cacheControl: string,
): Promise<Reply> {
  const { pictures } = calendar();
  const picture = /^\d{1,15}$/.test(String(path.id))
    ? await pictures.find(Number(path.id), path.file, path.key)
    : undefined;
  if (picture === undefined) throw noPicture();
  const etag = `"${picture.blob.replace(/\.\w+$/, '')}"`;
  const common = {
    ETag: etag,
    'Cache-Control': cacheControl,
    'Accept-Ranges': 'bytes',
    // A picture may be dated ahead, and the header must not be (RFC 9110 8.8.2.1).
    'Last-Modified': new Date(
      Math.min(Date.parse(`${picture.date_utc.replace(' ', 'T')}Z`), Date.now()),
    ).toUTCString(),
    // No script runs when a browser shows the picture by itself, and any page may embed it.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  };
  if (hasTag(headers, etag)) return empty(304, common);
  const range = rangeOf(headers, etag, picture.bytes);
  if (range === 'unsatisfiable') return empty(416, { 'Content-Range': `bytes */${picture.bytes}` });
  const { offset, count } = range ?? { offset: 0, count: picture.bytes };
  const reply: Reply = {
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      'Content-Type': picture.mime_type,
      ...(range && { 'Content-Range': `bytes ${offset}-${offset + count - 1}/${picture.bytes}` }),
    },
  };
  if (method === 'HEAD') return reply;
  const bytes = await pictures.bytes(picture, range, callerKey(context));
  if (bytes === undefined) throw noPicture();
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Length': String(bytes.length) },
    body: { raw: bytes },
  };
}

function hasTag(headers: RequestHeaders, etag: string): boolean {
  const tags = entityTags(headers.get('if-none-match'));
  return tags === '*' || (tags !== undefined && namesState(tags, etag));
}

interface Range {
  readonly offset: number;
  readonly count: number;
}

/** Reads one range of bytes (RFC 9110 14.1.2). Several ranges, or those of other bytes, mean the whole. */
function rangeOf(headers: RequestHeaders, etag: string, size: number): Range | undefined | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if ((headers.get('if-range') ?? etag) !== etag) return undefined;
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return offset > end ? 'unsatisfiable' : { offset, count: end - offset + 1 };
}
