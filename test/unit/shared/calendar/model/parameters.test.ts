/**
 * The result of every parameter of the calendar for every kind of value, as stored in `parameters.txt`. After an intended change, `npm
 * test -- model/parameters -u` writes it again.
 */

import { expect, test } from 'vitest';
import { readWall } from '../../../../../shared/calendar/model/dates/wall.ts';
import { contactParameters } from '../../../../../shared/calendar/model/fields/contact.ts';
import { eventItemParameters, eventParameters } from '../../../../../shared/calendar/model/fields/event.ts';
import {
  InvalidValue,
  type ParameterTable,
  parseEach,
} from '../../../../../shared/calendar/model/fields/parameter.ts';
import { termParameters } from '../../../../../shared/calendar/model/fields/term.ts';
import type { KnownCaller } from '../../../../../shared/calendar/model/rights.ts';
import { siteOf } from '../../../../../shared/calendar/model/site.ts';
import { loadSanitizer } from '../../../../../shared/calendar/model/text/html.ts';
import { contactFilters } from '../../../../../shared/calendar/read/contact-filters.ts';
import { eventFilters } from '../../../../../shared/calendar/read/event-filters.ts';
import { termFilters } from '../../../../../shared/calendar/read/term-filters.ts';
import { CalendarReplica } from '../../../../../shared/calendar/replica/replica.ts';

await loadSanitizer();

const long = 'x'.repeat(100_000);
const values: readonly unknown[] = [
  ...[
    '',
    ' ',
    '0',
    'x',
    'a "b" <i>c</i> & <script>d</script>',
    '<p>e</p>\n',
    ' f ',
    '\ud800',
    long,
    `${long}x`,
  ],
  ...['true', 'TRUE', 'Yes', 'on', 'false', 'off', 'xtrue', '1x', '10'],
  ...['1', ' 2 ', '3.0', '4.', '+5', '-5', '6', '7', '8', '9', '10.5', '11', '1e3', '0x1', '99999'],
  ...[
    '9007199254740993',
    '1,3',
    ' 1 , 3,,1',
    '8,9',
    '10,11',
    '5,6',
    '5,x',
    ',',
    'music',
    'Jazz & Blues',
    'loud',
  ],
  ...[
    'publish',
    'PUBLISH',
    'draft',
    'publish,draft',
    'publish,no',
    'trash',
    'private',
    'asc',
    'desc',
    'name',
  ],
  ...['2031-02-03 04:05:06', '2031-02-30', 'tomorrow', '1900000000', '2031-02-03T04:05:06Z', 'nonsense'],
  ...[
    'Europe/Paris',
    ' UTC+5:30 ',
    'EST',
    'Mars/Base',
    '90',
    '-90',
    '90.5',
    '180',
    '-180',
    '180.5',
    '20100',
    '20101',
  ],
  ...['https://example.org/a?b#c', 'HTTP://example.org', 'ftp://example.org/', 'mailto:a@example.org', 'x:y'],
  ...['//example.org', 'xhttps://example.org', 'https://example.org/å', 'https://example.org/"', 'https://'],
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, 1.5, 90.5, 2 ** 53, 20_100.5, true, false, null],
  ...[[], {}, [0], ['0', '', null, false, {}, []], [1, '3'], ['1,3'], [1, 1, 'a', ' a '], [null], [{}, 1]],
  ...[['8', 'music'], [[1]], ['draft', 'future'], { a: 8, b: '10' }, { id: 5 }, { id: '6', x: 1 }, { id: 1 }],
  ...[
    [5, '5', { id: 5 }, 6],
    { venue: 'Hall' },
    { id: 0, organizer: ' Club ', email: '<b>a</b>@b' },
    { city: 'x' },
  ],
];

const at = '2030-05-01 12:00:00';
const post = { author: 1, date: at, date_utc: at, modified: at, modified_utc: at, title: 'T', slug: 't' };
const event = {
  ...{ ...post, kind: 'event', status: 'publish', timezone: 'UTC' },
  ...{ start_date: at, end_date: at, utc_start_date: at, utc_end_date: at },
};
const replica = new CalendarReplica(() => readWall(at));
replica.apply(
  [
    { ...event, id: 1, slug: 'a' },
    { ...event, id: 2, slug: 'b', status: 'draft', author: 12 },
    { ...event, id: 3, slug: 'c', access_password: { shared_salt: 'a', salt: 'b', hash: 'c' } },
    { ...event, id: 4, slug: 'd', status: 'trash' },
    { ...post, kind: 'venue', id: 5, status: 'publish' },
    { ...post, kind: 'organizer', id: 6, status: 'draft' },
    { kind: 'image', id: 7, url: 'https://example.org/7.png' },
    { kind: 'category', id: 8, name: 'Music', slug: 'music', parent: 0 },
    { kind: 'category', id: 9, name: 'Jazz & Blues', slug: 'jazz-blues', parent: 8 },
    { kind: 'tag', id: 10, name: 'Loud', slug: 'loud' },
    { kind: 'author', id: 11, subject: 'eleven' },
    { kind: 'author', id: 12, subject: 'twelve' },
  ].map((record, index) => ({
    ...{ key: `${record.kind}/${record.id}`, json: JSON.stringify(record), version: index + 1 },
  })),
);

const callers: readonly KnownCaller[] = [
  { role: 'editor', subject: 'eleven', author: 11 },
  { role: 'contributor', subject: 'twelve', author: 12 },
  { role: 'reader' },
];

/** What is left out, since most values of texts are. */
const asItIs = 'as it is';

/** Writes a value in few characters. */
function short(value: unknown): string {
  const named = (_: string, item: unknown) =>
    typeof item === 'object' && item !== null && 'offsetAt' in item && 'name' in item
      ? `zone ${item.name}`
      : item;
  const text = JSON.stringify(value, named) ?? 'undefined';
  return text.length > 120 ? `${text.slice(0, 20)}... (${text.length})` : text;
}

function outcomeOf(name: string, value: unknown, table: ParameterTable, caller: KnownCaller): string {
  const site = siteOf('https://calendar.example.org', 'Europe/Copenhagen');
  const context = { caller, parameters: {}, root: '', language: undefined, site, now: readWall(at), replica };
  const { values: found, errors } = parseEach(table, { [name]: value }, context);
  const error = errors[name];
  if (error instanceof InvalidValue) return `${error.isType ? 'wrong type' : 'invalid'}: ${error.message}`;
  if (!Object.hasOwn(found, name)) return 'ignored';
  return Object.is(found[name], value) ? asItIs : short(found[name]);
}

/** A line for each outcome of a parameter other than the value itself, with the values that have it; for other callers than editors those alone that have another. */
function linesOf(name: string, table: ParameterTable): string[] {
  const [editor, ...others] = callers.map((caller) =>
    values.map((value) => outcomeOf(name, value, table, caller)),
  );
  const lines = (outcomes: readonly string[], mark: string, isShown = (_index: number) => true) => {
    const shown = outcomes
      .map((outcome, index) => ({ outcome, index }))
      .filter(({ outcome, index }) => outcome !== asItIs && isShown(index));
    return [...Map.groupBy(shown, ({ outcome }) => outcome)].map(
      ([outcome, all]) => `  ${mark}${outcome} <- ${all.map(({ index }) => short(values[index])).join('  ')}`,
    );
  };
  return [
    name,
    ...lines(editor ?? [], ''),
    ...others.flatMap((outcomes, index) =>
      lines(outcomes, `${callers[index + 1]?.role}: `, (at) => outcomes[at] !== editor?.[at]),
    ),
  ];
}

test('parameters make of values what is stored', async () => {
  const tables: Readonly<Record<string, ParameterTable>> = {
    'fields of an event': eventParameters,
    'an event': eventItemParameters,
    'fields of a venue': contactParameters.venue,
    'fields of an organizer': contactParameters.organizer,
    'fields of a category': termParameters.category,
    'fields of a tag': termParameters.tag,
    'filters of events': eventFilters,
    'filters of venues': contactFilters,
    'filters of categories': termFilters.category,
    'filters of tags': termFilters.tag,
  };
  const lines = Object.entries(tables).flatMap(([title, table]) => [
    `# ${title}`,
    ...Object.keys(table).flatMap((name) => linesOf(name, table)),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('parameters.txt');
});
