import { describe, expect, test } from 'vitest';
import { calendarOf } from '../../../../functions/calendar/calendar-api.ts';
import { calendarDependency } from '../../../../functions/calendar/health.ts';
import { readConfig } from '../../../../shared/config.ts';

/** The dependency of a calendar whose tables were last reached the given number of seconds ago; 0 is now. */
function dependencyAged(age: number) {
  return calendarDependency(() => ({
    freshness: () => Promise.resolve({ version: 1, history: '', stale: age > 0, age }),
  }));
}

describe('calendarDependency()', () => {
  test('is ready while the tables answer, and fails while reads are answered from memory', async () => {
    await expect(dependencyAged(0).check()).resolves.toBeUndefined();
    await expect(dependencyAged(1).check()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'tables-unreachable',
    });
  });

  test('tells the age of the replica either way', async () => {
    expect(await dependencyAged(0).details?.['replica']?.read()).toEqual({ version: 1, age: 0 });
    expect(await dependencyAged(42).details?.['replica']?.read()).toEqual({ version: 1, age: 42 });
  });
});

test('calendarOf() signs in to the table service with the managed identity, which goes over TLS only', async () => {
  const { calendar, closeCalendar } = calendarOf(
    readConfig({ CALENDAR_TABLE_ENDPOINT: 'http://127.0.0.1' }),
    500,
  );
  await expect(calendar().freshness()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('CALENDAR_TABLE_ENDPOINT is not usable: it must start with https:'),
  });
  closeCalendar();
});
