/** Replies, and how Kestrel puts them on the wire. */

import { sizeOf } from '../bytes.ts';
import { STATUS_CODES } from './node-http.ts';
import type { RequestHead } from './request-head.ts';

export type HeaderField = readonly [name: string, value: string];

export interface Reply {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** In parts, or as it comes. */
  readonly body?: readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;
  /** Whether the connection closes after it. Default false. */
  readonly close?: boolean;
}

/** A reply as it goes out. */
export interface EncodedReply {
  readonly head: string;
  readonly body: readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;
  readonly chunked: boolean;
  readonly keepAlive: boolean;
}

/** Encodes a reply to a request. A body that is longer than its Content-Length makes it a bare 500; a shorter one ends the connection. */
export function encodeReply(reply: Reply, request: RequestHead, serverKeepsAlive: boolean): EncodedReply {
  const fields = new Set(reply.headers.map(([name]) => name.toLowerCase()));
  const declared = declaredLength(reply);
  const mayHaveBody = request.method !== 'HEAD' && ![204, 205, 304].includes(reply.status);
  const size = lengthOf(reply.body);
  if (
    mayHaveBody &&
    declared !== undefined &&
    size !== undefined &&
    (size === 0 ? declared > 0 : size > declared)
  )
    return encodeReply({ status: 500, headers: [], close: true }, request, serverKeepsAlive);

  const framing = framingOf({
    reply,
    request,
    mayHaveBody,
    framed: declared !== undefined || fields.has('transfer-encoding'),
  });
  const complete = declared === undefined || size === undefined || !mayHaveBody || size === declared;
  const wanted = request.keepAlive && serverKeepsAlive && reply.close !== true && framing !== 'until the end';
  const keepAlive = wanted && complete && !closes(reply);
  const lines = reply.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const connection = fields.has('connection') ? '' : connectionLine(wanted, request.version);
  const server = fields.has('server') ? '' : 'Server: Kestrel\r\n';
  const date = fields.has('date') ? '' : dateLine();
  const reason = STATUS_CODES[reply.status] ?? '';
  return {
    head: `HTTP/1.1 ${reply.status} ${reason}\r\n${lines}${framingLines[framing]}${connection}${date}${server}\r\n`,
    body: mayHaveBody ? reply.body : undefined,
    chunked: framing === 'chunked',
    keepAlive,
  };
}

function declaredLength({ headers }: Reply): number | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return value === undefined ? undefined : Number(value);
}

/** The length of a body; unknown for one that streams. */
function lengthOf(body: Reply['body']): number | undefined {
  if (body === undefined) return 0;
  return isWhole(body) ? sizeOf(body) : undefined;
}

/** Checks whether a body is there, in parts. */
export function isWhole(body: NonNullable<Reply['body']>): body is readonly Uint8Array[] {
  return Array.isArray(body);
}

function closes({ headers }: Reply): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'connection' && /\bclose\b/i.test(value));
}

type Framing = 'none' | 'empty' | 'chunked' | 'until the end';

const framingLines: Readonly<Record<Framing, string>> = {
  none: '',
  empty: 'Content-Length: 0\r\n',
  chunked: 'Transfer-Encoding: chunked\r\n',
  'until the end': '',
};

/** Returns the headers that tell how the end of a body is found. `framed` is one whose own headers say it. */
function framingOf({
  reply: { body, status },
  request: { method, version },
  mayHaveBody,
  framed,
}: {
  reply: Reply;
  request: RequestHead;
  mayHaveBody: boolean;
  framed: boolean;
}): Framing {
  if (framed) return 'none';
  if (mayHaveBody && lengthOf(body) !== 0) return version === '1.1' ? 'chunked' : 'until the end';
  const mayHaveLength = method !== 'HEAD' && status !== 204 && status !== 304;
  return mayHaveLength && !(method === 'CONNECT' && status < 300) ? 'empty' : 'none';
}

function connectionLine(keepAlive: boolean, version: RequestHead['version']): string {
  if (!keepAlive) return 'Connection: close\r\n';
  return version === '1.0' ? 'Connection: keep-alive\r\n' : '';
}

let dateSecond = 0;
let dateText = '';

function dateLine(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
  }
  return dateText;
}
