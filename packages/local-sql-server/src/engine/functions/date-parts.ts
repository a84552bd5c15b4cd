/** Parts of dates and times. */
import { type Position, sqlErrorAt } from '../../tsql/sql-error.ts';
import { monthNames } from '../values/date-format.ts';
import {
  addTicks,
  atOffset,
  dayNumber,
  type Moment,
  offsetText,
  ticksPerDay,
  ticksPerMinute,
  ticksPerSecond,
  yearMonthDay,
} from '../values/datetime.ts';

/** The parts, each with its shorter names. */
const namesOfParts =
  `year yy yyyy,quarter qq q,month mm m,dayofyear dy y,day dd d,week wk ww,weekday dw w,hour hh,minute mi n,
  second ss s,millisecond ms,microsecond mcs,nanosecond ns,tzoffset tz,iso_week isowk isoww`.split(/,\s*/);
const aliases: ReadonlyMap<string, string> = new Map(
  namesOfParts.flatMap((names) => names.split(' ').map((name, _, [part = '']) => [name, part] as const)),
);
/** The full name of a date part, as written in DATEADD and its kin. Throws 155. */
export function datePart(word: string, functionName: string, at: Position): string {
  const part = aliases.get(word.toLowerCase());
  if (part === undefined) throw sqlErrorAt(at, 155, word, functionName.toLowerCase());
  return part;
}

/** Functions whose first argument is a date part, not an expression. */
export const takesDatePart: ReadonlySet<string> = new Set(
  'DATEADD DATEDIFF DATEDIFF_BIG DATEPART DATENAME DATETRUNC'.split(' '),
);

const ticksOf: Readonly<Record<string, number>> = {
  hour: 60 * ticksPerMinute,
  minute: ticksPerMinute,
  second: ticksPerSecond,
  millisecond: 10_000,
  microsecond: 10,
  nanosecond: 0.01,
};

const monthsOf: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };

/** A moment with an amount of a part added; days are -1 beyond the range. */
export function add(part: string, amount: number, moment: Moment): Moment {
  const months = monthsOf[part];
  if (months !== undefined) return addMonths(moment, amount * months);
  const ticks = ticksOf[part];
  if (ticks !== undefined) {
    const total = part === 'nanosecond' ? Math.round(amount / 100) : amount * ticks;
    const days = Math.floor(total / ticksPerDay);
    return addTicks({ ...moment, days: moment.days + days }, total - days * ticksPerDay);
  }
  return { ...moment, days: moment.days + amount * (part === 'week' ? 7 : 1) };
}

function addMonths(moment: Moment, count: number): Moment {
  const { year, month, day } = yearMonthDay(moment.days);
  const total = year * 12 + month - 1 + count;
  const toYear = Math.floor(total / 12);
  const toMonth = (((total % 12) + 12) % 12) + 1;
  if (toYear < 1 || toYear > 9999) return { ...moment, days: -1 };
  const last = new Date(Date.UTC(2000 + (toYear % 400), toMonth, 0)).getUTCDate();
  return { ...moment, days: dayNumber(toYear, toMonth, Math.min(day, last)) ?? -1 };
}

/** Counts boundaries of a part between two moments; both are taken in UTC. */
export function difference(part: string, from: Moment, to: Moment): bigint {
  const a = atOffset(from, 0);
  const b = atOffset(to, 0);
  const months = monthsOf[part];
  if (months !== undefined) return BigInt(monthIndex(b, months) - monthIndex(a, months));
  if (part === 'week') return BigInt(Math.floor((b.days + 1) / 7) - Math.floor((a.days + 1) / 7));
  const ticks = ticksOf[part];
  if (ticks === undefined) return BigInt(b.days - a.days);
  if (part === 'nanosecond')
    return (BigInt(b.days - a.days) * BigInt(ticksPerDay) + BigInt(b.ticks - a.ticks)) * 100n;
  const perDay = BigInt(ticksPerDay / ticks);
  return BigInt(b.days - a.days) * perDay + BigInt(Math.floor(b.ticks / ticks) - Math.floor(a.ticks / ticks));
}

function monthIndex(moment: Moment, months: number): number {
  const { year, month } = yearMonthDay(moment.days);
  return Math.floor((year * 12 + month - 1) / months);
}

/** The number of a part of a moment. */
export function partOf(part: string, moment: Moment): number {
  const { year, month, day } = yearMonthDay(moment.days);
  const firstDay = dayNumber(year, 1, 1) ?? 0;
  const values: Readonly<Record<string, () => number>> = {
    year: () => year,
    quarter: () => Math.ceil(month / 3),
    month: () => month,
    day: () => day,
    dayofyear: () => moment.days - firstDay + 1,
    // Weeks begin on Sunday (DATEFIRST 7); day 0 was a Monday.
    weekday: () => ((moment.days + 1) % 7) + 1,
    week: () => Math.floor((moment.days - firstDay + ((firstDay + 1) % 7)) / 7) + 1,
    iso_week: () => isoWeek(moment.days),
    hour: () => Math.floor(moment.ticks / (60 * ticksPerMinute)),
    minute: () => Math.floor(moment.ticks / ticksPerMinute) % 60,
    second: () => Math.floor(moment.ticks / ticksPerSecond) % 60,
    millisecond: () => Math.floor((moment.ticks % ticksPerSecond) / 10_000),
    microsecond: () => Math.floor((moment.ticks % ticksPerSecond) / 10),
    nanosecond: () => (moment.ticks % ticksPerSecond) * 100,
    tzoffset: () => moment.offset,
  };
  return values[part]?.() ?? 0;
}

function isoWeek(days: number): number {
  const thursday = days - (days % 7) + 3;
  const { year } = yearMonthDay(thursday);
  return Math.floor((thursday - (dayNumber(year, 1, 1) ?? 0)) / 7) + 1;
}

/** The name of a part: of months and weekdays in English, of others their number. */
export function nameOf(part: string, moment: Moment): string {
  if (part === 'month') return monthNames[partOf('month', moment) - 1] ?? '';
  const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  if (part === 'weekday') return weekdays[partOf('weekday', moment) - 1] ?? '';
  return part === 'tzoffset' ? offsetText(moment.offset) : String(partOf(part, moment));
}

/** The moment at which a part began that a moment is in. */
export function truncated(part: string, moment: Moment): Moment {
  const ticks = ticksOf[part];
  if (ticks !== undefined) return { ...moment, ticks: moment.ticks - (moment.ticks % ticks) };
  const { year, month } = yearMonthDay(moment.days);
  const firstDay = (of: number): number => dayNumber(year, of, 1) ?? 0;
  const days: Readonly<Record<string, number>> = {
    year: firstDay(1),
    quarter: firstDay(month - ((month - 1) % 3)),
    month: firstDay(month),
    week: moment.days - ((moment.days + 1) % 7),
    iso_week: moment.days - (moment.days % 7),
  };
  return { ...moment, days: days[part] ?? moment.days, ticks: 0 };
}
