/** The bytes of uploaded pictures, at addresses whose bytes never change. */

import * as Type from 'typebox';
import type { Api } from '../../shared/http/api.ts';
import { entityTags } from '../../shared/http/conditional.ts';
import { namesState } from '../../shared/http/entity-tag.ts';
import { empty, type Reply } from '../../shared/http/reply.ts';
import type { RequestHeaders } from '../../shared/http/request.ts';
import { callerKey } from '../../shared/http/request-context.ts';
import { endpoint } from './input.ts';
import type { Caller } from './model/rights.ts';
import { noPicture } from './write/pictures.ts';

/** A year is the longest time that a cache may store a reply. */
const cacheControl = 'public, max-age=31536000, immutable';

/** Creates the API of the bytes of pictures, below each root of the calendar. */
export function picturesApi(api: Api<Caller>, isStreaming: boolean): Api<Caller> {
  const mounts = api.mounts.map(({ publicUrl, ...mount }) => ({
    ...mount,
    path: `${mount.path}/pictures`,
    ...(publicUrl && { publicUrl: () => (publicUrl() === '' ? '' : `${publicUrl()}/pictures`) }),
  }));
  return {
    ...api,
    name: 'pictures',
    description: 'The bytes of uploaded pictures.',
    mounts,
    endpoints: [pictureEndpoint(isStreaming)],
    decorateReply: (reply, context) =>
      reply.headers?.['Cache-Control'] === cacheControl
        ? withoutRequest(reply)
        : (api.decorateReply?.(reply, context) ?? reply),
  };
}

/** Returns a reply without what is of its request alone: caches give it to others for a year. */
function withoutRequest(reply: Reply): Reply {
  const { 'X-Request-Id': _id, ...headers } = { ...reply.headers };
  return { ...reply, headers };
}

function pictureEndpoint(isStreaming: boolean) {
  return endpoint({
    method: 'GET',
    path: '/{id}/{file}',
    operationId: 'get-picture',
    summary: 'Read the bytes of an uploaded picture',
    description: 'Any part of it by `Range`. The bytes at an address never change, so caches may store them.',
    tag: 'Calendar: pictures',
    access: 'public',
    extension: true,
    parameters: Type.Object({
      id: Type.Integer({ minimum: 1, description: 'Id of the picture.' }),
      file: Type.String({ description: 'Name of its file.' }),
    }),
    problems: { 404: 'No such picture.', 416: 'No such part.' },
    replies: {
      200: { description: 'The picture.', schema: Type.String(), mediaType: 'image/*' },
      206: { description: 'A part of the picture.', schema: Type.String(), mediaType: 'image/*' },
    },
    async handle({ calendar, path, request: { method, headers }, ...context }) {
      const { pictures } = calendar();
      const picture = /^\d{1,15}$/.test(String(path.id))
        ? await pictures.find(Number(path.id), path.file)
        : undefined;
      if (picture === undefined) throw noPicture();
      const etag = `"${picture.blob.replace(/\.\w+$/, '')}"`;
      const common = {
        ETag: etag,
        'Cache-Control': cacheControl,
        'Accept-Ranges': 'bytes',
        'Last-Modified': new Date(`${picture.date_utc.replace(' ', 'T')}Z`).toUTCString(),
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
      const stream = isStreaming ? await pictures.open(picture, range) : undefined;
      if (stream !== undefined)
        return { ...reply, headers: { ...reply.headers, 'Content-Length': String(count) }, body: { stream } };
      const bytes = await pictures.bytes(picture, range, callerKey(context));
      if (bytes === undefined) throw noPicture();
      return { ...reply, body: { raw: bytes } };
    },
  });
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
