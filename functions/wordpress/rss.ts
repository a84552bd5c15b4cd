/** The event list as RSS 2.0, for feed readers. */

import { contentReply, type Reply } from '../../shared/http/reply.ts';
import { xmlText } from '../calendar/model/text/html.ts';
import { plainText } from '../calendar/model/text/plain-text.ts';
import type { Listing } from '../calendar/read/listing.ts';
import type { ReadResult } from '../calendar/read/read-context.ts';
import { freshnessHeaders } from '../calendar/replies.ts';

/** An event as the list shows it, as far as the feed has it. */
interface Item {
  readonly global_id: string;
  readonly title: string;
  readonly url: string;
  readonly date_utc: string;
  readonly start_date: string;
  readonly excerpt: string;
  readonly description: string;
  readonly categories: readonly { readonly name: string }[];
}

/** Replies a page of the event list as RSS; the events stand in the order of the list. */
export function rssReply(
  { value, freshness }: ReadResult<Listing>,
  siteUrl: string,
  siteName: string,
): Reply {
  const { events } = JSON.parse(value.bytes.toString()) as { readonly events: readonly Item[] };
  const channel = [
    element('title', siteName || new URL(siteUrl).hostname),
    element('link', `${siteUrl}/events/`),
    element('description', 'Events'),
    ...events.map(itemOf),
  ];
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>${channel.join('\n')}</channel></rss>\n`;
  const headers = { ETag: value.etag.replace(/"$/, '-rss"'), ...freshnessHeaders(freshness) };
  return contentReply('application/rss+xml; charset=utf-8', text, headers);
}

function itemOf({ global_id, title, url, date_utc, start_date, ...event }: Item): string {
  const text = plainText(event.excerpt || event.description);
  return `<item>${[
    element('title', plainText(title)),
    element('link', url),
    `<guid isPermaLink="false">${xmlText(global_id)}</guid>`,
    element('pubDate', new Date(`${date_utc.replace(' ', 'T')}Z`).toUTCString()),
    ...event.categories.map(({ name }) => element('category', plainText(name))),
    element('description', `${start_date.slice(0, 16)} ${text}`.trim()),
  ].join('')}</item>`;
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`;
}
