/** The built app, for the tests of one file; every reply is checked against the API document. */

import { afterAll, beforeAll } from 'vitest';
import {
  type DevStack,
  type DevStackOptions,
  fillCalendar,
  type ServiceUrls,
  type Settings,
  startDevStack,
} from '../../local/index.ts';
import { cachedDocument } from './cached-document.ts';
import { cachedTokens } from './cached-tokens.ts';
import { type DatabasesOfTest, databasesOfTest, nameOfDatabases } from './databases-of-test.ts';
import { hostMode } from './host-mode.ts';
import { type CheckedReply, publishedDocument, replyChecker } from './reply-checker.ts';
import { canReuseApp, takeApp } from './reused-app.ts';
import { settingsOfOwnDatabases, settingsOfOwnTable } from './shared-emulators.ts';
import { keysOfFile } from './signing-keys.ts';
import { untilKeysAreLoaded } from './until-keys-are-loaded.ts';

export interface CallOptions {
  /** A bearer token, sent as it is. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes, which go out as they are. */
  readonly body?: unknown;
  /** Base path of another process of the app. Default: that of this one. */
  readonly base?: string;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  readonly json: unknown;
}

export interface TestAppOptions extends DevStackOptions {
  /**
   * Starts an app for this file alone: for a file that changes the issuer, or counts on an app without earlier requests. Without other
   * options, an app of an earlier file is given new databases and an empty calendar.
   */
  readonly alone?: boolean;
  /** On which databases the app runs. Default: what TEST_DATABASES says, else our own, as an administrator. */
  readonly databases?: DatabasesOfTest;
}

export interface TestApp {
  readonly stack: DevStack;
  /** Address of the base path: `http://localhost:1234/api`. */
  readonly base: string;
  /** Calls a path below the base path. */
  call(method: string, path: string, options?: CallOptions): Promise<TestReply>;
  /** Issues a token for a user; roles as given, else those of the sample user. */
  token(email: string, roles?: readonly string[]): string;
  /** Throws when a reply is not as the API document says. */
  check(reply: CheckedReply): void;
  /** Starts one more process of the app over the same emulators; `await using` ends it. */
  startAnother(settings?: Settings): Promise<ServiceUrls & AsyncDisposable>;
}

/** Serves an app over the shared emulators to the tests of this file, without the sample calendar unless told. Nothing is kept on this machine. */
export function useApp({
  alone = false,
  sampleCalendar = false,
  databases,
  ...options
}: TestAppOptions = {}): TestApp {
  const mayBeReused = !alone && databases === undefined && Object.keys(options).length === 0;
  const isOwnServer = options.settings?.['DB_SERVER'] !== undefined;
  const name = databases ?? (isOwnServer ? 'ours' : nameOfDatabases());
  const { migrate, settings } = databasesOfTest(name);
  let stack: DevStack | undefined;
  let release = async () => stack?.stop();
  let check: (reply: CheckedReply) => void = () => {};

  beforeAll(async () => {
    const alone: DevStackOptions = {
      migrate,
      prepareDatabases: true,
      sampleCalendar: false,
      flex: hostMode.flex,
      generateKey: keysOfFile(),
      ...options,
      settings: {
        ...settingsOfOwnDatabases(),
        ...settingsOfOwnTable(),
        ...hostMode.settings,
        ...settings,
        ...options.settings,
      },
    };
    if (mayBeReused && canReuseApp()) ({ stack, release } = await takeApp());
    else stack = await startDevStack(alone);
    if (!alone) await untilKeysAreLoaded(stack.calendar, stack.token('alice@example.org'));
    const { base, calendar, token, settings: all } = stack;
    if (sampleCalendar) await fillCalendar({ url: calendar, token: token('alice@example.org') });
    const document = await cachedDocument(all, () => publishedDocument(base));
    if (document !== undefined) check = replyChecker(document);
  });
  afterAll(() => release());

  function running(): DevStack {
    if (stack === undefined) throw new Error('The app starts before the first test, not earlier.');
    return stack;
  }

  return {
    get stack() {
      return running();
    },
    get base() {
      return running().base;
    },
    token: cachedTokens(() => running().identity),
    check: (reply) => check(reply),
    async startAnother(more) {
      const another = await running().startAnotherApp(more);
      return { ...another, [Symbol.asyncDispose]: another.stop };
    },
    async call(method, path, { base = running().base, ...options } = {}) {
      const reply = await send(method, base + path, options);
      const { status, headers, text } = reply;
      check({
        method,
        path: path.split('?', 1)[0] ?? '',
        status,
        text,
        contentType: headers.get('content-type'),
      });
      return {
        ...reply,
        get json() {
          return JSON.parse(text) as unknown;
        },
      };
    },
  };
}

/** Sends a request to an address. */
export async function send(method: string, url: string, { token, headers = {}, body }: CallOptions) {
  const response = await fetch(url, {
    method,
    headers: { ...authorization(token), ...contentType(body), ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: encoded(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

function encoded(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
