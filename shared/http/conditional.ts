/** Conditional requests: entity tags, and 304 for a representation that the caller has (RFC 9110 13). */

import { namesState } from './entity-tag.ts';
import type { Reply } from './reply.ts';
import type { RequestHeaders } from './request.ts';

const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Reads a list of entity tags, or `*`; undefined when the header is absent, and no tags where it has something else. */
export function entityTags(value: string | null): readonly string[] | '*' | undefined {
  if (value === null) return undefined;
  if (value.trim() === '*') return '*';
  const isList = /^[\s,]*$/.test(value.replace(entityTag, ''));
  return isList ? (value.match(entityTag) ?? []) : [];
}

const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Returns the instant of an `If-Modified-Since`, in seconds; undefined where it is absent or no date, or `If-None-Match` precedes it (RFC 9110 13.1.3). */
export function modifiedSince(requestHeaders: RequestHeaders): number | undefined {
  const text = requestHeaders.get('if-modified-since')?.trim() ?? '';
  if (requestHeaders.get('if-none-match') !== null || !imfFixdate.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1_000;
}

/** Turns a 200 into a 304 when the caller already has the representation that its `ETag` names (weak comparison). */
export function notModified(reply: Reply, requestHeaders: RequestHeaders): Reply {
  const current = reply.headers?.['ETag'];
  const tags = entityTags(requestHeaders.get('if-none-match'));
  if (reply.status !== 200 || current === undefined || tags === undefined) return reply;
  if (tags !== '*' && !namesState(tags, current)) return reply;
  const { 'Content-Type': _, ...headers } = reply.headers ?? {};
  return { status: 304, headers };
}
