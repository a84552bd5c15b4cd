/** One cache for everything that is worth keeping for a while (the only importer of lru-cache). */

import { LRUCache } from 'lru-cache';
import { offerGauge } from './telemetry/gauges.ts';

export interface CacheOptions<Key, Value> {
  /** The most entries: when one more is added, the least recently used one is evicted. Default: as many as `bytes` allows. */
  readonly maxEntries?: number;
  /** Name of the cache in the metrics. Default: it has none there. */
  readonly name?: string;
  /** Milliseconds for which an entry is stored, unless it is set with another time. Default: until it is evicted. */
  readonly ttl?: number;
  /**
   * The most bytes of all entries together, and the size of each. An entry that exceeds the limit by itself is not stored. Default: not
   * limited.
   */
  readonly bytes?: { readonly max: number; readonly of: (value: Value, key: Key) => number };
  /** Milliseconds on the clock that entries expire by; above 0. Default: since 1970. */
  readonly now?: () => number;
}

export interface Cache<Key, Value> {
  /** Entries, including those that have expired since they were last asked for. */
  readonly size: number;
  get(key: Key): Value | undefined;
  /** Keeps a value for `ttl` milliseconds, or as long as the options say. A time that is over keeps nothing. */
  set(key: Key, value: Value, ttl?: number): void;
  delete(key: Key): void;
  clear(): void;
}

/** Creates an empty cache. */
export function createCache<
  Key extends string | number | object,
  Value extends object | string | number | true,
>({
  maxEntries = 0,
  name,
  ttl: defaultTtl = Number.POSITIVE_INFINITY,
  bytes,
  now = Date.now,
}: CacheOptions<Key, Value>): Cache<Key, Value> {
  const entries = new LRUCache<Key, Value>({
    // Entries are counted as a size, since the library allocates room for its own `max` of them at once.
    max: bytes === undefined ? 0 : maxEntries,
    // Read for every look-up, or a test could not move the clock.
    ttlResolution: 0,
    perf: { now },
    ...(bytes === undefined
      ? { maxSize: maxEntries, sizeCalculation: () => 1 }
      : {
          maxSize: bytes.max,
          sizeCalculation: (value, key) => Math.max(1, Math.ceil(bytes.of(value, key))),
        }),
  });

  let hits = 0;
  let misses = 0;
  if (name !== undefined) {
    const labels = { 'app.cache': name };
    offerGauge('cacheHits', name, () => [[hits, labels]]);
    offerGauge('cacheMisses', name, () => [[misses, labels]]);
    if (bytes !== undefined) offerGauge('cacheBytes', name, () => [[entries.calculatedSize, labels]]);
  }

  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const value = entries.get(key);
      if (value === undefined) misses += 1;
      else hits += 1;
      return value;
    },
    set(key, value, ttl = defaultTtl) {
      if (ttl <= 0) entries.delete(key);
      // The library stores an entry until its age is above its time to live, and with 0 without a limit.
      else entries.set(key, value, ttl === Number.POSITIVE_INFINITY ? {} : { ttl: ttl - 0.5 });
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

/**
 * Returns what is cached under a key, or loads it. Callers that come during a load share it, and a failure is not cached. A loaded value is
 * cached for the milliseconds that `ttlOf` returns; by default, until it is evicted.
 */
export function loadThrough<Key, Value>(
  cache: Cache<Key, Promise<Value>>,
  key: Key,
  load: () => Promise<Value>,
  ttlOf?: (value: Value) => number,
): Promise<Value> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const loading = load();
  cache.set(key, loading);
  loading.then(
    (value) => ttlOf && cache.get(key) === loading && cache.set(key, loading, ttlOf(value)),
    // The awaiting caller gets a failure from the promise itself.
    () => cache.get(key) === loading && cache.delete(key),
  );
  return loading;
}
