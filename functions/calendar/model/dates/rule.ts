/**
 * Recurrence rules (RFC 5545 3.3.10). The only importer of rrule-temporal. A rule counts on the wall clock of its event, so that it is
 * expanded without a zone; its end and its number of dates are counted here.
 */

import { RRuleTemporal } from 'rrule-temporal';
import { formatWall, secondsOfDay } from './wall.ts';

/** A rule with valid parts. */
export interface Rule {
  readonly parts: ReadonlyMap<string, string>;
  readonly count: number | undefined;
  /** The end as it is written. */
  readonly until: string | undefined;
}

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'];
const weekday = /^(?:MO|TU|WE|TH|FR|SA|SU)$/;

const isUpTo = (maximum: number, minimum: number) => (item: string) =>
  /^\d{1,9}$/.test(item) && Number(item) >= minimum && Number(item) <= maximum;
/** Positions count from the end where they are negative. */
const isPosition = (maximum: number) => (item: string) =>
  /^[+-]?\d{1,3}$/.test(item) && Number(item) !== 0 && Math.abs(Number(item)) <= maximum;

const checks: Readonly<Record<string, (item: string) => boolean>> = {
  FREQ: (item) => frequencies.includes(item),
  INTERVAL: isUpTo(1_000_000, 1),
  COUNT: isUpTo(999_999_999, 1),
  UNTIL: () => true,
  BYSECOND: isUpTo(60, 0),
  BYMINUTE: isUpTo(59, 0),
  BYHOUR: isUpTo(23, 0),
  BYDAY: (item) => weekday.test(item.slice(-2)) && (item.length === 2 || isPosition(53)(item.slice(0, -2))),
  BYMONTHDAY: isPosition(31),
  BYYEARDAY: isPosition(366),
  BYWEEKNO: isPosition(53),
  BYMONTH: isUpTo(12, 1),
  BYSETPOS: isPosition(366),
  WKST: (item) => weekday.test(item),
  // RFC 7529.
  RSCALE: (item) => item === 'GREGORIAN',
  SKIP: (item) => ['OMIT', 'BACKWARD', 'FORWARD'].includes(item),
};
const lists = /^BY/;

/** Parses a rule. Throws an Error that names the part that no rule has. */
export function parseRule(text: string): Rule {
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(';')) {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (part.trim() === '' || (name !== '' && value === '') || name.startsWith('X-')) continue;
    const items = lists.test(name) ? value.split(/\s*,\s*/) : [value];
    const isValid = Object.hasOwn(checks, name) && items.every((item) => checks[name]?.(item));
    if (!isValid || parts.has(name))
      throw new Error(`its rule (RRULE) has an invalid part: "${part.trim().slice(0, 60)}"`);
    parts.set(name, [...new Set(items.map((item) => item.replace(/^\+/, '')))].join(','));
  }
  const frequency = parts.get('FREQ');
  if (frequency === undefined) throw new Error('its rule (RRULE) has no frequency (FREQ)');
  checkSelections(frequency, parts);
  const until = parts.get('UNTIL');
  const count = parts.get('COUNT');
  for (const name of ['UNTIL', 'COUNT']) parts.delete(name);
  return { parts, until, count: count === undefined ? undefined : Number(count) };
}

/** Checks for combinations in rules of years that the library expands as either of their parts, and not as both. */
function checkSelections(frequency: string, parts: Map<string, string>): void {
  const byDay = parts.get('BYDAY');
  // A day of a week has no number within it.
  if (byDay !== undefined && !['YEARLY', 'MONTHLY'].includes(frequency))
    parts.set('BYDAY', [...new Set(byDay.replace(/-?\d+/g, '').split(','))].join(','));
  if (frequency !== 'YEARLY') return;
  const selections = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO'].filter((name) => parts.has(name));
  const isPlainDay = byDay !== undefined && !/\d/.test(byDay) && !parts.has('BYYEARDAY');
  if (selections.length > (isPlainDay ? 2 : 1))
    throw new Error(`its rule (RRULE) combines ${selections.join(' and ')}, which cannot be read together`);
}

/** Steps that the library may take for rules of few dates too: more days than two years have. */
const minIterations = 1_000;

/** The dates that are expanded. */
export interface RuleBounds {
  /** Wall time of the first date; of whole days a midnight. */
  readonly start: number;
  readonly isDate: boolean;
  /** Wall time behind which no date is of interest. */
  readonly last: number;
  /** Checks whether a date is before the end of the rule. */
  readonly isWithin: (wall: number) => boolean;
  /** Whether the start is a date where it does not match the rule. Of a rule that excludes dates it is none. */
  readonly includesStart: boolean;
  /** Number of dates beyond which the rule is refused. */
  readonly maxDates: number;
}

/**
 * Returns the dates of a rule as wall times, in ascending order. The start may be the first of them, also where it does not match the
 * rule or is behind its end, and is then the first that COUNT counts (3.8.5.3). Throws an Error for a rule with more dates than the limit.
 */
export function ruleDates({ parts, count = Number.POSITIVE_INFINITY }: Rule, bounds: RuleBounds): number[] {
  const { start, isDate, last, isWithin, includesStart, maxDates } = bounds;
  if (start > last) return [];
  const dates = includesStart ? [start] : [];
  const used = [...parts].filter(([name]) => !isDate || !['BYHOUR', 'BYMINUTE', 'BYSECOND'].includes(name));
  const text = used.map(([name, value]) => `${name}=${value}`).join(';');
  const rule = new RRuleTemporal({
    rruleString: `DTSTART:${basic(start)}Z\nRRULE:${text};UNTIL=${basic(last + secondsOfDay)}Z`,
    cache: false,
    maxIterations: Math.max(maxDates + 1, minIterations),
  });
  try {
    rule.all((date) => {
      const wall = date.epochMilliseconds / 1000;
      if (dates.length >= count || wall > last || !isWithin(wall)) return false;
      if (wall > start || !includesStart) dates.push(wall);
      return dates.length <= maxDates;
    });
  } catch (error) {
    if (!(error instanceof Error) || !/^Maximum /.test(error.message)) throw error;
    throw new Error('its rule (RRULE) has no next date that could be found', {
      cause: error,
    });
  }
  if (dates.length > maxDates) throw new Error(`it has more than ${maxDates} occurrences`);
  return dates;
}

/** Writes a wall time as RFC 5545 does: `20270131T193000`. */
function basic(wall: number): string {
  return formatWall(wall).replaceAll(/[-:]/g, '').replace(' ', 'T');
}
