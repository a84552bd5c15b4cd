/** The header Server-Timing (https://www.w3.org/TR/server-timing/): where the time of a reply went. */

import type { Trace } from './measurement.ts';

/** Composes the header: milliseconds of each part without what was measured within it, how often, and of the whole. */
export function serverTiming({ started, parts }: Trace): string {
  const total = `total;dur=${(performance.now() - started).toFixed(1)}`;
  const timed = [...parts].map(
    ([part, { count, milliseconds }]) => `${part};dur=${milliseconds.toFixed(1)};desc="${count} x"`,
  );
  return [...timed, total].join(', ');
}
