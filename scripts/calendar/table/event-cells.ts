/** One event as a line of a table: the values that a write stores, with names in plain text. */

import { decodeHTML } from 'entities/decode';
import { imageUrl } from '../../../functions/calendar/model/image-url.ts';
import { sanitizeInline } from '../../../functions/calendar/model/text/html.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import type { LinkedKind } from '../../../functions/calendar/model/values.ts';
import type { EventEntry } from '../../../functions/calendar/replica/entries.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { joinNames } from './name-list.ts';

const flags = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'] as const;

/** The columns of an exported table. */
export const columns = [
  'id',
  'title',
  'description',
  'excerpt',
  'slug',
  'status',
  'start_date',
  'end_date',
  'timezone',
  'cost',
  'currency_code',
  'website',
  'registration_url',
  'event_status',
  'event_status_reason',
  'image',
  'venue',
  'organizer',
  'categories',
  'tags',
  ...flags,
] as const;

/** What the cells of an event are made from. */
export interface CellContext {
  readonly replica: CalendarReplica;
  /** URL of the root of the API, below which uploaded pictures are. */
  readonly root: string;
}

/** Returns the cells of an event by column. */
export function cellsOf(
  { record, status }: EventEntry,
  { replica, root }: CellContext,
): Record<string, string> {
  const contacts = (kind: LinkedKind) =>
    joinNames(
      replica.linked(kind, record[kind]).map((entry) => plainText(entry.record.title)),
      /;/,
    );
  const terms = (ids: readonly number[] = []) =>
    joinNames(ids.map((id) => replica.terms.get(id)).flatMap((term) => (term ? [plainText(term.name)] : [])));
  const image = record.image === undefined ? undefined : replica.image(record.image);
  return {
    id: String(record.id),
    title: typedTitle(record.title),
    description: record.description ?? '',
    excerpt: record.excerpt ?? '',
    slug: record.slug,
    status,
    start_date: record.start_date,
    end_date: record.end_date,
    timezone: record.timezone,
    cost: costCell(record.cost ?? []),
    currency_code: record.currency_code ?? '',
    registration_url: record.registration_url ?? '',
    event_status: record.event_status ?? 'scheduled',
    event_status_reason: typedTitle(record.event_status_reason ?? ''),
    website: record.website ?? '',
    image: image === undefined ? '' : imageUrl(image, root),
    venue: contacts('venue'),
    organizer: contacts('organizer'),
    categories: terms(record.categories),
    tags: terms(record.tags),
    ...Object.fromEntries(flags.map((name) => [name, String(record[name] ?? false)])),
  };
}

/** Returns a title in plain text where it is stored as the same title again. */
function typedTitle(title: string): string {
  const typed = decodeHTML(title);
  return sanitizeInline(typed) === title ? typed : title;
}

/** Several costs are the ends of a range; one cost is its text. */
function costCell(costs: readonly string[]): string {
  return costs.map((cost) => (/^"|;/.test(cost) ? `"${cost.replaceAll('"', '""')}"` : cost)).join('; ');
}
