/** An event of the calendar in the shape of a post of the platform. */

import type { Shown } from './paging.ts';
import { termView } from './terms.ts';

interface ViewOptions {
  readonly link: (path: string) => string;
  /** Adds the author, the picture and the terms. */
  readonly embeds: boolean;
}

/** Returns an event as the platform shows it. */
export function eventView(event: Shown, { link, embeds }: ViewOptions): Shown {
  const id = Number(event['id']);
  const [categories, tags] = [recordsOf(event['categories']), recordsOf(event['tags'])];
  // Flags are null in an event that a password hides.
  const isProtected = event['all_day'] === null;
  const picture = imageOf(event['image']);
  return {
    id,
    date: dateOf(event['date']),
    date_gmt: dateOf(event['date_utc']),
    guid: { rendered: event['url'] },
    modified: dateOf(event['modified']),
    modified_gmt: dateOf(event['modified_utc']),
    slug: event['slug'],
    status: event['status'],
    type: 'tribe_events',
    link: event['url'],
    title: { rendered: event['title'] },
    content: { rendered: event['description'], protected: isProtected },
    excerpt: { rendered: event['excerpt'], protected: isProtected },
    author: Number(event['author']),
    featured_media: Number(picture?.['id'] ?? 0),
    ...{ comment_status: 'closed', ping_status: 'closed', template: '', meta: {} },
    tags: tags.map((term) => Number(term['id'])),
    tribe_events_cat: categories.map((term) => Number(term['id'])),
    _links: { self: [{ href: link(`/tribe_events/${id}`) }], collection: [{ href: link('/tribe_events') }] },
    ...(embeds ? { _embedded: embedded(event, { categories, tags, picture, link }) } : {}),
  };
}

interface Parts extends Pick<ViewOptions, 'link'> {
  readonly categories: readonly Shown[];
  readonly tags: readonly Shown[];
  readonly picture: Shown | undefined;
}

function embedded(event: Shown, { categories, tags, picture, link }: Parts): object {
  return {
    author: [{ id: Number(event['author']), name: '' }],
    ...(picture === undefined ? {} : { 'wp:featuredmedia': [mediaView(picture)] }),
    'wp:term': [
      categories.map((term) => termView(term, 'category', link)),
      tags.map((term) => termView(term, 'tag', link)),
    ],
  };
}

function mediaView(picture: Shown): object {
  return {
    id: Number(picture['id']),
    media_type: 'image',
    alt_text: '',
    source_url: picture['url'],
    media_details: { width: picture['width'], height: picture['height'], sizes: {} },
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
