/** Fields of an event, in the order of the representation (docs/calendar-contract.md, "Events"). */

import * as Type from 'typebox';
import { costTexts, readCost } from '../cost.ts';
import { dateDetails, findZone, readWall } from '../dates/wall.ts';
import { eventStatuses } from '../for-browsers/event-status.ts';
import { escapedLine } from '../text/html.ts';
import { shownWebsite } from '../text/own-pages.ts';
import { withoutControls } from '../text/plain-text.ts';
import { renderTitle } from '../text/render-text.ts';
import type { PasswordHash, SeriesLink, TermKind } from '../values.ts';
import { organizerSchema, venueSchema } from './contact.ts';
import {
  computedField,
  derivedField,
  field,
  type ShowContext,
  shownField,
  sometimes,
  type TermRequest,
  textField,
} from './field.ts';
import { flag } from './flags.ts';
import {
  extension,
  InvalidValue,
  ignoringNull,
  map,
  optional,
  type Parameter,
  required,
} from './parameter.ts';
import { choice, date, filledText, isNothing, isTextOrNumber, text, website, zone } from './parsers.ts';
import { commonSchemas, html, image, imageStorage, publicationFields, showHtml, title } from './post.ts';
import { existingEventOrNone, linkField, terms } from './references.ts';
import {
  costDetailsSchema,
  dateDetailsSchema,
  dateTime,
  flagSchema,
  imageSchema,
  linkedDataSchema,
} from './schemas.ts';
import { parametersOf, schemasOf } from './table.ts';
import { termSchema } from './term.ts';
import { translationParameters } from './translations.ts';

export const cost: Parameter<string[]> = {
  description: 'Cost: a text or number, or an array of these for a range.',
  parse: (value) => {
    const items: unknown[] = value === null ? [] : [value].flat();
    return items.every(isTextOrNumber)
      ? costTexts(items.map((item) => (typeof item === 'string' ? withoutControls(item) : item)))
      : new InvalidValue('must be a text, a number or a list of these', true);
  },
};

const currencyCode = map(
  text('Currency of the cost: three letters of ISO 4217; empty for none.'),
  (value) => {
    const code = value.trim().toUpperCase();
    return /^(?:[A-Z]{3})?$/.test(code) ? code : new InvalidValue('must be three letters, or empty');
  },
);

const showDetails = (text = '') => dateDetails(text);
const details = { show: showDetails, schema: dateDetailsSchema };

const noCost = readCost([]);
const costOf = (texts: readonly string[] | undefined, { site }: ShowContext) =>
  texts === undefined ? noCost : readCost(texts, site.currency);

const costDetails = {
  show: (texts: readonly string[] | undefined, context: ShowContext) => ({
    ...costOf(texts, context).details,
    currency_code: context.record['currency_code'] ?? '',
  }),
  schema: costDetailsSchema,
  hidden: noCost.details,
};

const zoneAbbreviation = {
  show: (name = '', { record }: ShowContext) =>
    findZone(name)?.abbreviationAt(readWall(String(record['utc_start_date']))) ?? name,
  schema: Type.String(),
};

/** HTML that may be emptied, but not be `0`, as clients know it of events. */
function eventHtml(description: string): Parameter<string> {
  return map(html(description), (value) =>
    value === '0' ? new InvalidValue('must be a text, or empty') : value,
  );
}

/** Nothing of any kind means the empty text. */
function orNothing(parameter: Parameter<string>): Parameter<string> {
  return {
    ...parameter,
    parse: (value, context) => parameter.parse(isNothing(value) ? '' : value, context),
  };
}

function flagField(parameter: string, shown: string) {
  return field(flag(parameter), { show: (isSet = false) => isSet, schema: flagSchema(shown), hidden: null });
}

/** Terms by id, name or slug. */
function termsField(kind: TermKind, description: string) {
  return {
    ...field(ignoringNull(terms(description)), {
      store: (items: TermRequest[] | undefined, before: readonly number[] | undefined, write) =>
        items === undefined ? before && write.liveTermIds(before) : write.termIds(kind, items),
      schema: Type.Array(termSchema),
    }),
    isJoined: true,
  };
}

export const eventFields = {
  ...publicationFields,
  rest_url: shownField({
    show: (_stored, { root, record }) => `${root}/events/${record.id}`,
    schema: Type.String(),
  }),
  title: textField(title('Event title; simple markup is kept for editors.'), {
    show: (text = '') => renderTitle(text),
    schema: Type.String(),
  }),
  description: textField(eventHtml('Event description, HTML.'), {
    show: showHtml,
    schema: Type.String(),
    hidden: '',
  }),
  excerpt: textField(eventHtml('Short text, HTML.'), {
    show: showHtml,
    schema: Type.String(),
    hidden: '',
  }),
  slug: computedField(filledText('Event slug; without one it is made from the title.'), {
    schema: Type.String(),
  }),
  image: field(
    image((value) => value === null || value === false),
    {
      ...imageStorage,
      schema: Type.Union([imageSchema, Type.Literal(false)], { description: 'The image, or false.' }),
      hidden: false,
    },
  ),
  all_day: sometimes(
    computedField(optional(false, flag('Whether the event lasts the whole of its days.')), {
      show: (isAllDay: boolean | undefined) => isAllDay ?? false,
      schema: flagSchema('Whether the event lasts the whole of its days.'),
      hidden: null,
    }),
  ),
  start_date: computedField(required(date('Start, in the zone of the event.')), {
    schema: dateTime('Start, in the zone of the event.'),
    also: { start_date_details: details },
  }),
  end_date: computedField(required(date('End, in the zone of the event.')), {
    schema: dateTime('End, in the zone of the event.'),
    also: { end_date_details: details },
  }),
  utc_start_date: derivedField({
    schema: dateTime('Start, in UTC.'),
    also: { utc_start_date_details: details },
  }),
  utc_end_date: derivedField({ schema: dateTime('End, in UTC.'), also: { utc_end_date_details: details } }),
  timezone: computedField(
    zone('Time zone: an IANA name, UTC, an offset such as UTC+5:30, or a common abbreviation.'),
    {
      schema: Type.String(),
      also: { timezone_abbr: zoneAbbreviation },
    },
  ),
  cost: field(cost, {
    show: (texts, context) => costOf(texts, context).text,
    schema: Type.String(),
    hidden: '',
    also: { cost_details: costDetails },
  }),
  currency_code: field(extension(orNothing(currencyCode))),
  website: field(orNothing(website('Event website.')), {
    show: (url = '', { page, site }) => shownWebsite(url, site.url) || page,
    schema: Type.String(),
    hidden: '',
  }),
  show_map: flagField('Whether the page shows a map.', 'Whether the page shows a map.'),
  show_map_link: flagField('Whether the page links to a map.', 'Whether the page links to a map.'),
  hide_from_listings: flagField('Hide in the calendar view.', 'Hidden in the calendar view.'),
  sticky: flagField('Sticky in the calendar view.', 'Sticky in the calendar view.'),
  featured: flagField('Whether the event is featured.', 'Featured.'),
  categories: termsField('category', 'Category ids, names or slugs; unknown names are created.'),
  tags: termsField('tag', 'Tag ids, names or slugs; unknown names are created.'),
  venue: linkField(
    'venue',
    'Venue: an id, several, or the fields of a new one.',
    Type.Union([venueSchema, Type.Array(venueSchema)], {
      description: 'One venue; an empty array for an event without a venue; an array for several venues.',
    }),
    ignoringNull,
  ),
  organizer: linkField(
    'organizer',
    'Organizers: ids, or the fields of new ones.',
    Type.Array(organizerSchema),
  ),
  custom_fields: shownField({ schema: Type.Array(Type.Never(), { maxItems: 0 }), isJoined: true }),
  json_ld: shownField({
    schema: Type.Optional(linkedDataSchema({ description: 'Only in the reading of one event.' })),
    isJoined: true,
  }),
  registration_url: field(
    extension(orNothing(website('Where people register, or buy tickets; empty for nowhere.'))),
    {
      show: (url, { site }) => (url === undefined ? undefined : shownWebsite(url, site.url)),
      schema: Type.Optional(Type.String({ description: 'Where people register, or buy tickets.' })),
      hidden: undefined,
    },
  ),
  event_status: field(
    extension(choice('Whether the event takes place as it was announced.', eventStatuses)),
    {
      // What takes place as announced says nothing of it, as in the API of The Events Calendar.
      store: (sent, before) => [sent ?? before].find((status) => status !== 'scheduled'),
      schema: Type.Optional(
        Type.Enum([...eventStatuses], {
          description: 'Only of an event that does not take place as announced.',
        }),
      ),
    },
  ),
  event_status_reason: textField(
    extension(map(text('Why the event does not take place as it was announced.'), escapedLine)),
    {
      show: (reason = '') => reason || undefined,
      schema: Type.Optional(
        Type.String({ description: 'Why the event does not take place as it was announced.' }),
      ),
      hidden: undefined,
    },
  ),
  post_parent: field(extension(existingEventOrNone('Id of the event that this one is part of; 0 for none.'))),
  ticketed: field(extension(flag('Whether tickets are sold for the event.'))),
  series: sometimes(
    derivedField({
      show: (stored: SeriesLink | undefined, { root }) =>
        stored && {
          id: stored.id,
          recurrence_id: stored.recurrence,
          rest_url: `${root}/series/${stored.id}`,
        },
      schema: Type.Optional(
        Type.Object(
          { id: Type.Integer(), recurrence_id: Type.String(), rest_url: Type.String() },
          { description: 'Only of a date of a series: the series, and the day that its rule gives it.' },
        ),
      ),
    }),
  ),
  guid: sometimes(
    derivedField({
      show: (guid: string | undefined) => guid,
      schema: Type.Optional(
        Type.String({
          description:
            'Only of an event of an imported site: its name in feeds there, by which readers know it.',
        }),
      ),
    }),
  ),
  access_password: field<string, PasswordHash>(
    extension(text('Password that readers need for the full record; empty removes it. Never returned.')),
    {
      store: (password, before, { passwordHash }) => (password === undefined ? before : passwordHash),
    },
  ),
};

/** What clients send of an event. */
export const eventParameters = { ...parametersOf(eventFields), ...translationParameters(eventFields) };

/** What clients send to create one. */
export const eventCreationParameters = {
  ...eventParameters,
  copy_of: extension(
    existingEventOrNone(
      'Id of an event: what is not sent is that of it, in all languages, but for its dates, its slug and its publication.',
    ),
  ),
};

/** Parameters of every operation on one event by its id. */
export const eventItemParameters = {
  password: filledText('The event password, which only reading asks for.'),
};

export const eventSchema = Type.Object(
  { ...commonSchemas, ...schemasOf(eventFields) },
  { $id: 'Event', description: 'An event.', additionalProperties: false },
);
