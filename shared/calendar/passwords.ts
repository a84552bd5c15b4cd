/** Passwords of events: salted hashes (scrypt, RFC 7914), compared in constant time. */

import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { RecentMap } from './recent-map.ts';
import type { PasswordHash } from './records.ts';

const derive = promisify<string, string, number, Buffer>(scrypt);
const length = 32;
/** Answers kept, so that a password that is sent again and again is derived once. */
const keptAnswers = 2000;

/** Gives the hash of a password, with a new salt. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: (await derive(password, salt, length)).toString('hex') };
}

/** Tells which hashes a password opens. Deriving is slow on purpose, so it is done apart, and answers are kept. */
export class PasswordChecker {
  readonly #key = randomBytes(32);
  readonly #answers = new RecentMap<string, boolean>(keptAnswers);

  /** Tells whether a password opens a hash; undefined when that has to be found out first. */
  known(password: string, hash: PasswordHash): boolean | undefined {
    return this.#answers.get(this.#question(password, hash));
  }

  /** Finds out whether a password opens a hash, for `known`. */
  async findOut(password: string, { salt, hash }: PasswordHash): Promise<void> {
    const derived = await derive(password, salt, length);
    this.#answers.set(
      this.#question(password, { salt, hash }),
      timingSafeEqual(derived, Buffer.from(hash, 'hex')),
    );
  }

  /** Names a question without keeping the password. */
  #question(password: string, { hash }: PasswordHash): string {
    return createHmac('sha256', this.#key).update(`${hash}:${password}`).digest('base64');
  }
}
