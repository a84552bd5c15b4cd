/** Replies in iCalendar: a feed, or one event. */

import { compressedReply } from '../../../shared/http/compression.ts';
import { modifiedSince } from '../../../shared/http/conditional.ts';
import { contentReply, empty, type Reply } from '../../../shared/http/reply.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import type { EventFile, Feed, ReadResult } from '../read/read-context.ts';
import { digest, freshnessHeaders } from './replies.ts';

/** Answers with an iCalendar feed, compressed where the caller reads that. */
export async function feedReply(
  { value: { etag, lastModified, page }, freshness }: ReadResult<Feed>,
  { headers: requestHeaders }: IncomingRequest,
): Promise<Reply> {
  const headers = { ETag: etag, ...modifiedHeaders(lastModified), ...freshnessHeaders(freshness) };
  if (page === undefined) return empty(304, { ...headers, Vary: 'Accept-Encoding' });
  const { bytes, total, totalPages } = page;
  const totals = { 'X-TEC-Total': String(total), 'X-TEC-TotalPages': String(totalPages) };
  return compressedReply(calendarFile(bytes, 'events', { ...totals, ...headers }), requestHeaders);
}

/** Answers with one event under the name of a file, without its extension. */
export function fileReply(
  { value: { text, lastModified }, freshness }: ReadResult<EventFile>,
  name: string,
  { headers: requestHeaders }: IncomingRequest,
): Reply {
  const headers = {
    ETag: `"${digest(text)}"`,
    ...modifiedHeaders(lastModified),
    ...freshnessHeaders(freshness),
  };
  const isKnown = lastModified !== undefined && lastModified <= (modifiedSince(requestHeaders) ?? -1);
  return isKnown ? empty(304, headers) : calendarFile(text, name, headers);
}

function modifiedHeaders(lastModified: number | undefined): Record<string, string> {
  return lastModified === undefined ? {} : { 'Last-Modified': new Date(lastModified * 1_000).toUTCString() };
}

function calendarFile(
  content: string | Uint8Array,
  name: string,
  headers: Readonly<Record<string, string>>,
): Reply {
  const disposition = `inline; filename="${name.replace(/[^\w%.-]/g, '-')}.ics"`;
  return contentReply('text/calendar; charset=utf-8', content, {
    'Content-Disposition': disposition,
    ...headers,
  });
}
