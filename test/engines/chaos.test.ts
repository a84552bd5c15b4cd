/**
 * Three instances of the app over one table that refuses, delays, cuts and loses answers after it has committed; their clocks differ, one of
 * them is stopped for a while, one is killed and started again. An independent checker reads what the callers saw: nothing that was
 * acknowledged is lost, nothing that was refused appears, every caller reads what was written before, and no read goes back.
 *
 *   CHAOS_SECONDS=3600 npm run test:engines -- chaos      an hour of it; a minute unless told
 */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { oneOf, pause, random, stopAndKill } from '../support/chaos.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/http-fault-proxy.ts';
import { isLinearizable, type RegisterCall } from '../support/register.ts';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 60);
/** Callers of each instance, and the records that all of them read and write at a time. */
const callersEach = 3;
const recordsAtOnce = 4;
/** Calls on a record before another takes its place: what the checker tries grows with them. */
const callsEach = 24;
/** Seconds by which the clocks of the instances are ahead. */
const skews = [0, 60, -60];

const app = useCalendarApp();
const dates = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 12:00:00' };

const faults: readonly [Fault, ...Fault[]] = [
  { refuse: { status: 503, code: 'ServerBusy' } },
  { refuse: { status: 500, code: 'OperationTimedOut' } },
  { refuse: { status: 412, code: 'UpdateConditionNotSatisfied' } },
  { cut: 'request' },
  { cut: 'answer' },
  { cut: 'half of the answer' },
  { before: () => pause(400) },
  { after: () => pause(400) },
];

interface Instance {
  readonly proxy: FaultProxy;
  readonly settings: Record<string, string>;
  host: Awaited<ReturnType<typeof app.another>>;
  /** Calls that it has answered with what was asked for. */
  answered: number;
}

const instances: Instance[] = [];
beforeAll(async () => {
  for (const skew of skews) {
    const proxy = await startFaultProxy(inject('tablesPort'));
    const clock = `const now=Date.now;Date.now=()=>now()+${skew * 1_000};`;
    const settings = {
      CALENDAR_TABLE_CONNECTION_STRING: proxy.connectionString,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
    };
    instances.push({ proxy, settings, host: await app.another(settings), answered: 0 });
  }
});
afterAll(() => Promise.all(instances.map(({ proxy }) => proxy.stop())));

/** What callers saw of each record, by the address that its creation was to have. */
interface Subject {
  readonly key: string;
  /** Undefined until somebody knows it. */
  id: number | undefined;
  readonly calls: RegisterCall[];
  /** Values that were refused: nobody may ever see them. */
  readonly refused: Set<string>;
  left: number;
}

function newSubject(): Subject {
  return { key: randomUUID(), id: undefined, calls: [], refused: new Set(), left: callsEach };
}

/** Refusals that say that nothing was done, and will be. */
const certain = new Set([400, 401, 403, 404, 409, 410, 412, 422]);
const certainCodes = new Set(['calendar-unavailable', 'overloaded']);

async function call(instance: Instance, method: string, path: string, body?: object, headers: object = {}) {
  const start = performance.now();
  try {
    const reply = await fetch(`${instance.host.calendar}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${app.token('editor')}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await reply.json()) as { id?: number; title?: string; code?: string };
    if (reply.ok) instance.answered += 1;
    const isReplayed = reply.headers.has('idempotent-replayed');
    return { start, end: performance.now(), status: reply.status, answer, isReplayed };
  } catch {
    // The instance was killed, or the connection cut: nobody knows what became of it.
    return { start, end: Number.POSITIVE_INFINITY, status: 0, answer: {}, isReplayed: false };
  }
}

/** Creates the record, or sends its creation again. */
async function create(instance: Instance, subject: Subject): Promise<void> {
  const value = `created ${subject.key}`;
  const key = { 'Idempotency-Key': subject.key };
  const body = { title: value, ...dates };
  const { start, end, status, answer, isReplayed } = await call(instance, 'POST', '/events', body, key);
  if (status === 201) {
    subject.id ??= answer.id;
    expect(answer.id).toBe(subject.id);
  } else if (isCertain(status, answer.code)) return;
  // Sent again it is the record that there is, which may have changed since.
  if (isReplayed) subject.calls.push({ kind: 'read', value: answer.title, start, end });
  else
    subject.calls.push({ kind: 'write', value, start, end: status === 201 ? end : Number.POSITIVE_INFINITY });
}

function isCertain(status: number, code = ''): boolean {
  return certain.has(status) || certainCodes.has(code);
}

async function write(instance: Instance, subject: Subject): Promise<void> {
  const value = `changed ${randomUUID()}`;
  const { start, end, status, answer } = await call(instance, 'PATCH', `/events/${subject.id}`, {
    title: value,
  });
  if (status === 200) subject.calls.push({ kind: 'write', value, start, end });
  else if (isCertain(status, answer.code)) subject.refused.add(value);
  else subject.calls.push({ kind: 'write', value, start, end: Number.POSITIVE_INFINITY });
}

async function read(instance: Instance, subject: Subject): Promise<void> {
  const { start, end, status, answer } = await call(instance, 'GET', `/events/${subject.id}`);
  if (status === 200) subject.calls.push({ kind: 'read', value: answer.title, start, end });
  else if (status === 404) subject.calls.push({ kind: 'read', value: undefined, start, end });
}

test(`callers of three instances see one calendar, for ${seconds} seconds of faults`, async () => {
  const until = performance.now() + seconds * 1_000;
  const done: Subject[] = [];
  const subjects = Array.from({ length: recordsAtOnce }, newSubject);

  async function caller(instance: Instance): Promise<void> {
    while (performance.now() < until) {
      const place = random(subjects.length);
      const subject = subjects[place];
      if (subject === undefined) return;
      subject.left -= 1;
      if (subject.left === 0) {
        done.push(subject);
        subjects[place] = newSubject();
      }
      if (subject.id === undefined) await create(instance, subject);
      else await oneOf([read, read, write])(instance, subject);
    }
  }

  async function spoil(): Promise<void> {
    while (performance.now() < until) {
      for (const { proxy } of instances) {
        if (random(3) > 0) continue;
        proxy.next(oneOf(['head', 'page', 'commit']), oneOf(faults));
      }
      await pause(100);
    }
    for (const { proxy } of instances) proxy.forget();
  }

  const callers = instances.flatMap((instance) =>
    Array.from({ length: callersEach }, () => caller(instance)),
  );
  await Promise.all([
    ...callers,
    spoil(),
    stopAndKill(instances, { every: 4_000, until, start: app.another }),
  ]);
  done.push(...subjects);

  // A caller that comes afterwards, through a table without faults.
  const last: Instance = { ...(instances[0] as Instance), host: await app.another(), answered: 0 };
  for (const subject of done) if (subject.id !== undefined) await read(last, subject);
  const { answer } = await call(last, 'GET', '/events?per_page=50&start_date=2031-01-01&end_date=2032-01-01');
  const total = Number((answer as { total?: number }).total);

  const known = done.filter(({ id }) => id !== undefined);
  expect(instances.map(({ answered }) => answered > 0)).toEqual([true, true, true]);
  const outOfOrder = known.filter(({ calls }) => !isLinearizable(calls));
  expect(outOfOrder).toEqual([]);
  const appeared = known.flatMap(({ calls, refused }) =>
    calls.filter(({ kind, value }) => kind === 'read' && refused.has(value ?? '')),
  );
  expect(appeared).toEqual([]);
  // A creation that was sent many times has made one record at most; of those that nobody knows of, some are there.
  const unknown = done.filter(({ id, calls }) => id === undefined && calls.length > 0).length;
  expect(total).toBeGreaterThanOrEqual(known.length);
  expect(total).toBeLessThanOrEqual(known.length + unknown);
});
