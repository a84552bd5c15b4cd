/** An event of the calendar in the shape of a post of WordPress. */

import type { Shown } from './paging.ts';
import { termView } from './terms.ts';

interface ViewOptions {
  readonly link: (path: string) => string;
  /** Path of the list that the event is in. */
  readonly path?: string;
  /** Adds the author, the picture and the terms. */
  readonly embeds: boolean;
  /** Returns the picture of an id as WordPress shows it. */
  readonly mediaOf: (id: number) => object | undefined;
}

interface PostPlace extends Pick<ViewOptions, 'link'> {
  readonly type: string;
  readonly path: string;
}

/** Returns an event as WordPress shows it. */
export function eventView(
  event: Shown,
  { link, embeds, mediaOf, path = '/tribe_events' }: ViewOptions,
): Shown {
  const categories = recordsOf(event['categories']);
  const tags = recordsOf(event['tags']);
  const image = imageOf(event['image']);
  const picture = embeds && image !== undefined ? mediaOf(Number(image['id'])) : undefined;
  return {
    ...postView(event, { type: 'tribe_events', path, link }),
    tags: tags.map((term) => Number(term['id'])),
    tribe_events_cat: categories.map((term) => Number(term['id'])),
    ...(embeds ? { _embedded: embedded(event, { categories, tags, picture, link }) } : {}),
  };
}

/** Returns a record as a post of a type. */
export function postView(record: Shown, { type, path, link }: PostPlace): Shown {
  const id = Number(record['id']);
  // Flags are null in an event that a password hides.
  const isProtected = record['all_day'] === null;
  return {
    id,
    date: dateOf(record['date']),
    date_gmt: dateOf(record['date_utc']),
    guid: { rendered: record['url'] },
    modified: dateOf(record['modified']),
    modified_gmt: dateOf(record['modified_utc']),
    slug: record['slug'],
    status: record['status'],
    type,
    link: record['url'],
    title: { rendered: record['title'] },
    content: { rendered: record['description'] ?? '', protected: isProtected },
    excerpt: { rendered: record['excerpt'] ?? '', protected: isProtected },
    author: Number(record['author']),
    featured_media: Number(imageOf(record['image'])?.['id'] ?? 0),
    comment_status: 'closed',
    ping_status: 'closed',
    template: '',
    meta: {},
    _links: { self: [{ href: link(`${path}/${id}`) }], collection: [{ href: link(path) }] },
  };
}

interface Parts extends Pick<ViewOptions, 'link'> {
  readonly categories: readonly Shown[];
  readonly tags: readonly Shown[];
  readonly picture: object | undefined;
}

function embedded(event: Shown, { categories, tags, picture, link }: Parts): object {
  return {
    author: [{ id: Number(event['author']), name: '' }],
    ...(picture === undefined ? {} : { 'wp:featuredmedia': [picture] }),
    'wp:term': [
      categories.map((term) => termView(term, 'category', link)),
      tags.map((term) => termView(term, 'tag', link)),
    ],
  };
}

function imageOf(image: unknown): Shown | undefined {
  return typeof image === 'object' && image !== null ? (image as Shown) : undefined;
}

function recordsOf(list: unknown): readonly Shown[] {
  return Array.isArray(list) ? (list as readonly Shown[]) : [];
}

/** Writes `2030-06-01 19:00:00` as `2030-06-01T19:00:00`. */
function dateOf(text: unknown): string {
  return String(text).replace(' ', 'T');
}
