import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LogOptions, LogSettings } from '../../functions/calendar/log/log.ts';
import { newCalendar, openTestLog, put, snapshotsOf, type TestLog } from '../support/calendar-log.ts';
import { type CalendarProcess, useProcesses } from '../support/calendar-processes.ts';
import { eventSizedRecord, fillCalendar } from '../support/fill-calendar.ts';
import { type Action, act, type Step, violations } from '../support/history.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/http-fault-proxy.ts';
import { fc, numRuns } from '../support/properties.ts';
import { localBlobs, localTables } from '../support/shared-emulators.ts';

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy(inject('tablesPort'));
});
afterAll(() => proxy.stop());

const keys = ['a', 'b', 'c'];
const action = fc.oneof(
  fc.constant<Action>({ kind: 'read' }),
  fc.constant<Action>({ kind: 'create' }),
  fc.constantFrom(...keys).map((key): Action => ({ kind: 'put', key })),
  fc.constantFrom(...keys).map((key): Action => ({ kind: 'delete', key })),
);
/** What each process does, one action after the other. */
const program = fc.array(fc.array(action, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });

const transient: Fault[] = [
  {},
  { refuse: { status: 503, code: 'ServerBusy' } },
  { cut: 'request' },
  { cut: 'answer' },
  { cut: 'half of the answer' },
];
const readFault = fc.constantFrom<Fault>(...transient);
const commitFault = fc.constantFrom<Fault>(...transient, {
  refuse: { status: 412, code: 'UpdateConditionNotSatisfied' },
});
/** Few enough for every call to succeed in the end. */
const faults = fc.record({
  head: fc.array(readFault, { maxLength: 3 }),
  page: fc.array(readFault, { maxLength: 3 }),
  commit: fc.array(commitFault, { maxLength: 6 }),
});

/** What a process that comes later finds, with a snapshot or without: the same. */
async function finalState(settings: LogSettings): Promise<ReadonlyMap<string, string>> {
  const [log, fromSnapshot] = [openTestLog(settings), openTestLog(settings, keepingSnapshots(settings))];
  await Promise.all([log.read(), fromSnapshot.read()]);
  expect(fromSnapshot.replica.records).toEqual(log.replica.records);
  return log.replica.records;
}

/** Options of a log that writes a snapshot after a few versions. */
function keepingSnapshots(settings: LogSettings): Partial<LogOptions> {
  return { snapshots: snapshotsOf(settings, localBlobs(), 3) };
}

async function perform(log: TestLog, actions: readonly Action[], name: number): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [index, next] of actions.entries()) steps.push(await act(log, next, `${name} ${index}`));
  return steps;
}

async function violationsOf(
  programs: readonly (readonly Action[])[],
  settings: LogSettings,
  options: Partial<LogOptions> = {},
): Promise<string[]> {
  const logs = programs.map(() => openTestLog(settings, options));
  const histories = await Promise.all(logs.map((log, index) => perform(log, programs[index] ?? [], index)));
  return violations(histories.flat(), await finalState({ ...settings, connectionString: localTables() }));
}

describe('any readers and writers', () => {
  test('see one history, in an order that keeps to the clock', async () => {
    await fc.assert(
      fc.asyncProperty(program, async (programs) => {
        expect(await violationsOf(programs, newCalendar(localTables()))).toEqual([]);
      }),
      numRuns(8),
    );
  });

  test('see one history when they write snapshots as well', async () => {
    await fc.assert(
      fc.asyncProperty(program, async (programs) => {
        const settings = newCalendar(localTables());
        expect(await violationsOf(programs, settings, keepingSnapshots(settings))).toEqual([]);
      }),
      numRuns(8),
    );
  });

  test.each([
    ['without snapshots', () => ({})],
    ['with snapshots', keepingSnapshots],
  ])('see one history when calls fail and answers are lost, %s', async (_name, optionsFor) => {
    await fc.assert(
      fc.asyncProperty(program, faults, async (programs, list) => {
        for (const kind of ['head', 'page', 'commit'] as const) proxy.next(kind, ...list[kind]);
        const settings = newCalendar(proxy.connectionString);
        expect(await violationsOf(programs, settings, optionsFor(settings))).toEqual([]);
        proxy.forget();
      }),
      numRuns(8),
    );
  });
});

describe('cold instances', () => {
  test('that load while others write hold a true state, whatever pages it comes in', async () => {
    const settings = newCalendar(localTables());
    const writer = openTestLog(settings);
    await fillCalendar(writer, 2_500, eventSizedRecord);
    const initial = new Map(writer.replica.records);
    let loading = true;
    async function write(): Promise<Step[]> {
      const steps: Step[] = [];
      for (let count = 0; loading; count++) {
        steps.push(await act(writer, { kind: 'put', key: `event/${(count * 997) % 2_500}` }, `new ${count}`));
      }
      return steps;
    }
    async function load(): Promise<Step[]> {
      proxy.always({ rowsPerPage: 300 });
      const loads = [0, 1, 2, 3].map(() =>
        openTestLog({ ...settings, connectionString: proxy.connectionString }),
      );
      const steps: Step[] = [];
      for (const log of loads) steps.push(await act(log, { kind: 'read' }, ''));
      proxy.always(null);
      loading = false;
      return steps;
    }
    const [writes, loads] = await Promise.all([write(), load()]);
    expect(writes.length).toBeGreaterThan(4);
    expect(violations([...writes, ...loads], await finalState(settings), initial)).toEqual([]);
  });
});

/** Resolves when a process has reported a number of steps. */
function afterSteps(process: CalendarProcess, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let told = 0;
  process.onStep(() => ++told >= count && resolve());
  return promise;
}

describe('several processes', () => {
  const processesOn = useProcesses();
  const mixed: Action[] = Array.from({ length: 4 }, (_, index): Action[] => [
    { kind: 'create' },
    { kind: 'read' },
    { kind: 'put', key: keys[index % 3] ?? 'a' },
  ]).flat();

  test.each([
    ['without snapshots', undefined],
    ['with snapshots', 5],
  ])(
    'that write at once lose no update, give no id twice, and see at once what another was told is written, %s',
    async (_name, after) => {
      const settings = newCalendar(localTables());
      const processes = await processesOn(
        4,
        settings,
        after === undefined ? undefined : { blobs: localBlobs(), after },
      );
      const histories = await Promise.all(processes.map((process) => process.run(mixed)));
      expect(histories.map((steps) => steps.length)).toEqual(Array(4).fill(mixed.length));
      expect(violations(histories.flat(), await finalState(settings))).toEqual([]);
    },
  );

  test.each([
    ['without snapshots', undefined],
    ['with snapshots', 5],
  ])(
    'of which some are killed while they write lose nothing that was acknowledged, and leave nothing half done, %s',
    async (_name, after) => {
      const settings = newCalendar(localTables());
      const processes = await processesOn(
        4,
        settings,
        after === undefined ? undefined : { blobs: localBlobs(), after },
      );
      const forever: Action[] = Array(10_000).fill({ kind: 'create' });
      const steps: Step[] = [];
      const killed = processes.map(async (process, index) => {
        process.onStep((step) => steps.push(step));
        await Promise.race([process.run(forever), afterSteps(process, 5 + 5 * index)]);
        await process.kill();
      });
      await Promise.all(killed);
      const records = await finalState(settings);
      const events = [...records.keys()].filter((key) => key !== 'n');
      expect(records.get('n'), 'each write is there with all it did').toBe(String(events.length));
      const acknowledged = steps.flatMap(({ puts }) => puts.slice(1).map(({ key }) => key));
      expect(events).toEqual(expect.arrayContaining(acknowledged));
      expect(new Set(acknowledged).size).toBe(acknowledged.length);
      const survivor = openTestLog(settings);
      await put(survivor, 'event/next', 1);
      expect((await survivor.read()).version).toBeGreaterThan(0);
    },
  );
});
