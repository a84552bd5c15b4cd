/**
 * A dev stack of a test file's own, and an app whose ways to its dependencies lead through proxies, which then swallow packets; the processes
 * of the dependencies can be stopped, too.
 */

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type DevStack, startDevStack } from '../../local/dev-stack.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { send } from './app.ts';
import { scaledByLoad } from './scaled-by-load.ts';
import { keysOfFile } from './signing-keys.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { untilKeysAreLoaded } from './until-keys-are-loaded.ts';

export type App = Awaited<ReturnType<DevStack['startAnotherApp']>>;
type Proxies = Readonly<Record<'sql' | 'tables' | 'blobs', TcpProxy>>;
type Dependency = keyof Proxies;

/** An app with a way of its own to the database server, for tests that run at the same time. */
export interface AppBehindProxy extends AsyncDisposable {
  readonly app: App;
  readonly sql: TcpProxy;
}

export interface Outcome {
  readonly status: number;
  /** Code of the error. */
  readonly code: string | undefined;
  /** Whether the reply says when to come back. */
  readonly comesBack: boolean;
}

export const customDataPath = '/v8.0/documents/document-letter/custom-data';
export const eventsPath = '/tribe/events/v1/events';

/** What a call is answered whose dependency is silent. */
export const refused = (code: string): Outcome => ({ status: 503, code, comesBack: true });

/** Serves the stack and the app to the tests of this file. */
export function useSilencedStack() {
  let stack: DevStack;
  let app: App;
  let proxies: Proxies;
  const started: App[] = [];

  /** Starts an app whose ways lead through the proxies. */
  async function start(more: Readonly<Record<string, string>> = {}): Promise<App> {
    const through = (setting: string, { port }: TcpProxy) =>
      (stack.settings[setting] ?? '').replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    const another = await stack.startAnotherApp({
      DB_SERVER: `127.0.0.1,${proxies.sql.port}`,
      CALENDAR_TABLE_CONNECTION_STRING: through('CALENDAR_TABLE_CONNECTION_STRING', proxies.tables),
      CALENDAR_BLOB_CONNECTION_STRING: through('CALENDAR_BLOB_CONNECTION_STRING', proxies.blobs),
      ...more,
    });
    started.push(another);
    return another;
  }

  /** Starts an app whose way to the database server is its own. */
  async function startBehindProxy(more: Readonly<Record<string, string>> = {}): Promise<AppBehindProxy> {
    const sql = await startTcpProxy(portIn(stack.settings['DB_SERVER']));
    const app = await stack.startAnotherApp({ DB_SERVER: `127.0.0.1,${sql.port}`, ...more });
    await untilKeysAreLoaded(app.calendar, token());
    return {
      app,
      sql,
      async [Symbol.asyncDispose]() {
        await app.stop();
        await sql[Symbol.asyncDispose]();
      },
    };
  }

  const token = () => stack.token('alice@example.org', ['Calendar.Editor', 'Service.Access']);
  const processOf = (name: Dependency) => stack.processes[name === 'sql' ? 'sql-server' : name];

  /** Takes back every fault. */
  function heal(): void {
    for (const process of Object.values(stack.processes)) process.kill('SIGCONT');
    for (const proxy of Object.values(proxies))
      Object.assign(proxy, { silent: false, onRequest: undefined, onReply: undefined });
    stack.identity.intercept = undefined;
  }

  beforeAll(async () => {
    stack = await startDevStack({
      generateKey: keysOfFile(),
      sampleCalendar: false,
      migrate: (settings, folders) => prepareDatabases(settings, folders),
    });
    const behind = (text: string | undefined) => startTcpProxy(portIn(text));
    const [sql, tables, blobs] = await Promise.all([
      behind(stack.settings['DB_SERVER']),
      behind(stack.emulators['tables']),
      behind(stack.emulators['blobs']),
    ]);
    proxies = { sql, tables, blobs };
    app = await start();
    await untilKeysAreLoaded(app.calendar, token());
  });
  afterEach(heal);
  afterAll(async () => {
    await Promise.all(started.map((other) => other.stop()));
    await stack.stop();
    await Promise.all(Object.values(proxies).map((proxy) => proxy[Symbol.asyncDispose]()));
  });

  return {
    get stack() {
      return stack;
    },
    get app() {
      return app;
    },
    get proxies() {
      return proxies;
    },
    start,
    startBehindProxy,
    token,
    heal,
    /** The ways in which a dependency becomes silent. */
    silences: {
      'whose process stands still': (name: Dependency) => {
        processOf(name)?.kill('SIGSTOP');
      },
      'that no packet reaches': (name: Dependency) => {
        proxies[name].silent = 'requests';
      },
      'from which no packet comes': (name: Dependency) => {
        proxies[name].silent = 'replies';
      },
      'that new connections cannot reach': (name: Dependency) => {
        proxies[name].silent = true;
        proxies[name].cutAll();
      },
    },
    /** Sends a call, and holds it to the time of a request. */
    async call(method: string, url: string, body?: unknown, headers = {}): Promise<Outcome> {
      const startedAt = performance.now();
      const options = { token: token(), headers, ...(body === undefined ? {} : { body }) };
      const { status, text, headers: given } = await send(method, url, options);
      expect(performance.now() - startedAt).toBeLessThan(scaledByLoad(10_000));
      const code = /"code":"([^"]+)"/.exec(status < 400 ? '' : text)?.[1];
      return { status, code, comesBack: given.has('retry-after') };
    },
    async statusOf(method: string, url: string, body?: unknown): Promise<number> {
      return (await send(method, url, { token: token(), ...(body === undefined ? {} : { body }) })).status;
    },
    /** Returns the codes of dependencies that fail, by name, as a caller with a token sees them, or one without; a probe waits for four seconds at most. */
    async failing({ base }: App = app, caller?: string): Promise<Record<string, unknown>> {
      const startedAt = performance.now();
      const { text } = await send('GET', `${base}/health`, caller === undefined ? {} : { token: caller });
      expect(performance.now() - startedAt).toBeLessThan(scaledByLoad(4_000));
      const { dependencies } = JSON.parse(text) as { dependencies: Record<string, { code?: string }> };
      return Object.fromEntries(
        Object.entries(dependencies).flatMap(([name, { code }]) => (code ? [[name, code]] : [])),
      );
    },
  };
}

/** Returns the port of an address or a connection string. */
function portIn(text = ''): number {
  return Number(/[:,](\d+)(?!.*[:,]\d)/.exec(text)?.[1]);
}
