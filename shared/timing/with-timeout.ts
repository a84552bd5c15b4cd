/** Waits for a promise up to a timeout in milliseconds; then rejects with the result of `error`. The promise continues. */
export async function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  error: () => Error,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
