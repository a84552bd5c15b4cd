/** How far V8 lets its heap grow beyond what lives in it. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

const mebibyte = 2 ** 20;
/** Bytes from which on the young generation does not grow; it doubles until then. */
const enough = 16 * mebibyte;
/**
 * By how much the heap may grow above what lives, before all of it is collected: by a part of it, and at least by so many bytes.
 * The bytes of replies count as heap, so with less room a small heap would be collected for every hundred replies.
 */
const growth = { percent: 30, min: 32 * mebibyte };
/** The least bytes while the heap is filled with what stays: a collection would find little. */
const minWhileFilling = 128 * mebibyte;
/** Percent by which a change of the limit is worth a flag. */
const step = 5;

/** How many fill the heap. */
let filling = 0;
/** Sets the limit of the old generation; does nothing where it is not limited. */
let limitOld = () => {};

/**
 * Keeps the heap small: V8 alone lets the young generation grow to 128 MiB, and the old one to four times what lives. Options of Node
 * count only where the process starts with them, and the platform starts processes before it knows which app they will run.
 */
export function limitHeapGrowth(): void {
  let percent = 0;
  let mayGrow = true;
  limitOld = () => {
    const wanted = oldGrowth();
    if (Math.abs(wanted - percent) < step) return;
    percent = wanted;
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  };
  const limitYoung = () => {
    const mayGrowNow = youngGeneration() < enough;
    if (mayGrowNow === mayGrow) return;
    mayGrow = mayGrowNow;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  limitOld();
  new PerformanceObserver(() => {
    limitOld();
    limitYoung();
  }).observe({ entryTypes: ['gc'] });
}

/** Lets the heap grow further during work that fills it with what stays. */
export async function whileFilling<T>(work: () => Promise<T>): Promise<T> {
  filling += 1;
  limitOld();
  try {
    return await work();
  } finally {
    filling -= 1;
    limitOld();
  }
}

/** Returns the percent by which the old generation may grow. */
function oldGrowth(): number {
  const min = filling > 0 ? minWhileFilling : growth.min;
  return Math.max(growth.percent, Math.ceil((100 * min) / getHeapStatistics().used_heap_size));
}

/** Returns the bytes of the young generation. */
function youngGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
