/** Tells of statements that keep the whole server: its engine has one thread, where SQL Server works on many statements side by side. */

/** Milliseconds without an answer to anybody, of which the log tells. */
const toldFrom = 3_000;

/** Watches the event loop, and logs how long it stood when it goes on. Returns what ends the watch. */
export function tellStalls(log: (line: string) => void, from = toldFrom): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const stood = now - last;
    last = now;
    if (stood < from) return;
    log(
      `The local server is slow: one statement took ${(stood / 1_000).toFixed(1)} s, and nobody else was answered meanwhile ("database-unavailable" of the app). SQL Server works on statements side by side.`,
    );
  }, from / 4);
  timer.unref();
  return () => clearInterval(timer);
}
