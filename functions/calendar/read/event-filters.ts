/** Filters of the event list (docs/calendar-contract.md, "Filters of events"). */

import { flag, nonEmptyFlag } from '../model/fields/flags.ts';
import {
  extension,
  type FilterValues,
  InvalidValue,
  map,
  optional,
  type Parameter,
} from '../model/fields/parameter.ts';
import { date, decimal, idOf, list, searched, text } from '../model/fields/parsers.ts';
import { existingEvent, existingIds, termOf } from '../model/fields/references.ts';
import { has, mayRead } from '../model/rights.ts';
import { translationNeeds } from '../model/translated-texts.ts';
import { type LinkedKind, languages, type Status, statuses, type TermKind } from '../model/values.ts';
import { windowDefaults } from './event-window.ts';
import { pagingParameters } from './page.ts';

export const statusFilter = map(
  list('Post status: one, or several with commas. Others than publish need the right to edit.'),
  (wanted, { caller }): readonly Status[] | InvalidValue => {
    const parsedStatuses = wanted
      .map((item) => statuses.find((status) => status === item))
      .filter((item) => item !== undefined);
    if (parsedStatuses.length < wanted.length || (parsedStatuses.length === 0 && !has('contributor', caller)))
      return new InvalidValue(`must be of ${statuses.join(', ')}`);
    if (!has('contributor', caller) && parsedStatuses.some((status) => status !== 'publish'))
      return new InvalidValue('must be publish without the right to edit');
    return parsedStatuses;
  },
  { type: 'string', schema: {} },
);

/** One or more existing terms, by id or slug. A category stands for itself and all below it. */
function terms(kind: TermKind, description: string): Parameter<readonly number[]> {
  return map(list(description), (items, context) => {
    const { terms } = context.replica;
    if (items.length === 0) return new InvalidValue('must name one at least');
    const ids = new Set<number>();
    for (const reference of items) {
      const term = termOf(kind, reference, context);
      if (term === undefined) return new InvalidValue('must be ids or slugs that exist');
      for (const id of terms.withDescendants(term.id)) ids.add(id);
    }
    return [...ids];
  });
}

function linkFilter(kind: LinkedKind, description: string): Parameter<readonly number[]> {
  const ids = existingIds(description, (id, { replica, caller }) => {
    const entry = replica.posts[kind].get(id);
    // No event is at a record in the trash; its subscribers go on until it is restored.
    return entry !== undefined && (entry.status === 'trash' || mayRead(caller, entry));
  });
  return map(ids, (found) => (found.length === 0 ? new InvalidValue('must name one at least') : found));
}

/** One or more ids, whether anything has them or not. */
function someIds(description: string): Parameter<readonly number[]> {
  return map(list(description, 'integer'), (items) => {
    const ids = items.map(idOf).filter((id) => id !== undefined);
    return ids.length > 0 && ids.length === items.length ? ids : new InvalidValue('must be ids');
  });
}

/** The authors of a list. */
export const authorFilter = extension(someIds('Only those of these authors (ids).'));

/** What lists keep of those that need translators. */
export const translationFilter = extension(
  map(
    list(
      'Only those that lack texts in a language (`da.missing`), have some that are older than their originals (`da.older`), or either (`da`). Needs the right to edit.',
    ),
    (items, { caller, site }) => {
      const found = items.map((item) =>
        translationNeeds.filter((need) => need === item || need.split('.')[0] === item),
      );
      if (found.length === 0 || found.some((needs) => needs.length === 0))
        return new InvalidValue(`must be of ${languages.join(', ')}, or of these with .missing or .older`);
      if (!has('contributor', caller)) return new InvalidValue('must not be sent without the right to edit');
      // The default texts are those of that language.
      return found.flat().filter((need) => need.split('.')[0] !== site.language);
    },
    { type: 'string', schema: {} },
  ),
);

/** A bound of the window. Its default depends on the other filters, so `eventWindow` applies it. */
function bound(name: keyof typeof windowDefaults, description: string) {
  const parameter = date(description);
  return { ...parameter, schema: { ...parameter.schema, default: windowDefaults[name].text } };
}

export const eventFilters = {
  ...pagingParameters,
  start_date: bound('start_date', 'Events starting on or after this date.'),
  end_date: bound('end_date', 'Events ending on or before this date.'),
  starts_before: date('Events starting before this date.'),
  starts_after: date('Events starting after this date.'),
  ends_before: date('Events ending before this date.'),
  ends_after: date('Events ending after this date.'),
  strict_dates: optional(
    false,
    nonEmptyFlag('Whether dates apply from the exact times given; else whole days are included.'),
  ),
  search: searched('Words that title, excerpt or description contain; "a phrase"; -word excludes.'),
  categories: terms('category', 'Events in one of these categories (ids or slugs), or below.'),
  tags: terms('tag', 'Events with one of these tags (ids or slugs).'),
  venue: linkFilter('venue', 'Events at one of these venues (ids).'),
  organizer: linkFilter('organizer', 'Events of one of these organizers (ids).'),
  featured: flag('Only featured events, or only the others.'),
  status: statusFilter,
  author: authorFilter,
  geoloc: flag('Only events whose venue has, or has not, coordinates.'),
  geoloc_lat: decimal('Latitude in degrees to search around; together with geoloc_lng.', -90, 90),
  geoloc_lng: decimal('Longitude in degrees to search around; together with geoloc_lat.', -180, 180),
  geoloc_distance: extension(optional(25, decimal('Kilometres around the place.', 0, 20_100))),
  order: extension(text('asc for ascending, which is the default, or desc; anything else changes nothing.')),
  orderby: extension(
    text(
      'date (start, the default), title, modified, featured (those first), or relevance (to the search); anything else is date.',
    ),
  ),
  include: someIds('Only events with these ids; date windows are ignored. Unknown ids are skipped.'),
  include_hidden: extension(
    optional(false, flag('Whether events that are hidden from lists are in it too.')),
  ),
  post_parent: existingEvent('Events that are part of this one.'),
  ticketed: flag('Only events with, or without, tickets.'),
  needs_translation: translationFilter,
  password: text('Unlocks those events that have this password.'),
};

export type EventFilterValues = FilterValues<typeof eventFilters>;
