/** The parts of a date, as texts (behaviour section 4.6). */

/** Parts of a date, zero-padded. */
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
