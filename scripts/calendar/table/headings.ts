/** The first lines of tables: the names of our fields, and the headings of The Events Calendar for WordPress (6.17.2 and older). */

import type { PostKind } from '../../../functions/calendar/model/values.ts';
import { columns } from './event-cells.ts';

/** Columns that other columns are computed from. */
type Column = string;

/** Our columns by the headings of the plugin. A column with `names` has names with commas. */
const events: Readonly<Record<string, Column>> = {
  'event name': 'title',
  'event description': 'description',
  'event excerpt': 'excerpt',
  'event start date': 'start_date',
  'event start time': 'start_time',
  'event end date': 'end_date',
  'event end time': 'end_time',
  'all day event': 'all_day',
  'event all day': 'all_day',
  'event time zone': 'timezone',
  'event timezone': 'timezone',
  'time zone': 'timezone',
  'hide event from event listings': 'hide_from_listings',
  'event hide from upcoming': 'hide_from_listings',
  hide: 'hide_from_listings',
  'event sticky in month view': 'sticky',
  'feature event': 'featured',
  'event featured': 'featured',
  'event show map': 'show_map',
  'event show map link': 'show_map_link',
  'event cost': 'single_cost',
  'event iso currency code': 'currency_code',
  'event currency code': 'currency_code',
  'event currency symbol': 'currency_symbol',
  'event currency position': 'currency_position',
  'event website': 'website',
  'event featured image': 'image',
  'featured image': 'image',
  'event slug': 'slug',
  'event status': 'status',
  'event venue name': 'venue_names',
  'event organizer name(s) or id(s)': 'organizer_names',
  'event organizer name(s)': 'organizer_names',
  'event organizer name': 'organizer_names',
  'event category': 'categories',
  'event categories': 'categories',
  'event tags': 'tags',
  // Google and Outlook.
  subject: 'title',
  'start date': 'start_date',
  'start time': 'start_time',
  'end date': 'end_date',
  'end time': 'end_time',
  location: 'venue_names',
  private: 'private',
};

const venues: Readonly<Record<string, Column>> = {
  'venue name': 'venue',
  'venue description': 'description',
  'venue address': 'address',
  'venue address 2': 'address_2',
  'venue addres 2': 'address_2',
  'venue city': 'city',
  'venue country': 'country',
  'venue state/province': 'region',
  'venue state': 'region',
  'venue province': 'region',
  'venue zip': 'zip',
  'venue zip/postal code': 'zip',
  'venue postal code': 'zip',
  'venue phone': 'phone',
  'venue website': 'website',
  'venue url': 'website',
  'venue featured image': 'image',
  'venue show map': 'show_map',
  'venue show map link': 'show_map_link',
  'venue latitude': 'geo_lat',
  'venue longitude': 'geo_lng',
};

const organizers: Readonly<Record<string, Column>> = {
  'organizer name': 'organizer',
  'organizer description': 'description',
  'organizer phone': 'phone',
  'organizer website': 'website',
  'organizer email': 'email',
  'organizer e-mail': 'email',
  'organizer featured image': 'image',
};

const eventColumns: ReadonlySet<string> = new Set([...columns, 'start_time', 'end_time']);

/** Columns that events alone have. */
const ofEvents: ReadonlySet<string> = new Set([
  'start_date',
  'start_time',
  'end_date',
  'end_time',
  'all_day',
]);

/** The required columns with their headings. */
const requiredNames: Readonly<Record<string, string>> = {
  title: 'the title (title, Event Name, Subject)',
  start_date: 'the start (start_date, Event Start Date, Start Date)',
};

/** The columns of a table, in the order of its cells; undefined for one that was not understood. */
export interface Headings {
  readonly kind: PostKind;
  readonly columns: readonly (Column | undefined)[];
  /** Headings that were not understood. */
  readonly unknown: readonly string[];
}

/** Reads the first line of a table; undefined for a table of something else. Throws an Error that names what a table of events lacks. */
export function readHeadings(cells: readonly string[]): Headings | undefined {
  const names = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
  const tables = { event: events, venue: venues, organizer: organizers } as const;
  const required = { event: ['title', 'start_date'], venue: ['venue'], organizer: ['organizer'] } as const;
  for (const kind of ['event', 'venue', 'organizer'] as const) {
    const found = names.map((name) => columnOf(name.toLowerCase(), kind, tables[kind]));
    const missing = required[kind].filter((column) => !found.includes(column));
    if (
      kind === 'event' &&
      missing.length > 0 &&
      found.some((column) => column !== undefined && ofEvents.has(column))
    )
      throw new Error(
        `its first line has columns of events, and none of the headings for ${missing.map((column) => requiredNames[column]).join(' and ')}`,
      );
    if (missing.length > 0) continue;
    const unknown = names.filter((name, index) => found[index] === undefined && name !== '');
    return { kind, columns: found, unknown };
  }
  return undefined;
}

function columnOf(name: string, kind: PostKind, table: Readonly<Record<string, Column>>): Column | undefined {
  if (Object.hasOwn(table, name)) return table[name];
  return kind === 'event' && eventColumns.has(name) ? name : undefined;
}
