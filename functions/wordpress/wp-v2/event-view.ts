/** An event of the calendar in the shape of a post of WordPress. */

import type { Shown } from './paging.ts';

interface ViewOptions {
  readonly link: (path: string) => string;
  /** Path of the list that the event is in. Default: that of `wp/v2`. */
  readonly path?: string;
}

interface PostPlace {
  readonly link: (path: string) => string;
  readonly type: string;
  readonly path: string;
}

/** Returns an event as WordPress shows it. */
export function eventView(event: Shown, { link, path = '/tribe_events' }: ViewOptions): Shown {
  return {
    ...postView(event, { type: 'tribe_events', path, link }),
    tags: idsOf(event['tags']),
    tribe_events_cat: idsOf(event['categories']),
  };
}

/** Returns the links of an event to records that can be embedded. The terms of an event that a password hides are hidden too. */
export function embeddableLinks(
  { id, author, featured_media, content }: Shown,
  link: (path: string) => string,
): object {
  const isProtected = (content as { readonly protected: boolean }).protected;
  const termsIn = (taxonomy: string, path: string) => ({
    taxonomy,
    embeddable: true,
    href: link(`${path}?post=${id}`),
  });
  return {
    author: [{ embeddable: true, href: link(`/users/${author}`) }],
    ...(featured_media === 0
      ? {}
      : { 'wp:featuredmedia': [{ embeddable: true, href: link(`/media/${featured_media}`) }] }),
    ...(isProtected
      ? {}
      : { 'wp:term': [termsIn('post_tag', '/tags'), termsIn('tribe_events_cat', '/tribe_events_cat')] }),
    curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
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
    guid: { rendered: String(record['guid'] ?? record['url']).replaceAll('&', '&#038;') },
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

function imageOf(image: unknown): Shown | undefined {
  return typeof image === 'object' && image !== null ? (image as Shown) : undefined;
}

function idsOf(list: unknown): number[] {
  return Array.isArray(list) ? (list as readonly Shown[]).map(({ id }) => Number(id)) : [];
}

/** Writes `2030-06-01 19:00:00` as `2030-06-01T19:00:00`. */
function dateOf(text: unknown): string {
  return String(text).replace(' ', 'T');
}
