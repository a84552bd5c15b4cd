/** Request targets (RFC 9112, section 3.2): how Kestrel reads a path, and how ASP.NET writes it again. */

import { Rejection } from './rejection.ts';

export interface Target {
  readonly form: 'origin' | 'absolute' | 'authority' | 'asterisk';
  /** Decoded once, without dot segments; an encoded slash stays encoded. Empty for `*` and for an authority. */
  readonly path: string;
  /** With its question mark, as it was sent. */
  readonly query: string;
  /** What the Host header must equal; none for the origin form. */
  readonly authorities: readonly string[];
}

/** Parses a request target. Throws a Rejection when the method or the characters do not fit it. */
export function parseTarget(text: string, method: string): Target {
  if (text === '*') {
    if (method !== 'OPTIONS') throw new Rejection(405, 'OPTIONS');
    return { form: 'asterisk', path: '', query: '', authorities: [] };
  }
  if (/[\x80-\xff]/.test(text)) throw new Rejection(400);
  if (text.startsWith('/')) return { form: 'origin', ...splitQuery(text), authorities: [] };
  if (/^https?:\/\//.test(text)) return parseAbsolute(text);
  if (/[^\w.~!$&'()*+,;=:@%[\]-]/.test(text)) throw new Rejection(400);
  if (method !== 'CONNECT') throw new Rejection(405, 'CONNECT');
  return { form: 'authority', path: '', query: '', authorities: [text] };
}

function splitQuery(text: string): { readonly path: string; readonly query: string } {
  const queryStart = text.indexOf('?');
  const raw = queryStart === -1 ? text : text.slice(0, queryStart);
  return { path: removeDotSegments(decode(raw)), query: queryStart === -1 ? '' : text.slice(queryStart) };
}

function parseAbsolute(text: string): Target {
  const url = URL.parse(text);
  if (url === null) throw new Rejection(400);
  const { query } = splitQuery(text);
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  return {
    form: 'absolute',
    path: decode(url.pathname).replaceAll(/%2f/gi, '/'),
    query,
    authorities: url.port === '' ? [url.host, `${url.host}:${defaultPort}`] : [url.host],
  };
}

/** Decodes percent-encoded UTF-8, except for slashes; invalid parts are unchanged. Throws a Rejection for `%00`. */
function decode(path: string): string {
  return path.includes('%') ? path.replace(/(?:%[0-9a-f]{2})+/gi, decodeRun) : path;
}

function decodeRun(run: string): string {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const { decoded, length } = decodeCharacter(bytes, at);
    text += decoded ?? run.slice(at * 3, (at + 1) * 3);
    at += length;
  }
  return text;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes the character at a place; none where the bytes are not valid, or are a slash. */
function decodeCharacter(
  bytes: Buffer,
  at: number,
): { readonly decoded: string | undefined; readonly length: number } {
  const first = bytes[at] ?? 0;
  if (first === 0) throw new Rejection(400);
  if (first === 0x2f) return { decoded: undefined, length: 1 };
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  try {
    return { decoded: utf8.decode(bytes.subarray(at, at + length)), length };
  } catch {
    return { decoded: undefined, length: 1 };
  }
}

/** Resolves `.` and `..` (RFC 3986, section 5.2.4). */
function removeDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const output: string[] = [];
  const input = path.split('/').slice(1);
  for (const [index, segment] of input.entries()) {
    if (segment === '..') output.pop();
    else if (segment !== '.') output.push(segment);
    if (/^\.\.?$/.test(segment) && index === input.length - 1) output.push('');
  }
  return `/${output.join('/')}`;
}

/** Encodes a decoded path again as ASP.NET does: what looks like an encoded character stays one. */
export function encodePath(path: string): string {
  return path.replace(/%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/%-]+/gi, (text) =>
    encodeURIComponent(text.toWellFormed()),
  );
}

/** Reads a query as ASP.NET does: names without regard to case, values of one name joined with commas. */
export function parseQuery(query: string): Map<string, string> {
  const names = new Map<string, string>();
  const values = new Map<string, string>();
  for (const pair of query.slice(1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeQuery(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeQuery(pair.slice(equals + 1));
    const key = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), key);
    const before = values.get(key);
    values.set(key, before === undefined ? value : `${before},${value}`);
  }
  return values;
}

/** Decodes a part of a query; invalid parts are unchanged. */
function decodeQuery(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
