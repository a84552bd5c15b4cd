/** What clients send of a series, beside the fields of its events (docs/calendar-contract.md, "Series"). */

import * as Type from 'typebox';
import { wallIn } from '../dates/wall.ts';
import { eventParameters } from './event.ts';
import { flag } from './flags.ts';
import { extension, InvalidValue, optional, type Parameter } from './parameter.ts';
import { choice, idOf } from './parsers.ts';
import { dateTime } from './schemas.ts';

/** The dates that a change of a series is made to: the one that is named, this and all later ones, or all. */
export const scopes = ['this', 'later', 'all'] as const;
export type Scope = (typeof scopes)[number];

/** Days of one list, at most. */
const maxDays = 1_000;

/** It is read where a series is written: the library that does is loaded then. */
const rrule: Parameter<string> = {
  description:
    'Rule of RFC 5545 by days, weeks, months or years, with COUNT or UNTIL: `FREQ=WEEKLY;BYDAY=TU;UNTIL=20270526`. Empty for chosen dates alone.',
  type: 'string',
  parse: (value) => {
    if (typeof value !== 'string') return new InvalidValue('must be a rule of RFC 5545', true);
    return value.trim();
  },
};

function days(description: string): Parameter<readonly string[]> {
  return {
    description,
    schema: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
    parse: (value) => {
      const items = (Array.isArray(value) ? value : String(value).split(','))
        .map((item) => String(item).trim())
        .filter((item) => item !== '');
      const found = items.map((item) => item.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
      const areDays = found.every((day) => wallIn(`${day} 00:00:00`) !== undefined);
      if (!areDays || found.length > maxDays)
        return new InvalidValue(`must be a list of days, 2027-01-31, of which there are ${maxDays} at most`);
      return [...new Set(found)].sort();
    },
  };
}

const eventId: Parameter<number> = {
  description:
    'Id of an event: on creation one that becomes a date of the series, on a change the date that it is made to.',
  type: 'integer',
  parse: (value) => idOf(value) ?? new InvalidValue('must be the id of an event'),
};

const scope = optional(
  'all',
  choice('What a change is made to: `this` date, this and all `later` ones, or `all`.', scopes),
);

export const seriesItemParameters = { event: extension(eventId), scope: extension(scope) };

/** The dates of a series that a draft of the next version of one of them is made to. */
export const scopeParameter = extension(
  choice(
    'Of a date of a series: what the draft is made to once it is published, `this` date, this and all `later` ones, or `all`.',
    scopes,
  ),
);

/** What clients send of a series itself. */
export const seriesParameters = {
  rrule: extension(rrule),
  rdate: extension(days('Days that are dates beside those of the rule, as a list.')),
  exdate: extension(days('Days of the rule that are no dates, as a list.')),
  ...seriesItemParameters,
  dry_run: extension(optional(false, flag('Tell the dates, and store nothing.'))),
};

/** What clients send of a series and of its events. */
export const seriesBodyParameters = {
  ...Object.fromEntries(
    Object.entries(eventParameters).map(([name, parameter]) => [name, { ...parameter, required: false }]),
  ),
  ...seriesParameters,
};

const day = Type.String({
  description: 'Day that the rule gives it, `2027-01-05`: it stays, wherever the event is moved.',
});
const odd = Type.Optional(
  Type.Enum(['skipped-time', 'repeated-time', 'clock-change'], {
    description: 'Clocks skip its time, show it twice, or change while it lasts.',
  }),
);

const times = {
  start_date: dateTime('Start, in the zone of the series.'),
  end_date: dateTime('End, in the zone of the series.'),
};

const common = {
  id: Type.Integer(),
  rest_url: Type.String(),
  title: Type.String({ description: 'Title of its first date.' }),
  rrule: Type.String({ description: 'Rule of RFC 5545; empty for chosen dates alone.' }),
  rdate: Type.Array(Type.String(), { description: 'Days beside the rule that the caller may read.' }),
  exdate: Type.Array(Type.String(), {
    description: 'Days of the rule that are no dates; for who may edit one of the events.',
  }),
  rule_start: Type.String({ description: 'Day from which the rule counts.' }),
  shift: Type.Integer({ description: 'Days by which its dates were moved together.' }),
  timezone: Type.String(),
  total: Type.Integer({ description: 'Dates that the caller may read.' }),
  first_date: Type.String(),
  last_date: Type.String(),
  is_complete: Type.Boolean({
    description: 'False while a change is still being made to the events: ask again.',
  }),
};

/** A series in a list. */
export const seriesSummarySchema = Type.Object(common, { $id: 'SeriesSummary' });

/** A series with its dates. */
export const seriesSchema = Type.Object(
  {
    ...common,
    dates: Type.Array(
      Type.Object({
        recurrence_id: day,
        event: Type.Integer({ description: 'Id of its event.' }),
        rest_url: Type.String(),
        url: Type.String({ description: 'Page of its event.' }),
        status: Type.String(),
        ...times,
        odd,
        changed: Type.Optional(
          Type.Array(Type.String(), {
            description: 'Fields that differ from the series, for callers who may edit the event.',
          }),
        ),
      }),
    ),
  },
  { $id: 'Series', description: 'A series of events.' },
);

/** The dates that a request would make. */
export const seriesPlanSchema = Type.Object(
  {
    total: Type.Integer(),
    dates: Type.Array(
      Type.Object({
        recurrence_id: day,
        ...times,
        odd,
        change: Type.Enum(['added', 'kept', 'removed']),
      }),
    ),
    missing: Type.Array(Type.String(), {
      description:
        'What the rule means and no calendar has: days such as `2027-02-31`, and months without a fifth weekday.',
    }),
    horizon: Type.String({ description: 'The last day that a series may have now.' }),
  },
  { $id: 'SeriesPlan', description: 'The dates of a series before it is stored.' },
);
