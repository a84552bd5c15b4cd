/** Fields of an event on create and update (specification, "Event fields"). */

import { costTexts } from '../model/cost.ts';
import {
  date,
  filledText,
  flag,
  isNothing,
  isTextOrNumber,
  list,
  refined,
  text,
  website,
  zone,
} from './kinds.ts';
import { links } from './links.ts';
import { extension, type Parameter, required, Unfit, type Values, withDefault } from './parameter.ts';
import { html, image, publicationFields, title } from './post-fields.ts';
import { existingEventOrNone } from './references.ts';

const cost: Parameter<string[]> = {
  description: 'Cost: a text or number, or an array of these for a range.',
  read: (value) => {
    const items: unknown[] = value === null ? [] : [value].flat();
    return items.every(isTextOrNumber)
      ? costTexts(items)
      : new Unfit('must be a text, a number or a list of these', true);
  },
};

/** HTML that may be emptied, but not be `0`, as clients know it of events. */
function eventHtml(description: string): Parameter<string> {
  return refined(html(description), (value) =>
    value === '0' ? new Unfit('must be a text, or empty') : value,
  );
}

/** Nothing of any kind means the empty text. */
function orNothing(parameter: Parameter<string>): Parameter<string> {
  const read: typeof parameter.read = (value, surroundings) =>
    parameter.read(isNothing(value) ? '' : value, surroundings);
  return { ...parameter, read };
}

/** Terms by id, name or slug; null for none. */
function terms(description: string): Parameter<(string | number)[]> {
  const parameter = list(description);
  return { ...parameter, read: (value, surroundings) => parameter.read(value ?? [], surroundings) };
}

export const eventFields = {
  title: title('Event title; simple markup is kept for editors.'),
  start_date: required(date('Start, in the zone of the event.')),
  end_date: required(date('End, in the zone of the event.')),
  ...publicationFields,
  description: eventHtml('Event description, HTML.'),
  slug: filledText('Event slug; without one it is made from the title.'),
  excerpt: eventHtml('Short text, HTML.'),
  timezone: zone('Time zone: an IANA name, UTC, an offset such as UTC+5:30, or a common abbreviation.'),
  all_day: withDefault(false, flag('Whether the event lasts the whole of its days.')),
  image: image(
    (value) => typeof value === 'string',
    (value) => value === null || value === false,
  ),
  cost,
  website: withDefault(null, orNothing(website('Event website.'))),
  show_map: flag('Whether the page shows a map.'),
  show_map_link: flag('Whether the page links to a map.'),
  hide_from_listings: flag('Hide in the calendar view.'),
  sticky: flag('Sticky in the calendar view.'),
  featured: flag('Whether the event is featured.'),
  categories: withDefault(null, terms('Category ids, names or slugs; unknown names are created.')),
  tags: withDefault(null, terms('Tag ids, names or slugs; unknown names are created.')),
  venue: withDefault(null, links('venue', 'Venue: an id, several, or the fields of a new one.')),
  organizer: withDefault(null, links('organizer', 'Organizers: ids, or the fields of new ones.')),
  post_parent: extension(existingEventOrNone('Id of the event that this one is part of; 0 for none.')),
  ticketed: extension(flag('Whether tickets are sold for the event.')),
  access_password: extension(
    text('Password that readers need for the full record; empty removes it. Never returned.'),
  ),
};

/** Parameters of every operation on one event by its id. */
export const eventParameters = {
  password: filledText('The event password, which only reading asks for.'),
};

export type EventValues = Values<typeof eventFields>;
