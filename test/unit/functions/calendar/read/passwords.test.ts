import { describe, expect, test, vi } from 'vitest';
import { anonymous } from '../../../../../functions/calendar/model/rights.ts';
import { siteOf } from '../../../../../functions/calendar/model/site.ts';
import type { PasswordHash } from '../../../../../functions/calendar/model/values.ts';
import { Calendar } from '../../../../../functions/calendar/operations/calendar.ts';
import {
  ReplicaSession,
  type SessionOptions,
} from '../../../../../functions/calendar/operations/replica-session.ts';
import { EventPasswords } from '../../../../../functions/calendar/read/passwords.ts';

const published = '2026-01-01 00:00:00';

describe('EventPasswords', () => {
  test('opens what was hashed with the same password, and nothing else', async () => {
    const passwords = new EventPasswords();
    const hash = await passwords.hash('sesame');
    const elsewhere = new EventPasswords();
    expect(elsewhere.verify('sesame', hash)).toBeUndefined();
    await elsewhere.derive('sesame', hash.shared_salt);
    await elsewhere.derive('Sesame', hash.shared_salt);
    expect([elsewhere.verify('sesame', hash), elsewhere.verify('Sesame', hash)]).toEqual([true, false]);
  });

  test('hashes one password to different texts, without the password in them', async () => {
    const passwords = new EventPasswords();
    const first = await passwords.hash('sesame');
    const second = await passwords.hash('sesame', first.shared_salt);
    expect(new Set([first.hash, second.hash, first.salt, second.salt, first.shared_salt]).size).toBe(5);
    expect(JSON.stringify([first, second])).not.toContain('sesame');
  });

  test('derives a password once for all events that share its salt, and once for all who ask meanwhile', async () => {
    const author = new EventPasswords();
    const first = await author.hash('one');
    const hashes = [
      first,
      ...(await Promise.all(['one', 'two'].map((password) => author.hash(password, first.shared_salt)))),
    ];
    const reader = new EventPasswords();
    const asked = [1, 2, 3].map(() => reader.derive('one', first.shared_salt));
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(hashes.map((hash) => reader.verify('one', hash))).toEqual([true, true, false]);
  });

  test('queues 100 passwords, rejects one more of the caller with most, and serves another caller before them', async () => {
    const passwords = new EventPasswords();
    const ends: string[] = [];
    const end = (name: string) => () => void ends.push(name);
    const flood = Array.from({ length: 101 }, (_, index) =>
      passwords.derive(`p${index}`, 'a1', 'guesser').then(end('guesser'), ({ code }) => end(code)()),
    );
    const rejected = passwords.derive('one more', 'a1', 'guesser');
    await expect(rejected).rejects.toMatchObject({ code: 'too-many-passwords', retryAfter: 2 });
    await passwords.derive('sesame', 'a1', 'reader').then(end('reader'));
    expect(ends.filter((end) => end === 'guesser').length).toBeLessThan(3);
    await Promise.all(flood);
    expect(ends).toContain('too-many-passwords');
    expect(await passwords.derive('sesame', 'a1')).toBe(await passwords.derive('sesame', 'a1', 'reader'));
    expect(await passwords.derive('one more', 'a1', 'guesser')).toHaveLength(32);
  });

  test('derives the next one although one before could not be derived', async () => {
    const passwords = new EventPasswords();
    const broken = passwords.derive('sesame', null as never);
    const next = passwords.derive('sesame', 'a1');
    await expect(broken).rejects.toThrow(TypeError);
    expect(await next).toHaveLength(32);
  });

  test('keeps what it derived, for the salt that it was derived with', async () => {
    const passwords = new EventPasswords();
    const hash = await passwords.hash('sesame');
    const elsewhere = { ...hash, shared_salt: `${hash.shared_salt}0` };
    expect([passwords.verify('sesame', hash), passwords.verify('sesame', elsewhere)]).toEqual([
      true,
      undefined,
    ]);
  });
});

/** What a calendar is made with that has one event with a password, whose hash is given. */
function optionsWith(access_password: PasswordHash): SessionOptions {
  const event = {
    kind: 'event',
    id: 1,
    author: 1,
    status: 'publish',
    title: 'x',
    slug: 'x',
    timezone: 'UTC',
    date: published,
    date_utc: published,
    modified: published,
    modified_utc: published,
    start_date: published,
    end_date: published,
    utc_start_date: published,
    utc_end_date: published,
    access_password,
  };
  return {
    site: siteOf('https://calendar.example.org', 'UTC'),
    openLog(replica) {
      replica.apply([{ key: 'event/1', json: JSON.stringify(event), version: 1 }]);
      return {
        read: () => Promise.resolve({ version: 1, history: '', stale: false, age: 0 }),
        write: () => Promise.reject(new TypeError('Nothing is written here.')),
        progress: () => ({ version: 1, wanted: 1, records: 1, isWhole: true }),
        close() {},
      };
    },
  };
}

describe('ReplicaSession.hashPassword()', () => {
  test('takes the shared salt of the passwords that the calendar has', async () => {
    const session = new ReplicaSession(optionsWith({ shared_salt: 'a1', salt: 'b2', hash: 'c3' }));
    const hash = await session.hashPassword('sesame', {});
    expect([hash.shared_salt, hash.salt === 'b2']).toEqual(['a1', false]);
  });
});

test('a read derives the key of a password once', async () => {
  const calendar = new Calendar(optionsWith(await new EventPasswords().hash('sesame')));
  const derive = vi.spyOn(EventPasswords.prototype, 'derive');
  const request = { caller: anonymous, root: '', language: undefined };
  const read = (parameters = {}) =>
    calendar.read('event', { id: 1 }, { ...request, parameters }).then(
      () => derive.mock.calls.length,
      ({ code }) => [code, derive.mock.calls.length],
    );
  const locked = 'event-password-protected';
  expect(await read()).toEqual([locked, 0]);
  for (const _ of ['first', 'again']) expect(await read({ password: 'wrong' })).toEqual([locked, 1]);
  for (const _ of ['first', 'again']) expect(await read({ password: 'sesame' })).toBe(2);
});
