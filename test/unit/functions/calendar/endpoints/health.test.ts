import { describe, expect, test } from 'vitest';
import { calendarOf } from '../../../../../functions/calendar/endpoints/calendar-api.ts';
import { calendarDependency } from '../../../../../functions/calendar/endpoints/health.ts';
import { readConfig } from '../../../../../shared/config.ts';

/** The dependency of a calendar whose tables were last reached the given number of seconds ago; 0 is now. */
function dependencyAged(age: number, reachedAt = 0) {
  return calendarDependency(() => ({
    freshness: () => Promise.resolve({ version: 1, history: '', stale: age > 0, age }),
    progress: () => ({ version: 1, wanted: 1, records: 1, isWhole: true }),
    reachedAt: () => reachedAt,
  }));
}

/** The dependency of a calendar that is being loaded, up to a version. */
function dependencyLoading(wanted: number) {
  return calendarDependency(() => ({
    freshness: () => Promise.reject(new Error('The load has not ended.')),
    progress: () => ({ version: 3, wanted, records: 2, isWhole: false }),
    reachedAt: () => 0,
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

  test('has recovered once a call has reached the tables since it began to fail', () => {
    const since = '2031-05-01T10:00:00.000Z';
    const failing = { state: 'failing', since, milliseconds: 1, threshold: 1 } as const;
    const hasRecovered = (at: string) => dependencyAged(1, Date.parse(at)).hasRecovered?.(failing);
    expect(['2031-05-01T09:59:59Z', '2031-05-01T10:00:01Z'].map(hasRecovered)).toEqual([false, true]);
  });

  test('tells the age of the replica either way', async () => {
    const replica = { version: 1, wanted: 1, records: 1 };
    expect(await dependencyAged(0).details?.['replica']?.read()).toEqual({ ...replica, age: 0 });
    expect(await dependencyAged(42).details?.['replica']?.read()).toEqual({ ...replica, age: 42 });
  });

  test('tells how far a load is, without waiting for its end', async () => {
    expect(dependencyLoading(9).silent()).toMatchObject({
      code: 'calendar-unavailable',
      message: 'Cannot read the calendar: it is still being loaded (version 3 of 9, 2 records).',
    });
    expect(dependencyLoading(0).silent()).toMatchObject({ code: 'tables-unreachable' });
    expect(await dependencyLoading(9).details?.['replica']?.read()).toEqual({
      version: 3,
      wanted: 9,
      records: 2,
    });
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
