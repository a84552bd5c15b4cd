/** The event list for feed readers, as RSS 2.0 and Atom (RFC 4287), with the guids and dates by which readers of a WordPress site know its events. */

import { contentReply, type Reply } from '../../shared/http/reply.ts';
import { type EventStatus, titleWithStatus } from '../calendar/model/for-browsers/event-status.ts';
import { withAbsoluteAddresses } from '../calendar/model/text/absolute-addresses.ts';
import { xmlText } from '../calendar/model/text/html.ts';
import { plainText } from '../calendar/model/text/plain-text.ts';
import type { Listing } from '../calendar/read/listing.ts';
import type { ReadResult } from '../calendar/read/read-context.ts';
import { freshnessHeaders } from '../calendar/wire/replies.ts';

export type FeedFormat = 'rss' | 'atom';

/** An event as the list shows it, as far as the feeds have it. */
interface Item {
  readonly id: number;
  readonly title: string;
  readonly event_status?: EventStatus;
  readonly url: string;
  readonly guid?: string;
  readonly date_utc: string;
  readonly modified_utc: string;
  readonly utc_start_date: string;
  readonly excerpt: string;
  readonly description: string;
  readonly categories: readonly { readonly name: string }[];
}

/** What a feed says of its site and of itself. */
export interface FeedSite {
  /** URL of the site, without a slash at the end. */
  readonly url: string;
  /** Name for people, which also stands for the authors, since the calendar publishes no names of users. */
  readonly name: string;
  /** Address of the feed. */
  readonly self: string;
  /** A language tag of RFC 5646. */
  readonly language: string;
}

/** Words of an event without an excerpt that stand for one, as in WordPress. */
const excerptWords = 55;

/** Answers with a page of the event list as a feed; the events stand in the order of the list. */
export function listFeedReply(
  { value, freshness }: ReadResult<Listing>,
  format: FeedFormat,
  site: FeedSite,
): Reply {
  const { events } = JSON.parse(value.bytes.toString()) as { readonly events: readonly Item[] };
  const text = format === 'rss' ? rssOf(events, site) : atomOf(events, site);
  // The number is that of the form: readers must not keep what an earlier one said.
  const headers = { ETag: value.etag.replace(/"$/, `-${format}-4"`), ...freshnessHeaders(freshness) };
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  return contentReply(`application/${format}+xml; charset=utf-8`, `${declaration}${text}\n`, headers);
}

function rssOf(events: readonly Item[], { url, name, self, language }: FeedSite): string {
  const channel = [
    element('title', name),
    `<atom:link href="${attribute(self)}" rel="self" type="application/rss+xml"/>`,
    element('link', `${url}/events/`),
    element('description', 'Events'),
    ...(events.length === 0 ? [] : [element('lastBuildDate', rssDate(lastChange(events)))]),
    element('language', language),
    ...events.map((event) => rssItem(event, { url, name, language })),
  ];
  const namespaces = [
    'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:atom="http://www.w3.org/2005/Atom"',
  ];
  return `<rss version="2.0" ${namespaces.join(' ')}><channel>${channel.join('\n')}</channel></rss>`;
}

/** `pubDate` is the start of the event, as The Events Calendar has it. */
function rssItem(event: Item, { url: siteUrl, name: creator, language }: Omit<FeedSite, 'self'>): string {
  return `<item>${[
    element('title', titleOf(event, language)),
    element('link', event.url),
    element('dc:creator', creator),
    element('pubDate', rssDate(event.utc_start_date)),
    ...event.categories.map(({ name }) => element('category', plainText(name))),
    `<guid isPermaLink="false">${xmlText(guidOf(event, siteUrl))}</guid>`,
    element('description', excerptOf(event)),
    element('content:encoded', htmlOf(event.description, event)),
  ].join('')}</item>`;
}

function atomOf(events: readonly Item[], { url, name, self, language }: FeedSite): string {
  const parts = [
    element('title', name),
    element('id', self),
    element('updated', events.length === 0 ? '1970-01-01T00:00:00Z' : isoDate(lastChange(events))),
    `<link rel="self" type="application/atom+xml" href="${attribute(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${attribute(`${url}/events/`)}"/>`,
    `<author>${element('name', name)}</author>`,
    ...events.map((event) => atomEntry(event, { url, language })),
  ];
  return `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${attribute(language)}">${parts.join('\n')}</feed>`;
}

/** `published` is the start of the event, like `pubDate` of RSS. */
function atomEntry(event: Item, { url: siteUrl, language }: Pick<FeedSite, 'url' | 'language'>): string {
  return `<entry>${[
    element('title', titleOf(event, language)),
    `<link rel="alternate" type="text/html" href="${attribute(event.url)}"/>`,
    element('id', guidOf(event, siteUrl)),
    element('updated', isoDate(event.modified_utc)),
    element('published', isoDate(event.utc_start_date)),
    ...event.categories.map(({ name }) => `<category term="${attribute(plainText(name))}"/>`),
    `<summary type="html">${xmlText(excerptOf(event))}</summary>`,
    `<content type="html">${xmlText(htmlOf(event.description, event))}</content>`,
  ].join('')}</entry>`;
}

function titleOf({ title, event_status: status }: Item, language: string): string {
  return titleWithStatus(plainText(title), status, language.slice(0, 2));
}

/** Returns the name of an event in feeds, which WordPress gives it when it is made: readers show an event of another name once more. */
function guidOf({ id, guid }: Item, siteUrl: string): string {
  return guid ?? `${siteUrl}/?post_type=tribe_events&p=${id}`;
}

/** The excerpt, or the first words of the description. */
function excerptOf(event: Item): string {
  const { excerpt, description } = event;
  if (excerpt !== '') return htmlOf(excerpt, event);
  const words = plainText(description).split(' ');
  return xmlText(words.slice(0, excerptWords).join(' ')) + (words.length > excerptWords ? ' [&#8230;]' : '');
}

/** Returns HTML of an event for programs that do not know its page. */
function htmlOf(html: string, { url }: Item): string {
  return withAbsoluteAddresses(html, url);
}

function lastChange(events: readonly Item[]): string {
  return events.map(({ modified_utc }) => modified_utc).reduce((last, date) => (date > last ? date : last));
}

function isoDate(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`;
}

function rssDate(utc: string): string {
  return new Date(isoDate(utc)).toUTCString().replace('GMT', '+0000');
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`;
}

function attribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;');
}
