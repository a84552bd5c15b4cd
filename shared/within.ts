/** Waits for a promise at most so many milliseconds; then rejects with what `error` makes. The promise goes on. */
export async function within<T>(milliseconds: number, promise: Promise<T>, error: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
