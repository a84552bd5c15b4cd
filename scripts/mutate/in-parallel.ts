/** Work that several workers share. */

/** Runs a worker several times at once. When one fails, the signal that they all have is aborted, and when all have ended, its error is thrown. */
export async function inParallel(
  count: number,
  signal: AbortSignal,
  worker: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const common = AbortSignal.any([signal, failed.signal]);
  const workers = Array.from({ length: count }, () =>
    worker(common).catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(workers);
  failed.signal.throwIfAborted();
}
