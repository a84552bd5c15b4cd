/** The signing keys of one issuer, kept in memory: found at once, refreshed in the background, good through an outage. */

import type { KeyObject } from 'node:crypto';
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
  /** Between two loads on behalf of unknown key ids, for all callers together. */
  readonly coolDown: number;
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
  timeout: 4_000,
};

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

/** The keys of an issuer by id; empty until one is looked for. */
export class KeySet {
  readonly #options: KeySetOptions;
  #current: SigningKeys | undefined;
  #loadedAt = 0;
  #loading: Promise<SigningKeys> | undefined;
  #lastFailure: unknown;
  #failedAt = 0;
  /** When the keys may be loaded for an unknown id again. */
  #nextSearch = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /**
   * Returns the issuer and the key with an id; the key is missing when the issuer has none of that id. Throws `signing-keys-unavailable`
   * (unavailable) when the keys cannot be loaded, or the coded error that `load` threw.
   */
  async find(keyId: string): Promise<{ issuer: string; key: KeyObject | undefined }> {
    const usable = this.#usable();
    const { issuer, keys } =
      usable === undefined ? await this.#loadFirst() : await this.#search(keyId, usable);
    return { issuer, key: keys.get(keyId) };
  }

  /** Waits for the first load. Throws `signing-keys-unavailable` when there are no keys. */
  async ready(): Promise<void> {
    this.#usable() ?? (await this.#loadFirst());
  }

  /** Stops the background refresh. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #usable(): SigningKeys | undefined {
    const { timing, now } = this.#options;
    if (now() - this.#loadedAt > timing.keep) this.#current = undefined;
    return this.#current;
  }

  /** Loads the keys in single flight. */
  #refresh(): Promise<SigningKeys> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
      this.#schedule();
    });
    return this.#loading;
  }

  async #load(): Promise<SigningKeys> {
    const { load, timing, now, onFailure } = this.#options;
    try {
      return this.#replace(await load(AbortSignal.timeout(timing.timeout)));
    } catch (cause) {
      this.#lastFailure = cause;
      this.#failedAt = now();
      onFailure(cause);
      throw unavailable(cause);
    }
  }

  #replace(loaded: SigningKeys): SigningKeys {
    const haveChanged = this.#current !== undefined && !sameKeys(this.#current, loaded);
    this.#current = loaded;
    this.#loadedAt = this.#options.now();
    this.#lastFailure = undefined;
    if (haveChanged) this.#options.onChange();
    return loaded;
  }

  #schedule(): void {
    const { refresh, retry } = this.#options.timing;
    clearTimeout(this.#timer);
    if (this.#closed || this.#current === undefined) return;
    const wait = this.#lastFailure === undefined ? refresh * (0.9 + Math.random() / 5) : retry;
    // A failure has been reported by then, and the next try is scheduled.
    this.#timer = setTimeout(() => this.#refresh().catch(() => undefined), wait).unref();
  }

  /** Loads the first keys. Calls soon after a failure share it, so that they do not flood the issuer. */
  #loadFirst(): Promise<SigningKeys> {
    const { timing, now } = this.#options;
    const isPaused =
      this.#loading === undefined && this.#lastFailure !== undefined && now() < this.#failedAt + timing.pause;
    return isPaused ? Promise.reject(unavailable(this.#lastFailure)) : this.#refresh();
  }

  /** Loads again for a key id that the keys in memory lack; a flood of these costs one load per cool-down. */
  async #search(keyId: string, loaded: SigningKeys): Promise<SigningKeys> {
    const { timing, now } = this.#options;
    if (loaded.keys.has(keyId)) return loaded;
    if (this.#loading === undefined && now() < this.#nextSearch) return this.#trust(loaded);
    if (this.#loading === undefined) this.#nextSearch = now() + timing.coolDown;
    return this.#refresh();
  }

  /** After a load that failed it is unknown whether the issuer has the key by now. */
  #trust(loaded: SigningKeys): SigningKeys {
    if (this.#lastFailure !== undefined) throw unavailable(this.#lastFailure);
    return loaded;
  }
}

function sameKeys(before: SigningKeys, after: SigningKeys): boolean {
  const sameKey = ([keyId, key]: [string, KeyObject]) => after.keys.get(keyId)?.equals(key) ?? false;
  return (
    before.issuer === after.issuer && before.keys.size === after.keys.size && [...before.keys].every(sameKey)
  );
}

function unavailable(cause: unknown): CodedError {
  if (isCodedError(cause)) return cause;
  const message = 'Cannot verify the token: the signing keys of the issuer could not be loaded.';
  return new CodedError('signing-keys-unavailable', message, { cause, retryAfter });
}
