/**
 * Passwords of events. A slow salted hash (scrypt, RFC 7914) derives a key from a password, once for all events that share its salt. A
 * quick one (HMAC-SHA-256, RFC 2104) of the event's salt under that key is stored with the event. So a list costs one slow hash per
 * password, for any number of events. Hashes are compared in constant time.
 */

import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createCache } from '../../../shared/cache.ts';
import { CodedError } from '../../../shared/errors.ts';
import { FairQueue } from '../../../shared/limits/fair-queue.ts';
import type { PasswordHash } from '../model/values.ts';

const derive = promisify<string, string, number, Buffer>(scrypt);
/** Bytes of a key. */
const length = 32;
/** Passwords that wait for their key, at most, and milliseconds for which one waits. */
const maxQueued = 100;
const timeoutMs = 5_000;
/** Keys that are cached, at most, so that a password that is sent again and again is derived once. */
const maxKeys = 2000;

/** What a password unlocks, as far as its keys are derived. */
export interface PasswordAttempt {
  /** Checks whether an event has no password, or this one; false while that is not certain. */
  isUnlocked(entry: { readonly record: object }): boolean;
  /** Checks whether the keys of all events asked for were there. */
  isCertain(): boolean;
  /** Derives the keys that were missing; then ask anew. */
  prepare(): Promise<void>;
}

export class EventPasswords {
  readonly #secret = randomBytes(32);
  readonly #keys = createCache<string, Buffer>({ maxEntries: maxKeys });
  readonly #inFlight = new Map<string, Promise<Buffer>>();
  /** Keys are derived one at a time, since each takes a processor for a while. */
  readonly #queue = new FairQueue({
    name: 'wait to derive the key of a password',
    concurrency: 1,
    maxQueued,
    timeoutMs,
    rejection: tooMany,
  });

  /** Returns the hash of a caller's password, with a new salt. `sharedSalt` is that of other passwords of the calendar. */
  async hash(password: string, sharedSalt = newSalt(), caller = ''): Promise<PasswordHash> {
    const salt = newSalt();
    const key = await this.derive(password, sharedSalt, caller);
    return { shared_salt: sharedSalt, salt, hash: quickHash(key, salt).toString('hex') };
  }

  /** Checks whether a hash is that of a password; undefined while its key has to be derived first. */
  verify(password: string, { shared_salt, salt, hash }: PasswordHash): boolean | undefined {
    const key = this.#keys.get(this.#cacheKey(password, shared_salt));
    return key && timingSafeEqual(quickHash(key, salt), Buffer.from(hash, 'hex'));
  }

  /** Starts an attempt to unlock events with what a caller sent as a password. */
  attempt(password: unknown, caller = ''): PasswordAttempt {
    const unverified = new Set<string>();
    return {
      isUnlocked: ({ record }) => {
        const { access_password: hash } = record as { readonly access_password?: PasswordHash };
        if (hash === undefined) return true;
        if (typeof password !== 'string' || password === '') return false;
        const isRight = this.verify(password, hash);
        if (isRight === undefined) unverified.add(hash.shared_salt);
        return isRight ?? false;
      },
      isCertain: () => unverified.size === 0,
      prepare: async () => {
        for (const salt of unverified) await this.derive(String(password), salt, caller);
      },
    };
  }

  /** Derives the key of a caller's password, for `verify`. Throws `too-many-passwords` when the queue is full, or after its timeout. */
  derive(password: string, sharedSalt: string, caller = ''): Promise<Buffer> {
    const cacheKey = this.#cacheKey(password, sharedSalt);
    const cached = this.#keys.get(cacheKey);
    if (cached !== undefined) return Promise.resolve(cached);
    const inFlight = this.#inFlight.get(cacheKey);
    if (inFlight !== undefined) return inFlight;
    const key = this.#queue
      .run([caller], async () => {
        const hash = await derive(password, sharedSalt, length);
        this.#keys.set(cacheKey, hash);
        return hash;
      })
      .finally(() => this.#inFlight.delete(cacheKey));
    this.#inFlight.set(cacheKey, key);
    return key;
  }

  /** Returns the key of a derived key in the cache, which does not hold the password. */
  #cacheKey(password: string, sharedSalt: string): string {
    return createHmac('sha256', this.#secret).update(`${sharedSalt}:${password}`).digest('base64');
  }
}

function tooMany(): CodedError {
  const message = 'Cannot check the password: too many passwords are queued.';
  return new CodedError('too-many-passwords', message, { retryAfter: 2 });
}

function newSalt(): string {
  return randomBytes(16).toString('hex');
}

function quickHash(key: Buffer, salt: string): Buffer {
  return createHmac('sha256', key).update(salt).digest();
}
