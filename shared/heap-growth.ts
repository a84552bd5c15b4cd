/** How far V8 lets its heap grow beyond what lives in it. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes from which on the young generation does not grow; it doubles until then. */
const enough = 16 * 2 ** 20;
/** Percent by which the old generation may grow above what lives, before it is collected. */
const growth = 50;

/**
 * Keeps the heap small: V8 alone lets the young generation grow to 128 MiB, and the old one to four times what lives. Options of Node
 * count only where the process starts with them, and the platform starts processes before it knows which app they will run.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  let mayGrow = true;
  const observer = new PerformanceObserver(() => {
    const mayGrowNow = youngGeneration() < enough;
    if (mayGrowNow === mayGrow) return;
    mayGrow = mayGrowNow;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** Returns the bytes of the young generation. */
function youngGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
