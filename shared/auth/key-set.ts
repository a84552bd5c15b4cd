/** The signing keys of one issuer, kept in memory: found at once, refreshed in the background, good through an outage. */

import type { KeyObject } from 'node:crypto';
import { createCache } from '../cache.ts';
import { CodedError, isCodedError } from '../errors.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Times in milliseconds. The defaults follow the advice for Entra ID signing key roll-over. */
export interface KeySetTiming {
  /** Until the keys are loaded again in the background; each wait differs by up to a tenth. */
  readonly refresh: number;
  /** Until a background refresh that failed is tried again. */
  readonly retry: number;
  /** Between two loads while no keys are known, after one that failed. */
  readonly pause: number;
  /** For which keys are trusted after the last successful load. */
  readonly keep: number;
  /** Between two loads on behalf of unknown key ids, whoever sends them. */
  readonly coolDown: number;
  /** For which a key id that was looked for and not found is not looked for again. */
  readonly rememberAbsent: number;
  /** For one load, in all. */
  readonly timeout: number;
}

const minute = 60_000;

export const defaultTiming: KeySetTiming = {
  refresh: 60 * minute,
  retry: minute,
  pause: 1_000,
  keep: 24 * 60 * minute,
  coolDown: 30_000,
  // A key may be seen before it is published everywhere.
  rememberAbsent: 30_000,
  timeout: 4_000,
};

const maxAbsent = 1_000;
const retryAfter = 5;

export interface KeySetOptions {
  readonly load: (signal: AbortSignal) => Promise<SigningKeys>;
  /** Called after each load that changed the keys. */
  readonly onChange: () => void;
  /** Called after each load that failed. */
  readonly onFailure: (error: unknown) => void;
  readonly timing: KeySetTiming;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Keys by id. */
export interface KeySet {
  /**
   * Returns the issuer and the key with an id; the key is missing when the issuer has none of that id.
   * Throws `signing-keys-unavailable` (unavailable) when the keys cannot be loaded and so nobody can tell, or the coded error that `load` threw.
   */
  find(keyId: string): Promise<{ issuer: string; key: KeyObject | undefined }>;
  /** Waits for the first load. Throws `signing-keys-unavailable` when there are no keys. */
  ready(): Promise<void>;
  /** Stops the background refresh. */
  close(): void;
}

/** Creates a key set, which is empty until something is looked for. */
export function createKeySet({ load, onChange, onFailure, timing, now }: KeySetOptions): KeySet {
  let current: SigningKeys | undefined;
  let loadedAt = 0;
  let loading: Promise<SigningKeys> | undefined;
  let lastFailure: unknown;
  let failedAt = 0;
  let nextSearch = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const absent = createCache<string, true>({ maxEntries: maxAbsent, ttl: timing.rememberAbsent, now });

  function usable(): SigningKeys | undefined {
    if (now() - loadedAt > timing.keep) current = undefined;
    return current;
  }

  /** At most one load at a time; everybody who needs keys waits for the same one. */
  function refresh(): Promise<SigningKeys> {
    loading ??= loadOnce().finally(() => {
      loading = undefined;
      schedule();
    });
    return loading;
  }

  async function loadOnce(): Promise<SigningKeys> {
    try {
      return replace(await load(AbortSignal.timeout(timing.timeout)));
    } catch (cause) {
      lastFailure = cause;
      failedAt = now();
      onFailure(cause);
      throw unavailable(cause);
    }
  }

  function replace(loaded: SigningKeys): SigningKeys {
    const changed = current !== undefined && !sameKeys(current, loaded);
    current = loaded;
    loadedAt = now();
    lastFailure = undefined;
    if (changed) onChange();
    return loaded;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (closed || current === undefined) return;
    const wait = lastFailure === undefined ? timing.refresh * (0.9 + Math.random() / 5) : timing.retry;
    // A failure has been reported by then, and the next try is scheduled.
    timer = setTimeout(() => refresh().catch(() => undefined), wait).unref();
  }

  /** Loads the keys that everybody needs. Callers that come soon after a failure share it, so that they do not flood the issuer. */
  function first(): Promise<SigningKeys> {
    const paused = loading === undefined && lastFailure !== undefined && now() < failedAt + timing.pause;
    return paused ? Promise.reject(unavailable(lastFailure)) : refresh();
  }

  /** Loads again for a key id that the keys in memory lack; a flood of these costs one load per cool-down. */
  async function search(keyId: string, loaded: SigningKeys): Promise<SigningKeys> {
    if (loaded.keys.has(keyId) || absent.get(keyId)) return loaded;
    if (loading === undefined && now() < nextSearch) return trustLoaded(loaded);
    if (loading === undefined) nextSearch = now() + timing.coolDown;
    const found = await refresh();
    if (!found.keys.has(keyId)) absent.set(keyId, true);
    return found;
  }

  /** After a load that failed nobody can tell whether the issuer has the key by now. */
  function trustLoaded(loaded: SigningKeys): SigningKeys {
    if (lastFailure !== undefined) throw unavailable(lastFailure);
    return loaded;
  }

  return {
    async find(keyId) {
      const loaded = usable();
      const { issuer, keys } = loaded === undefined ? await first() : await search(keyId, loaded);
      return { issuer, key: keys.get(keyId) };
    },
    async ready() {
      usable() ?? (await first());
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function sameKeys(one: SigningKeys, other: SigningKeys): boolean {
  const sameKey = ([keyId, key]: [string, KeyObject]) => other.keys.get(keyId)?.equals(key) ?? false;
  return one.issuer === other.issuer && one.keys.size === other.keys.size && [...one.keys].every(sameKey);
}

function unavailable(cause: unknown): CodedError {
  if (isCodedError(cause)) return cause;
  const message = 'Cannot verify the token: the signing keys of the issuer could not be loaded.';
  return new CodedError('signing-keys-unavailable', message, { cause, retryAfter });
}
