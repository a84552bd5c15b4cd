/** Omits values that read the same when they are absent: undefined, `""`, false, 0 and empty lists. */
export function omitEmpty<T extends object>(record: { readonly [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(record).filter(
    ([, value]) => Boolean(value) && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as T;
}
