/**
 * Reads the request line and the headers of HTTP/1.1 as Kestrel does. Node's own parser knows a fixed list of methods and
 * refuses what Kestrel hands over, so the bytes are read here.
 */

import { isHostHeaderValid } from './host-header.ts';
import { Rejection } from './rejection.ts';
import { parseTarget, type Target } from './target.ts';

/** Bytes of a request line, of all header lines with the empty one, and the number of header lines, at most. */
const maxRequestLine = 8192;
const maxHeaderBytes = 32_770;
const maxHeaderLines = 100;

export interface RequestHead {
  readonly method: string;
  readonly version: '1.0' | '1.1';
  readonly target: Target;
  /** By name in lower case; values of one name joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the client lets the connection live on. */
  readonly keepAlive: boolean;
  /** Bytes of the body; `chunked` when it comes in chunks. */
  readonly bodyLength: number | 'chunked';
}

/** Reads a head from the start of the bytes. Returns it with its length, or undefined while it is incomplete. Throws a Rejection. */
export function readHead(bytes: Buffer): { readonly head: RequestHead; readonly length: number } | undefined {
  const text = bytes.toString('latin1', 0, maxRequestLine + maxHeaderBytes + 1);
  const lineEnd = text.indexOf('\n');
  const line = lineEnd === -1 ? text : text.slice(0, lineEnd);
  if (line.slice(0, maxRequestLine).includes('\0')) throw new Rejection(400);
  if (line.length >= maxRequestLine) throw new Rejection(414);
  if (lineEnd === -1) return undefined;
  const requestLine = parseRequestLine(line);
  const read = readHeaders(text, lineEnd + 1);
  if (read === undefined) return undefined;
  return { head: createHead(requestLine, read.headers), length: read.end };
}

type RequestLine = Pick<RequestHead, 'method' | 'version' | 'target'>;

function parseRequestLine(line: string): RequestLine {
  const match = /^([\w!#$%&'*+.^`|~-]+) ([^ ?%][^ ]*) +([^ ].{7})\r?$/s.exec(line);
  if (match === null) throw new Rejection(400);
  const [, method = '', target = '', protocol = ''] = match;
  const version = /^HTTP\/(1\.[01])$/.exec(protocol)?.[1];
  if (version === undefined) throw new Rejection(505);
  return { method, target: parseTarget(target, method), version: version as '1.0' | '1.1' };
}

interface Headers {
  readonly values: Map<string, string>;
  /** Names that came more than once. */
  readonly repeated: Set<string>;
}

function readHeaders(
  text: string,
  start: number,
): { readonly headers: Headers; readonly end: number } | undefined {
  const headers: Headers = { values: new Map(), repeated: new Set() };
  let lines = 0;
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    if (end - start > maxHeaderBytes) throw new Rejection(431);
    if (lineEnd === -1) return undefined;
    const line = text.slice(at, text[lineEnd - 1] === '\r' && lineEnd > at ? lineEnd - 1 : lineEnd);
    if (line === '') return { headers, end };
    if (line.includes('\r')) throw new Rejection(400);
    addHeader(headers, line);
    lines++;
    if (lines > maxHeaderLines) throw new Rejection(431);
    at = end;
  }
}

function addHeader({ values, repeated }: Headers, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon).toLowerCase();
  if (colon <= 0 || name.includes('\0') || /[\t \x80-\xff]/.test(name)) throw new Rejection(400);
  const value = decodeValue(line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, ''));
  const before = values.get(name);
  if (before !== undefined) repeated.add(name);
  values.set(name, before === undefined ? value : `${before},${value}`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeValue(value: string): string {
  if (value.includes('\0')) throw new Rejection(400);
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    throw new Rejection(400);
  }
}

function createHead(requestLine: RequestLine, headers: Headers): RequestHead {
  checkHost(requestLine, headers);
  return {
    ...requestLine,
    headers: headers.values,
    keepAlive: keepsAlive(requestLine, headers.values.get('connection')),
    bodyLength: bodyLength(requestLine, headers),
  };
}

function checkHost({ target, version }: RequestLine, { values, repeated }: Headers): void {
  const host = values.get('host');
  if (host === undefined && version === '1.0') return;
  if (host === undefined || repeated.has('host') || !isHostHeaderValid(host)) throw new Rejection(400);
  if (target.authorities.length > 0 && !target.authorities.includes(host)) throw new Rejection(400);
}

function keepsAlive({ version }: RequestLine, connection: string | undefined): boolean {
  if (connection === undefined) return version === '1.1';
  const options = connection.toLowerCase().split(/[\t ]*,[\t ]*/);
  if (options.includes('close')) return false;
  return version === '1.1' || options.includes('keep-alive');
}

/** Reads how long the body is (RFC 9112, section 6.3). A Content-Length beside chunks is kept under another name, as Kestrel does. */
function bodyLength({ method, version }: RequestLine, { values, repeated }: Headers): number | 'chunked' {
  const length = values.get('content-length');
  const coding = values.get('transfer-encoding');
  if (length !== undefined && (repeated.has('content-length') || !/^\+?\d+$/.test(length) || !fits(length)))
    throw new Rejection(400);
  if (coding !== undefined) {
    if (!/(^|,)[\t ]*chunked$/i.test(coding)) throw new Rejection(400);
    if (values.delete('content-length')) values.set('x-content-length', length ?? '');
    return 'chunked';
  }
  if (length === undefined && version === '1.0' && /^(POST|PUT)$/.test(method)) throw new Rejection(400);
  if (length !== undefined) values.set('content-length', String(BigInt(length)));
  return Number(length ?? 0);
}

function fits(length: string): boolean {
  return BigInt(length) < 2n ** 63n;
}
