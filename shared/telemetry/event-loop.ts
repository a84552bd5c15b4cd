/** How late the event loop gets to its work, because something else holds it: a line for each minute in which callers notice. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { logEventLoopDelay } from './log.ts';

/** Milliseconds between two measurements of the delay, by which each is too long. */
const resolution = 20;

/** Seconds of delay that callers notice. */
const noticed = 1;

/** Milliseconds between two looks. */
const interval = 60_000;

/** Starts to measure the delay of the event loop. */
export function startEventLoopDelay(): ReturnType<typeof monitorEventLoopDelay> {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return delay;
}

/** Writes a line for each minute in which the event loop was a second late or more. Returns what ends that; nothing waits for it. */
export function watchEventLoop(every = interval): () => void {
  const delay = startEventLoopDelay();
  const timer = setInterval(() => {
    const seconds = delay.max / 1e9;
    if (seconds >= noticed) logEventLoopDelay(seconds);
    delay.reset();
  }, every);
  timer.unref();
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}
