/** The request line and the headers as Kestrel hands them over, of what Node's parser has read. */

import type { IncomingMessage } from 'node:http';
import { isHostHeaderValid } from './host-header.ts';
import { maxHeaderBytes, maxHeaderLines, maxRequestLine } from './limits.ts';
import { Rejection } from './rejection.ts';
import { parseTarget, type Target } from './target.ts';

export interface RequestHead {
  readonly method: string;
  readonly target: Target;
  /** By name in lower case; values of one name joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Reads the head of a request. Throws a Rejection for what Kestrel refuses. */
export function readHead({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): RequestHead {
  if (httpVersion === '0.9') throw new Rejection(400);
  if (`${method} ${url} HTTP/1.1\r\n`.length > maxRequestLine) throw new Rejection(414);
  const target = parseTarget(url, method);
  const headers = readHeaders(rawHeaders);
  checkHost(target, headers, httpVersion, rawHeaders);
  const isUnframed = !headers.has('content-length') && !headers.has('transfer-encoding');
  if (httpVersion === '1.0' && isUnframed && /^(POST|PUT)$/.test(method)) throw new Rejection(400);
  return { method, target, headers };
}

function readHeaders(raw: readonly string[]): Map<string, string> {
  const bytes = raw.reduce((sum, text) => sum + text.length + 2, 2);
  if (bytes > maxHeaderBytes || raw.length > 2 * maxHeaderLines) throw new Rejection(431);
  const headers = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = decodeValue(raw[at + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Node reads bytes as Latin-1, Kestrel as UTF-8. */
function decodeValue(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    throw new Rejection(400);
  }
}

function checkHost(
  { authorities }: Target,
  headers: ReadonlyMap<string, string>,
  version: string,
  raw: readonly string[],
): void {
  const host = headers.get('host');
  if (host === undefined && version === '1.0') return;
  const isRepeated = raw.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
  if (host === undefined || isRepeated || !isHostHeaderValid(host)) throw new Rejection(400);
  if (authorities.length > 0 && !authorities.includes(host)) throw new Rejection(400);
}
