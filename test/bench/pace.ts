/** How long benchmarks measure. `--smoke` starts each of them with the least, to see that it runs; its figures mean nothing. */

export const isSmoke = process.argv.includes('--smoke');

/** Returns a number of seconds, rounds or things to measure with; the least of them in a smoke run. */
export function paced(usual: number, smoke = 1): number {
  return isSmoke ? smoke : usual;
}

/** Events of the large calendar. */
export const largeCalendar = paced(100_000, 2_000);
