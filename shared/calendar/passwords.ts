/**
 * Passwords of events. A slow salted hash (scrypt, RFC 7914) makes a key of a password, once for all events that share
 * its salt; a quick one (HMAC-SHA-256, RFC 2104) of the event's own salt under that key is kept with the event. So a list
 * costs one slow hash for a password that is tried, however many events it holds. Hashes are compared in constant time.
 */

import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { CodedError } from '../errors.ts';
import type { PasswordHash } from './model/records.ts';
import { RecentMap } from './recent-map.ts';

const derive = promisify<string, string, number, Buffer>(scrypt);
/** Bytes of a key. */
const length = 32;
/** Passwords that wait for their key, at the most: some seconds of work. */
const longestQueue = 30;
/** Keys kept, so that a password that is sent again and again is derived once. */
const keptKeys = 2000;

export class EventPasswords {
  readonly #secret = randomBytes(32);
  readonly #keys = new RecentMap<string, Buffer>(keptKeys);
  readonly #underWay = new Map<string, Promise<Buffer>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Gives the hash of a password, with a new salt of its own. `sharedSalt` is that of other passwords of the calendar. */
  async hash(password: string, sharedSalt = newSalt()): Promise<PasswordHash> {
    const salt = newSalt();
    const key = await this.derive(password, sharedSalt);
    return { shared_salt: sharedSalt, salt, hash: quickHash(key, salt).toString('hex') };
  }

  /** Tells whether a password opens a hash; undefined while its key has to be derived first. */
  opens(password: string, { shared_salt, salt, hash }: PasswordHash): boolean | undefined {
    const key = this.#keys.get(this.#question(password, shared_salt));
    return key && timingSafeEqual(quickHash(key, salt), Buffer.from(hash, 'hex'));
  }

  /** Derives the key of a password, for `opens`. Deriving takes a processor for some time, so it is done for one password after another; throws `too-many-passwords` when too many wait. */
  async derive(password: string, sharedSalt: string): Promise<Buffer> {
    const question = this.#question(password, sharedSalt);
    const known = this.#keys.get(question);
    if (known !== undefined) return known;
    const underWay = this.#underWay.get(question);
    if (underWay !== undefined) return underWay;
    if (this.#underWay.size >= longestQueue) throw tooMany();
    const next = this.#next(password, sharedSalt, question);
    this.#underWay.set(question, next);
    return next;
  }

  async #next(password: string, sharedSalt: string, question: string): Promise<Buffer> {
    const derived = this.#last.then(() => derive(password, sharedSalt, length));
    this.#last = derived.catch(() => {});
    try {
      const key = await derived;
      this.#keys.set(question, key);
      return key;
    } finally {
      this.#underWay.delete(question);
    }
  }

  /** Names a question without keeping the password. */
  #question(password: string, sharedSalt: string): string {
    return createHmac('sha256', this.#secret).update(`${sharedSalt}:${password}`).digest('base64');
  }
}

function tooMany(): CodedError {
  const message = 'Cannot check the password: too many others are being checked.';
  return new CodedError('too-many-passwords', message, { retryAfter: 2 });
}

function newSalt(): string {
  return randomBytes(16).toString('hex');
}

function quickHash(key: Buffer, salt: string): Buffer {
  return createHmac('sha256', key).update(salt).digest();
}
