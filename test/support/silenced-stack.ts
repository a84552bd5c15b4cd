/**
 * A dev stack of a test file's own, and apps whose ways to their dependencies lead through proxies, which then swallow packets; the processes
 * of the dependencies can be stopped, too.
 */

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type DevStack, startDevStack } from '../../local/index.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { send } from './app.ts';
import { scaledByLoad } from './scaled-by-load.ts';
import { keysOfFile } from './signing-keys.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { untilKeysAreLoaded } from './until-keys-are-loaded.ts';

export type App = Awaited<ReturnType<DevStack['startAnotherApp']>>;
type Proxies = Readonly<Record<'sql' | 'tables' | 'blobs', TcpProxy>>;
type Dependency = keyof Proxies;

/** An app with ways of its own to its dependencies, for tests that run at the same time. */
export interface AppBehindProxies extends AsyncDisposable, Proxies {
  readonly app: App;
}

/** Lets no packets through: to a dependency, from it, or to and from it, with its connections cut. */
export const blockings = {
  'that no packet reaches': (proxy: TcpProxy) => {
    proxy.silent = 'requests';
  },
  'from which no packet comes': (proxy: TcpProxy) => {
    proxy.silent = 'replies';
  },
  'that new connections cannot reach': (proxy: TcpProxy) => {
    proxy.silent = true;
    proxy.cutAll();
  },
} as const;

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
  let shared: AppBehindProxies;

  /** Starts an app whose ways to its dependencies are its own, of which some are silent from its start on. */
  async function start(
    settings: Readonly<Record<string, string>> = {},
    silent: readonly Dependency[] = [],
  ): Promise<AppBehindProxies> {
    const behind = (address: string | undefined) => startTcpProxy(portIn(address));
    const [sql, tables, blobs] = await Promise.all([
      behind(stack.settings['DB_SERVER']),
      behind(stack.emulators['tables']),
      behind(stack.emulators['blobs']),
    ]);
    const proxies = { sql, tables, blobs };
    for (const name of silent) proxies[name].silent = true;
    const through = (setting: string, { port }: TcpProxy) =>
      (stack.settings[setting] ?? '').replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    const app = await stack.startAnotherApp({
      DB_SERVER: `127.0.0.1,${sql.port}`,
      CALENDAR_TABLE_CONNECTION_STRING: through('CALENDAR_TABLE_CONNECTION_STRING', tables),
      CALENDAR_BLOB_CONNECTION_STRING: through('CALENDAR_BLOB_CONNECTION_STRING', blobs),
      ...settings,
    });
    return {
      app,
      ...proxies,
      async [Symbol.asyncDispose]() {
        await app.stop();
        await Promise.all(Object.values(proxies).map((proxy) => proxy[Symbol.asyncDispose]()));
      },
    };
  }

  const token = () => stack.token('alice@example.org', ['Calendar.Editor', 'Service.Access']);
  const processOf = (name: Dependency) => stack.processes[name === 'sql' ? 'sql-server' : name];

  /** Lets every process go on. */
  function heal(): void {
    for (const process of Object.values(stack.processes)) process.kill('SIGCONT');
    stack.identity.intercept = undefined;
  }

  beforeAll(async () => {
    stack = await startDevStack({
      generateKey: keysOfFile(),
      sampleCalendar: false,
      migrate: (settings, folders) => prepareDatabases(settings, folders),
    });
    shared = await start();
    await untilKeysAreLoaded(shared.app.calendar, token());
  });
  afterEach(heal);
  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
    await stack.stop();
  });

  return {
    get stack() {
      return stack;
    },
    /** The app of the tests that run one after the other. */
    get app() {
      return shared.app;
    },
    start,
    token,
    /** Stops the process of a dependency until the test ends, or lets it go on. */
    stop: (name: Dependency) => processOf(name)?.kill('SIGSTOP'),
    resume: (name: Dependency) => processOf(name)?.kill('SIGCONT'),
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
    async failing({ base }: App = shared.app, caller?: string): Promise<Record<string, unknown>> {
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
