/**
 * Instances of the app over a SQL server whose way is cut, slow and silent, also behind a commit, and one that is stopped or killed for a
 * while. A checker reads what the callers saw: nothing that was acknowledged is lost, nothing that was refused is there, each reader sees
 * whole writes, and each change whose outcome is unknown is stored as a whole or not at all.
 *
 *   CHAOS_SECONDS=3600 npm run test:engines -- chaos-sql     an hour of it; a minute unless told
 */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { oneOf, pause, random, stopAndKill } from '../support/chaos.ts';
import { createObjects, recordsAs } from '../support/records.ts';
import { isLinearizable, type RegisterCall } from '../support/register.ts';
import { containsStatement, startTcpProxy, type TcpProxy, type Verdict } from '../support/tcp-proxy.ts';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 60);
const instanceCount = 2;
/** Callers of each instance, and the documents that all of them read and write at a time. */
const callersEach = 3;
const documentsAtOnce = 3;
/** Calls on a document before another takes its place: what the checker tries grows with them. */
const callsEach = 24;

const app = useApp({ settings: { APIS: 'records' } });

interface Instance {
  readonly proxy: TcpProxy;
  readonly settings: Readonly<Record<string, string>>;
  host: Awaited<ReturnType<typeof app.stack.startAnotherApp>>;
  answered: number;
}

const instances: Instance[] = [];
beforeAll(async () => {
  const port = Number(/[:,](\d+)$/.exec(app.stack.settings['DB_SERVER'] ?? '')?.[1]);
  for (let index = 0; index < instanceCount; index += 1) {
    const proxy = await startTcpProxy(port);
    const settings = { APIS: 'records', DB_SERVER: `127.0.0.1,${proxy.port}` };
    instances.push({ proxy, settings, host: await app.stack.startAnotherApp(settings), answered: 0 });
  }
});
afterAll(async () => {
  for (const { host, proxy } of instances) {
    await host.stop();
    await proxy[Symbol.asyncDispose]();
  }
});

/** The ways to write two values of a document together: both replace what is there, without a condition. */
const ways = [
  { method: 'PUT', below: '/custom-data', names: ['one', 'two'] },
  { method: 'PATCH', below: '', names: ['title', 'bkStr01'] },
] as const;
type Way = (typeof ways)[number];

/** What callers saw of two values of a document that are always written together. */
interface Subject {
  readonly path: string;
  readonly way: Way;
  readonly calls: RegisterCall[];
  /** Values that were refused: nobody may ever see them. */
  readonly refused: Set<string>;
  /** Values of changes of unknown outcome, and whether they were seen since. */
  readonly unknown: Set<string>;
  left: number;
}

async function newSubject(): Promise<Subject> {
  const { document } = await createObjects(recordsAs(app, 'alice@example.org'));
  const way = oneOf<Way>(ways);
  const path = `/v8.0/documents/${document}${way.below}`;
  const subject: Subject = {
    path,
    way,
    calls: [],
    refused: new Set(),
    unknown: new Set(),
    left: callsEach,
  };
  const first: Instance = {
    ...(instances[0] as Instance),
    host: { ...app.stack } as unknown as Instance['host'],
  };
  const value = `first ${randomUUID()}`;
  const { start, end, status } = await call(first, way.method, path, both(way, value));
  expect(status).toBe(200);
  subject.calls.push({ kind: 'write', value, start, end });
  return subject;
}

const both = ({ names }: Way, value: string) => Object.fromEntries(names.map((name) => [name, value]));

async function call(instance: Instance, method: string, path: string, body?: object) {
  const start = performance.now();
  try {
    const reply = await fetch(instance.host.base + path, {
      method,
      headers: {
        Authorization: `Bearer ${app.token('alice@example.org')}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await reply.json()) as Partial<Record<string, string>>;
    if (reply.ok) instance.answered += 1;
    return { start, end: performance.now(), status: reply.status, answer };
  } catch {
    // The instance was killed: nobody knows what became of it.
    return { start, end: Number.POSITIVE_INFINITY, status: 0, answer: {} as Partial<Record<string, string>> };
  }
}

async function read(instance: Instance, { path, way, calls }: Subject): Promise<void> {
  const { start, end, status, answer } = await call(instance, 'GET', path);
  if (status !== 200) return;
  const [one, two] = way.names.map((name) => answer[name]);
  // A write is there as a whole, or not at all.
  expect(two).toBe(one);
  calls.push({ kind: 'read', value: one, start, end });
}

async function write(instance: Instance, subject: Subject): Promise<void> {
  const value = `changed ${randomUUID()}`;
  const { way, path } = subject;
  const { start, end, status, answer } = await call(instance, way.method, path, both(way, value));
  const isUnknown = status === 0 || answer['code'] === 'outcome-unknown';
  if (status === 200) subject.calls.push({ kind: 'write', value, start, end });
  else if (!isUnknown) {
    // Whatever else is answered says that nothing was stored.
    expect(status).toBe(503);
    subject.refused.add(value);
  } else {
    subject.unknown.add(value);
    subject.calls.push({ kind: 'write', value, start, end: Number.POSITIVE_INFINITY });
  }
}

/** Returns the calls without changes of unknown outcome that nobody has seen: these need not have happened, since each has a value of its own. */
function seenCalls({ calls, unknown }: Subject): RegisterCall[] {
  const read = new Set(calls.flatMap(({ kind, value }) => (kind === 'read' ? [value] : [])));
  return calls.filter(({ value = '' }) => !unknown.has(value) || read.has(value));
}

/** What becomes of the next bytes that an instance sends, once. */
function spoilOnce(proxy: TcpProxy, verdict: Verdict, statement?: string): void {
  proxy.onRequest = (bytes) => {
    if (statement !== undefined && !containsStatement(bytes, statement)) return 'pass';
    proxy.onRequest = undefined;
    return verdict;
  };
}

const faults: readonly [(proxy: TcpProxy) => unknown, ...((proxy: TcpProxy) => unknown)[]] = [
  (proxy) => proxy.cutAll(),
  (proxy) => spoilOnce(proxy, 'cut'),
  (proxy) => spoilOnce(proxy, 'pass-then-cut'),
  (proxy) => spoilOnce(proxy, 'pass-then-cut', 'COMMIT TRANSACTION'),
  (proxy) => {
    spoilOnce(proxy, 'hold');
    return pause(500).then(() => proxy.release());
  },
  (proxy) => {
    // The answer to a commit is lost.
    proxy.onRequest = (bytes) => {
      if (!containsStatement(bytes, 'COMMIT TRANSACTION')) return 'pass';
      proxy.onRequest = undefined;
      proxy.onReply = () => {
        proxy.onReply = undefined;
        return 'cut';
      };
      return 'pass';
    };
  },
  async (proxy) => {
    proxy.silent = oneOf<TcpProxy['silent']>([true, 'requests', 'replies']);
    await pause(1_000);
    proxy.silent = false;
    // What was lost meanwhile would be garbage on the connections that are open.
    proxy.cutAll();
  },
  async (proxy) => {
    proxy.gone = true;
    proxy.cutAll();
    await pause(300);
    proxy.gone = false;
  },
];

test(`callers of ${instanceCount} instances see whole writes, for ${seconds} seconds of faults`, async () => {
  const until = performance.now() + seconds * 1_000;
  const done: Subject[] = [];
  const subjects = await Promise.all(Array.from({ length: documentsAtOnce }, newSubject));

  async function caller(instance: Instance): Promise<void> {
    while (performance.now() < until) {
      const place = random(subjects.length);
      const subject = subjects[place];
      if (subject === undefined) return;
      subject.left -= 1;
      if (subject.left === 0) {
        done.push(subject);
        subjects[place] = await newSubject();
      }
      await oneOf([read, read, write])(instance, subject);
    }
  }

  async function spoil(instance: Instance): Promise<void> {
    while (performance.now() < until) {
      await pause(200 + random(1_500));
      await oneOf(faults)(instance.proxy);
    }
  }

  const callers = instances.flatMap((instance) =>
    Array.from({ length: callersEach }, () => caller(instance)),
  );
  await Promise.all([
    ...callers,
    ...instances.map(spoil),
    stopAndKill(instances, { every: 6_000, until, start: app.stack.startAnotherApp }),
  ]);
  for (const { proxy } of instances)
    Object.assign(proxy, { onRequest: undefined, onReply: undefined, silent: false, gone: false });
  done.push(...subjects);

  // A caller that comes afterwards, on a way without faults: what was unknown is told now.
  const last = { ...(instances[0] as Instance), host: { ...app.stack } as unknown as Instance['host'] };
  for (const subject of done) {
    const before = subject.calls.length;
    await read(last, subject);
    expect(subject.calls.length).toBe(before + 1);
  }

  const writes = done.flatMap(({ calls }) => calls.filter(({ kind }) => kind === 'write'));
  process.stdout.write(
    `${done.flatMap(({ calls }) => calls).length} reads and writes checked; of ${writes.length} writes ${done.flatMap(({ unknown }) => [...unknown]).length} were of unknown outcome\n`,
  );
  expect(instances.map(({ answered }) => answered > 0)).toEqual(instances.map(() => true));
  const outOfOrder = done.filter((subject) => !isLinearizable(seenCalls(subject)));
  expect(outOfOrder).toEqual([]);
  const appeared = done.flatMap(({ calls, refused }) =>
    calls.filter(({ kind, value }) => kind === 'read' && refused.has(value ?? '')),
  );
  expect(appeared).toEqual([]);
});
