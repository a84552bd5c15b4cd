/** Wall time: what a clock on the wall shows, as seconds since 1970-01-01 00:00:00 on that same clock. */

/** Seconds of a day. */
export const secondsOfDay = 86_400;

/** First and last second that `YYYY-MM-DD` can say: years 1 to 9999. */
const first = Date.parse('0001-01-01T00:00:00Z') / 1000;
const last = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Checks whether a wall time has a year of four digits above 0000. */
export function isWritable(wall: number): boolean {
  return wall >= first && wall <= last;
}

/** Writes a wall time as `YYYY-MM-DD HH:MM:SS`; one beyond the years 1 to 9999, where a zone moved it, as the first or last of them. */
export function formatWall(wall: number): string {
  return new Date(Math.min(Math.max(wall, first), last) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Reads a wall time where a text says one just as `formatWall` writes it; undefined for all other texts, and where no calendar has it (February 30, hour 24). */
export function wallIn(text: string): number | undefined {
  const wall = readWall(text);
  return !Number.isNaN(wall) && formatWall(wall) === text ? wall : undefined;
}

/** Reads what `formatWall` wrote. */
export function readWall(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}Z`) / 1000;
}

/** Returns 00:00:00 of a wall time's day. */
export function startOfDay(wall: number): number {
  return Math.floor(wall / secondsOfDay) * secondsOfDay;
}

/** Returns 23:59:59 of a wall time's day. */
export function endOfDay(wall: number): number {
  return startOfDay(wall) + secondsOfDay - 1;
}

/** Parts of a date as texts, zero-padded (behaviour section 4.6). */
export interface DateDetails {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minutes: string;
  readonly seconds: string;
}

/** Takes `YYYY-MM-DD HH:MM:SS` apart. */
export function dateDetails(date: string): DateDetails {
  return {
    year: date.slice(0, 4),
    month: date.slice(5, 7),
    day: date.slice(8, 10),
    hour: date.slice(11, 13),
    minutes: date.slice(14, 16),
    seconds: date.slice(17, 19),
  };
}

/** A time zone. Instants are whole seconds since 1970-01-01 00:00:00 UTC. */
export interface Zone {
  /** The name as it was given. */
  readonly name: string;
  /** Seconds that the zone is ahead of UTC at an instant. */
  offsetAt(instant: number): number;
  /** Abbreviation at an instant: `CET`, `EDT`; the offset (`-05`) where the zone has none; the name itself of `UTC+5:30`. */
  abbreviationAt(instant: number): string;
}
