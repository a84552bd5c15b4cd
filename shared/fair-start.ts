/** The order in which pieces of work begin. There is one thread, and who has many of them waiting must not keep others behind all of them. */

/** Milliseconds of work that begins before what has arrived meanwhile is looked at. */
const slice = 5;

/** Pieces of work that begin in one slice, at most. */
const maxBatch = 8;

/** Waits until a piece of work of the caller may begin. */
export type AwaitStart = (caller: string) => Promise<void>;

/** Creates the function that lets callers begin by turns. */
export function createFairStart(): AwaitStart {
  /** By caller, those of whom it is the turn first. */
  const waiting = new Map<string, (() => void)[]>();
  let isRunning = false;
  let batch = 0;
  let sliceStart = 0;

  function startNext(): void {
    const [caller, starts = []] = waiting.entries().next().value ?? [];
    if (caller === undefined) return;
    waiting.delete(caller);
    starts.shift()?.();
    if (starts.length > 0) waiting.set(caller, starts);
  }

  function startSlice(): void {
    const now = performance.now();
    batch = now - sliceStart > slice ? 1 : Math.min(maxBatch, batch + 1);
    sliceStart = now;
    isRunning = waiting.size > 0;
    for (let started = 0; started < batch; started++) startNext();
    // Another round of the event loop, in which others arrive.
    if (isRunning) setImmediate(startSlice);
  }

  return (caller) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = waiting.get(caller);
    if (own === undefined) waiting.set(caller, [resolve]);
    else own.push(resolve);
    if (!isRunning) {
      isRunning = true;
      batch = 0;
      sliceStart = performance.now();
      setImmediate(startSlice);
    }
    return promise;
  };
}
