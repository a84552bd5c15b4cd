import { randomUUID } from 'node:crypto';
import { TableClient } from '@azure/data-tables';
import { describe, expect, inject, type TestContext, test, vi } from 'vitest';
import type { LogOptions, LogSettings } from '../../functions/calendar/log/log.ts';
import {
  caught,
  contents,
  create,
  newCalendar,
  openTestLog,
  put,
  snapshotsOf,
  type TestLog,
} from '../support/calendar-log.ts';
import { eventSizedRecord, fillCalendar } from '../support/fill-calendar.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/http-fault-proxy.ts';
import { scaledByLoad } from '../support/scaled-by-load.ts';
import { localBlobs, localTables } from '../support/shared-emulators.ts';

/** The name of the log is drawn by its first write. */
const anyHistory = { history: expect.any(String) };

/** Starts a proxy for one test: the tests run side by side, since most of their time they wait. */
async function startProxy({ onTestFinished }: TestContext): Promise<FaultProxy> {
  const proxy = await startFaultProxy(inject('tablesPort'));
  onTestFinished(() => proxy.stop());
  return proxy;
}

/** A process behind a proxy, and one that reaches the tables directly. */
async function processes(
  context: TestContext,
  options: Partial<LogOptions> & { staleIfError?: number } = {},
): Promise<{ proxy: FaultProxy; behind: TestLog; direct: TestLog }> {
  const proxy = await startProxy(context);
  const settings = { ...newCalendar(localTables()), staleIfError: options.staleIfError ?? 300 };
  const behind = openTestLog({ ...settings, connectionString: proxy.connectionString }, options);
  return { proxy, behind, direct: openTestLog(settings) };
}

/** The head of a calendar as the table has it. */
function headRow({ connectionString, tableName, calendar }: LogSettings) {
  const options = { allowInsecureConnection: true };
  return TableClient.fromConnectionString(connectionString, tableName, options).getEntity(calendar, 'head');
}

/** A promise, and what fulfils it. */
function gate(): { passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: () => resolve() };
}

const forever = () => new Promise(() => {});
const refused = (status: number, code: string): Fault => ({ refuse: { status, code } });
const serverBusy = refused(503, 'ServerBusy');

const commitFaults: [name: string, fault: Fault][] = [
  ['412 although nothing has changed', refused(412, 'UpdateConditionNotSatisfied')],
  ['409', refused(409, 'EntityAlreadyExists')],
  ['500', refused(500, 'OperationTimedOut')],
  ['503', serverBusy],
  ['504 of a gateway', refused(504, '')],
  ['a connection that ends before the request arrives', { cut: 'request' }],
  ['an answer lost after the write', { cut: 'answer' }],
  ['half an answer after the write', { cut: 'half of the answer' }],
  ['no answer and no write', { before: forever }],
  ['no answer after the write', { after: forever }],
];

describe.concurrent('a write', () => {
  describe.each([
    ['the first of a calendar', 0],
    ['a later one', 2],
  ])('that is %s', (_name, earlier) => {
    test.for(commitFaults)('is done exactly once after %s', async ([_fault, fault], context) => {
      const { proxy, behind, direct } = await processes(context, {
        callTimeout: scaledByLoad(600),
        budget: 60_000,
      });
      for (let count = 0; count < earlier; count++) await create(behind, 'earlier');
      proxy.next('commit', fault, fault);
      expect(await create(behind, 'new')).toBe(earlier + 1);
      expect(await create(behind, 'next')).toBe(earlier + 2);
      await direct.read();
      expect(Object.values(contents(direct.replica))).toEqual([
        ...Array(earlier).fill('earlier'),
        'new',
        'next',
      ]);
      expect(contents(behind.replica)).toEqual(contents(direct.replica));
    });
  });

  test('looks first whether the tables answer again after a read that they did not answer, and then no longer', async (context) => {
    const { proxy, behind } = await processes(context, { callTimeout: 60_000, budget: 60_000 });
    await create(behind, 'one');
    const asked = async (value: string) => {
      const before = proxy.asked.length;
      await create(behind, value);
      return proxy.asked.slice(before);
    };
    expect(await asked('two')).toEqual(['commit']);
    proxy.always(serverBusy);
    expect(await behind.read()).toMatchObject({ stale: true });
    proxy.always(null);
    expect([await asked('three'), await asked('four')]).toEqual([['head', 'commit'], ['commit']]);
  });

  test.for<[number, string]>([
    [63, 'is known to be done'],
    [64, 'may have been done'],
  ])('whose answer is lost and that %i other processes wrote after %s', async ([count, outcome], context) => {
    const settings = newCalendar(localTables());
    const proxy = await startProxy(context);
    const { connectionString } = proxy;
    const timeouts = { callTimeout: 60_000, budget: 120_000 };
    const behind = openTestLog({ ...settings, connectionString }, timeouts);
    await behind.read();
    const otherWrites = async () => {
      for (let number = 1; number <= count; number++) await put(openTestLog(settings), 'event/9', number);
    };
    proxy.next('commit', { cut: 'answer', after: otherWrites });
    const found = await caught(create(behind, 'mine'));
    if (outcome === 'is known to be done') expect(found).toBe(1);
    else
      expect(found).toMatchObject({ kind: 'unavailable', code: 'calendar-outcome-unknown', retryAfter: 2 });
  });

  test('whose answer is lost and that 64 others followed, one of which named a snapshot alone, is not done twice', async (context) => {
    const settings = newCalendar(localTables());
    const proxy = await startProxy(context);
    const { connectionString } = proxy;
    const behind = openTestLog({ ...settings, connectionString }, { callTimeout: 60_000, budget: 120_000 });
    await behind.read();
    const snapshots = snapshotsOf(settings, localBlobs(), 64);
    const otherWrites = async () => {
      for (let number = 1; number <= 63; number++) await put(openTestLog(settings), 'event/9', number);
      const named = openTestLog(settings, { snapshots });
      await expect
        .poll(async () => {
          await named.read();
          return (await headRow(settings))['snapshot'];
        })
        .toBeDefined();
    };
    proxy.next('commit', { cut: 'answer', after: otherWrites });
    expect(await caught(create(behind, 'mine'))).toMatchObject({ code: 'calendar-outcome-unknown' });
    const direct = openTestLog(settings);
    await direct.read();
    expect(Object.values(contents(direct.replica))).toEqual(['mine', 63]);
  });

  test('is done exactly once when its answer is lost and others have overwritten all of it since', async (context) => {
    const { proxy, behind, direct } = await processes(context);
    const otherWrites = [1, 2, 3];
    proxy.next('commit', {
      cut: 'answer',
      after: () => Promise.all(otherWrites.map((n) => put(direct, 'event/1', n))),
    });
    expect(await create(behind, 'mine')).toBe(1);
    await direct.read();
    expect({ behind: contents(behind.replica), direct: contents(direct.replica) }).toEqual({
      behind: { 'event/1': 3 },
      direct: { 'event/1': 3 },
    });
  });

  test('is done exactly once when a first copy arrives after it was looked for in vain', async (context) => {
    const { proxy, behind, direct } = await processes(context);
    await create(behind, 'earlier');
    const resent = gate();
    const late = gate();
    const arrived = async () => {
      await resent.passed;
    };
    proxy.next('commit', { cut: 'request', before: arrived, after: async () => late.open() });
    proxy.next('commit', {
      before: () => {
        resent.open();
        return late.passed;
      },
    });
    expect(await create(behind, 'new')).toBe(2);
    await direct.read();
    expect(contents(direct.replica)).toEqual({ 'event/1': 'earlier', 'event/2': 'new' });
  });

  test('that was given up and arrives later does not hide behind the next one', async (context) => {
    const { proxy, behind, direct } = await processes(context, { budget: scaledByLoad(3_000) });
    await create(behind, 'earlier');
    const back = gate();
    proxy.next('commit', { cut: 'request', before: () => back.passed });
    proxy.always(serverBusy);
    expect(await caught(create(behind, 'given up'))).toMatchObject({
      kind: 'unavailable',
      code: 'calendar-outcome-unknown',
    });
    proxy.always(null);
    proxy.next('commit', {
      before: async () => {
        back.open();
        while ((await direct.read()).version < 2);
      },
    });
    expect(await create(behind, 'next')).toBe(3);
    await direct.read();
    expect(contents(direct.replica)).toEqual({
      'event/1': 'earlier',
      'event/2': 'given up',
      'event/3': 'next',
    });
  });

  describe.each<[string, Fault]>([
    ['whose connection ended', { cut: 'request', before: forever }],
    ['that the tables were too busy for', serverBusy],
  ])('with a first attempt %s', (_name, first) => {
    test.for<[string, Fault]>([
      ['found another tag', refused(412, 'UpdateConditionNotSatisfied')],
      ['was refused as a conflict', refused(409, 'EntityAlreadyExists')],
      ['found the table going', refused(409, 'TableBeingDeleted')],
    ])(
      'may have been done, though the next one %s before the tables fell silent',
      async ([_what, second], context) => {
        const { proxy, behind } = await processes(context, { budget: scaledByLoad(3_000) });
        await create(behind, 'earlier');
        proxy.next('commit', first, second);
        proxy.next('head', {}, ...Array<Fault>(10_000).fill(serverBusy));
        expect(await caught(create(behind, 'new'))).toMatchObject({
          kind: 'unavailable',
          code: 'calendar-outcome-unknown',
          retryAfter: 2,
        });
      },
    );
  });

  test.for<[string, Fault]>([
    ['refused as a conflict', refused(412, 'UpdateConditionNotSatisfied')],
    ['a table that was going', refused(409, 'TableBeingDeleted')],
  ])(
    'was not done when all that it met was %s before the tables fell silent',
    async ([_what, fault], context) => {
      const { proxy, behind } = await processes(context, { budget: scaledByLoad(3_000) });
      await create(behind, 'earlier');
      proxy.next('commit', fault, fault);
      proxy.next('head', {}, ...Array<Fault>(10_000).fill(serverBusy));
      expect(await caught(create(behind, 'new'))).toMatchObject({
        kind: 'unavailable',
        code: 'calendar-unavailable',
        retryAfter: 2,
      });
    },
  );

  test('is 503 while the tables refuse everything, and nothing is left in the queue', async (context) => {
    const { proxy, behind } = await processes(context, { budget: scaledByLoad(3_000) });
    await create(behind, 'earlier');
    proxy.always({ cut: 'request' });
    const errors = await Promise.all([create(behind, 'a'), create(behind, 'b')].map(caught));
    expect(errors).toMatchObject([
      { kind: 'unavailable', retryAfter: 2 },
      { kind: 'overloaded', retryAfter: 1 },
    ]);
    proxy.always(null);
    await create(behind, 'after');
    expect(Object.values(contents(behind.replica))).toEqual(['earlier', 'after']);
  });
});

describe.concurrent('a read', () => {
  const readFaults: [name: string, fault: Fault][] = [
    ['500', refused(500, 'InternalError')],
    ['503', serverBusy],
    ['a connection that ends', { cut: 'request' }],
    ['half an answer', { cut: 'half of the answer' }],
    ['no answer', { before: forever }],
  ];
  test.for(readFaults)('is fresh after %s', async ([_name, fault], context) => {
    const { proxy, behind, direct } = await processes(context, {
      callTimeout: scaledByLoad(600),
      budget: 60_000,
    });
    await create(direct, 'one');
    proxy.next('head', fault);
    proxy.next('page', fault);
    expect(await behind.read()).toEqual({ version: 1, ...anyHistory, stale: false, age: 0 });
    expect(contents(behind.replica)).toEqual({ 'event/1': 'one' });
  });

  test.for<[string, number]>([
    ['503', 503],
    ['429', 429],
  ])('of a long log ends, however often the tables answer %s meanwhile', async ([_name, status], context) => {
    const { proxy, behind, direct } = await processes(context, { budget: 60_000 });
    await fillCalendar(direct, 2_500, eventSizedRecord);
    const busy: Fault = { refuse: { status, code: 'ServerBusy' } };
    const forOneSecond: Fault = { refuse: { status, code: 'ServerBusy', retryAfter: 1 } };
    proxy.next('page', {}, busy, busy, busy, busy, busy, busy, busy, busy, busy, {}, forOneSecond);
    const start = performance.now();
    expect(await behind.read()).toMatchObject({ version: 2_500, stale: false });
    expect(performance.now() - start).toBeGreaterThan(1_000);
    expect(contents(behind.replica)).toEqual(contents(direct.replica));
  });

  test('that failed continues where it was, and nobody is answered from a part', async (context) => {
    const { proxy, behind, direct } = await processes(context, { budget: 60_000 });
    await fillCalendar(direct, 2_500, eventSizedRecord);
    proxy.next('page', {}, ...Array.from({ length: 12 }, (): Fault => ({ cut: 'request' })));
    expect(await caught(behind.read())).toMatchObject({
      code: 'calendar-unavailable',
      message: 'Cannot read the calendar: it is still being loaded.',
      retryAfter: 2,
    });
    const { version, ...progress } = behind.progress();
    expect(progress).toEqual({ wanted: 2_500, records: version, isWhole: false });
    expect(version).toBeGreaterThan(0);
    proxy.forget();
    const clear = vi.spyOn(behind.replica, 'clear');
    expect(await behind.read()).toMatchObject({ version: 2_500, stale: false });
    expect(clear).not.toHaveBeenCalled();
    expect(behind.replica.versions).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
  });

  test.for<[string, Fault]>([
    ['is being deleted', refused(409, 'TableBeingDeleted')],
    ['cannot be made yet', serverBusy],
  ])('waits for a table that %s', async ([_name, fault], context) => {
    const { proxy, behind } = await processes(context);
    proxy.next('head', refused(404, 'TableNotFound'), refused(404, 'TableNotFound'));
    proxy.next('other', fault, refused(409, 'TableAlreadyExists'));
    expect(await behind.read()).toEqual({ version: 0, ...anyHistory, stale: false, age: 0 });
  });

  test('goes on after empty and short pages', async (context) => {
    const { proxy, behind, direct } = await processes(context);
    for (let count = 0; count < 5; count++) await create(direct, count);
    proxy.next('page', { emptyPage: true }, { emptyPage: true }, { rowsPerPage: 2 }, { rowsPerPage: 1 });
    expect(await behind.read()).toEqual({ version: 5, ...anyHistory, stale: false, age: 0 });
    expect(Object.values(contents(behind.replica))).toEqual([0, 1, 2, 3, 4]);
  });

  /** Begins a read whose answer from the tables is held back until `release` is called. */
  async function readInFlight(context: TestContext) {
    const all = await processes(context);
    await all.behind.read();
    const replied = gate();
    const blocked = gate();
    const after = () => {
      replied.open();
      return blocked.passed;
    };
    all.proxy.next('head', { after });
    const early = all.behind.read();
    await replied.passed;
    return { ...all, early, release: blocked.open };
  }

  test('that comes while the head is being read sees what was written since that was asked', async (context) => {
    const { behind, direct, early, release } = await readInFlight(context);
    await create(direct, 'new');
    const later = behind.read();
    release();
    expect(await early).toEqual({ version: 0, ...anyHistory, stale: false, age: 0 });
    expect(await later).toEqual({ version: 1, ...anyHistory, stale: false, age: 0 });
  });

  test('shares one point read with all that come while one is in flight', async (context) => {
    const { proxy, behind, early, release } = await readInFlight(context);
    const before = proxy.asked.length;
    const otherReads = Array.from({ length: 50 }, () => behind.read());
    release();
    await Promise.all([early, ...otherReads]);
    expect(proxy.asked.slice(before)).toEqual(['head']);
  });
});

describe.concurrent('while the tables are unreachable', () => {
  function clock() {
    let milliseconds = 0;
    return { now: () => milliseconds, pass: (seconds: number) => (milliseconds += seconds * 1_000) };
  }

  const outages: [name: string, fault: Fault][] = [
    ['end every connection', { cut: 'request' }],
    ['are too busy', serverBusy],
    ['do not answer', { before: forever }],
  ];
  test.for(outages)(
    'reads are stale for a time, then 503, and fresh again without a restart, when they %s',
    async ([_name, fault], context) => {
      const { now, pass } = clock();
      const { proxy, behind, direct } = await processes(context, {
        now,
        staleIfError: 60,
        callTimeout: scaledByLoad(500),
        budget: scaledByLoad(3_000),
      });
      await create(direct, 'one');
      await behind.read();
      proxy.always(fault);
      pass(10);
      expect(await behind.read()).toEqual({ version: 1, ...anyHistory, stale: true, age: 10 });
      await create(direct, 'two');
      pass(50);
      expect(await behind.read()).toEqual({ version: 1, ...anyHistory, stale: true, age: 60 });
      expect(contents(behind.replica)).toEqual({ 'event/1': 'one' });
      pass(1);
      expect(await caught(behind.read())).toMatchObject({
        kind: 'unavailable',
        code: 'calendar-unavailable',
        retryAfter: 2,
      });
      expect(await caught(create(behind, 'three'))).toMatchObject({ kind: 'unavailable' });
      proxy.always(null);
      await context.expect
        .poll(() => behind.read())
        .toEqual({ version: 2, ...anyHistory, stale: false, age: 0 });
    },
  );

  test('the age of what is read counts from when the tables were asked, not from their answer', async (context) => {
    const { now, pass } = clock();
    const { proxy, behind } = await processes(context, { now });
    await create(behind, 'one');
    proxy.next('head', { after: async () => pass(7) });
    expect(await behind.read()).toMatchObject({ stale: false, age: 0 });
    proxy.always({ cut: 'request' });
    pass(3);
    expect(await behind.read()).toMatchObject({ stale: true, age: 10 });
  });

  test('a cold process answers 503, and loads when they are back', async (context) => {
    const { proxy, behind, direct } = await processes(context, {
      callTimeout: scaledByLoad(200),
      budget: scaledByLoad(300),
    });
    await create(direct, 'one');
    proxy.always({ cut: 'request' });
    expect(await caught(behind.read())).toMatchObject({ kind: 'unavailable', retryAfter: 2 });
    proxy.always(null);
    await context.expect
      .poll(() => behind.read().catch(() => null))
      .toEqual({ version: 1, ...anyHistory, stale: false, age: 0 });
  });

  test('a table storage that does not exist at all is 503 too', async () => {
    const nobody = localTables().replaceAll(String(inject('tablesPort')), '1');
    const log = openTestLog(newCalendar(nobody), { budget: scaledByLoad(3_000) });
    const errors = await Promise.all([log.read(), create(log, 'x')].map(caught));
    expect(errors).toMatchObject(Array(2).fill({ kind: 'unavailable', code: 'calendar-unavailable' }));
  });
});

describe.concurrent('when the table is gone', () => {
  async function withoutTable() {
    const settings = { ...newCalendar(localTables()), tableName: `t${randomUUID().replaceAll('-', '')}` };
    const log = openTestLog(settings);
    for (const value of ['one', 'two']) await create(log, value);
    await TableClient.fromConnectionString(settings.connectionString, settings.tableName, {
      allowInsecureConnection: true,
    }).deleteTable();
    return { log, other: openTestLog(settings) };
  }

  test('the calendar is empty, and can be written to again', async () => {
    const { log } = await withoutTable();
    expect(await log.read()).toEqual({ version: 0, ...anyHistory, stale: false, age: 0 });
    expect(contents(log.replica)).toEqual({});
    expect(await create(log, 'anew')).toBe(1);
  });

  test('a write finds the empty calendar', async () => {
    const { log } = await withoutTable();
    expect(await create(log, 'anew')).toBe(1);
    expect(contents(log.replica)).toEqual({ 'event/1': 'anew' });
  });

  test('and another has taken its place, that one is loaded, also when it is longer', async () => {
    const { log, other } = await withoutTable();
    for (const value of ['a', 'b', 'c']) await create(other, value);
    expect(await log.read()).toEqual({ version: 3, ...anyHistory, stale: false, age: 0 });
    expect(contents(log.replica)).toEqual({ 'event/1': 'a', 'event/2': 'b', 'event/3': 'c' });
  });
});
