import { beforeAll, describe, expect, test } from 'vitest';
import {
  findZone,
  formatWall,
  readWall,
  toInstant,
  toWall,
} from '../../../../functions/calendar/model/dates/wall.ts';
import { parseFilters } from '../../../../functions/calendar/model/fields/parameter.ts';
import type { EventRecord } from '../../../../functions/calendar/model/records.ts';
import { siteOf } from '../../../../functions/calendar/model/site.ts';
import { loadSanitizer } from '../../../../functions/calendar/model/text/html.ts';
import { eventFilters } from '../../../../functions/calendar/read/event-filters.ts';
import { eventWindow } from '../../../../functions/calendar/read/event-window.ts';
import { distance } from '../../../../functions/calendar/read/events-around.ts';
import { findEvents } from '../../../../functions/calendar/read/find-events.ts';
import { keyOf } from '../../../../functions/calendar/replica/entries.ts';
import { CalendarReplica } from '../../../../functions/calendar/replica/replica.ts';
import { EventSearch } from '../../../../functions/calendar/search/event-search.ts';
import { fc } from '../../../support/properties.ts';

beforeAll(loadSanitizer);

const now = readWall('2026-10-20 12:00:00');
const site = siteOf('https://calendar.example.org', 'Europe/Copenhagen');
const published = '2026-01-01 00:00:00';
const dates = { date: published, date_utc: published, modified: published, modified_utc: published };

/** Instants within some days of the change of clocks of 25 October 2026, on the half hour. */
const instants = fc
  .integer({ min: -300, max: 300 })
  .map((halves) => readWall('2026-10-25 00:00:00') + halves * 1800);

const drafts = fc.array(
  fc.record({
    start: instants,
    hours: fc.integer({ min: 0, max: 30 }),
    zone: fc.constantFrom('Europe/Copenhagen', 'America/New_York', 'UTC', 'Asia/Tokyo'),
    hidden: fc.boolean(),
  }),
  { maxLength: 25 },
);
type Draft = typeof drafts extends fc.Arbitrary<(infer D)[]> ? D : never;

function recordOf(draft: Draft, index: number): EventRecord {
  const zone = findZone(draft.zone) ?? site.zone;
  const end = draft.start + draft.hours * 3600;
  return {
    kind: 'event',
    id: index + 1,
    author: 1,
    status: 'publish',
    ...dates,
    title: 'Event',
    slug: `event-${index}`,
    timezone: draft.zone,
    start_date: formatWall(toWall(zone, draft.start)),
    end_date: formatWall(toWall(zone, end)),
    utc_start_date: formatWall(draft.start),
    utc_end_date: formatWall(end),
    hide_from_listings: draft.hidden,
  };
}

function replicaOf(records: readonly EventRecord[]): CalendarReplica {
  const replica = new CalendarReplica(() => now);
  replica.apply(
    records.map((record, index) => ({
      key: keyOf(record),
      json: JSON.stringify(record),
      version: index + 1,
    })),
  );
  return replica;
}

function idsFound(replica: CalendarReplica, parameters: Record<string, string>): number[] {
  const caller = { role: 'reader' as const };
  const context = { replica, site, caller, now, parameters, root: '', language: undefined };
  const values = { ...parseFilters(eventFilters, context), per_page: 50 };
  const window = eventWindow(values, site.zone, now);
  const search = new EventSearch(replica.events);
  const { items, total } = findEvents(values, window, { ...context, search });
  expect(total).toBe(items.length);
  return items.map(({ record }) => record.id);
}

/** The order and the dates of the list (docs/calendar-contract.md, "The event list"), written down as plainly as can be. */
function naive(
  records: readonly EventRecord[],
  isWanted: (record: EventRecord, start: number, end: number) => boolean,
) {
  return records
    .map((record) => ({ record, start: readWall(record.utc_start_date), end: readWall(record.utc_end_date) }))
    .filter(({ record, start, end }) => record.hide_from_listings !== true && isWanted(record, start, end))
    .sort((a, b) => a.start - b.start || a.record.id - b.record.id)
    .map(({ record }) => record.id);
}

describe('the event list equals a naive reference', () => {
  const days = fc.integer({ min: -8, max: 8 }).map((days) => readWall('2026-10-25 00:00:00') + days * 86_400);

  test('for windows of whole days, in the zone of the site, around the change of clocks', () => {
    fc.assert(
      fc.property(drafts, days, days, (list, from, to) => {
        const records = list.map(recordOf);
        const first = toInstant(site.zone, from);
        const last = toInstant(site.zone, to + 86_399);
        expect(
          idsFound(replicaOf(records), {
            start_date: formatWall(from + 5000),
            end_date: formatWall(to + 60),
          }),
        ).toEqual(naive(records, (_record, start, end) => start >= first && end <= last));
      }),
    );
  });

  test.each(['starts_before', 'starts_after', 'ends_before', 'ends_after'])(
    'for %s, exact and of whole days',
    (name) => {
      fc.assert(
        fc.property(drafts, instants, fc.boolean(), (list, bound, strict) => {
          const records = list.map(recordOf);
          const wall = toWall(site.zone, bound);
          const exact = toInstant(site.zone, wall);
          const endOfDay = toInstant(site.zone, Math.floor(wall / 86_400) * 86_400 + 86_399);
          const raw = { [name]: formatWall(wall), strict_dates: strict ? '1' : '0' };
          const limit = strict ? exact : endOfDay;
          expect(idsFound(replicaOf(records), raw)).toEqual(
            naive(records, (_record, start, end) => {
              const moment = name.startsWith('starts') ? start : end;
              if (name.endsWith('after')) return moment > limit;
              return strict ? moment < limit : moment <= limit;
            }),
          );
        }),
      );
    },
  );

  test.each([
    ['starts_before', [1]],
    ['starts_after', [3]],
    ['ends_before', [1]],
    ['ends_after', [2, 3]],
  ])('for %s the first second of 1970', (name, ids) => {
    const rest = { zone: 'UTC', hidden: false } as const;
    const records = [-7_200, 0, 3_600].map((start, index) => recordOf({ start, hours: 1, ...rest }, index));
    const raw = { [name]: formatWall(toWall(site.zone, 0)), strict_dates: '1' };
    expect(idsFound(replicaOf(records), raw)).toEqual(ids);
  });
});

describe('distance()', () => {
  test.each([
    ['Copenhagen to Malmö', { lat: 55.6761, lng: 12.5683 }, { lat: 55.605, lng: 13.0038 }, 28.5],
    ['across the date line', { lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111.2],
    ['pole to pole', { lat: 90, lng: 0 }, { lat: -90, lng: 0 }, 20015],
    ['nowhere', { lat: 1, lng: 1 }, { lat: 1, lng: 1 }, 0],
  ])('%s is known', (_name, a, b, kilometres) => {
    expect(distance(a, b)).toBeGreaterThan(kilometres * 0.99 - 0.01);
    expect(distance(a, b)).toBeLessThan(kilometres * 1.01 + 0.01);
  });
});
