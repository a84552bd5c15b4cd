/** Days and fractions of seconds as the date and time types count them. */

const MILLISECONDS_PER_DAY = 86_400_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,7}))?$/;

function daysSinceEpoch(year: number, month: number, day: number): number {
  // Date.UTC takes years below 100 for 19xx.
  return new Date(0).setUTCFullYear(year, month - 1, day) / MILLISECONDS_PER_DAY;
}

/** Days from 1970-01-01 to 0001-01-01, where `date` begins. */
const YEAR_ONE = daysSinceEpoch(1, 1, 1);
/** Days from 0001-01-01 to 1900-01-01, where `datetime` begins. */
export const DAYS_TO_1900 = daysSinceEpoch(1900, 1, 1) - YEAR_ONE;

/** Returns the days from 0001-01-01 to a date such as `2026-11-21`. */
export function toDays(date: string): number {
  const [, year, month, day] = DATE.exec(date) ?? [];
  if (year === undefined) throw new TypeError(`Cannot encode ${JSON.stringify(date)} as a date`);
  return daysSinceEpoch(Number(year), Number(month), Number(day)) - YEAR_ONE;
}

/** Returns the date that many days after 0001-01-01. */
export function fromDays(days: number): string {
  return new Date((days + YEAR_ONE) * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
}

/** Returns the units of 10^-scale seconds since midnight of a time such as `10:00:00.1234567`; further digits are cut. */
export function toTicks(time: string, scale: number): number {
  const [, hours, minutes, seconds, fraction = ''] = TIME.exec(time) ?? [];
  if (hours === undefined) throw new TypeError(`Cannot encode ${JSON.stringify(time)} as a time`);
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 10 ** scale + Number(fraction.slice(0, scale).padEnd(scale, '0'));
}

/** Returns the time of a count of 10^-scale seconds since midnight, with `scale` decimals. */
export function fromTicks(ticks: number, scale: number): string {
  const units = 10 ** scale;
  const whole = Math.floor(ticks / units);
  const clock = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(twoDigits).join(':');
  return scale === 0 ? clock : `${clock}.${(ticks % units).toString().padStart(scale, '0')}`;
}

/** Splits `2026-11-21 10:00:00.123` into its date and its time. */
export function splitDateTime(text: string): { date: string; time: string } {
  return { date: text.slice(0, 10), time: text.slice(11) };
}

export function twoDigits(value: number): string {
  return value.toString().padStart(2, '0');
}
