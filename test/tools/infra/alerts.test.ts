/** The queries of alerts, run on rows of which each must fire, and on rows of which it must not. */

import { describe, expect, test } from 'vitest';
import alerts from '../../../infra/queries/alerts.json' with { type: 'json' };
import { type Row, runQuery, type Tables } from '../../support/kusto-rows.ts';

const now = Date.UTC(2026, 0, 31, 12);
const minutesAgo = (minutes: number) => now - minutes * 60_000;

/** A line of the app, kept for `itemCount` of its kind. */
const line = (entry: object, minutes = 1, itemCount = 1): Row => ({
  timestamp: minutesAgo(minutes),
  message: JSON.stringify(entry),
  itemCount,
});
const request = (entry: object, minutes?: number, itemCount?: number) =>
  line(
    { event: 'request', route: 'api/v8.0/documents/{id}', status: 200, milliseconds: 20, ...entry },
    minutes,
    itemCount,
  );
const times = (count: number, row: Row): Row[] => Array.from({ length: count }, () => row);
const failing = (minutes?: number) => request({ status: 500, code: 'internal-error' }, minutes);
const overloaded = request({ status: 503, code: 'overloaded' });
const slow = (milliseconds: number, minutes?: number) => request({ milliseconds }, minutes);
const traces = (...rows: readonly (readonly Row[])[]): Tables => ({ traces: rows.flat() });
const message = (text: string, instance = 'one'): Row => ({
  timestamp: now,
  message: text,
  itemCount: 1,
  cloud_RoleInstance: instance,
});
const heldUp = (instance: string, ...ago: readonly number[]) =>
  ago.map((minutes) => ({
    ...line({ event: 'event-loop', delay: 1.2 }, minutes),
    cloud_RoleInstance: instance,
  }));
const caller = (status: number, minutes: number, more: object = {}) =>
  times(20, request({ status, objectId: 'a-program', ...more }, minutes));
const written = (more: object = {}): Tables => ({
  StorageBlobLogs: [
    {
      OperationName: 'PutBlockList',
      Uri: 'https://stbackup.blob.core.windows.net:443/backups/default/20260131T014300.jsonl?comp=blocklist',
      StatusCode: '201',
      ...more,
    },
  ],
});
const operation = (more: object = {}): Tables => ({
  _LogOperation: [
    { Category: 'Ingestion', Operation: 'Data collection stopped', Detail: 'OverQuota', ...more },
  ],
});

/** By alert: rows of which it fires, and rows of which it does not. */
const cases: Readonly<
  Record<string, Readonly<Record<'fires' | 'is silent', Readonly<Record<string, Tables>>>>>
> = {
  'failed-requests': {
    fires: {
      'one in ten failed': traces(times(90, request({})), times(10, failing())),
      'kept lines stand for as many': traces(
        [request({}, 1, 90)],
        [request({ status: 503, code: 'database-unavailable' }, 1, 10)],
      ),
    },
    'is silent': {
      'one in twenty failed': traces(times(190, request({})), times(10, failing())),
      'there are few': traces(times(40, request({})), times(40, failing())),
      'a flood is refused': traces(times(90, request({})), times(50, overloaded)),
      'callers make mistakes': traces(times(90, request({})), times(50, request({ status: 404 }))),
    },
  },
  'event-loop-delay': {
    fires: { 'an instance was held up in three minutes': traces(heldUp('one', 1, 5, 9)) },
    'is silent': {
      'it was held up in two': traces(heldUp('one', 1, 5)),
      'two instances were': traces(heldUp('one', 1, 5), heldUp('two', 1, 5)),
    },
  },
  'slow-requests': {
    fires: { 'six in a hundred are slow': traces(times(94, request({})), times(6, slow(2001))) },
    'is silent': {
      'four in a hundred are slow': traces(times(96, request({})), times(4, slow(60_000))),
      'they take two seconds': traces(times(90, request({})), times(10, slow(2000))),
      'failures are slow': traces(
        times(100, request({})),
        times(50, request({ status: 503, milliseconds: 10_000 })),
      ),
    },
  },
  'unknown-failures': {
    fires: { 'there are three': traces(times(3, line({ event: 'failure' }))) },
    'is silent': {
      'there are two': traces(times(2, line({ event: 'failure' }))),
      'they are known': traces(times(9, failing())),
    },
  },
  'lost-rights': {
    fires: { 'a caller that was served is refused': traces(caller(200, 200), caller(403, 10)) },
    'is silent': {
      'a caller that was refused is served': traces(caller(403, 200), caller(200, 10)),
      'one was never served': traces(caller(401, 10)),
      'two callers are meant': traces(caller(200, 200), caller(403, 10, { objectId: 'another' })),
      'nobody says who calls': traces(caller(200, 200, { objectId: '' }), caller(401, 10, { objectId: '' })),
      'it is the calendar': traces(
        caller(200, 200, { route: 'api/tribe/events/v1/events' }),
        caller(403, 10, { route: 'api/tribe/events/v1/events' }),
      ),
    },
  },
  'nothing-loaded': {
    fires: {
      'the host says so': traces([message('0 functions loaded')]),
      'it finds none': traces([message('Host: 0 functions found (Custom)')]),
    },
    'is silent': { 'there are ten': traces([message('10 functions loaded')]) },
  },
  'worker-crashes': {
    fires: {
      'one instance crashes three times': traces(times(3, message('Language Worker Process exited. Pid=1.'))),
    },
    'is silent': {
      'three instances crash once': traces(
        ['one', 'two', 'three'].map((name) => message('node exited with code 1', name)),
      ),
    },
  },
  'availability-burns-fast': {
    fires: { 'one in ten fails, and lately': traces(times(90, request({})), times(10, failing())) },
    'is silent': {
      'it is over': traces(times(10, failing(30)), times(90, request({}))),
      'one in twenty fails': traces(times(190, request({})), times(10, failing())),
      'callers made mistakes': traces(
        times(100, request({ status: 404 }, 30)),
        times(90, request({})),
        times(10, failing()),
      ),
      'a flood is refused': traces(times(90, request({})), times(50, overloaded)),
    },
  },
  'availability-burns-slowly': {
    fires: { 'one in twenty fails, and lately': traces(times(190, request({}, 20)), times(10, failing(20))) },
    'is silent': {
      'it is over': traces(times(10, failing(120)), times(190, request({}, 20))),
      'one in fifty fails': traces(times(490, request({})), times(10, failing())),
      'callers made mistakes': traces(
        times(400, request({ status: 404 }, 120)),
        times(90, request({}, 20)),
        times(10, failing(20)),
      ),
      'a flood is refused': traces(times(90, request({})), times(50, overloaded)),
    },
  },
  'latency-burns-fast': {
    fires: { 'three in four are slow, and lately': traces(times(25, request({})), times(75, slow(1001))) },
    'is silent': {
      'it is over': traces(times(75, slow(5000, 30)), times(25, request({}))),
      'half are slow': traces(times(100, request({})), times(100, slow(5000))),
      'they take a second': traces(times(25, request({})), times(75, slow(1000))),
    },
  },
  'latency-burns-slowly': {
    fires: { 'half are slow, and lately': traces(times(50, request({}, 20)), times(50, slow(1001, 20))) },
    'is silent': {
      'it is over': traces(times(50, slow(5000, 120)), times(50, request({}, 20))),
      'one in five is slow': traces(times(80, request({})), times(20, slow(5000))),
      'failures are slow': traces(
        times(100, request({})),
        times(90, request({ status: 503, milliseconds: 10_000 })),
      ),
    },
  },
  'log-quota-used-up': {
    fires: {
      'ingestion has stopped': operation({ Detail: '' }),
      'it is over the quota': operation({ Operation: 'Other' }),
    },
    'is silent': {
      'something else is told': operation({ Operation: 'Data collection status', Detail: 'Resumed' }),
      'queries are meant': operation({ Category: 'Query' }),
      'nothing is told': { _LogOperation: [] },
    },
  },
  'calendar-backup-missing': {
    fires: {
      'nothing was written': { StorageBlobLogs: [] },
      'the write was refused': written({ StatusCode: '403' }),
      'blocks of a file were written, and not their list': written({ OperationName: 'PutBlock' }),
      'only a picture was copied': written({
        Uri: 'https://stbackup.blob.core.windows.net:443/pictures/default/a.png',
      }),
      'an old one was removed': written({ OperationName: 'DeleteBlob' }),
    },
    'is silent': {
      'a backup has ended': written(),
      'a small one has ended': written({ OperationName: 'PutBlob' }),
    },
  },
};

test('every log alert has rows of which it fires, and of which it does not', () => {
  expect(Object.keys(cases).sort()).toEqual(alerts.logAlerts.map(({ name }) => name).sort());
});

const all = alerts.logAlerts.flatMap(({ name, query }) =>
  (['fires', 'is silent'] as const).flatMap((how) =>
    Object.entries(cases[name]?.[how] ?? {}).map(([when, rows]) => [name, how, when, query, rows] as const),
  ),
);

describe('the alert', () => {
  test.each(all)('%s %s when %s', (_, how, __, query, rows) => {
    expect(runQuery(query, rows, now).length > 0 ? 'fires' : 'is silent').toBe(how);
  });
});
