import { describe, expect, test } from 'vitest';
import { Calendar } from '../../../../shared/calendar/calendar.ts';
import { siteOf } from '../../../../shared/calendar/model/site.ts';

/** A calendar whose tables were last reached so many seconds ago; 0 is now. */
function calendarAged(age: number): Calendar {
  return new Calendar({
    site: siteOf('https://calendar.example.org', 'UTC'),
    openLog: () => ({
      read: () => Promise.resolve({ version: 1, stale: age > 0, age }),
      write: () => Promise.reject(new TypeError('Nothing is written here.')),
      close() {},
    }),
  });
}

describe('Calendar.check()', () => {
  test('resolves while the tables answer, and rejects while reads are answered from memory', async () => {
    await expect(calendarAged(0).check()).resolves.toBeUndefined();
    await expect(calendarAged(1).check()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'tables-unreachable',
    });
  });
});
